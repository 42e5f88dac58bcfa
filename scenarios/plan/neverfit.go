package plan

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// NeverFitError is the error of a plan whose goal no fleet can meet, since pods that arrive fit no node even when it is
// empty. It is known before the first run.
type NeverFitError struct {
	Goal string // the term that fails
	Pods []NeverFit
}

// NeverFit is pods of one class that fit no node of the fleet even when it is empty.
type NeverFit struct {
	Pod      string // namespace/name of the first
	Pods     int
	Requests string
	Pools    []UnfitPool
}

// UnfitPool is why a pod does not fit the nodes of a pool.
type UnfitPool struct {
	Pool    string // empty: the nodes are in no pool
	Shape   string // what its nodes have of what the pod requests
	Reasons string
}

// Error names the pods, and for each pool its shape and the reason.
func (e *NeverFitError) Error() string {
	var b strings.Builder
	pods := 0
	for _, n := range e.Pods {
		pods += n.Pods
	}
	fits := "fit"
	if pods == 1 {
		fits = "fits"
	}
	fmt.Fprintf(&b, "no number of nodes holds %s: %s %s no node of any pool, even when it is empty", e.Goal, human.Counted(pods, "pod"), fits)
	for _, n := range e.Pods {
		fmt.Fprintf(&b, "\n  pod %s", n.Pod)
		if n.Pods > 1 {
			fmt.Fprintf(&b, " and %s like it", human.Whole(n.Pods-1))
		}
		b.WriteString(", which requests " + n.Requests)
		for _, p := range n.Pools {
			name := "nodes in no pool"
			if p.Pool != "" {
				name = "pool " + p.Pool
			}
			fmt.Fprintf(&b, "\n    %s (%s): %s", name, p.Shape, p.Reasons)
		}
	}
	b.WriteString("\nAdd a pool with larger nodes, or change what the pods ask for")
	return b.String()
}

// checkNeverFit returns a NeverFitError if, with too many of the seeds, more pods that fit no node arrive than a term of the
// goal allows to be pending. It never returns one where a run could meet the goal: nodes must not change during the run, and
// the term must be a plain comparison of placement.pending.
func (p *Plan) checkNeverFit(ctx context.Context, s *search, largest *scenarios.Run) error {
	if len(largest.NeverFit) == 0 || len(largest.Config.Changes) > 0 || !slices.ContainsFunc(p.goal.Terms, limitsPending) {
		return nil
	}
	arrived := make([]map[*cluster.Class]NeverFit, len(p.Seeds))
	least := make([]int, len(p.Seeds))
	for i := range p.Seeds {
		var err error
		if arrived[i], err = p.arrivingUnfit(ctx, s, i); err != nil {
			return err
		}
		for _, n := range arrived[i] {
			least[i] += n.Pods
		}
	}
	for _, w := range s.wants {
		for _, t := range w.terms {
			term, failing, first := p.goal.Terms[t], 0, -1
			for i, n := range least {
				if !term.FailsFrom(pendingMetric, float64(n)) {
					continue
				}
				if failing++; first < 0 {
					first = i
				}
			}
			if len(p.Seeds)-failing < w.need {
				return &NeverFitError{Goal: term.Text, Pods: sortedUnfit(arrived[first])}
			}
		}
	}
	return nil
}

// pendingMetric counts the pods without a node at the end of a run.
const pendingMetric = "placement.pending"

// limitsPending reports whether the term allows only so many pods to be pending.
func limitsPending(t *goal.Term) bool {
	const many = 1 << 50
	return t.FailsFrom(pendingMetric, many)
}

// arrivingUnfit returns the pods that fit no node of the largest fleet and arrive in the run of a seed.
func (p *Plan) arrivingUnfit(ctx context.Context, s *search, seed int) (map[*cluster.Class]NeverFit, error) {
	options := p.options(s.highs())
	options.Seed = &p.Seeds[seed]
	run, err := p.Scenario.BuildContext(ctx, options)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	out := map[*cluster.Class]NeverFit{}
	for {
		a, more, err := run.Config.Arrivals.Next()
		switch {
		case err != nil:
			return nil, err
		case !more || a.At > run.Config.Horizon || ctx.Err() != nil:
			return out, ctx.Err()
		case a.Node != "" || a.Terminating || !run.NeverFit[a.Class]:
			continue
		}
		n, known := out[a.Class]
		if !known {
			n = unfit(run, a.Class)
			n.Pod = run.Config.Cluster.Text(a.Class.Namespace) + "/" + a.Name
		}
		n.Pods++
		out[a.Class] = n
	}
}

// unfit returns why pods of the class fit no node of each pool. The first node of a pool stands for all of them.
func unfit(run *scenarios.Run, class *cluster.Class) NeverFit {
	c := run.Config.Cluster
	out := NeverFit{Requests: requestsText(c, class)}
	// The pods that it wants to be with have not arrived yet.
	in := run.Config.Scheduler.Inspect(cluster.NoPod, c.AddTrialClass(class.WithoutPodTerms()))
	seen := map[string]bool{}
	for _, id := range c.ByCreation() {
		node := c.Node(id)
		if seen[node.Pool] {
			continue
		}
		seen[node.Pool] = true
		p := UnfitPool{Pool: node.Pool, Shape: shapeText(c, &node.NodeSpec, class)}
		if _, st := in.Rejected(); st.Rejects() {
			p.Reasons = st.Message
		}
		var reasons []string
		for _, v := range in.Verdicts(id, nil) {
			reasons = append(reasons, in.Plugin(v)+": "+strings.Join(in.Reasons(v), ", "))
		}
		p.Reasons = cmp.Or(strings.Join(reasons, "; "), p.Reasons)
		out.Pools = append(out.Pools, p)
	}
	return out
}

// requestsText writes what a pod of the class requests.
func requestsText(c *cluster.Cluster, class *cluster.Class) string {
	var parts []string
	for _, q := range class.Requests {
		name := c.ResourceName(q.Resource)
		parts = append(parts, explain.RoundedQuantity(name, q.Amount)+" "+name)
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}

// shapeText writes what a node has of cpu, memory and what a pod of the class requests besides.
func shapeText(c *cluster.Cluster, node *cluster.NodeSpec, class *cluster.Class) string {
	var parts []string
	for _, q := range node.Allocatable {
		if q.Resource <= cluster.Memory || class.Request(q.Resource) > 0 {
			name := c.ResourceName(q.Resource)
			parts = append(parts, explain.RoundedQuantity(name, q.Amount)+" "+name)
		}
	}
	return strings.Join(parts, ", ")
}

// sortedUnfit returns the pods by their number and name.
func sortedUnfit(of map[*cluster.Class]NeverFit) []NeverFit {
	var out []NeverFit
	for _, n := range of {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b NeverFit) int { return cmp.Or(cmp.Compare(b.Pods, a.Pods), cmp.Compare(a.Pod, b.Pod)) })
	return out
}
