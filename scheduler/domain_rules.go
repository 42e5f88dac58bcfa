package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// DomainRuleKind is what a DomainRule comes from.
type DomainRuleKind uint8

// The kinds of rules about topology domains.
const (
	SpreadRule               DomainRuleKind = iota // a spread constraint with DoNotSchedule
	AffinityRule                                   // the required pod affinity terms of one topology key
	AntiAffinityRule                               // a required anti-affinity term of the pod
	ExistingAntiAffinityRule                       // a required anti-affinity term of pods that are there
)

// DomainRule is a rule of a filter about the pods in the domains of a topology key, as it
// is for one pod: a domain must hold from AtLeast to AtMost of the pods in
// Counts.
type DomainRule struct {
	Kind    DomainRuleKind
	Key     cluster.Symbol
	Domains []int32 // by node
	// RequiresLabel: nodes without the label of the key break the rule.
	RequiresLabel bool
	Counts        *cluster.DomainCounts
	AtLeast       int64
	AtMost        int64

	Terms  []*cluster.PodTerm        // of affinity or anti-affinity
	Spread *cluster.SpreadConstraint // of a SpreadRule; else nil
	// FromPluginArgs: the constraint is one of the plugin's arguments, not the pod's own.
	FromPluginArgs bool
	// Counted are the domains of the nodes that count for a SpreadRule, by node, and
	// NumCounted how many domains these are.
	Counted    []int32
	NumCounted int
}

// DomainRulePlugin is a filter that can name its rules about topology domains. It is not an
// extension point: configurations do not name it.
type DomainRulePlugin interface {
	FilterPlugin
	// DomainRules calls f for every rule that there is for the pod of the cycle, whose
	// filters have been prepared.
	DomainRules(c *Cycle, f func(DomainRule))
}

// Breaks reports whether placing the pod on a node would break the rule.
func (r *DomainRule) Breaks(node cluster.NodeID) bool {
	domain := r.Domains[node]
	if domain == cluster.NoDomain {
		return r.RequiresLabel
	}
	n := r.Counts.Count(domain)
	return n < r.AtLeast || n > r.AtMost
}

// EachDomainRule calls f for every rule about topology domains that the pod's filters have,
// with the plugin that it is of.
func (i *Inspection) EachDomainRule(f func(plugin string, r DomainRule)) {
	if i.rejected.Code != Success {
		return
	}
	for k := range i.c.filters {
		if ruler, can := i.c.filters[k].plugin.(DomainRulePlugin); can {
			ruler.DomainRules(i.c, func(r DomainRule) { f(ruler.Name(), r) })
		}
	}
}
