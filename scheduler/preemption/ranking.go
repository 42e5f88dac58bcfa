package preemption

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// RankPreemptions lists every node that could be freed for the pod of the cycle, whether or
// not the search went on that far, without asking extenders.
func (p *defaultPreemption) RankPreemptions(c *scheduler.Cycle, chosen cluster.NodeID) []scheduler.PreemptionOption {
	var all []candidate
	for _, node := range p.cluster.Order() {
		if c.CodeOf(node) != scheduler.Unschedulable {
			continue
		}
		if found, _ := p.selectVictims(c, node); len(found.victims) > 0 {
			all = append(all, found)
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		order, _ := p.compare(a, b)
		return cmp.Or(order, chosenFirst(a, b, chosen), p.byName(a, b))
	})
	at := slices.IndexFunc(all, func(a candidate) bool { return a.node == chosen })
	options := make([]scheduler.PreemptionOption, len(all))
	for i, a := range all {
		options[i] = scheduler.PreemptionOption{Node: a.node, Victims: a.victims, Violations: a.violations}
		if at >= 0 {
			_, options[i].Rule = p.compare(all[at], a)
			if options[i].Rule == "" && a.node != chosen {
				options[i].Rule = p.ruleOfEquals()
			}
		}
	}
	return options
}

func chosenFirst(a, b candidate, chosen cluster.NodeID) int {
	switch chosen {
	case a.node:
		return -1
	case b.node:
		return 1
	}
	return 0
}

// ruleOfEquals is how one of several candidates is taken that no rule prefers.
func (p *defaultPreemption) ruleOfEquals() string {
	if p.h.BreaksTiesAtRandom() {
		return "it was drawn among equally good nodes"
	}
	return "its name comes first"
}
