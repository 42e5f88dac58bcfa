package plan

import (
	"cmp"
	"errors"
	"slices"

	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/goal"
)

// probe is one fleet that was tried, with the outcomes of the goal.
type probe struct {
	counts       []int // by axis
	judged       [][]goal.Outcome
	reasons      []fleetplan.Reason
	stoppedEarly int // runs that were ended when they could not meet the goal any more
}

// errSpent is the error of a search that may not try another fleet.
var errSpent = errors.New("as many fleets were tried as may be")

// search searches the cheapest fleet. It assumes that the goal is monotone: a fleet that meets it does so with more nodes
// too. A broken term is an exception. It holds on the smallest fleet and fails on the largest; the search assumes that it
// keeps failing with more nodes once it fails.
type search struct {
	axes   []Axis
	prices []float64 // of a node, by axis
	empty  bool      // only the pools that vary have nodes
	terms  int
	wants  []want // each term is in one of them
	budget int    // of probes, where several pools vary
	try    func(counts []int) (*probe, error)

	probes []*probe
	fewest *probe   // the smallest fleet; nil: not tried
	most   *probe   // the largest fleet
	top    *probe   // the largest fleet that the search begins with
	inside bool     // the ends were tried: of all other fleets only matters whether the goal is met
	broken [][]bool // by run: terms that hold on the smallest fleet and not on the largest
	best   *probe   // the cheapest fleet that was tried and meets the goal
	bound  float64  // no fleet that costs less meets the goal; only with several axes
	exact  bool     // no fleet is cheaper than best
}

// run searches. After an error the fields have what was found by then.
func (s *search) run() error {
	err := s.ends()
	s.inside = err == nil
	if err == nil && !s.enough(s.most, nil) {
		err = s.between()
	}
	switch {
	case err != nil || s.top == nil:
	case len(s.axes) == 1:
		err = s.bisect()
	default:
		err = s.branch()
	}
	if errors.Is(err, errSpent) {
		err = nil
	}
	return err
}

// ends tries the largest fleet. If the goal fails in a run, ends tries the smallest fleet too, to find the terms that more
// nodes break. Otherwise it avoids the smallest fleet, whose runs take longest, since its pending pods are retried again
// and again.
func (s *search) ends() (err error) {
	high := s.highs()
	if s.most, err = s.at(high); err != nil {
		return err
	}
	s.top = s.most
	s.broken = make([][]bool, len(s.most.judged))
	for run := range s.broken {
		s.broken[run] = make([]bool, s.terms)
	}
	if held(s.most) == len(s.most.judged) {
		return nil
	}
	low := s.lows()
	if s.nothing(low) { // a fleet needs a node
		low[slices.IndexFunc(high, func(n int) bool { return n > 0 })] = 1
	}
	if s.fewest, err = s.at(low); err != nil {
		return err
	}
	for run, broken := range s.broken {
		for t := range broken {
			broken[t] = s.fewest.judged[run][t].Holds && !s.most.judged[run][t].Holds
		}
	}
	return nil
}

// quarters is one more than the number of fleets that between tries.
const quarters = 4

// between searches a fleet to begin with if the largest fails: more nodes may first help a term and then break it.
func (s *search) between() error {
	s.top = nil
	for k := quarters - 1; k > 0; k-- {
		counts := s.lows()
		for i, a := range s.axes {
			counts[i] += (a.High - a.Low) * k / quarters
		}
		if s.nothing(counts) {
			continue
		}
		p, err := s.at(counts)
		if err != nil {
			return err
		}
		if s.enough(p, nil) {
			s.top = p
			return nil
		}
	}
	return nil
}

// nothing reports whether the fleet has no node.
func (s *search) nothing(counts []int) bool {
	return s.empty && slices.Max(counts) == 0
}

// at returns the probe of a fleet. It tries the fleet if that has not been done.
func (s *search) at(counts []int) (*probe, error) {
	for _, p := range s.probes {
		if slices.Equal(p.counts, counts) {
			return p, nil
		}
	}
	if len(s.axes) > 1 && len(s.probes) >= s.budget {
		return nil, errSpent
	}
	p, err := s.try(slices.Clone(counts))
	if err != nil {
		return nil, err
	}
	s.probes = append(s.probes, p)
	if s.holds(p) && s.cost(p.counts) < s.bestCost() {
		s.best = p
	}
	return p, nil
}

// known reports whether a fleet is enough. It tries the fleet only if that does not follow from earlier probes.
func (s *search) known(counts []int, lost lostRuns) (bool, error) {
	if s.nothing(counts) {
		return false, nil
	}
	for _, p := range s.probes {
		if !within(p.counts, s.top.counts) {
			continue // only fleets up to top follow from each other
		}
		switch enough := s.enough(p, lost); {
		case enough && within(p.counts, counts):
			return true, nil
		case !enough && within(counts, p.counts):
			return false, nil
		}
	}
	p, err := s.at(counts)
	return err == nil && s.enough(p, lost), err
}

// holds reports whether the goal is met.
func (s *search) holds(p *probe) bool {
	return !slices.ContainsFunc(s.wants, func(w want) bool {
		return p.count(func(run int) bool { return p.keeps(run, w.terms, nil) }) < w.need
	})
}

// enough reports whether all terms that are not broken hold in enough runs that are not lost. That is monotone.
func (s *search) enough(p *probe, lost lostRuns) bool {
	for i, w := range s.wants {
		holds := func(run int) bool { return p.keeps(run, w.terms, s.broken[run]) && (lost == nil || !lost[i][run]) }
		if p.count(holds) < w.need {
			return false
		}
	}
	return true
}

// lostRuns are the runs, by want, in which a broken term fails on a fleet, and so on all larger ones. nil: none.
type lostRuns [][]bool

// lostAt returns the runs that are known to be lost on fleets of at least that size.
func (s *search) lostAt(low []int) lostRuns {
	out := make(lostRuns, len(s.wants))
	for i, w := range s.wants {
		out[i] = make([]bool, len(s.broken))
		for run, broken := range s.broken {
			fails := func(p *probe) bool {
				return within(p.counts, low) && slices.ContainsFunc(w.terms, func(t int) bool { return broken[t] && !p.judged[run][t].Holds })
			}
			out[i][run] = slices.ContainsFunc(s.probes, fails)
		}
	}
	return out
}

// termHolds reports whether a term holds in as many runs as it must.
func (s *search) termHolds(p *probe, term int) bool {
	of := slices.IndexFunc(s.wants, func(w want) bool { return slices.Contains(w.terms, term) })
	return p.count(func(run int) bool { return p.judged[run][term].Holds }) >= s.wants[of].need
}

// keeps reports whether the terms hold in a run. Terms in without are not checked.
func (p *probe) keeps(run int, terms []int, without []bool) bool {
	return !slices.ContainsFunc(terms, func(t int) bool { return !p.judged[run][t].Holds && (without == nil || !without[t]) })
}

// count returns the number of runs for which f returns true.
func (p *probe) count(f func(run int) bool) int {
	n := 0
	for run := range p.judged {
		if f(run) {
			n++
		}
	}
	return n
}

// held returns the number of runs that meet the goal.
func held(p *probe) int {
	return p.count(func(run int) bool {
		return !slices.ContainsFunc(p.judged[run], func(o goal.Outcome) bool { return !o.Holds })
	})
}

// bisect finds the smallest size of the one pool. It tries one more fleet above it, to check that the goal is monotone.
func (s *search) bisect() error {
	from, top := s.lows()[0], s.top.counts[0]
	for {
		lost := s.lostAt([]int{from})
		size, err := s.least(from, top, lost)
		if err != nil || size > top {
			s.exact = err == nil
			return err
		}
		p, err := s.at([]int{size})
		if err != nil {
			return err
		}
		if s.holds(p) {
			break
		}
		if !s.enough(p, lost) { // a smaller one was: nothing is sure
			return nil
		}
		from = size // where a term is broken in more runs, so that the others must do
	}
	s.exact = true
	if best := s.best.counts[0]; best+(top-best)/2 > best {
		_, err := s.at([]int{best + (top-best)/2})
		return err
	}
	return nil
}

// least returns the smallest size of the one pool in [from, top] that is enough, or top+1 if there is none.
func (s *search) least(from, top int, lost lostRuns) (int, error) {
	fails, holds := from-1, top+1
	for holds-fails > 1 {
		size := fails + (holds-fails)/2
		if holds > top { // the top first, which is known
			size = top
		}
		enough, err := s.known([]int{size}, lost)
		switch {
		case err != nil:
			return 0, err
		case enough:
			holds = size
		default:
			fails = size
		}
	}
	return holds, nil
}

// cost returns the price per hour of a fleet, or its number of nodes if nodes have no prices.
func (s *search) cost(counts []int) float64 {
	sum := 0.0
	for i, n := range counts {
		sum += float64(float64(n) * s.prices[i])
	}
	return sum
}

// within reports whether no pool of a is larger than that of b.
func within(a, b []int) bool {
	for i := range a {
		if a[i] > b[i] {
			return false
		}
	}
	return true
}

// contradictions returns pairs of fleets that show that the goal is not monotone: one meets it, a larger one does not.
// There is at most one pair for each seed, and one for all seeds together.
func (s *search) contradictions(seeds []uint64) []fleetplan.Contradiction {
	if s.broken == nil {
		return nil
	}
	var out []fleetplan.Contradiction
	find := func(holds func(p *probe) bool, c fleetplan.Contradiction) {
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
	find(func(p *probe) bool { return s.enough(p, nil) }, fleetplan.Contradiction{All: true})
	for run, seed := range seeds {
		fails := func(p *probe) func(w want) bool {
			return func(w want) bool { return !p.keeps(run, w.terms, s.broken[run]) }
		}
		find(func(p *probe) bool { return !slices.ContainsFunc(s.wants, fails(p)) }, fleetplan.Contradiction{Seed: seed})
	}
	return out
}

// ordered returns the probes by cost, then by counts.
func (s *search) ordered() []*probe {
	return slices.SortedFunc(slices.Values(s.probes), func(a, b *probe) int {
		return cmp.Or(cmp.Compare(s.cost(a.counts), s.cost(b.counts)), slices.Compare(a.counts, b.counts))
	})
}
