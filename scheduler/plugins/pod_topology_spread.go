package plugins

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

const (
	reasonSpread        = "node(s) didn't match pod topology spread constraints"
	reasonSpreadNoLabel = reasonSpread + " (missing required label)"

	detailSpreadNoLabel = 1
)

// PodTopologySpreadArgs are the arguments of PodTopologySpread.
type PodTopologySpreadArgs struct {
	// Default are the constraints of pods that have none of their own. Their selector is replaced by
	// that of the pod's Services and controller. A pod without a Service and a controller is not
	// constrained.
	Default []cluster.SpreadConstraint
	// System takes kube-scheduler's own default constraints in the place of Default.
	System bool
}

// podTopologySpread rejects nodes where the pod would break a constraint with
// DoNotSchedule: there would be more than maxSkew pods more in the node's domain than in
// the emptiest one. For constraints with ScheduleAnyway it prefers nodes in domains with
// few such pods. How many there are in a domain is counted as pods come and go.
//
// Upstream: framework/plugins/podtopologyspread/{filtering,scoring,common,plugin}.go, v1.36.3.
// Differs: none.
type podTopologySpread struct {
	cluster  *cluster.Cluster
	rules    *release.Rules
	defaults []cluster.SpreadConstraint
	system   bool
	state    scheduler.Slot[spreadState]
}

// spreadState is the work space for one pod.
type spreadState struct {
	plans []*spreadPlan // by class, where made
	hard  []hardCount
	soft  []softCount
	sums  []float64
}

// hardCount is a rule of Filter beside its counts.
type hardCount struct {
	*spreadRule
	domains []int32 // by node
	counts  *cluster.DomainCounts
}

func newPodTopologySpread(h *scheduler.Handle, a PodTopologySpreadArgs) (scheduler.Plugin, error) {
	p := &podTopologySpread{h.Cluster(), h.Rules(), a.Default, a.System, scheduler.NewSlot[spreadState](h)}
	if p.system {
		p.defaults = systemSpread(p.cluster.Vocabulary)
	}
	return p, nil
}

// systemSpread are kube-scheduler's own default constraints.
func systemSpread(v *cluster.Vocabulary) []cluster.SpreadConstraint {
	return []cluster.SpreadConstraint{
		{TopologyKey: v.Hostname, MaxSkew: 3, MinDomains: 1, HonorNodeAffinity: true},
		{TopologyKey: v.Symbol("topology.kubernetes.io/zone"), MaxSkew: 5, MinDomains: 1, HonorNodeAffinity: true},
	}
}

func (p *podTopologySpread) Name() string { return "PodTopologySpread" }

func (p *podTopologySpread) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.NodeTaints | scheduler.NodePods | scheduler.Nominations | scheduler.DomainPods | scheduler.DomainNodes
}

func (p *podTopologySpread) Checks() scheduler.Checks { return scheduler.CheckSpread }

func (p *podTopologySpread) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{Skip: len(p.plan(c).hard) == 0}
}

func (p *podTopologySpread) PrepareFilter(c *scheduler.Cycle) bool {
	s, plan := p.state.In(c), p.plan(c)
	s.hard = s.hard[:0]
	for i := range plan.hard {
		r := &plan.hard[i]
		s.hard = append(s.hard, hardCount{r, r.labeled.Domains(), p.cluster.Topology.Counts(r.counted, r.pods)})
	}
	return len(s.hard) > 0
}

func (p *podTopologySpread) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	hard := p.state.In(c).hard
	for i := range hard {
		h := &hard[i]
		domain := h.domains[node]
		if domain == cluster.NoDomain {
			return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, detailSpreadNoLabel)
		}
		if h.counts.Count(domain)+h.self-h.least() > h.maxSkew {
			return scheduler.NewRejection(scheduler.Unschedulable, 0)
		}
	}
	return scheduler.Fits
}

// least is how many pods there are in the emptiest domain.
func (h *hardCount) least() int64 {
	least, some := h.counts.Min()
	if !some || h.minDomains > 1 && h.counted.NumDomains() < h.minDomains {
		return 0
	}
	return least
}

func (p *podTopologySpread) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	if v.Detail() == detailSpreadNoLabel {
		return []string{reasonSpreadNoLabel}
	}
	return []string{reasonSpread}
}

// eachHard calls f for every constraint of the class with DoNotSchedule, with the
// selector of the pods that it counts, until f returns false.
func (p *podTopologySpread) eachHard(class *cluster.Class, f func(key cluster.Symbol, selector *cluster.LabelSelector) bool) {
	constraints := p.constraints(class)
	for i := range constraints {
		selector := &constraints[i].Selector
		if len(class.Spread) == 0 {
			selector = &class.SpreadSelector
		}
		if constraints[i].Hard && !f(constraints[i].TopologyKey, selector) {
			return
		}
	}
}

// QueueingHint is true for pods that a constraint counts, and for nodes that have all
// topology keys, had them, or have other values of them or other taints now.
func (p *podTopologySpread) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	class := p.cluster.Pod(pod).Class
	switch e.Kind {
	case scheduler.NominationLost:
		return p.rules.NominatedCountsAsAssigned && e.Class.Namespace == class.Namespace && p.countsAny(class, e.Class)
	case scheduler.PodPlaced, scheduler.PodFreed:
		return e.Class.Namespace == class.Namespace && p.countsAny(class, e.Class)
	case scheduler.NodeUpdated:
		node := p.cluster.Node(e.Node)
		before, now := p.hasKeys(class, e.Before.Labels), p.hasKeys(class, node.Labels)
		return before != now || now && (p.moved(class, e.Before.Labels, node.Labels) || !slices.Equal(e.Before.Taints, node.Taints))
	}
	return p.hasKeys(class, p.cluster.Node(e.Node).Labels)
}

// countsAny reports whether some constraint of the class counts pods of the other one.
func (p *podTopologySpread) countsAny(class, other *cluster.Class) (counts bool) {
	p.eachHard(class, func(_ cluster.Symbol, selector *cluster.LabelSelector) bool {
		counts = selector.Matches(other.Labels, &p.cluster.Symbols)
		return !counts
	})
	return counts
}

func (p *podTopologySpread) hasKeys(class *cluster.Class, labels cluster.LabelSet) (all bool) {
	all = true
	p.eachHard(class, func(key cluster.Symbol, _ *cluster.LabelSelector) bool {
		_, all = labels.Get(key)
		return all
	})
	return all
}

// moved reports whether the labels put a node into another domain.
func (p *podTopologySpread) moved(class *cluster.Class, before, now cluster.LabelSet) (moved bool) {
	p.eachHard(class, func(key cluster.Symbol, _ *cluster.LabelSelector) bool {
		old, _ := before.Get(key)
		value, _ := now.Get(key)
		moved = old != value
		return !moved
	})
	return moved
}
