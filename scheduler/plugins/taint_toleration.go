package plugins

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	reasonTaint      = "node(s) had untolerated taint(s)"
	reasonNamedTaint = "node(s) had untolerated taint {%s: %s}"
)

// taintToleration rejects nodes with a NoSchedule or NoExecute taint that the pod
// does not tolerate, and prefers nodes with few PreferNoSchedule taints that it does
// not tolerate. Nodes with equal taints are judged once.
//
// Upstream: framework/plugins/tainttoleration/taint_toleration.go, v1.36.3 and v1.37.2; v1.33.13 for the name of the taint.
// Differs: none.
type taintToleration struct {
	cluster *cluster.Cluster
	named   bool // reasons name the taint
	state   scheduler.Slot[taintState]
}

type taintState struct {
	untolerated []uint32        // by taint set: 0, or 1 more than the place of the first untolerated taint in taints
	taints      []cluster.Taint // that reasons name
	soft        []int64         // by taint set: PreferNoSchedule taints not tolerated
}

func newTaintToleration(h *scheduler.Handle) (scheduler.Plugin, error) {
	p := &taintToleration{h.Cluster(), h.Rules().TaintNamed, scheduler.NewSlot[taintState](h)}
	if h.Rules().NodeNameFirst {
		return &preFilteringTaintToleration{p}, nil
	}
	return p, nil
}

// preFilteringTaintToleration also has the point PreFilter.
type preFilteringTaintToleration struct{ *taintToleration }

// PreFilter has nothing to do for a pod without a node.
func (*preFilteringTaintToleration) PreFilter(*scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{}
}

func (p *taintToleration) Name() string { return "TaintToleration" }

func (p *taintToleration) DependsOn() scheduler.Dependencies { return scheduler.NodeTaints }

func (p *taintToleration) Checks() scheduler.Checks { return scheduler.CheckTaints }

func (p *taintToleration) PrepareFilter(c *scheduler.Cycle) bool {
	if !p.cluster.AnyHardTaint() {
		return false
	}
	s := p.state.In(c)
	s.untolerated, s.taints = s.untolerated[:0], s.taints[:0]
	for id := range p.cluster.NumTaintSets() {
		taints, place := p.cluster.TaintSet(int32(id)), uint32(0)
		if i := firstUntolerated(taints, c.Class.Tolerations); i >= 0 {
			place = p.place(s, taints[i])
		}
		s.untolerated = append(s.untolerated, place)
	}
	return true
}

// place returns 1 more than the place of a taint in the list of the cycle. Where reasons do not name it, it is 1.
func (p *taintToleration) place(s *taintState, taint cluster.Taint) uint32 {
	if !p.named {
		return 1
	}
	i := slices.Index(s.taints, taint)
	if i < 0 {
		i = len(s.taints)
		s.taints = append(s.taints, taint)
	}
	return uint32(i + 1)
}

func (p *taintToleration) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if place := p.state.In(c).untolerated[p.cluster.Node(node).TaintID]; place != 0 {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, place-1)
	}
	return scheduler.Fits
}

func (p *taintToleration) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	if !p.named {
		return []string{reasonTaint}
	}
	t := p.state.In(c).taints[v.Detail()]
	return []string{fmt.Sprintf(reasonNamedTaint, p.cluster.Text(t.Key), p.cluster.Text(t.Value))}
}

// firstUntolerated returns the index of the first taint that keeps the pod away, or -1.
func firstUntolerated(taints []cluster.Taint, tolerations []cluster.Toleration) int {
	return slices.IndexFunc(taints, func(t cluster.Taint) bool {
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
	if firstUntolerated(p.cluster.Node(e.Node).Taints, tolerations) >= 0 {
		return false
	}
	return e.Kind == scheduler.NodeAdded || firstUntolerated(e.Before.Taints, tolerations) >= 0
}
