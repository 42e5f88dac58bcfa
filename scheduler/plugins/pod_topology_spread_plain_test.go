package plugins_test

import (
	"math"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// plainSpread counts the pods of all nodes afresh for every pod, and once more what trial
// moves have changed since.
type plainSpread struct {
	plain
	args plugins.PodTopologySpreadArgs

	hard   []cluster.SpreadConstraint
	counts []map[cluster.Symbol]int64 // of the hard ones, by value of the label
	homes  map[cluster.PodID]cluster.NodeID

	soft    []cluster.SpreadConstraint
	around  []map[cluster.Symbol]int64 // of the soft ones
	weights []float64
	ignored map[cluster.NodeID]bool
}

func newPlainSpread(p plain, args any) scheduler.Plugin {
	a, given := args.(plugins.PodTopologySpreadArgs)
	if a.System = a.System || !given; a.System {
		zone := p.cl.Symbol("topology.kubernetes.io/zone")
		a.Default = []cluster.SpreadConstraint{
			{TopologyKey: p.cl.Hostname, MaxSkew: 3, MinDomains: 1, HonorNodeAffinity: true},
			{TopologyKey: zone, MaxSkew: 5, MinDomains: 1, HonorNodeAffinity: true},
		}
	}
	return &plainSpread{plain: p, args: a}
}

func (p *plainSpread) constraints(class *cluster.Class, hard bool) []cluster.SpreadConstraint {
	list, selector := class.Spread, (*cluster.LabelSelector)(nil)
	if len(list) == 0 && !class.SpreadSelector.IsEmpty() {
		list, selector = p.args.Default, &class.SpreadSelector
	}
	var out []cluster.SpreadConstraint
	for _, c := range list {
		if selector != nil {
			c.Selector = *selector
		}
		if c.Hard == hard {
			out = append(out, c)
		}
	}
	return out
}

func (p *plainSpread) value(node cluster.NodeID, key cluster.Symbol) (cluster.Symbol, bool) {
	return p.cl.Node(node).Labels.Get(key)
}

func (p *plainSpread) hasAll(node cluster.NodeID, constraints []cluster.SpreadConstraint) bool {
	for _, c := range constraints {
		if _, has := p.value(node, c.TopologyKey); !has {
			return false
		}
	}
	return true
}

// included reports whether the policies of a constraint take the pods of a node into account.
func (p *plainSpread) included(class *cluster.Class, c *cluster.SpreadConstraint, node cluster.NodeID) bool {
	n := p.cl.Node(node)
	if c.HonorNodeAffinity {
		for _, want := range class.NodeSelector {
			if value, has := n.Labels.Get(want.Key); !has || value != want.Value {
				return false
			}
		}
		if class.HasRequired && !class.Required.Matches(n.Labels, n.Symbol, &p.cl.Symbols) {
			return false
		}
	}
	for _, taint := range n.Taints {
		if c.HonorNodeTaints && taint.Effect != cluster.PreferNoSchedule && !cluster.Tolerated(class.Tolerations, taint) {
			return false
		}
	}
	return true
}

func (p *plainSpread) matches(class *cluster.Class, c *cluster.SpreadConstraint, pod cluster.PodID) bool {
	other := p.cl.Pod(pod).Class
	return other.Namespace == class.Namespace && c.Selector.Matches(other.Labels, &p.cl.Symbols)
}

func (p *plainSpread) count(class *cluster.Class, c *cluster.SpreadConstraint, node cluster.NodeID) (n int64) {
	for _, pod := range p.cl.PodsOn(node) {
		if !c.Selector.IsEmpty() && p.cl.Pod(pod).Phase != cluster.Terminating && p.matches(class, c, pod) {
			n++
		}
	}
	return n
}

func (p *plainSpread) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	p.hard = p.constraints(c.Class, true)
	p.counts, p.homes = nil, map[cluster.PodID]cluster.NodeID{}
	for i := range p.hard {
		count := map[cluster.Symbol]int64{}
		for _, node := range p.cl.Order() {
			if p.hasAll(node, p.hard) && p.included(c.Class, &p.hard[i], node) {
				value, _ := p.value(node, p.hard[i].TopologyKey)
				count[value] += p.count(c.Class, &p.hard[i], node)
			}
		}
		p.counts = append(p.counts, count)
	}
	for _, node := range p.cl.Order() {
		for _, pod := range p.cl.PodsOn(node) {
			p.homes[pod] = node
		}
	}
	return scheduler.PreFilterResult{Skip: len(p.hard) == 0}
}

// tried is what trial moves have changed, by value.
func (p *plainSpread) tried(class *cluster.Class, c *cluster.SpreadConstraint) map[cluster.Symbol]int64 {
	moved := map[cluster.Symbol]int64{}
	move := func(pod cluster.PodID, node cluster.NodeID, by int64) {
		if p.matches(class, c, pod) && p.hasAll(node, p.hard) && p.included(class, c, node) {
			value, _ := p.value(node, c.TopologyKey)
			moved[value] += by
		}
	}
	for pod, node := range p.homes {
		if p.cl.Pod(pod).Node != node {
			move(pod, node, -1)
		}
	}
	for _, node := range p.cl.Order() {
		for _, pod := range p.cl.PodsOn(node) {
			if home, had := p.homes[pod]; !had || home != node {
				move(pod, node, 1)
			}
		}
	}
	return moved
}

func (*plainSpread) Checks() scheduler.Checks { return scheduler.CheckSpread }

func (p *plainSpread) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	for i := range p.hard {
		s := &p.hard[i]
		value, has := p.value(node, s.TopologyKey)
		if !has {
			return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 1)
		}
		moved := p.tried(c.Class, s)
		least := int64(math.MaxInt64)
		for value, n := range p.counts[i] {
			least = min(least, n+moved[value])
		}
		if len(p.counts[i]) < int(s.MinDomains) {
			least = 0
		}
		skew := p.counts[i][value] + moved[value] - least
		if s.Selector.Matches(c.Class.Labels, &p.cl.Symbols) {
			skew++
		}
		if skew > int64(s.MaxSkew) {
			return scheduler.NewRejection(scheduler.Unschedulable, 0)
		}
	}
	return scheduler.Fits
}

func (p *plainSpread) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	if v.Code() == scheduler.UnschedulableAndUnresolvable {
		return []string{"node(s) didn't match pod topology spread constraints (missing required label)"}
	}
	return []string{"node(s) didn't match pod topology spread constraints"}
}

func (p *plainSpread) PreScore(c *scheduler.Cycle) scheduler.Status {
	p.soft = p.constraints(c.Class, false)
	if len(p.soft) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	needAll := len(c.Class.Spread) > 0 || !p.args.System
	p.around, p.weights, p.ignored = nil, nil, map[cluster.NodeID]bool{}
	for _, node := range c.Feasible() {
		p.ignored[node] = needAll && !p.hasAll(node, p.soft)
	}
	for i := range p.soft {
		s := &p.soft[i]
		size, around := 0, map[cluster.Symbol]int64{}
		for _, node := range c.Feasible() {
			if value, _ := p.value(node, s.TopologyKey); !p.ignored[node] {
				around[value] = 0
				size++
			}
		}
		if s.TopologyKey != p.cl.Hostname {
			size = len(around)
		}
		for _, node := range p.cl.Order() {
			value, _ := p.value(node, s.TopologyKey)
			_, sought := around[value]
			if sought && (!needAll || p.hasAll(node, p.soft)) && p.included(c.Class, s, node) {
				around[value] += p.count(c.Class, s, node)
			}
		}
		p.around, p.weights = append(p.around, around), append(p.weights, math.Log(float64(size+2)))
	}
	return scheduler.Status{}
}

func (p *plainSpread) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	if p.ignored[node] {
		return 0
	}
	var sum float64
	for i := range p.soft {
		s := &p.soft[i]
		value, has := p.value(node, s.TopologyKey)
		if !has {
			continue
		}
		n := p.around[i][value]
		if s.TopologyKey == p.cl.Hostname {
			n = p.count(c.Class, s, node)
		}
		sum += float64(float64(n)*p.weights[i]) + float64(s.MaxSkew-1)
	}
	return int64(math.Round(sum))
}

func (p *plainSpread) NormalizeScore(c *scheduler.Cycle, scores []int64) {
	highest, lowest := int64(0), int64(math.MaxInt64)
	for i, node := range c.Feasible() {
		if !p.ignored[node] {
			highest, lowest = max(highest, scores[i]), min(lowest, scores[i])
		}
	}
	for i, node := range c.Feasible() {
		switch {
		case p.ignored[node]:
			scores[i] = 0
		case highest == 0:
			scores[i] = 100
		default:
			scores[i] = 100 * (highest + lowest - scores[i]) / highest
		}
	}
}
