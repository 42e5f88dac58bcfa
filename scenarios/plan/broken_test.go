package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// problem is a random question: of each seed there are terms that more nodes help, and some that
// they break.
type problem struct {
	axes   []Axis
	prices []float64
	needs  [][]int // by seed: the least fleets, one of which must be there
	limits [][]int // by seed: what more than that, of any pool, breaks; nil: nothing does
	need   int     // of the seeds
}

func newProblem(r *rand.Rand) *problem {
	p := &problem{}
	for range 1 + r.IntN(3) {
		low := r.IntN(3)
		p.axes = append(p.axes, Axis{Low: low, High: low + r.IntN(10)})
		p.prices = append(p.prices, float64(1+r.IntN(30))/10)
	}
	seeds := 1 + r.IntN(5)
	p.need = 1 + r.IntN(seeds)
	for range seeds {
		var need, limit []int
		for _, a := range p.axes {
			need = append(need, a.Low+r.IntN(a.High-a.Low+2))
			limit = append(limit, a.Low+r.IntN(a.High-a.Low+2))
		}
		if r.IntN(3) == 0 {
			limit = nil
		}
		p.needs, p.limits = append(p.needs, need), append(p.limits, limit)
	}
	return p
}

// judged says of each seed whether the two terms hold.
func (p *problem) judged(counts []int) [][]bool {
	var out [][]bool
	for i := range p.needs {
		out = append(out, []bool{within(p.needs[i], counts), p.limits[i] == nil || within(counts, p.limits[i])})
	}
	return out
}

func (p *problem) holds(counts []int) bool {
	n := 0
	for _, of := range p.judged(counts) {
		if of[0] && of[1] {
			n++
		}
	}
	return n >= p.need
}

func (p *problem) search(budget int) *search {
	s := &search{axes: p.axes, prices: p.prices, budget: budget, terms: 2, wants: []want{{need: p.need, terms: []int{0, 1}}}}
	s.try = func(counts []int) (*probe, error) { return judged(counts, p.judged(counts)...), nil }
	return s
}

// The cheapest of all fleets is found where more nodes break a term too, whatever share of the
// seeds must hold; and so it is when only some of them do.
func TestBrokenTermsInSomeSeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	none := 0
	for trial := range 5000 {
		p := newProblem(r)
		s := p.search(math.MaxInt)
		cheapest := math.Inf(1)
		each(p.axes, func(c []int) {
			if p.holds(c) {
				cheapest = min(cheapest, s.cost(c))
			}
		})
		if err := s.run(); err != nil {
			t.Fatal(err)
		}
		if math.IsInf(cheapest, 1) {
			none++
		}
		if got := s.bestCost(); math.Abs(got-cheapest) > 1e-9 && got != cheapest {
			t.Fatalf("trial %d: the cheapest fleet costs %v, found %v at %v: %+v", trial, cheapest, s.best, got, p)
		}
		if s.best != nil && !s.exact {
			t.Errorf("trial %d: %v is not known to be the cheapest", trial, s.best)
		}
	}
	if none < 100 || none > 4000 {
		t.Errorf("in %d trials no fleet holds the goal: the search finds nothing", none)
	}
}

// The example of a review: seeds 1 and 2 can never hold, 3 and 4 do from 5 nodes to 9.
func TestSeedsThatAreLost(t *testing.T) {
	p := &problem{
		axes: []Axis{{Low: 1, High: 10}}, prices: []float64{1}, need: 2,
		needs: [][]int{{2}, {2}, {5}, {5}}, limits: [][]int{{1}, {1}, {9}, {9}},
	}
	s := p.search(0)
	if err := s.run(); err != nil || s.best == nil || s.best.counts[0] != 5 || !s.exact {
		t.Errorf("found %v: %v", s.best, err)
	}
}

// What is tried never costs more than was allowed, and the best of it is the answer.
func TestBudgetIsKept(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 2000 {
		p := newProblem(r)
		if len(p.axes) == 1 {
			continue
		}
		s := p.search(1 + r.IntN(12))
		if err := s.run(); err != nil || len(s.probes) > s.budget {
			t.Fatalf("trial %d: %d probes of %d: %v", trial, len(s.probes), s.budget, err)
		}
		for _, probe := range s.probes {
			if p.holds(probe.counts) && s.bestCost() > s.cost(probe.counts) {
				t.Errorf("trial %d: %v holds the goal, and %v is said to be the best", trial, probe, s.best)
			}
		}
	}
}

// Where nodes first help a term and then break it, neither end holds, and one between does.
func TestHoldsBetweenTheEnds(t *testing.T) {
	for _, axes := range [][]Axis{{{Low: 1, High: 60}}, {{Low: 1, High: 60}, {High: 0}}} {
		prices := []float64{1, 1}[:len(axes)]
		s := newSearch(t, axes, prices, func(c []int) []bool { return []bool{c[0] >= 12 && c[0] <= 16} })
		if err := s.run(); err != nil || s.best == nil || s.best.counts[0] != 12 {
			t.Errorf("found %v: %v", s.best, err)
		}
		if c := s.contradictions([]uint64{1}); len(c) == 0 || !c[0].All {
			t.Errorf("nothing is said of the largest fleet: %+v", c)
		}
	}
}

// The smallest fleet, whose runs take the longest, is left alone where the largest tells all.
func TestSmallestFleetIsLeftAlone(t *testing.T) {
	for _, axes := range [][]Axis{{{Low: 40, High: 200}}, {{Low: 40, High: 200}, {Low: 1, High: 3}}} {
		s := newSearch(t, axes, []float64{1, 1}[:len(axes)], func(c []int) []bool { return []bool{c[0] >= 110} })
		if err := s.run(); err != nil || s.best == nil || s.best.counts[0] != 110 {
			t.Fatalf("found %v: %v", s.best, err)
		}
		if least := slices.MinFunc(s.probes, func(a, b *probe) int { return a.counts[0] - b.counts[0] }); least.counts[0] < 79 {
			t.Errorf("%s was tried", fmt.Sprint(least))
		}
	}
}

// Fleets that contradict each other end the search all the same.
func TestContradictionsEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		p := newProblem(r)
		s := p.search(math.MaxInt)
		noise := map[string][][]bool{}
		s.try = func(counts []int) (*probe, error) {
			key := fmt.Sprint(counts)
			if noise[key] == nil {
				noise[key] = p.judged(counts)
				for _, of := range noise[key] {
					of[r.IntN(2)] = r.IntN(4) > 0
				}
			}
			return judged(counts, noise[key]...), nil
		}
		if err := s.run(); err != nil {
			t.Fatal(err)
		}
		if s.contradictions(make([]uint64, len(p.needs))); s.best != nil && !s.holds(s.best) {
			t.Errorf("%v does not hold the goal", s.best)
		}
	}
}
