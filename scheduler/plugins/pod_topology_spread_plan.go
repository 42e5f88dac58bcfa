package plugins

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// spreadPlan is what the constraints of a class come to: which pods are counted where. It
// holds as long as the class does, which is forever.
type spreadPlan struct {
	hard []spreadRule
	soft []spreadRule // made when a pod is first scored: many pods of a node's own never are
	// scored: soft has been made.
	scored bool
	// allKeys leaves nodes without score that lack a topology key of a soft constraint.
	allKeys bool
}

// spreadRule is one constraint.
type spreadRule struct {
	maxSkew    int64
	minDomains int
	self       int64              // 1: the pod itself counts
	perNode    bool               // Score counts the pods of each node alone
	pods       *cluster.PodSet    // that count
	counted    *cluster.Partition // the nodes whose pods count
	labeled    *cluster.Partition // the nodes that have the topology key; when scoring, all that are needed
	sized      *cluster.Partition // the nodes whose domains the weight is made of
}

// noSpread is the plan of pods without constraints.
var noSpread = &spreadPlan{scored: true}

// plan returns that of the pod's class, made at first sight.
func (p *podTopologySpread) plan(c *scheduler.Cycle) *spreadPlan {
	if len(p.constraints(c.Class)) == 0 {
		return noSpread
	}
	s, id := p.state.In(c), int(c.Class.ID)
	if id >= len(s.plans) {
		s.plans = append(s.plans, make([]*spreadPlan, id+1-len(s.plans))...)
	}
	if s.plans[id] == nil {
		s.plans[id] = p.planFor(c.Class)
	}
	return s.plans[id]
}

// constraints are those of the pods of a class: their own, or, where nothing says which
// pods belong together, none, or the default ones.
//
// Upstream: getConstraints and buildDefaultConstraints.
func (p *podTopologySpread) constraints(class *cluster.Class) []cluster.SpreadConstraint {
	if len(class.Spread) == 0 && !class.SpreadSelector.IsEmpty() {
		return p.defaults
	}
	return class.Spread
}

func (p *podTopologySpread) planFor(class *cluster.Class) *spreadPlan {
	plan := &spreadPlan{allKeys: len(class.Spread) > 0 || !p.system}
	p.eachConstraint(class, func(c *cluster.SpreadConstraint, others []cluster.Symbol) {
		if c.Hard {
			plan.hard = append(plan.hard, p.hardRule(class, c, others))
		}
	})
	return plan
}

// soft returns the rules of the pod's soft constraints.
func (p *podTopologySpread) soft(c *scheduler.Cycle) []spreadRule {
	plan := p.plan(c)
	if !plan.scored {
		plan.scored = true
		p.eachConstraint(c.Class, func(constraint *cluster.SpreadConstraint, others []cluster.Symbol) {
			if !constraint.Hard {
				plan.soft = append(plan.soft, p.softRule(c.Class, constraint, others, plan.allKeys))
			}
		})
	}
	return plan.soft
}

// eachConstraint calls f for every constraint, with its selector, and the topology keys of
// the others of its kind.
func (p *podTopologySpread) eachConstraint(class *cluster.Class, f func(c *cluster.SpreadConstraint, others []cluster.Symbol)) {
	constraints := p.constraints(class)
	for _, c := range constraints {
		if len(class.Spread) == 0 {
			c.Selector = class.SpreadSelector
		}
		f(&c, otherKeys(constraints, &c))
	}
}

// hardRule counts on nodes that have all topology keys of hard constraints, though a node
// that lacks another key is measured by what is in its domain.
func (p *podTopologySpread) hardRule(class *cluster.Class, c *cluster.SpreadConstraint, others []cluster.Symbol) spreadRule {
	r := spreadRule{
		maxSkew:    int64(c.MaxSkew),
		minDomains: int(c.MinDomains),
		pods:       p.cluster.SpreadPods(class.Namespace, c.Selector),
		counted:    p.cluster.Topology.Partition(c.TopologyKey, inclusion(class, c, cluster.NodeInclusionPolicy{Keys: others})),
		labeled:    p.cluster.Topology.Partition(c.TopologyKey, cluster.NodeInclusionPolicy{}),
	}
	if c.Selector.Matches(class.Labels, &p.cluster.Symbols) {
		r.self = 1
	}
	return r
}

// softRule counts on nodes that have all topology keys of soft constraints, if these are
// needed; else a node without the key is in the domain of the empty value.
func (p *podTopologySpread) softRule(class *cluster.Class, c *cluster.SpreadConstraint, others []cluster.Symbol, allKeys bool) spreadRule {
	rule := cluster.NodeInclusionPolicy{Unlabeled: true}
	if allKeys {
		rule = cluster.NodeInclusionPolicy{Keys: others}
	}
	r := spreadRule{
		maxSkew: int64(c.MaxSkew),
		perNode: c.TopologyKey == p.cluster.Hostname,
		pods:    p.cluster.SpreadPods(class.Namespace, c.Selector),
		sized:   p.cluster.Topology.Partition(c.TopologyKey, rule),
	}
	if r.labeled = r.sized; !allKeys {
		r.labeled = p.cluster.Topology.Partition(c.TopologyKey, cluster.NodeInclusionPolicy{})
	}
	if r.counted = p.cluster.Topology.EachNode(); !r.perNode {
		r.counted = p.cluster.Topology.Partition(c.TopologyKey, inclusion(class, c, rule))
	}
	return r
}

// inclusion adds the node inclusion policies of a constraint to a rule.
func inclusion(class *cluster.Class, c *cluster.SpreadConstraint, rule cluster.NodeInclusionPolicy) cluster.NodeInclusionPolicy {
	if c.HonorNodeAffinity {
		rule.NodeSelector, rule.Required, rule.HasRequired = class.NodeSelector, class.Required, class.HasRequired
	}
	if c.HonorNodeTaints {
		rule.HonorNodeTaints, rule.Tolerations = true, class.Tolerations
	}
	return rule
}

// otherKeys are the topology keys of the constraints that are hard, or soft, as this one
// is, except for its own; each once, in order.
func otherKeys(constraints []cluster.SpreadConstraint, this *cluster.SpreadConstraint) []cluster.Symbol {
	var keys []cluster.Symbol
	for i := range constraints {
		if c := &constraints[i]; c.Hard == this.Hard && c.TopologyKey != this.TopologyKey {
			keys = append(keys, c.TopologyKey)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
