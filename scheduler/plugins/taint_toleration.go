package plugins

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonTaint = "node(s) had untolerated taint(s)"

// taintToleration rejects nodes with a NoSchedule or NoExecute taint that the pod
// does not tolerate, and prefers nodes with few PreferNoSchedule taints that it does
// not tolerate. Nodes with equal taints are judged once.
//
// Upstream: framework/plugins/tainttoleration/taint_toleration.go, v1.36.3, with the
// feature gate TaintTolerationComparisonOperators off.
// Differs: none.
type taintToleration struct {
	cluster *cluster.Cluster
	state   scheduler.Slot[taintState]
}

type taintState struct {
	untolerated []bool  // by taint set
	soft        []int64 // by taint set: PreferNoSchedule taints not tolerated
}

func newTaintToleration(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &taintToleration{h.Cluster(), scheduler.NewSlot[taintState](h)}, nil
}

func (p *taintToleration) Name() string { return "TaintToleration" }

func (p *taintToleration) DependsOn() scheduler.Dependencies { return scheduler.NodeTaints }

func (p *taintToleration) Checks() scheduler.Checks { return scheduler.CheckTaints }

func (p *taintToleration) PrepareFilter(c *scheduler.Cycle) bool {
	if !p.cluster.AnyHardTaint() {
		return false
	}
	s := p.state.In(c)
	s.untolerated = s.untolerated[:0]
	for id := range p.cluster.NumTaintSets() {
		s.untolerated = append(s.untolerated, hasUntolerated(p.cluster.TaintSet(int32(id)), c.Class.Tolerations))
	}
	return true
}

func (p *taintToleration) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if p.state.In(c).untolerated[p.cluster.Node(node).TaintID] {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p *taintToleration) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonTaint}
}

func hasUntolerated(taints []cluster.Taint, tolerations []cluster.Toleration) bool {
	return slices.ContainsFunc(taints, func(t cluster.Taint) bool {
		return t.Effect != cluster.PreferNoSchedule && !cluster.Tolerated(tolerations, t)
	})
}

func (p *taintToleration) PreScore(*scheduler.Cycle) scheduler.Status { return scheduler.Status{} }

func (p *taintToleration) PrepareScore(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.soft = s.soft[:0]
	for id := range p.cluster.NumTaintSets() {
		s.soft = append(s.soft, countSoft(p.cluster.TaintSet(int32(id)), c.Class.Tolerations))
	}
	return !p.cluster.AnySoftTaint()
}

func (p *taintToleration) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	return p.state.In(c).soft[p.cluster.Node(node).TaintID]
}

// Normalization implements scheduler.NormalizedScorePlugin.
func (p *taintToleration) Normalization() scheduler.Normalization { return scheduler.ByMaximumReversed }

// countSoft counts the PreferNoSchedule taints that no toleration covers. A
// toleration for another effect never covers them.
func countSoft(taints []cluster.Taint, tolerations []cluster.Toleration) int64 {
	var n int64
	for _, t := range taints {
		if t.Effect == cluster.PreferNoSchedule && !cluster.Tolerated(tolerations, t) {
			n++
		}
	}
	return n
}

func (p *taintToleration) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	tolerations := p.cluster.Pod(pod).Class.Tolerations
	if hasUntolerated(p.cluster.Node(e.Node).Taints, tolerations) {
		return false
	}
	return e.Kind == scheduler.NodeAdded || hasUntolerated(e.Before.Taints, tolerations)
}
