package plugins

import (
	"math"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/portable"
)

// softCount is a rule of Score beside its counts.
type softCount struct {
	*spreadRule
	labeledAt, sizedAt []int32 // domains by node
	counts             *cluster.DomainCounts
	size               int     // domains that there are to choose from
	weight             float64 // what a pod weighs, the more the more domains there are
	worth              []float64
	seen               []uint64 // by domain: the cycle that saw it
}

func (p *podTopologySpread) PreScore(c *scheduler.Cycle) scheduler.Status {
	if len(p.soft(c)) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	return scheduler.Status{}
}

// PrepareScore works out the score of every domain that has a feasible node.
//
// Upstream: initPreScoreState and PreScore.
func (p *podTopologySpread) PrepareScore(c *scheduler.Cycle) (uniform bool) {
	s, rules := p.state.In(c), p.soft(c)
	s.soft = s.soft[:cap(s.soft)] // counts of earlier pods keep their memory
	for len(s.soft) < len(rules) {
		s.soft = append(s.soft, softCount{})
	}
	s.soft = s.soft[:len(rules)]
	for i := range s.soft {
		t := &s.soft[i]
		t.spreadRule = &rules[i]
		t.labeledAt, t.sizedAt = t.labeled.Domains(), t.sized.Domains()
		t.counts = p.cluster.Topology.Counts(t.counted, t.pods)
		t.measure(c)
	}
	return false
}

// measure finds the domains of the feasible nodes that are scored, and what each is worth.
func (t *softCount) measure(c *scheduler.Cycle) {
	t.size = 0
	if t.perNode {
		for _, node := range c.Feasible() {
			if t.sizedAt[node] != cluster.NoDomain {
				t.size++
			}
		}
		t.weight = portable.Log(float64(t.size + 2))
		return
	}
	if n := t.sized.DomainIDs(); len(t.seen) < n {
		t.seen = append(t.seen, make([]uint64, n-len(t.seen))...)
		t.worth = append(t.worth, make([]float64, n-len(t.worth))...)
	}
	for _, node := range c.Feasible() {
		if d := t.sizedAt[node]; d != cluster.NoDomain && t.seen[d] != c.Number {
			t.seen[d] = c.Number
			t.size++
		}
	}
	t.weight = portable.Log(float64(t.size + 2))
	for d, seen := range t.seen {
		if seen == c.Number {
			t.worth[d] = t.worthOf(t.counts.Count(int32(d)))
		}
	}
}

// worthOf is what a domain with that many pods adds to a score. The conversion keeps
// processors that could from adding without rounding the product first.
func (t *softCount) worthOf(pods int64) float64 {
	return float64(float64(pods)*t.weight) + float64(t.maxSkew-1)
}

// Score is the higher the more pods there are in the domains of the node.
func (p *podTopologySpread) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	out := [1]int64{}
	p.ScoreMany(c, []cluster.NodeID{node}, out[:])
	return out[0]
}

// ScoreMany adds up one constraint after another, as the sum of a node is made.
func (p *podTopologySpread) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	s, allKeys := p.state.In(c), p.plan(c).allKeys
	if cap(s.sums) < len(nodes) {
		s.sums = make([]float64, len(nodes))
	}
	sums := s.sums[:len(nodes)]
	clear(sums)
	for i := range s.soft {
		s.soft[i].addTo(sums, nodes, c.ScoresEmptyNodes())
	}
	for i, sum := range sums {
		out[i] = int64(math.Round(sum))
	}
	if !allKeys {
		return
	}
	labeled := s.soft[0].labeledAt
	for i, node := range nodes {
		if labeled[node] == cluster.NoDomain {
			out[i] = scheduler.ScoreIgnored
		}
	}
}

// addTo adds the constraint to the sums. To upstream no pods are on blank nodes.
func (t *softCount) addTo(sums []float64, nodes []cluster.NodeID, blank bool) {
	for i, node := range nodes {
		switch d := t.labeledAt[node]; {
		case d == cluster.NoDomain:
		case t.perNode && blank:
			sums[i] += t.worthOf(0)
		case t.perNode:
			sums[i] += t.worthOf(t.counts.On(node))
		default:
			sums[i] += t.worth[d]
		}
	}
}

// Normalization gives the most to the nodes with the fewest pods around them. Nodes that lack a topology key get
// nothing.
func (p *podTopologySpread) Normalization() scheduler.Normalization { return scheduler.MinMaxReversed }
