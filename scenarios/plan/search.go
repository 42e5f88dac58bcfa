package plan

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/reports/goal"
)

// probe is one fleet, and how the goal fares on it.
type probe struct {
	counts  []int // by axis
	judged  [][]goal.Outcome
	reasons []reports.PlanReason
}

// search looks for the smallest fleet. It takes the goal to be monotone: what holds it goes
// on doing so with more nodes, but for the terms that are known to be broken by them.
type search struct {
	axes   []Axis
	prices []float64 // of a node, by axis
	empty  bool      // without the pools that vary there is no node
	terms  int
	wants  []want // each term is in one of them
	budget int    // of probes, where several pools vary
	play   func(counts []int) (*probe, error)

	probes []*probe
	fewest *probe  // the smallest fleet
	most   *probe  // the largest fleet
	broken []bool  // terms that hold on the smallest fleet and not on the largest
	best   *probe  // the smallest or cheapest fleet that holds the goal
	found  *probe  // the same for all terms but the broken ones
	bound  float64 // no fleet that costs less holds the goal; of one axis: not used
	exact  bool    // best is the cheapest
}

// run searches. After an error what was found until then stays.
func (s *search) run() error {
	low, high := make([]int, len(s.axes)), make([]int, len(s.axes))
	for i, a := range s.axes {
		low[i], high[i] = a.Low, a.High
	}
	var err error
	if s.most, err = s.at(high); err != nil {
		return err
	}
	if s.nothing(low) { // there is one that can be played beside it
		low = slices.Clone(low)
		low[slices.IndexFunc(high, func(n int) bool { return n > 0 })] = 1
	}
	if s.fewest, err = s.at(low); err != nil {
		return err
	}
	s.broken = make([]bool, s.terms)
	for t := range s.broken {
		s.broken[t] = s.termHolds(s.fewest, t) && !s.termHolds(s.most, t)
	}
	switch {
	case !s.enough(s.most):
		return nil
	case len(s.axes) == 1:
		return s.bisect()
	}
	return s.branch()
}

// settle makes the best of a search that has not come to its end.
func (s *search) settle() {
	for _, p := range s.ordered() {
		if s.holds(p) {
			s.best, s.found = p, p
			return
		}
	}
}

// nothing says whether the fleet has no node.
func (s *search) nothing(counts []int) bool {
	return s.empty && slices.Max(counts) == 0
}

// at is the probe of a fleet, played unless it has been.
func (s *search) at(counts []int) (*probe, error) {
	for _, p := range s.probes {
		if slices.Equal(p.counts, counts) {
			return p, nil
		}
	}
	p, err := s.play(slices.Clone(counts))
	if err == nil {
		s.probes = append(s.probes, p)
	}
	return p, err
}

// termHolds says whether a term holds in as many runs as need be.
func (s *search) termHolds(p *probe, term int) bool {
	of := slices.IndexFunc(s.wants, func(w want) bool { return slices.Contains(w.terms, term) })
	return p.count([]int{term}, nil) >= s.wants[of].need
}

// enough says whether all terms but the broken ones hold.
func (s *search) enough(p *probe) bool { return s.reaches(p, s.broken) }

// holds says whether the goal holds.
func (s *search) holds(p *probe) bool { return s.reaches(p, nil) }

// reaches says whether the terms hold in as many runs as is wanted, but for those that are
// left out.
func (s *search) reaches(p *probe, without []bool) bool {
	return !slices.ContainsFunc(s.wants, func(w want) bool { return p.count(w.terms, without) < w.need })
}

// holdsBut says whether all terms but the broken ones hold in a run.
func (s *search) holdsBut(of []goal.Outcome) bool {
	for t, o := range of {
		if !o.Holds && !s.broken[t] {
			return false
		}
	}
	return true
}

// held is in how many runs the goal holds.
func held(p *probe) int {
	n := 0
	for _, of := range p.judged {
		if !slices.ContainsFunc(of, func(o goal.Outcome) bool { return !o.Holds }) {
			n++
		}
	}
	return n
}

// count is in how many runs the terms hold together, but for those that are left out.
func (p *probe) count(terms []int, without []bool) int {
	n := 0
	for _, of := range p.judged {
		if !slices.ContainsFunc(terms, func(t int) bool { return !of[t].Holds && (without == nil || !without[t]) }) {
			n++
		}
	}
	return n
}

// bisect finds the smallest size of the one pool. One probe more, above it, looks whether
// the goal is monotone.
func (s *search) bisect() error {
	low, high := s.fewest.counts[0], s.most.counts[0]
	s.found, s.exact = s.most, true
	if s.enough(s.fewest) {
		s.found, high = s.fewest, low
	}
	for high-low > 1 {
		p, err := s.at([]int{low + (high-low)/2})
		if err != nil {
			s.exact = false
			return err
		}
		if s.enough(p) {
			s.found, high = p, p.counts[0]
		} else {
			low = p.counts[0]
		}
	}
	if s.holds(s.found) {
		s.best = s.found
	}
	if above := high + (s.most.counts[0]-high)/2; above > high {
		_, err := s.at([]int{above})
		return err
	}
	return nil
}

// cost is what a fleet of so many nodes costs an hour, or how many it has.
func (s *search) cost(counts []int) float64 {
	sum := 0.0
	for i, n := range counts {
		sum += float64(n) * s.prices[i]
	}
	return sum
}

// within says whether no pool of a is larger than that of b.
func within(a, b []int) bool {
	for i := range a {
		if a[i] > b[i] {
			return false
		}
	}
	return true
}

// contradictions are pairs of fleets that show that the goal is not monotone: one holds it,
// a larger one does not. There is one for each seed at most, and one of all seeds.
func (s *search) contradictions(seeds []uint64) []reports.PlanContradiction {
	if s.broken == nil {
		return nil
	}
	var out []reports.PlanContradiction
	find := func(holds func(p *probe) bool, c reports.PlanContradiction) {
		for _, fewer := range s.ordered() {
			for _, more := range s.ordered() {
				if fewer != more && within(fewer.counts, more.counts) && holds(fewer) && !holds(more) {
					c.Fewer, c.More = fewer.counts, more.counts
					out = append(out, c)
					return
				}
			}
		}
	}
	find(s.enough, reports.PlanContradiction{All: true})
	for i, seed := range seeds {
		find(func(p *probe) bool { return s.holdsBut(p.judged[i]) }, reports.PlanContradiction{Seed: seed})
	}
	return out
}

// ordered are the probes by cost, then by counts.
func (s *search) ordered() []*probe {
	return slices.SortedFunc(slices.Values(s.probes), func(a, b *probe) int {
		return cmp.Or(cmp.Compare(s.cost(a.counts), s.cost(b.counts)), slices.Compare(a.counts, b.counts))
	})
}
