package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// combinedFilters asks several filters about every node, the later ones even where an earlier one
// has rejected it: a node then has the reasons of all of them.
type combinedFilters struct {
	named
	members []scheduler.FilterPlugin
	state   scheduler.Slot[combinedState]
}

type combinedState struct {
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

func newCombinedFilters(h *scheduler.Handle, name string, members []scheduler.FilterPlugin) *combinedFilters {
	return &combinedFilters{named(name), members, scheduler.NewSlot[combinedState](h)}
}

// DependsOn is what any member depends on.
func (p *combinedFilters) DependsOn() scheduler.Dependencies {
	var all scheduler.Dependencies
	for _, m := range p.members {
		all |= m.DependsOn()
	}
	return all
}

// Checks is what any member checks.
func (p *combinedFilters) Checks() scheduler.Checks {
	var all scheduler.Checks
	for _, m := range p.members {
		all |= m.Checks()
	}
	return all
}

// VerdictChecks is what the members check that rejected the node.
func (p *combinedFilters) VerdictChecks(c *scheduler.Cycle, v scheduler.Verdict) scheduler.Checks {
	var all scheduler.Checks
	for _, r := range p.state.In(c).sets[v.Detail()] {
		all |= scheduler.VerdictChecks(p.members[r.member], c, r.verdict)
	}
	return all
}

// QueueingHint reports whether an event may help a pod that any member rejected: which of them
// did is not known any more.
func (p *combinedFilters) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	return slices.ContainsFunc(p.members, func(m scheduler.FilterPlugin) bool { return scheduler.IsWorthRequeuing(m, pod, e) })
}

// PreFilter asks the members; the first one that rejects the pod speaks for all.
func (p *combinedFilters) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
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
func (p *combinedFilters) PrepareFilter(c *scheduler.Cycle) bool {
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

// Filter returns UnschedulableAndUnresolvable if any member does.
func (p *combinedFilters) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
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
	return scheduler.NewRejection(code, s.indexOfFound())
}

func (s *combinedState) indexOfFound() uint32 {
	i := slices.IndexFunc(s.sets, func(set []rejection) bool { return slices.Equal(set, s.found) })
	if i < 0 {
		i = len(s.sets)
		s.sets = append(s.sets, slices.Clone(s.found))
	}
	return uint32(i)
}

// Reasons are those of all members that rejected the node.
func (p *combinedFilters) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	var reasons []string
	for _, r := range p.state.In(c).sets[v.Detail()] {
		reasons = append(reasons, p.members[r.member].Reasons(c, r.verdict)...)
	}
	return reasons
}

// DomainRules are those of the members that are asked.
func (p *combinedFilters) DomainRules(c *scheduler.Cycle, f func(scheduler.DomainRule)) {
	for _, i := range p.state.In(c).asked {
		if ruler, has := p.members[i].(scheduler.DomainRulePlugin); has {
			ruler.DomainRules(c, f)
		}
	}
}
