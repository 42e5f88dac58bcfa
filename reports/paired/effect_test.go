package paired_test

import (
	"math"
	"testing"

	"github.com/berth-sim/berth/reports/paired"
)

// Twelve pairs around 100, whose differences are 2 in the mean with a deviation of 1.
var (
	before = []float64{100, 103, 97, 101, 99, 102, 98, 100, 104, 96, 101, 99}
	after  = []float64{103, 104, 100, 102, 102, 103, 101, 101, 107, 97, 104, 100}
)

// The tests are t-tests of the mean against the effect, up and down: t = (2 - effect) / (1.0445 / √12).
func TestCompare(t *testing.T) {
	for _, of := range []struct {
		effect               float64
		p, less, more        float64
		beyond, within, same bool
	}{
		{0, 3.7e-5, 1, 1.9e-5, true, false, false},
		{1, 0.00691, 0.9965, 1.0e-6, true, false, false},
		{1.9, 0.7464, 0.6268, 0, false, false, false},
		{2.3, 1, 0.1707, 0, false, false, false},
		{3, 1, 0.00345, 0, false, true, true},
	} {
		d := paired.Compare(before, after, of.effect, draws(1))
		near(t, "p", d.P, of.p, 1e-3)
		near(t, "less", d.PLess, of.less, 1e-3)
		near(t, "more", d.PMore, of.more, 1e-3)
		if d.Beyond(1) != of.beyond || d.Beyond(-1) || d.Within(1) != of.within || !d.Within(-1) || d.Equivalent() != of.same {
			t.Errorf("effect %v: %+v", of.effect, d)
		}
		down := paired.Compare(after, before, of.effect, draws(1))
		near(t, "p of the opposite", down.P, d.P, 1e-12)
		near(t, "less of the opposite", down.PMore, d.PLess, 1e-12)
		if down.Beyond(-1) != of.beyond || down.Within(-1) != of.within {
			t.Errorf("effect %v, turned round: %+v", of.effect, down)
		}
	}
}

// Few pairs whose differences happen to be alike show nothing that the values do not show without pairs.
func TestCoincidence(t *testing.T) {
	d := paired.Compare([]float64{1200, 1800, 1200, 600}, []float64{1800, 2400.001, 1800, 1200}, 100, draws(1))
	if d.Shown() || d.P < 0.05 {
		t.Errorf("four waits are shown to be longer: %+v", d)
	}
	if d = paired.Compare([]float64{1200, 1201, 1200, 1202}, []float64{1800, 1802, 1800, 1801}, 100, draws(1)); !d.Beyond(1) {
		t.Errorf("a difference that no seed explains is not shown: %+v", d)
	}
}

// Values that no seed changes are taken as they are.
func TestConstant(t *testing.T) {
	cost, more := []float64{30, 30, 30}, []float64{33, 33, 33}
	if d := paired.Compare(cost, more, 0.3, draws(1)); !d.Beyond(1) || d.Equivalent() {
		t.Errorf("a tenth more in every seed: %+v", d)
	}
	if d := paired.Compare(cost, more, 4, draws(1)); d.Shown() || !d.Equivalent() {
		t.Errorf("less than matters in every seed: %+v", d)
	}
	if d := paired.Compare(cost[:2], more[:2], 0.3, draws(1)); d.Shown() || d.Equivalent() || d.PairsToShow(1, 1) != 0 {
		t.Errorf("two seeds judge: %+v", d)
	}
	if d := paired.Compare(cost, cost, 0, draws(1)); d.Shown() {
		t.Errorf("nothing is shown to differ: %+v", d)
	}
}

// Of many samples drawn with a mean on the effect, few are shown to be beyond it, and few to be less.
func TestErrorsAtTheEffect(t *testing.T) {
	const trials, effect = 2000, 0.5
	for _, pairs := range []int{3, 5, 12} {
		rng, beyond, within := draws(uint64(pairs)), 0, 0
		if pairs >= paired.MinResampled {
			rng = draws(99)
		}
		for range trials / pairs {
			x, y := make([]float64, pairs), make([]float64, pairs)
			for i := range x {
				x[i], y[i] = 10+rng.NormFloat64(), 10+effect+rng.NormFloat64()
			}
			if d := paired.Compare(x, y, effect, rng); d.Beyond(1) {
				beyond++
			} else if d.Within(1) {
				within++
			}
		}
		if rate := float64(max(beyond, within)) / float64(trials/pairs); rate > 1.5*paired.Level {
			t.Errorf("%d pairs: beyond in %d, within in %d of %d", pairs, beyond, within, trials/pairs)
		}
	}
}

// So many pairs as are said to do show what is there, in about four of five cases.
func TestPairsToShow(t *testing.T) {
	d := paired.Compare(before, after, 2.3, draws(1))
	// (1.645 + 0.842)² × 1.0445² / 0.3² + 1.645² / 2 = 76.3
	near(t, "pairs for equivalence", d.PairsToShow(1, 10), 77, 0)
	if up := paired.Compare(before, after, 1.9, draws(1)); up.PairsToShow(1, 10) <= up.PairsToShow(1, 1) {
		t.Error("more tests do not ask for more pairs")
	}
	if on := paired.Compare(before, after, 2, draws(1)); !math.IsInf(on.PairsToShow(1, 1), 1) {
		t.Errorf("a mean on the effect takes %v pairs", on.PairsToShow(1, 1))
	}
}
