package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// barring are the conditions, in the order in which their reasons are given, and the taints
// that stand for them from 1.12 on.
var barring = []struct {
	condition cluster.NodeConditions
	reason    string
	taints    []string
}{
	{cluster.NotReady, "node(s) were not ready", []string{"not-ready", "unreachable"}},
	{cluster.NetworkUnavailable, "node(s) had unavailable network", []string{"network-unavailable"}},
	{cluster.MemoryPressure, "node(s) had memory pressure", []string{"memory-pressure"}},
	{cluster.DiskPressure, "node(s) had disk pressure", []string{"disk-pressure"}},
	{cluster.PIDPressure, "node(s) had pid pressure", []string{"pid-pressure"}},
}

// taintPrefix begins the keys of these taints.
const taintPrefix = "node.kubernetes.io/"

const (
	reasonUnschedulable = "node(s) were unschedulable"
	// detailUnschedulable stands beside the conditions in the detail of a verdict.
	detailUnschedulable = 1 << 8
)

// ConditionArgs are the arguments of CheckNodeCondition, CheckNodeMemoryPressure,
// CheckNodeDiskPressure and CheckNodePIDPressure.
type ConditionArgs struct {
	// AsTaints accepts pods that tolerate the taints of the conditions, as if the nodes had these
	// taints. Whether a node is cordoned is then left to CheckNodeUnschedulable.
	AsTaints bool
}

// checkCondition rejects nodes that report one of some conditions.
//
// Upstream: CheckNodeConditionPredicate, CheckNodeMemoryPressurePredicate and its two siblings,
// pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: none, unless AsTaints.
type checkCondition struct {
	named
	ConditionArgs
	cluster *cluster.Cluster
	rule    conditionRule
	taints  map[cluster.NodeConditions][]cluster.Taint
	bars    scheduler.Slot[cluster.NodeConditions] // the conditions that bar the pod
}

// conditionRule is which conditions bar which pods.
type conditionRule struct {
	conditions cluster.NodeConditions
	// cordon: spec.unschedulable bars the node too.
	cordon bool
	// bestEffortOnly: pods of another quality of service may come.
	bestEffortOnly bool
}

func newCheckCondition(h *scheduler.Handle, name string, a ConditionArgs, rule conditionRule) (scheduler.Plugin, error) {
	p := &checkCondition{
		named: named(name), ConditionArgs: a, cluster: h.Cluster(), rule: rule,
		taints: map[cluster.NodeConditions][]cluster.Taint{}, bars: scheduler.NewSlot[cluster.NodeConditions](h),
	}
	p.rule.cordon = rule.cordon && !a.AsTaints
	for _, b := range barring {
		for _, name := range b.taints {
			taint := cluster.Taint{Key: p.cluster.Symbol(taintPrefix + name), Effect: cluster.NoSchedule}
			p.taints[b.condition] = append(p.taints[b.condition], taint)
		}
	}
	return p, nil
}

func newCheckNodeCondition(h *scheduler.Handle, args ConditionArgs) (scheduler.Plugin, error) {
	both := cluster.NotReady | cluster.NetworkUnavailable
	return newCheckCondition(h, CheckNodeCondition, args, conditionRule{conditions: both, cordon: true})
}

func newCheckMemoryPressure(h *scheduler.Handle, args ConditionArgs) (scheduler.Plugin, error) {
	return newCheckCondition(h, CheckNodeMemoryPressure, args, conditionRule{conditions: cluster.MemoryPressure, bestEffortOnly: true})
}

func newCheckDiskPressure(h *scheduler.Handle, args ConditionArgs) (scheduler.Plugin, error) {
	return newCheckCondition(h, CheckNodeDiskPressure, args, conditionRule{conditions: cluster.DiskPressure})
}

func newCheckPIDPressure(h *scheduler.Handle, args ConditionArgs) (scheduler.Plugin, error) {
	return newCheckCondition(h, CheckNodePIDPressure, args, conditionRule{conditions: cluster.PIDPressure})
}

func (p *checkCondition) DependsOn() scheduler.Dependencies {
	if p.rule.cordon {
		return scheduler.NodeConditions | scheduler.NodeTaints
	}
	return scheduler.NodeConditions
}

func (p *checkCondition) Checks() scheduler.Checks { return scheduler.CheckOther }

func (p *checkCondition) PrepareFilter(c *scheduler.Cycle) bool {
	if p.rule.bestEffortOnly && c.Class.QoS != cluster.BestEffort {
		return false
	}
	bars := p.bars.In(c)
	*bars = p.rule.conditions
	if p.AsTaints {
		for _, b := range barring {
			if p.tolerated(c.Class, b.condition) {
				*bars &^= b.condition
			}
		}
	}
	return *bars != 0 || p.rule.cordon
}

func (p *checkCondition) tolerated(class *cluster.Class, condition cluster.NodeConditions) bool {
	return !slices.ContainsFunc(p.taints[condition], func(t cluster.Taint) bool { return !cluster.Tolerated(class.Tolerations, t) })
}

func (p *checkCondition) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	n := p.cluster.Node(node)
	detail := uint32(n.Conditions & *p.bars.In(c))
	if p.rule.cordon && n.Unschedulable {
		detail |= detailUnschedulable
	}
	if detail == 0 {
		return scheduler.Fits
	}
	return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, detail)
}

func (p *checkCondition) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	var reasons []string
	for _, b := range barring {
		if v.Detail()&uint32(b.condition) != 0 {
			reasons = append(reasons, b.reason)
		}
	}
	if v.Detail()&detailUnschedulable != 0 {
		reasons = append(reasons, reasonUnschedulable)
	}
	return reasons
}
