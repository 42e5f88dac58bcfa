package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// The predicates about node names, ports, selectors and taints are those of the current plugins
// with the older reasons. None of them restricts the search in PreFilter: every node is evaluated
// and has a reason.
//
// Upstream: PodFitsHost, PodFitsHostPorts, PodMatchNodeSelector, CheckNodeUnschedulablePredicate
// and PodToleratesNodeTaints, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: none.
const (
	reasonHostName   = "node(s) didn't match the requested hostname"
	reasonSelector   = "node(s) didn't match node selector"
	reasonIntolerant = "node(s) had taints that the pod didn't tolerate"
)

func newHostName(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapFilter(h, "HostName", "NodeName", nil, always(reasonHostName))
}

func newPodFitsHostPorts(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapFilter(h, "PodFitsHostPorts", "NodePorts", nil, nil)
}

func newMatchNodeSelector(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapFilter(h, "MatchNodeSelector", "NodeAffinity", nil, always(reasonSelector))
}

func newCheckNodeUnschedulable(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapFilter(h, "CheckNodeUnschedulable", "NodeUnschedulable", nil, nil)
}

func newPodToleratesNodeTaints(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapFilter(h, "PodToleratesNodeTaints", "TaintToleration", nil, always(reasonIntolerant))
}

// toleratesNoExecute rejects nodes with a NoExecute taint that the pod does not tolerate.
//
// Upstream: PodToleratesNodeNoExecuteTaints, pkg/scheduler/algorithm/predicates/predicates.go,
// v1.16.15. Differs: none.
type toleratesNoExecute struct {
	named
	cluster *cluster.Cluster
	state   scheduler.Slot[[]bool] // by set of taints: one is not tolerated
}

func newPodToleratesNoExecute(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &toleratesNoExecute{"PodToleratesNodeNoExecuteTaints", h.Cluster(), scheduler.NewSlot[[]bool](h)}, nil
}

func (p *toleratesNoExecute) DependsOn() scheduler.Dependencies { return scheduler.NodeTaints }

func (p *toleratesNoExecute) Checks() scheduler.Checks { return scheduler.CheckTaints }

func (p *toleratesNoExecute) PrepareFilter(c *scheduler.Cycle) bool {
	if !p.cluster.AnyHardTaint() {
		return false
	}
	s := p.state.In(c)
	*s = (*s)[:0]
	for id := range p.cluster.NumTaintSets() {
		*s = append(*s, slices.ContainsFunc(p.cluster.TaintSet(int32(id)), func(t cluster.Taint) bool {
			return t.Effect == cluster.NoExecute && !cluster.Tolerated(c.Class.Tolerations, t)
		}))
	}
	return true
}

func (p *toleratesNoExecute) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if (*p.state.In(c))[p.cluster.Node(node).TaintID] {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p *toleratesNoExecute) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonIntolerant}
}
