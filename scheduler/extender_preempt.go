package scheduler

import (
	"slices"
	"strings"
)

// CallExtenders has the extenders narrow down the candidates of preemption, which may end up
// empty, and then sorts them by the name of the node. Without extenders for it they stay
// as they are.
//
// Upstream: callExtenders, framework/preemption/preemption.go, v1.36.3.
func (h *Handle) CallExtenders(c *Cycle, candidates []Candidate) ([]Candidate, Status) {
	asked := false
	for _, x := range h.s.extenders {
		t := x.Info()
		if len(candidates) == 0 {
			break
		}
		if !t.Preempts || !x.IsInterested(c.Class) {
			continue
		}
		asked = true
		rest, err := x.Preempt(h.s.ctx, c.Pod, candidates)
		if err == nil && t.Ignorable {
			rest = slices.DeleteFunc(rest, func(k Candidate) bool { return len(k.Victims) == 0 })
		} else if err != nil && t.Ignorable {
			continue
		} else if err != nil {
			return nil, Status{Error, err.Error()}
		}
		if i := slices.IndexFunc(rest, func(k Candidate) bool { return len(k.Victims) == 0 }); i >= 0 {
			name := h.s.cluster.Node(rest[i].Node).Name
			return nil, Status{Error, `expected at least one victim pod on node "` + name + `"`}
		}
		candidates = rest
	}
	if asked {
		slices.SortFunc(candidates, func(a, b Candidate) int {
			return strings.Compare(h.s.cluster.Node(a.Node).Name, h.s.cluster.Node(b.Node).Name)
		})
	}
	return candidates, Status{}
}

// HasPreemptExtenders reports whether there are extenders that take part in preemption.
func (h *Handle) HasPreemptExtenders() bool {
	return slices.ContainsFunc(h.s.extenders, func(x *countedExtender) bool { return x.Info().Preempts })
}
