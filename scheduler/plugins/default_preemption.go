package plugins

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/clock"
	"github.com/berth-sim/berth/sim/cluster"
)

const (
	reasonNoVictims         = "No preemption victims found for incoming pod"
	reasonNotHelpful        = "Preemption is not helpful for scheduling"
	messageNeverPreempts    = "preemption: not eligible due to preemptionPolicy=Never."
	messageVictimsTerminate = "preemption: not eligible due to a terminating pod on the nominated node."
)

// PreemptionArgs are the arguments of DefaultPreemption: how many candidate nodes
// are enough.
type PreemptionArgs struct{ MinCandidateNodesPercentage, MinCandidateNodesAbsolute int }

// DefaultPreemptionArgs are 10 percent, and 100 nodes at least.
func DefaultPreemptionArgs() PreemptionArgs { return PreemptionArgs{10, 100} }

// defaultPreemption finds a node that the pod would fit if pods of lower priority
// left it, and the fewest and least important pods that must.
//
// Upstream: framework/plugins/defaultpreemption/default_preemption.go and
// framework/preemption/preemption.go, v1.36.3.
// Differs: no PodDisruptionBudgets yet; candidates that are equal in everything are
// told apart by name, upstream by the order of a map; victims of equal importance
// by name, upstream at random; the search begins at offset 0 unless ties are random.
type defaultPreemption struct {
	h       *scheduler.Handle
	cluster *cluster.Cluster
	args    PreemptionArgs
}

func newDefaultPreemption(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
	a, ok := args.(PreemptionArgs)
	if !ok {
		a = DefaultPreemptionArgs()
	}
	return &defaultPreemption{h, h.Cluster(), a}, nil
}

func (p *defaultPreemption) Name() string { return "DefaultPreemption" }

func (p *defaultPreemption) DependsOn() scheduler.Dependencies { return 0 }

// PreEnqueue gates nothing: what upstream does to victims beside the cycle is done here
// at its end.
func (p *defaultPreemption) PreEnqueue(cluster.PodID) string { return "" }

// candidate is a node that can be freed, its victims by falling importance.
type candidate struct {
	node    cluster.NodeID
	victims []cluster.PodID
}

func (p *defaultPreemption) PostFilter(c *scheduler.Cycle) scheduler.PostFilterResult {
	if message := p.mayNotPreempt(c); message != "" {
		return scheduler.PostFilterResult{Status: scheduler.Status{Code: scheduler.Unschedulable, Message: message}}
	}
	candidates, message := p.candidates(c)
	if len(candidates) == 0 {
		return scheduler.PostFilterResult{
			Status:        scheduler.Status{Code: scheduler.Unschedulable, Message: message},
			SetNomination: true, Nominated: cluster.None,
		}
	}
	best := p.best(candidates)
	return scheduler.PostFilterResult{SetNomination: true, Nominated: best.node, Victims: best.victims}
}

// mayNotPreempt returns why the pod must not preempt now, or the empty string.
func (p *defaultPreemption) mayNotPreempt(c *scheduler.Cycle) string {
	if c.Class.NeverPreempt {
		return messageNeverPreempts
	}
	node := p.h.Nominated(c.Pod)
	if node == cluster.None || c.CodeOf(node) == scheduler.UnschedulableAndUnresolvable || !p.cluster.Node(node).Alive {
		return ""
	}
	for _, pod := range p.cluster.PodsOn(node) {
		on := p.cluster.Pod(pod)
		if on.Phase == cluster.Terminating && on.Preempted && on.Class.Priority < c.Class.Priority {
			return messageVictimsTerminate
		}
	}
	return ""
}

// candidates tries the nodes on which preemption may help until there are enough.
// Without any it says why, node by node.
func (p *defaultPreemption) candidates(c *scheduler.Cycle) ([]candidate, string) {
	var helpful []cluster.NodeID
	for _, node := range p.cluster.Order() {
		if c.CodeOf(node) == scheduler.Unschedulable {
			helpful = append(helpful, node)
		}
	}
	reasons := map[string]int{}
	if rest := p.cluster.NumNodes() - len(helpful); rest > 0 {
		reasons[reasonNotHelpful] = rest
	}
	if !p.cluster.AnyPlacedBelow(c.Class.Priority) && len(helpful) > 0 {
		reasons[reasonNoVictims] = len(helpful) // as selectVictims would find on each of them
		return nil, p.noCandidates(reasons)
	}
	if len(helpful) == 0 {
		return nil, p.noCandidates(reasons)
	}
	var found []candidate
	offset, enough := p.h.Offset(len(helpful)), p.enough(len(helpful))
	for i := range helpful {
		node := helpful[(offset+i)%len(helpful)]
		victims, why := p.selectVictims(c, node)
		for _, reason := range why {
			reasons[reason]++
		}
		if len(victims) == 0 {
			continue
		}
		if found = append(found, candidate{node, victims}); len(found) >= enough {
			break
		}
	}
	return found, p.noCandidates(reasons)
}

func (p *defaultPreemption) noCandidates(reasons map[string]int) string {
	return "preemption: " + scheduler.NoNodes(p.cluster.NumNodes(), scheduler.CountReasons(reasons), "")
}

func (p *defaultPreemption) enough(nodes int) int {
	return min(max(nodes*p.args.MinCandidateNodesPercentage/100, p.args.MinCandidateNodesAbsolute), nodes)
}

// selectVictims takes away every pod of lower priority and, if the pod then fits,
// puts back as many as it can, the most important first. The rest are the victims.
// The cluster is left as it was.
func (p *defaultPreemption) selectVictims(c *scheduler.Cycle, node cluster.NodeID) ([]cluster.PodID, []string) {
	var lower []cluster.PodID
	for _, pod := range p.cluster.PodsOn(node) {
		if p.cluster.Pod(pod).Class.Priority < c.Class.Priority {
			lower = append(lower, pod)
		}
	}
	if len(lower) == 0 {
		return nil, []string{reasonNoVictims}
	}
	mark := p.cluster.Mark()
	defer p.cluster.Rollback(mark)
	for _, pod := range lower {
		p.cluster.TryRemove(pod)
	}
	if v := p.h.PassesFilters(c, node); v != scheduler.Fits {
		return nil, c.ReasonsOf(v)
	}
	slices.SortFunc(lower, p.byImportance)
	var victims []cluster.PodID
	for _, pod := range lower {
		p.cluster.TryPlace(pod, node)
		if p.h.PassesFilters(c, node) != scheduler.Fits {
			p.cluster.TryRemove(pod)
			victims = append(victims, pod)
		}
	}
	return victims, nil
}

// byImportance puts pods of higher priority first, then those that started earlier.
func (p *defaultPreemption) byImportance(a, b cluster.PodID) int {
	x, y := p.cluster.Pod(a), p.cluster.Pod(b)
	return cmp.Or(
		cmp.Compare(y.Class.Priority, x.Class.Priority),
		cmp.Compare(started(x), started(y)),
		strings.Compare(x.Name, y.Name),
		cmp.Compare(x.Serial, y.Serial),
	)
}

// started is when a pod was bound; one that is not bound yet counts as the latest.
//
// Upstream: GetPodStartTime, pkg/scheduler/util/utils.go, v1.36.3.
func started(p *cluster.Pod) clock.Time {
	if p.Phase == cluster.Assumed {
		return clock.Forever
	}
	return p.Start
}

// best is the candidate whose loss weighs least: the lowest priority of the most
// important victim, then the smallest sum of priorities, the fewest victims, and
// the latest start among the victims of highest priority; the name decides the rest.
func (p *defaultPreemption) best(candidates []candidate) candidate {
	return slices.MinFunc(candidates, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(p.highest(a), p.highest(b)),
			cmp.Compare(p.sumOfPriorities(a), p.sumOfPriorities(b)),
			cmp.Compare(len(a.victims), len(b.victims)),
			cmp.Compare(p.earliestStart(b), p.earliestStart(a)),
			strings.Compare(p.cluster.Node(a.node).Name, p.cluster.Node(b.node).Name),
		)
	})
}

func (p *defaultPreemption) highest(c candidate) int32 {
	return p.cluster.Pod(c.victims[0]).Class.Priority
}

// sumOfPriorities adds 2^31 to each, so that many pods of negative priority do not
// weigh less than few.
func (p *defaultPreemption) sumOfPriorities(c candidate) int64 {
	var sum int64
	for _, pod := range c.victims {
		sum += int64(p.cluster.Pod(pod).Class.Priority) + math.MaxInt32 + 1
	}
	return sum
}

func (p *defaultPreemption) earliestStart(c candidate) clock.Time {
	earliest := clock.Forever
	for _, pod := range c.victims {
		if v := p.cluster.Pod(pod); v.Class.Priority == p.highest(c) {
			earliest = min(earliest, started(v))
		}
	}
	return earliest
}
