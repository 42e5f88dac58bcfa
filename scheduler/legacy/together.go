package legacy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// together asks several filters about every node, the later ones even where an earlier one
// has rejected it: a node then has the reasons of all of them.
type together struct {
	named
	members []scheduler.FilterPlugin
	state   scheduler.Slot[togetherState]
}

type togetherState struct {
	skipped []bool // by member: PreFilter said that Filter need not be asked
	asked   []int  // the members that are asked about nodes
	found   []rejection
	sets    [][]rejection // that were found; the detail of a verdict is an index
}

// rejection is a verdict of one member.
type rejection struct {
	member  int
	verdict scheduler.Verdict
}

func newTogether(h *scheduler.Handle, name string, members []scheduler.FilterPlugin) *together {
	return &together{named(name), members, scheduler.NewSlot[togetherState](h)}
}

// DependsOn is what any member depends on.
func (p *together) DependsOn() scheduler.Dependencies {
	var all scheduler.Dependencies
	for _, m := range p.members {
		all |= m.DependsOn()
	}
	return all
}

// WorthRetrying reports whether an event may help a pod that any member rejected: which of them
// did is not known any more.
func (p *together) WorthRetrying(pod cluster.PodID, e scheduler.Event) bool {
	return slices.ContainsFunc(p.members, func(m scheduler.FilterPlugin) bool { return scheduler.MayHelp(m, pod, e) })
}

// PreFilter asks the members; the first one that rejects the pod speaks for all.
func (p *together) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	s := p.state.In(c)
	s.skipped = slices.Grow(s.skipped[:0], len(p.members))[:len(p.members)]
	clear(s.skipped)
	for i, m := range p.members {
		if pre, has := m.(scheduler.PreFilterPlugin); has {
			r := pre.PreFilter(c)
			if r.Status.Code != scheduler.Success {
				return r
			}
			s.skipped[i] = r.Skip
		}
	}
	return scheduler.PreFilterResult{}
}

// PrepareFilter lists the members that do not pass every node. Where another plugin has
// rejected the pod, PreFilter was not asked before.
func (p *together) PrepareFilter(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.asked, s.sets = s.asked[:0], s.sets[:0]
	for i, m := range p.members {
		prepare, has := m.(scheduler.FilterPreparer)
		if (len(s.skipped) == 0 || !s.skipped[i]) && (!has || prepare.PrepareFilter(c)) {
			s.asked = append(s.asked, i)
		}
	}
	s.skipped = s.skipped[:0]
	return len(s.asked) > 0
}

// Filter rejects for good where any member does.
func (p *together) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	s.found = s.found[:0]
	code := scheduler.Unschedulable
	for _, i := range s.asked {
		if v := p.members[i].Filter(c, node); v != scheduler.Fits {
			s.found = append(s.found, rejection{i, v})
			if v.Code() == scheduler.UnschedulableAndUnresolvable {
				code = v.Code()
			}
		}
	}
	if len(s.found) == 0 {
		return scheduler.Fits
	}
	return scheduler.Reject(code, s.indexOfFound())
}

func (s *togetherState) indexOfFound() uint32 {
	i := slices.IndexFunc(s.sets, func(set []rejection) bool { return slices.Equal(set, s.found) })
	if i < 0 {
		i = len(s.sets)
		s.sets = append(s.sets, slices.Clone(s.found))
	}
	return uint32(i)
}

// Reasons are those of all members that rejected the node.
func (p *together) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	var reasons []string
	for _, r := range p.state.In(c).sets[v.Detail()] {
		reasons = append(reasons, p.members[r.member].Reasons(c, r.verdict)...)
	}
	return reasons
}

// DomainRules are those of the members that are asked.
func (p *together) DomainRules(c *scheduler.Cycle, f func(scheduler.DomainRule)) {
	for _, i := range p.state.In(c).asked {
		if ruler, has := p.members[i].(scheduler.DomainRuler); has {
			ruler.DomainRules(c, f)
		}
	}
}

// newGeneralPredicates are the rules that the kubelet has too.
//
// Upstream: GeneralPredicates, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
func newGeneralPredicates(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
	var members []scheduler.FilterPlugin
	for i, factory := range []scheduler.Factory{newPodFitsResources, newHostName, newPodFitsHostPorts, newMatchNodeSelector} {
		own := args
		if i > 0 {
			own = nil // they are those of PodFitsResources
		}
		plugin, err := factory(h, own)
		if err != nil {
			return nil, err
		}
		members = append(members, plugin.(scheduler.FilterPlugin))
	}
	return newTogether(h, GeneralPredicates, members), nil
}

func (a *CheckAllArgs) members(h *scheduler.Handle) ([]scheduler.FilterPlugin, error) {
	var members []scheduler.FilterPlugin
	for _, name := range a.Predicates {
		factory, known := a.Registry[name]
		if !known {
			return nil, fmt.Errorf("there is no predicate %q", name)
		}
		plugin, err := factory(h, a.Args[name])
		if err != nil {
			return nil, fmt.Errorf("predicate %s: %w", name, err)
		}
		members = append(members, plugin.(scheduler.FilterPlugin))
	}
	return members, nil
}

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

// String is the names of the predicates.
func (a CheckAllArgs) String() string { return strings.Join(a.Predicates, ", ") }

// checkAll is all predicates at once, at the other points of theirs too.
//
// Upstream: podFitsOnNode, pkg/scheduler/core/generic_scheduler.go, v1.16.15.
type checkAll struct{ *together }

func newCheckAll(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
	a, given := args.(CheckAllArgs)
	if !given {
		return nil, fmt.Errorf("%s needs the predicates that it stands for", AlwaysCheckAllPredicates)
	}
	members, err := a.members(h)
	if err != nil {
		return nil, err
	}
	return &checkAll{newTogether(h, AlwaysCheckAllPredicates, members)}, nil
}

// Reserve lets the members keep state of their own; the first that fails ends it.
func (p *checkAll) Reserve(pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	for _, m := range p.members {
		if r, has := m.(scheduler.ReservePlugin); has {
			if st := r.Reserve(pod, node); st.Code != scheduler.Success {
				return st
			}
		}
	}
	return scheduler.Status{}
}

// Unreserve lets the members give it up.
func (p *checkAll) Unreserve(pod cluster.PodID, node cluster.NodeID) {
	for _, m := range slices.Backward(p.members) {
		if r, has := m.(scheduler.ReservePlugin); has {
			r.Unreserve(pod, node)
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

// Patience is that of the member with the least.
func (p *checkAll) Patience() clock.Time {
	patience := clock.Forever
	for _, m := range p.members {
		if w, waits := m.(scheduler.WaitingPreBindPlugin); waits {
			patience = min(patience, w.Patience())
		}
	}
	return patience
}
