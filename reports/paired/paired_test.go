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
	sleep := []float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}
	d := paired.Of(sleep, draws(1))
	near(t, "mean", d.Mean, 1.58, 1e-12)
	near(t, "least", d.Least, 0, 0)
	near(t, "most", d.Most, 4.6, 0)
	near(t, "p", d.P, 0.00283289, 1e-8) // t = 4.0621, 9 degrees of freedom
	near(t, "low", d.Low, 0.86, 0.03)   // 0.91 and 2.33 if no account were taken of few pairs
	near(t, "high", d.High, 2.54, 0.06)
	if !d.Shown() {
		t.Error("the difference is not shown")
	}
	few := paired.Of(sleep[:5], draws(1)) // t = 2.7764 with 4 degrees of freedom, deviation 0.8503
	near(t, "low of five", few.Low, 1.24-2.7764*0.8503/math.Sqrt(5), 1e-3)
	near(t, "high of five", few.High, 1.24+2.7764*0.8503/math.Sqrt(5), 1e-3)
}

func TestFewPairs(t *testing.T) {
	for _, x := range [][]float64{nil, {1}, {1, 1}, {1, 1.1}, {1, math.NaN(), 1}} {
		if d := paired.Of(x, draws(1)); d.Shown() || !math.IsNaN(d.P) || !math.IsNaN(d.Low) {
			t.Errorf("%v: %+v judges", x, d)
		}
	}
	nothing := paired.Of([]float64{math.NaN()}, draws(1))
	near(t, "mean of nothing", nothing.Mean, math.NaN(), 0)
	near(t, "least of nothing", nothing.Least, math.NaN(), 0)
	near(t, "pairs", float64(paired.Of([]float64{1, math.NaN(), 3}, draws(1)).Pairs), 2, 0)
}

// If all paired differences are identical, their deviation is 0 and says nothing: the p-value is that of a sign test.
func TestNoSpread(t *testing.T) {
	for _, of := range []struct {
		x    []float64
		p    float64
		show bool
	}{
		{[]float64{0, 0, 0, 0, 0}, 1, false},
		{[]float64{-2, -2, -2, -2, -2}, 1.0 / 16, false},
		{[]float64{-2, -2, -2, -2, -2, -2}, 1.0 / 32, true},
		{[]float64{0.1, 0.1, 0.1, 0.1, 0.1 + 1e-16}, 1.0 / 16, false},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, 1.0 / 64, true},
		{[]float64{3, 3, 3, 4, 3}, 8.922e-5, true}, // t = 16, 4 degrees of freedom
	} {
		d := paired.Of(of.x, draws(1))
		near(t, "p", d.P, of.p, 1e-6)
		if d.Shown() != of.show {
			t.Errorf("%v: %+v, want shown %t", of.x, d, of.show)
		}
	}
	if d := paired.Of([]float64{-2, -2, -2, -2, -2, -2}, draws(1)); d.Low != -2 || d.High != -2 {
		t.Errorf("always the same difference: %+v", d)
	}
}

// A difference wants both: an interval on one side of 0, and a low probability.
func TestShown(t *testing.T) {
	for _, of := range []struct {
		d    paired.Difference
		show bool
	}{
		{paired.Difference{Adjusted: 0.05, Low: 1, High: 2}, true},
		{paired.Difference{Adjusted: 0.05, Low: -2, High: -1}, true},
		{paired.Difference{Adjusted: 0.05, Low: -1, High: 2}, false},
		{paired.Difference{Adjusted: 0.06, Low: 1, High: 2}, false},
		{paired.Difference{Adjusted: math.NaN(), Low: math.NaN(), High: math.NaN()}, false},
	} {
		if of.d.Shown() != of.show {
			t.Errorf("%+v: shown %t", of.d, of.d.Shown())
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
	if a.Low != b.Low || a.High != b.High || a.P != b.P {
		t.Errorf("%+v, then %+v", a, b)
	}
}
