package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonSpread = "node(s) didn't match pod topology spread constraints"

// evenPodsSpread is the current rule about the pod's own constraints. That a node lacks the label
// is no reason of its own, nor one for which preemption is not tried. Where no node that
// the pod may run on has all labels, every node passes.
//
// Upstream: EvenPodsSpreadPredicate, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: the younger fields of constraints are honored; pods that terminate do not count,
// as from 1.18 on.
type evenPodsSpread struct {
	*currentFilter
	plans scheduler.Slot[spreadPlans]
}

func newEvenPodsSpread(h *scheduler.Handle) (scheduler.Plugin, error) {
	filter, err := wrapFilter(h, "EvenPodsSpread", "PodTopologySpread", plugins.PodTopologySpreadArgs{}, always(reasonSpread))
	if err != nil {
		return nil, err
	}
	return &evenPodsSpread{filter, scheduler.NewSlot[spreadPlans](h)}, nil
}

func (p *evenPodsSpread) PrepareFilter(c *scheduler.Cycle) bool {
	rules := p.plans.In(c).of(c, true)
	if len(rules) == 0 {
		return false
	}
	_, some := c.Cluster.Topology.Counts(rules[0].counted, rules[0].pods).Min()
	return some && p.currentFilter.PrepareFilter(c)
}

func (p *evenPodsSpread) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if v := p.currentFilter.Filter(c, node); v != scheduler.Fits {
		return scheduler.NewRejection(scheduler.Unschedulable, v.Detail())
	}
	return scheduler.Fits
}

// spreadPlans are the constraints of one kind, by class.
type spreadPlans [][]spreadRule

// spreadRule is a constraint of a class.
type spreadRule struct {
	labeled *cluster.Partition // the nodes that have all topology keys
	counted *cluster.Partition // those of them whose pods count
	pods    *cluster.PodSet
}

// of are the hard constraints of the pod of the cycle, or its soft ones.
func (s *spreadPlans) of(c *scheduler.Cycle, hard bool) []spreadRule {
	id := int(c.Class.ID)
	for len(*s) <= id {
		*s = append(*s, nil)
	}
	if (*s)[id] == nil {
		(*s)[id] = spreadRules(c.Cluster, c.Class, hard)
	}
	return (*s)[id]
}

func spreadRules(cl *cluster.Cluster, class *cluster.Class, hard bool) []spreadRule {
	rules := []spreadRule{}
	for i := range class.Spread {
		c := &class.Spread[i]
		if c.Hard != hard {
			continue
		}
		rule := cluster.NodeInclusionPolicy{Keys: otherKeys(class.Spread, c)}
		r := spreadRule{labeled: cl.Topology.Partition(c.TopologyKey, rule), pods: cl.SpreadPods(class.Namespace, c.Selector)}
		if c.HonorNodeAffinity {
			rule.NodeSelector, rule.Required, rule.HasRequired = class.NodeSelector, class.Required, class.HasRequired
		}
		if c.HonorNodeTaints {
			rule.HonorNodeTaints, rule.Tolerations = true, class.Tolerations
		}
		r.counted = cl.Topology.Partition(c.TopologyKey, rule)
		rules = append(rules, r)
	}
	return rules
}

// otherKeys are the topology keys of the other constraints of its kind.
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

// evenPodsSpreadScore prefers nodes in whose domains there are few of the pods that the soft
// constraints of the pod count. How skewed that makes them does not matter. Nodes that
// lack a topology key get 0.
//
// Upstream: pkg/scheduler/algorithm/priorities/even_pods_spread.go, v1.16.15.
// Differs: pods of other namespaces and pods that terminate do not count, as from 1.18 on.
type evenPodsSpreadScore struct {
	named
	state scheduler.Slot[evenState]
}

type evenState struct {
	plans spreadPlans
	rules []softCount
}

// softCount is a constraint beside its counts.
type softCount struct {
	labeled *cluster.Partition
	counts  *cluster.DomainCounts
}

// noKeys is the score, before normalization, of a node that lacks a topology key.
const noKeys = -1

func newEvenPodsSpreadScore(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &evenPodsSpreadScore{"EvenPodsSpreadPriority", scheduler.NewSlot[evenState](h)}, nil
}

func (p *evenPodsSpreadScore) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.NodePods | scheduler.DomainPods
}

// PreScore leaves out pods without soft constraints.
func (p *evenPodsSpreadScore) PreScore(c *scheduler.Cycle) scheduler.Status {
	if len(p.state.In(c).plans.of(c, false)) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	return scheduler.Status{}
}

func (p *evenPodsSpreadScore) PrepareScore(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.rules = s.rules[:0]
	for _, r := range s.plans.of(c, false) {
		s.rules = append(s.rules, softCount{r.labeled, c.Cluster.Topology.Counts(r.counted, r.pods)})
	}
	return false
}

func (p *evenPodsSpreadScore) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	var pods int64
	for _, r := range p.state.In(c).rules {
		domain := r.labeled.Domain(node)
		if domain == cluster.NoDomain {
			return noKeys
		}
		pods += r.counts.Count(domain)
	}
	return pods
}

// NormalizeScore gives the most to the nodes with the fewest pods around them.
func (p *evenPodsSpreadScore) NormalizeScore(_ *scheduler.Cycle, scores []int64) {
	var total int64
	fewest := int64(-1)
	for _, s := range scores {
		if s == noKeys {
			continue
		}
		total += s
		if fewest < 0 || s < fewest {
			fewest = s
		}
	}
	for i, s := range scores {
		switch {
		case s == noKeys:
			scores[i] = 0
		case total == fewest:
			scores[i] = scheduler.MaxLegacyScore
		default:
			scores[i] = int64(scheduler.MaxLegacyScore * (float64(total-s) / float64(total-fewest)))
		}
	}
}
