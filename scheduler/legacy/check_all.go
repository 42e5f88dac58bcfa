package legacy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// AlwaysCheckAllPredicates is the name of the plugin that stands for all predicates of a
// Policy with alwaysCheckAllPredicates: a node has the reasons of every one that it fails.
const AlwaysCheckAllPredicates = "AlwaysCheckAllPredicates"

// CheckAllArgs are the arguments of AlwaysCheckAllPredicates.
type CheckAllArgs struct {
	// Predicates are the rules, in the order in which a node meets them; Registry has their
	// factories and Args their arguments.
	Predicates []string
	Registry   scheduler.Registry
	Args       map[string]any
}

// String returns the names of the predicates.
func (a CheckAllArgs) String() string { return strings.Join(a.Predicates, ", ") }

func (a *CheckAllArgs) members(h *scheduler.Handle) ([]scheduler.FilterPlugin, error) {
	var members []scheduler.FilterPlugin
	for _, name := range a.Predicates {
		plugin, err := a.Registry.New(name, h, a.Args[name])
		if err != nil {
			return nil, err
		}
		members = append(members, plugin.(scheduler.FilterPlugin))
	}
	return members, nil
}

// checkAll is all predicates at once, at the other points of theirs too.
//
// Upstream: podFitsOnNode, pkg/scheduler/core/generic_scheduler.go, v1.16.15.
type checkAll struct{ *combinedFilters }

func newCheckAll(h *scheduler.Handle, a CheckAllArgs) (scheduler.Plugin, error) {
	if len(a.Predicates) == 0 {
		return nil, fmt.Errorf("%s needs the predicates that it stands for", AlwaysCheckAllPredicates)
	}
	members, err := a.members(h)
	if err != nil {
		return nil, err
	}
	return &checkAll{newCombinedFilters(h, AlwaysCheckAllPredicates, members)}, nil
}

// Reserve lets the members keep state of their own; the first that fails ends it.
func (p *checkAll) Reserve(state *scheduler.CycleState, pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	for _, m := range p.members {
		if r, has := m.(scheduler.ReservePlugin); has {
			if st := r.Reserve(state, pod, node); st.Code != scheduler.Success {
				return st
			}
		}
	}
	return scheduler.Status{}
}

// Unreserve lets the members give it up.
func (p *checkAll) Unreserve(state *scheduler.CycleState, pod cluster.PodID, node cluster.NodeID) {
	for _, m := range slices.Backward(p.members) {
		if r, has := m.(scheduler.ReservePlugin); has {
			r.Unreserve(state, pod, node)
		}
	}
}

// PreBind lets the members do what must be done before; the first that fails ends it.
func (p *checkAll) PreBind(pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	for _, m := range p.members {
		if r, has := m.(scheduler.PreBindPlugin); has {
			if st := r.PreBind(pod, node); st.Code != scheduler.Success {
				return st
			}
		}
	}
	return scheduler.Status{}
}

// PreBindTimeout is that of the member with the least.
func (p *checkAll) PreBindTimeout() clock.Time {
	timeout := clock.Forever
	for _, m := range p.members {
		if w, waits := m.(scheduler.WaitingPreBindPlugin); waits {
			timeout = min(timeout, w.PreBindTimeout())
		}
	}
	return timeout
}
