package legacy

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/preemption"
)

const defaultPreemption = "DefaultPreemption"

// allNodesPreemption is the current preemption over all nodes; it adds nothing to the message of a pod for which it
// finds no victims.
//
// Upstream: Preempt, pkg/scheduler/core/generic_scheduler.go, v1.16.15.
// Differs: as DefaultPreemption differs from upstream.
type allNodesPreemption struct {
	scheduler.PreemptionRanker
}

func newPreemption(h *scheduler.Handle) (scheduler.Plugin, error) {
	all := preemption.Args{MinCandidateNodesPercentage: 100}
	plugin, err := newCurrent(h, defaultPreemption, all)
	if err != nil {
		return nil, err
	}
	return &allNodesPreemption{plugin.(scheduler.PreemptionRanker)}, nil
}

// PostFilter says nothing of its own.
func (p *allNodesPreemption) PostFilter(c *scheduler.Cycle) scheduler.PostFilterResult {
	r := p.PreemptionRanker.PostFilter(c)
	if r.Status.Code == scheduler.Unschedulable {
		r.Status.Message = ""
	}
	return r
}
