package plugins

import (
	"math"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// DomainRules are the constraints with DoNotSchedule.
func (p *podTopologySpread) DomainRules(c *scheduler.Cycle, f func(scheduler.DomainRule)) {
	hard := p.state.In(c).hard
	p.eachConstraint(c.Class, func(constraint *cluster.SpreadConstraint, _ []cluster.Symbol) {
		if !constraint.Hard {
			return
		}
		h := &hard[0]
		hard = hard[1:]
		f(scheduler.DomainRule{
			Kind: scheduler.SpreadRule, Key: constraint.TopologyKey,
			Domains: h.domains, RequiresLabel: true, Counts: h.counts, AtLeast: math.MinInt64, AtMost: h.least() + h.maxSkew - h.self,
			Spread: constraint, FromPluginArgs: len(c.Class.Spread) == 0,
			Counted: h.counted.Domains(), NumCounted: h.counted.NumDomains(),
		})
	})
}

// DomainRules are the required terms of the pod, and those of other pods that select it.
func (p *interPodAffinity) DomainRules(c *scheduler.Cycle, f func(scheduler.DomainRule)) {
	s, plan, class := p.state.In(c), p.plan(c), c.Class
	first := s.first && !slices.ContainsFunc(s.affinity, func(a affinityCount) bool { return a.counts.Total() != 0 })
	atLeast := int64(1)
	if first {
		atLeast = 0
	}
	for i, key := range topologyKeys(class.Affinity) {
		a := s.affinity[i]
		f(scheduler.DomainRule{
			Kind: scheduler.AffinityRule, Key: key, Terms: class.Affinity,
			Domains: a.partition.Domains(), RequiresLabel: true, Counts: a.counts, AtLeast: atLeast, AtMost: math.MaxInt64,
		})
	}
	against := func(kind scheduler.DomainRuleKind, of matchingPods, t *cluster.PodTerm) {
		f(scheduler.DomainRule{
			Kind: kind, Key: t.TopologyKey, Terms: []*cluster.PodTerm{t},
			Domains: of.partition.Domains(), Counts: p.domainCounts(of),
		})
	}
	for i, t := range class.AntiAffinity {
		against(scheduler.AntiAffinityRule, plan.antiAffinity[i], t)
	}
	p.cluster.Topology.DeclaredTerms(func(d cluster.DeclaredTerm) {
		if d.Role == cluster.RequiredAntiAffinity && d.Term.Selects(class, p.cluster.Vocabulary) {
			against(scheduler.ExistingAntiAffinityRule, p.matching(d.Term, p.cluster.PodsDeclaring(d), 0), d.Term)
		}
	})
}

// topologyKeys are those of the terms, each once, in order of appearance.
func topologyKeys(terms []*cluster.PodTerm) []cluster.Symbol {
	var keys []cluster.Symbol
	for _, t := range terms {
		if !slices.Contains(keys, t.TopologyKey) {
			keys = append(keys, t.TopologyKey)
		}
	}
	return keys
}
