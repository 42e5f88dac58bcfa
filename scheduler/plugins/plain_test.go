package plugins_test

import (
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// plainRegistry has, in the place of every filter and score plugin with something worked out
// ahead or remembered, a twin that works out everything for every node as upstream does.
func plainRegistry() scheduler.Registry {
	r := plugins.Registry()
	with := func(name string, make func(plain, any) scheduler.Plugin) {
		r[name] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
			return make(plain{name, h.Cluster()}, args), nil
		}
	}
	with("NodeResourcesFit", func(p plain, args any) scheduler.Plugin {
		a, ok := args.(plugins.FitArgs)
		if !ok {
			a.Strategy = plugins.DefaultStrategy()
		}
		return &plainFit{p, a, nil}
	})
	with("NodeResourcesBalancedAllocation", func(p plain, args any) scheduler.Plugin {
		a, ok := args.(plugins.BalancedArgs)
		if !ok {
			a.Resources = plugins.DefaultResources()
		}
		return plainBalance{p, a.Resources}
	})
	with("TaintToleration", func(p plain, _ any) scheduler.Plugin { return plainTaints{p} })
	with("NodeAffinity", func(p plain, args any) scheduler.Plugin {
		a, _ := args.(plugins.NodeAffinityArgs)
		return plainAffinity{p, a}
	})
	r["InterPodAffinity"] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		a, ok := args.(plugins.InterPodAffinityArgs)
		if !ok {
			a = plugins.DefaultInterPodAffinityArgs()
		}
		return &plainPodAffinity{plain{"InterPodAffinity", h.Cluster()}, a, h.Rules().EmptyNamespacesMatch, nil}, nil
	}
	with("PodTopologySpread", newPlainSpread)
	with("ImageLocality", func(p plain, _ any) scheduler.Plugin { return plainImages{p} })
	with("NodeUnschedulable", func(p plain, _ any) scheduler.Plugin { return plainCordon{p} })
	return r
}

type plain struct {
	name string
	cl   *cluster.Cluster
}

func (p plain) Name() string { return p.name }
func (plain) DependsOn() scheduler.Dependencies {
	return scheduler.NodePods | scheduler.Nominations | scheduler.NodeAllocatable
}

type plainFit struct {
	plain
	args plugins.FitArgs
	seen [][]string // the reasons of all verdicts, by detail
}

func (p *plainFit) PreFilter(*scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{}
}

func (p *plainFit) PreScore(*scheduler.Cycle) scheduler.Status { return scheduler.Status{} }

func (p *plainFit) lacking(c *scheduler.Cycle, node cluster.NodeID) (reasons []string, hopeless bool) {
	if int64(len(p.cl.PodsOn(node)))+1 > p.cl.Allocatable(cluster.Pods)[node] {
		reasons = append(reasons, "Too many pods")
	}
	for _, q := range c.Class.Requests {
		name := p.cl.ResourceName(q.Resource)
		if group, _, extended := strings.Cut(name, "/"); extended &&
			(slices.Contains(p.args.IgnoredResources, name) || slices.Contains(p.args.IgnoredGroups, group)) {
			continue
		}
		if a := p.cl.Allocatable(q.Resource)[node]; q.Amount > a-p.cl.Requested(q.Resource)[node] {
			reasons = append(reasons, "Insufficient "+name)
			hopeless = hopeless || q.Amount > a
		}
	}
	return reasons, hopeless
}

func (*plainFit) Checks() scheduler.Checks { return scheduler.CheckResources }

func (p *plainFit) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	reasons, hopeless := p.lacking(c, node)
	if len(reasons) == 0 {
		return scheduler.Fits
	}
	p.seen = append(p.seen, reasons)
	code := scheduler.Unschedulable
	if hopeless {
		code = scheduler.UnschedulableAndUnresolvable
	}
	return scheduler.NewRejection(code, uint32(len(p.seen)-1))
}

func (p *plainFit) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	return p.seen[v.Detail()]
}

// amounts is calculateNodeAllocatableRequest of upstream's resource_allocation.go.
func (p plain) amounts(c *scheduler.Cycle, resources []plugins.ResourceWeight, node cluster.NodeID, nonZero bool) (requested, allocated, allocatable []int64) {
	for _, res := range resources {
		r := p.cl.Resource(res.Name)
		ask, on := c.Class.Request(r), p.cl.Requested(r)[node]
		if nonZero {
			if ask = c.Class.ScoreRequest(r); r == cluster.CPU || r == cluster.Memory {
				ask, on = c.Class.ScoreNonZero[r], p.cl.NonZeroRequested(r)[node]
			}
		}
		a := p.cl.Allocatable(r)[node]
		if r == cluster.Pods || r.IsScalar() && ask == 0 || a == 0 {
			ask, on, a = 0, 0, 0
		}
		requested, allocated, allocatable = append(requested, on+ask), append(allocated, on), append(allocatable, a)
	}
	return requested, allocated, allocatable
}

func (p *plainFit) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	s := p.args.Strategy
	requested, _, allocatable := p.amounts(c, s.Resources, node, true)
	var sum, weights int64
	for i := range requested {
		r, a, weight := requested[i], allocatable[i], s.Resources[i].Weight
		if a == 0 {
			continue
		}
		var score int64
		switch s.Type {
		case plugins.LeastAllocated:
			if r <= a {
				score = (a - r) * 100 / a
			}
		case plugins.MostAllocated:
			score = min(r, a) * 100 / a
		default:
			u := int64(100)
			if r <= a {
				u = r * 100 / a
			}
			if score = shapeAt(s.Shape, u); score <= 0 {
				continue
			}
		}
		sum, weights = sum+score*weight, weights+weight
	}
	switch {
	case weights == 0:
		return 0
	case s.Type == plugins.RequestedToCapacityRatio:
		return int64(math.Round(float64(sum) / float64(weights)))
	}
	return sum / weights
}

func shapeAt(shape []plugins.ShapePoint, u int64) int64 {
	for i, p := range shape {
		if u <= p.Utilization {
			if i == 0 {
				return p.Score * 10
			}
			q := shape[i-1]
			return q.Score*10 + (p.Score*10-q.Score*10)*(u-q.Utilization)/(p.Utilization-q.Utilization)
		}
	}
	return shape[len(shape)-1].Score * 10
}

type plainBalance struct {
	plain
	resources []plugins.ResourceWeight
}

func (p plainBalance) PreScore(c *scheduler.Cycle) scheduler.Status {
	for _, r := range p.resources {
		if c.Class.Request(p.cl.Resource(r.Name)) != 0 {
			return scheduler.Status{}
		}
	}
	return scheduler.Status{Code: scheduler.Skip}
}

func (p plainBalance) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	requested, allocated, allocatable := p.amounts(c, p.resources, node, false)
	return 50 + (50+balanceOf(requested, allocatable)-balanceOf(allocated, allocatable))/2
}

func balanceOf(requested, allocatable []int64) int64 {
	var fractions []float64
	var total, squares, std float64
	for i := range requested {
		if allocatable[i] != 0 {
			f := min(float64(requested[i])/float64(allocatable[i]), 1)
			fractions, total = append(fractions, f), total+f
		}
	}
	if n := float64(len(fractions)); n == 2 {
		std = math.Abs((fractions[0] - fractions[1]) / 2)
	} else if n > 2 {
		for _, f := range fractions {
			squares += float64((f - total/n) * (f - total/n))
		}
		std = math.Sqrt(squares / n)
	}
	return int64((1 - std) * 100)
}

type plainTaints struct{ plain }

func (p plainTaints) untolerated(c *scheduler.Cycle, node cluster.NodeID, soft bool) (n int64) {
	for _, taint := range p.cl.Node(node).Taints {
		if (taint.Effect == cluster.PreferNoSchedule) == soft && !cluster.Tolerated(c.Class.Tolerations, taint) {
			n++
		}
	}
	return n
}

func (plainTaints) Checks() scheduler.Checks { return scheduler.CheckTaints }

func (p plainTaints) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if p.untolerated(c, node, false) > 0 {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p plainTaints) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{"node(s) had untolerated taint(s)"}
}

func (p plainTaints) PreScore(*scheduler.Cycle) scheduler.Status { return scheduler.Status{} }

func (p plainTaints) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	return p.untolerated(c, node, true)
}

func (p plainTaints) NormalizeScore(_ *scheduler.Cycle, scores []int64) {
	highest := slices.Max(scores)
	for i := range scores {
		if scores[i] = 100 - scores[i]*100/max(highest, 1); highest == 0 {
			scores[i] = 100
		}
	}
}

type plainAffinity struct {
	plain
	args plugins.NodeAffinityArgs
}

func (p plainAffinity) PreFilter(*scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{} // the twin is for pods that name no node
}

func (plainAffinity) Checks() scheduler.Checks { return scheduler.CheckNodeSelector }

func (p plainAffinity) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	n := p.cl.Node(node)
	fits := p.args.Added == nil || p.args.Added.Matches(n.Labels, n.Symbol, &p.cl.Symbols)
	for _, want := range c.Class.NodeSelector {
		value, has := n.Labels.Get(want.Key)
		fits = fits && has && value == want.Value
	}
	if !fits || c.Class.HasRequired && !c.Class.Required.Matches(n.Labels, n.Symbol, &p.cl.Symbols) {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p plainAffinity) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{"node(s) didn't match Pod's node affinity/selector"}
}

func (p plainAffinity) PreScore(c *scheduler.Cycle) scheduler.Status {
	if len(p.args.Preferred)+len(c.Class.Preferred) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	return scheduler.Status{}
}

func (p plainAffinity) Score(c *scheduler.Cycle, node cluster.NodeID) (sum int64) {
	n := p.cl.Node(node)
	for _, term := range append(slices.Clone(p.args.Preferred), c.Class.Preferred...) {
		if (cluster.NodeSelector{term.Term}).Matches(n.Labels, n.Symbol, &p.cl.Symbols) {
			sum += term.Weight
		}
	}
	return sum
}

func (p plainAffinity) NormalizeScore(_ *scheduler.Cycle, scores []int64) {
	highest := max(slices.Max(scores), 1)
	for i := range scores {
		scores[i] = scores[i] * 100 / highest
	}
}

type plainImages struct{ plain }

func (p plainImages) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	const mebi = 1 << 20
	var sum int64
	for _, name := range c.Class.Images {
		if image, known := p.cl.Images.State(name); known && p.cl.Node(node).HasImage(name) {
			sum += int64(float64(image.Size) * (float64(image.Nodes) / float64(p.cl.NumNodes())))
		}
	}
	highest := int64(1000 * mebi * c.Class.Containers)
	switch {
	case sum < 23*mebi:
		sum = 23 * mebi
	case sum > highest:
		sum = highest
	}
	return 100 * (sum - 23*mebi) / (highest - 23*mebi)
}

type plainCordon struct{ plain }

func (plainCordon) Checks() scheduler.Checks { return scheduler.CheckCordon }

func (p plainCordon) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	taint := cluster.Taint{Key: p.cl.Symbol(cluster.UnschedulableTaint), Effect: cluster.NoSchedule}
	if p.cl.Node(node).Unschedulable && !cluster.Tolerated(c.Class.Tolerations, taint) {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p plainCordon) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{"node(s) were unschedulable"}
}
