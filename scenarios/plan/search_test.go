package plan

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/berth-sim/berth/reports/goal"
)

// String is the fleet, for messages.
func (p *probe) String() string { return fmt.Sprint(p.counts) }

// oracle says of each term whether it holds on a fleet.
type oracle func(counts []int) []bool

// newSearch searches with one seed.
func newSearch(t *testing.T, axes []Axis, prices []float64, says oracle) *search {
	t.Helper()
	s := &search{axes: axes, prices: prices, budget: math.MaxInt}
	s.terms = len(says(s.highs()))
	s.wants = []want{{need: 1, terms: indexes(s.terms)}}
	s.try = func(counts []int) (*probe, error) {
		for i, a := range axes {
			if counts[i] < a.Low || counts[i] > a.High {
				t.Errorf("%v is out of the limits", counts)
			}
		}
		return judged(counts, says(counts)), nil
	}
	return s
}

// indexes are 0 to n-1.
func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func judged(counts []int, seeds ...[]bool) *probe {
	p := &probe{counts: counts}
	for _, terms := range seeds {
		var of []goal.Outcome
		for _, holds := range terms {
			of = append(of, goal.Outcome{Holds: holds})
		}
		p.judged = append(p.judged, of)
	}
	return p
}

// The smallest size is found with one run at each end, a logarithm of them between, and one
// to look whether the goal is monotone.
func TestBisect(t *testing.T) {
	for _, high := range []int{1, 2, 3, 10, 64, 65, 500} {
		for low := 0; low <= min(high, 3); low++ {
			for least := low; least <= high; least++ {
				s := newSearch(t, []Axis{{High: high, Low: low}}, []float64{1}, func(c []int) []bool { return []bool{c[0] >= least} })
				if err := s.run(); err != nil {
					t.Fatal(err)
				}
				if s.best == nil || s.best.counts[0] != least || !s.exact {
					t.Fatalf("%d of %d to %d are needed, found %v", least, low, high, s.best)
				}
				if most := bits.Len(uint(high-low)) + 3; len(s.probes) > most {
					t.Errorf("%d of %d to %d: %d probes, more than %d", least, low, high, len(s.probes), most)
				}
				if c := s.contradictions([]uint64{1}); c != nil {
					t.Errorf("%d of %d to %d: contradictions %v", least, low, high, c)
				}
			}
		}
	}
}

func TestUnreachable(t *testing.T) {
	s := newSearch(t, []Axis{{Low: 1, High: 500}}, []float64{1}, func([]int) []bool { return []bool{true, false} })
	if err := s.run(); err != nil || s.best != nil || s.exact || len(s.probes) != 2+quarters-1 {
		t.Errorf("found %v with %d probes: %v", s.best, len(s.probes), err)
	}
}

// A term that more nodes break, such as a least utilization, does not lead the search astray.
func TestBrokenTerm(t *testing.T) {
	for most := 20; most < 60; most += 7 {
		s := newSearch(t, []Axis{{Low: 1, High: 100}}, []float64{1}, func(c []int) []bool { return []bool{c[0] >= 40, c[0] <= most} })
		if err := s.run(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.broken[0], []bool{false, true}) || (s.best != nil) != (most >= 40) || s.best != nil && s.best.counts[0] != 40 || !s.exact {
			t.Errorf("up to %d: broken %v, best %v", most, s.broken, s.best)
		}
	}
}

// The goal must hold in as many seeds as the quantile says, and a seed that contradicts itself
// is noticed.
func TestSeeds(t *testing.T) {
	least := []int{10, 20, 30, 40}
	for need := 1; need <= 4; need++ {
		s := &search{axes: []Axis{{Low: 1, High: 100}}, prices: []float64{1}, wants: []want{{need: need, terms: []int{0}}}, terms: 1}
		s.try = func(c []int) (*probe, error) {
			var seeds [][]bool
			for i, n := range least {
				seeds = append(seeds, []bool{c[0] >= n && !(i == 1 && c[0] == 100)})
			}
			return judged(c, seeds...), nil
		}
		if err := s.run(); err != nil {
			t.Fatal(err)
		}
		c := s.contradictions([]uint64{1, 2, 3, 4})
		switch {
		case need == 4: // the largest fleet fails with seed 2
			if s.best == nil || s.best.counts[0] != 40 || len(c) == 0 || !c[0].All {
				t.Errorf("found %v, with contradictions %+v", s.best, c)
			}
		case s.best == nil || s.best.counts[0] != least[need-1]:
			t.Errorf("%d seeds: found %v", need, s.best)
		case len(c) != 1 || c[0].All || c[0].Seed != 2 || c[0].More[0] != 100:
			t.Errorf("%d seeds: contradictions %+v", need, c)
		}
	}
}

// A hole in what holds, above the answer, is seen by the probe that is there for it.
func TestNotMonotone(t *testing.T) {
	s := newSearch(t, []Axis{{Low: 1, High: 100}}, []float64{1}, func(c []int) []bool { return []bool{c[0] >= 80 || c[0] >= 20 && c[0] < 55} })
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	if c := s.contradictions([]uint64{1}); len(c) == 0 || !c[0].All {
		t.Errorf("found %v, with probes %v, and nothing wrong", s.best, s.probes)
	}
}

// monotone is a random goal that more nodes never break: some minimal fleets of which one
// must fit.
func monotone(r *rand.Rand, axes []Axis) oracle {
	var least [][]int
	for range 1 + r.IntN(4) {
		p := make([]int, len(axes))
		for i, a := range axes {
			p[i] = a.Low + r.IntN(a.High-a.Low+2) // sometimes out of reach
		}
		least = append(least, p)
	}
	return func(c []int) []bool {
		return []bool{slices.ContainsFunc(least, func(p []int) bool { return within(p, c) })}
	}
}

// each calls f for all fleets.
func each(axes []Axis, f func(counts []int)) {
	counts := make([]int, len(axes))
	var fill func(i int)
	fill = func(i int) {
		if i == len(axes) {
			f(counts)
			return
		}
		for counts[i] = axes[i].Low; counts[i] <= axes[i].High; counts[i]++ {
			fill(i + 1)
		}
	}
	fill(0)
}

// Over random goals, the cheapest of all fleets is found, and what is said to be the frontier
// is on it.
func TestBranchFindsTheCheapest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	probes, fleets := 0, 0
	for trial := range 2000 {
		var axes []Axis
		var prices []float64
		for range 2 + r.IntN(2) {
			low := r.IntN(4)
			axes = append(axes, Axis{Low: low, High: low + r.IntN(12)})
			prices = append(prices, float64(1+r.IntN(5)))
		}
		holds := monotone(r, axes)
		cheapest := math.Inf(1)
		s := newSearch(t, axes, prices, holds)
		each(axes, func(c []int) {
			fleets++
			if holds(c)[0] {
				cheapest = min(cheapest, s.cost(c))
			}
		})
		if err := s.run(); err != nil {
			t.Fatal(err)
		}
		probes += len(s.probes)
		if got := s.bestCost(); got != cheapest {
			t.Fatalf("trial %d: the cheapest fleet costs %v, found %v at %v", trial, cheapest, s.best, got)
		}
		if s.best != nil && !s.exact {
			t.Errorf("trial %d: the answer is not known to be the cheapest", trial)
		}
		for _, p := range s.probes {
			least := holds(p.counts)[0]
			for i := range axes {
				fewer := slices.Clone(p.counts)
				fewer[i]--
				least = least && (fewer[i] < axes[i].Low || !holds(fewer)[0])
			}
			if s.minimal(p) && !least {
				t.Errorf("trial %d: %v is no point of the frontier", trial, p)
			}
		}
		if s.best != nil && !s.minimal(s.best) {
			t.Errorf("trial %d: the best is no point of the frontier", trial)
		}
	}
	if probes*10 > fleets {
		t.Errorf("%d of %d fleets were tried", probes, fleets)
	}
}

// A search that may not try more says what it knows: nothing below the bound holds.
func TestBudget(t *testing.T) {
	axes, prices := []Axis{{Low: 0, High: 500}, {Low: 0, High: 500}}, []float64{2, 3}
	s := newSearch(t, axes, prices, func(c []int) []bool { return []bool{2*c[0]+3*c[1] >= 611} })
	s.budget = 30
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
	if s.best == nil || s.exact || s.bound > 611 || s.cost(s.best.counts) < 611 || len(s.probes) > 30 {
		t.Errorf("with %d probes: best %v, bound %v, exact %v", len(s.probes), s.best, s.bound, s.exact)
	}
}

// What was found before a run failed is kept.
func TestSearchThatFails(t *testing.T) {
	for after := range 20 {
		s := newSearch(t, []Axis{{Low: 0, High: 50}, {Low: 0, High: 50}}, []float64{1, 1}, func(c []int) []bool { return []bool{c[0]+c[1] >= 40} })
		try := s.try
		s.try = func(c []int) (*probe, error) {
			if len(s.probes) == after {
				return nil, errors.New("enough")
			}
			return try(c)
		}
		if err := s.run(); fmt.Sprint(err) != "enough" || len(s.probes) != after {
			t.Errorf("after %d probes: %v, %d probes", after, err, len(s.probes))
		}
	}
}

// A fleet without any node is not tried: it meets no goal.
func TestNoNodes(t *testing.T) {
	s := newSearch(t, []Axis{{High: 5}, {High: 5}}, []float64{1, 1}, func(c []int) []bool {
		if slices.Max(c) == 0 {
			t.Error("a fleet without nodes is tried")
		}
		return []bool{c[1] >= 1}
	})
	s.empty = true
	if err := s.run(); err != nil || s.best == nil || !slices.Equal(s.best.counts, []int{0, 1}) {
		t.Errorf("found %v: %v", s.best, err)
	}
}

func FuzzParseAxis(f *testing.F) {
	for _, text := range []string{"pool.general.count=10..500", "pool.a.b.count=0..0", "pool..count=1..2", "x", "pool.a.count=9..1", "pool.a.price=1..2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAxis(text)
		if err == nil && (a.Pool == "" || a.Low < 0 || a.High < a.Low) {
			t.Errorf("%q: %+v", text, a)
		}
	})
}
