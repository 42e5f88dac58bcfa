package paired_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/reports/paired"
)

func draws(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within || math.IsNaN(got) != math.IsNaN(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// The two drugs of Student, "The Probable Error of a Mean", Biometrika 6(1), 1908.
func TestStudentsSleep(t *testing.T) {
	d := paired.Of([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}, draws(1))
	near(t, "mean", d.Mean, 1.58, 1e-12)
	near(t, "p", d.P, 0.00283289, 1e-8) // t = 4.0621, 9 degrees of freedom
	near(t, "low", d.Low, 0.86, 0.1)
	near(t, "high", d.High, 2.48, 0.15)
	if !d.Shown() {
		t.Error("the difference is not shown")
	}
}

func TestFewPairs(t *testing.T) {
	for _, x := range [][]float64{nil, {1}, {1, 1}, {1, math.NaN(), 1}} {
		if d := paired.Of(x, draws(1)); d.Shown() || !math.IsNaN(d.P) || !math.IsNaN(d.Low) {
			t.Errorf("%v: %+v judges", x, d)
		}
	}
	near(t, "mean of nothing", paired.Of(nil, draws(1)).Mean, math.NaN(), 0)
	near(t, "pairs", float64(paired.Of([]float64{1, math.NaN(), 3}, draws(1)).Pairs), 2, 0)
}

func TestNoSpread(t *testing.T) {
	same := paired.Of([]float64{0, 0, 0, 0}, draws(1))
	if same.Shown() || same.P != 1 {
		t.Errorf("equal systems: %+v", same)
	}
	apart := paired.Of([]float64{-2, -2, -2}, draws(1))
	if !apart.Shown() || apart.Low != -2 || apart.High != -2 {
		t.Errorf("always the same difference: %+v", apart)
	}
}

// Where there is no difference, one must be seen about as often as Level says, few pairs or
// many.
func TestCoverage(t *testing.T) {
	const trials = 500
	for _, pairs := range []int{5, 10, 30} {
		rng, missed, seen := draws(uint64(pairs)), 0, 0
		for range trials {
			x := make([]float64, pairs)
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			d := paired.Of(x, rng)
			if d.Low > 0 || d.High < 0 {
				missed++
			}
			if d.P <= paired.Level {
				seen++
			}
		}
		if rate := float64(missed) / trials; rate < 0.02 || rate > 0.10 {
			t.Errorf("%d pairs: the interval misses the mean in %.1f %% of the trials", pairs, 100*rate)
		}
		if rate := float64(seen) / trials; rate < 0.02 || rate > 0.08 {
			t.Errorf("%d pairs: a difference is seen that is none in %.1f %% of the trials", pairs, 100*rate)
		}
	}
}

func TestAdjust(t *testing.T) {
	family := []paired.Difference{{P: 0.03}, {P: 0.01}, {P: math.NaN(), Adjusted: math.NaN()}, {P: 0.04}, {P: 0.6}}
	var members []*paired.Difference
	for i := range family {
		members = append(members, &family[i])
	}
	paired.Adjust(members)
	for i, want := range []float64{0.09, 0.04, math.NaN(), 0.09, 0.6} { // 0.04 × 2 is less than 0.03 × 3
		near(t, "adjusted", family[i].Adjusted, want, 1e-12)
	}
}

func TestSameDrawsSameInterval(t *testing.T) {
	x := []float64{1, 5, 2, 8, 3}
	a, b := paired.Of(x, draws(7)), paired.Of(x, draws(7))
	if a != b {
		t.Errorf("%+v, then %+v", a, b)
	}
}
