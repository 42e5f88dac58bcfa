package paired_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/reports/paired"
)

// distributions have the mean 0; the normal one is what the t-test takes for granted.
var distributions = map[string]func(*rand.Rand) float64{
	"normal":      func(r *rand.Rand) float64 { return r.NormFloat64() },
	"exponential": func(r *rand.Rand) float64 { return r.ExpFloat64() - 1 },
	"lognormal":   func(r *rand.Rand) float64 { return math.Exp(1.1*r.NormFloat64()) - math.Exp(1.1*1.1/2) },
	// Of two policies that are equally good either may be the better one in a pair.
	"one lognormal less another": func(r *rand.Rand) float64 { return math.Exp(1.1*r.NormFloat64()) - math.Exp(1.1*r.NormFloat64()) },
	"three values":               func(r *rand.Rand) float64 { return float64(r.IntN(3) - 1) },
	"five values":                func(r *rand.Rand) float64 { return float64(r.IntN(5) - 2) },
}

// sample draws differences.
func sample(n int, rng *rand.Rand, of func(*rand.Rand) float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = of(rng)
	}
	return x
}

// TestCoverage measures how often intervals miss the mean, in percent, as docs/compare.md tells:
// as often as Level says where differences are about normal, and more often the more skewed they
// are. Few pairs have no interval.
func TestCoverage(t *testing.T) {
	for _, of := range []struct {
		name   string
		missed map[int]float64 // by pairs
	}{
		{"normal", map[int]float64{5: 5, 7: 5, 10: 5.5, 30: 5}},
		{"exponential", map[int]float64{5: 12, 7: 11, 10: 9, 30: 7}},
		{"lognormal", map[int]float64{5: 21, 7: 20, 10: 16, 30: 12}},
	} {
		for pairs, want := range of.missed {
			trials, within := 4000, 1.6
			if pairs >= paired.MinResampled {
				trials, within = 600, 3 // these take longer
			}
			rng, missed := draws(uint64(pairs)), 0
			for range trials {
				if d := paired.Of(sample(pairs, rng, distributions[of.name]), rng); d.Low > 0 || d.High < 0 {
					missed++
				}
			}
			rate := 100 * float64(missed) / float64(trials)
			t.Logf("%s, %d pairs: %.1f %%", of.name, pairs, rate)
			if math.Abs(rate-want) > within {
				t.Errorf("%s, %d pairs: the interval misses the mean in %.1f %% of the trials, about %g %% are documented", of.name, pairs, rate, want)
			}
		}
	}
	for pairs := 2; pairs < paired.MinPairs; pairs++ {
		if d := paired.Of(sample(pairs, draws(1), distributions["normal"]), draws(1)); !math.IsNaN(d.Low) || !math.IsNaN(d.High) {
			t.Errorf("%d pairs have an interval: %+v", pairs, d)
		}
	}
}

// shared draws values of a baseline and of a policy whose difference has the distribution. Both share what the arrivals of a
// seed do to them, which is alike times as large as a difference.
func shared(n int, alike float64, rng *rand.Rand, of func(*rand.Rand) float64) (before, after []float64) {
	for _, d := range sample(n, rng, of) {
		b := 100 + float64(alike*rng.NormFloat64())
		before, after = append(before, b), append(after, b+d)
	}
	return before, after
}

// TestLuck measures, as docs/compare.md tells, how often any of 18 figures without a difference is given a verdict of better or worse: hardly
// more often than Level says, except for small counts of few seeds and for skewed differences, which equally good policies do not have. Every difference
// matters, which is the hardest case: a smallest difference of interest makes such verdicts rarer.
func TestLuck(t *testing.T) {
	const figures = 18
	for _, of := range []struct {
		name  string
		pairs int
		alike float64
		most  float64
	}{
		{"normal", 5, 0.3, 7}, {"normal", 9, 0.3, 7}, {"normal", 10, 0.3, 9}, {"normal", 5, 3, 2}, {"three values", 5, 0.3, 14}, {"three values", 10, 0.3, 7},
		{"five values", 5, 0.3, 13}, {"five values", 10, 0.3, 12}, {"three values", 5, 3, 2}, {"five values", 5, 3, 2},
		{"one lognormal less another", 5, 0.3, 7}, {"one lognormal less another", 9, 0.3, 7}, {"one lognormal less another", 10, 0.3, 7},
		{"exponential", 5, 0.3, 45}, {"exponential", 9, 0.3, 45}, {"exponential", 10, 0.3, 45}, {"exponential", 5, 3, 10},
	} {
		trials := 400
		if of.pairs >= paired.MinResampled {
			trials = 150 // these take longer
		}
		rng, seen := draws(uint64(of.pairs)), 0
		for range trials {
			differences, family := make([]paired.Difference, figures), []*paired.Difference{}
			for i := range differences {
				before, after := shared(of.pairs, of.alike, rng, distributions[of.name])
				differences[i] = paired.Compare(before, after, 0, rng)
				family = append(family, &differences[i])
			}
			paired.Adjust(family)
			for _, d := range differences {
				if d.Shown() {
					seen++
					break
				}
			}
		}
		rate := 100 * float64(seen) / float64(trials)
		t.Logf("%s, %d pairs, %g alike: %.1f %%", of.name, of.pairs, of.alike, rate)
		if rate > of.most {
			t.Errorf("%s, %d pairs, %g alike: luck is given a verdict in %.1f %% of the trials", of.name, of.pairs, of.alike, rate)
		}
	}
}

// TestPower measures, as docs/compare.md tells, how often one of 18 figures that differs by twice the standard deviation of its
// differences is shown.
func TestPower(t *testing.T) {
	const figures = 18
	for _, of := range []struct {
		pairs       int
		alike       float64
		least, most float64
	}{{5, 0.3, 10, 40}, {5, 3, 0, 5}, {10, 0.3, 90, 100}, {10, 3, 90, 100}} {
		trials := 200
		if of.pairs >= paired.MinResampled {
			trials = 60
		}
		rng, seen := draws(uint64(of.pairs)), 0
		for range trials {
			family := []*paired.Difference{}
			for i := range figures {
				before, after := shared(of.pairs, of.alike, rng, distributions["normal"])
				for k := range after {
					if i == 0 {
						after[k] += 2
					}
				}
				d := paired.Compare(before, after, 0, rng)
				family = append(family, &d)
			}
			paired.Adjust(family)
			if family[0].Shown() {
				seen++
			}
		}
		rate := 100 * float64(seen) / float64(trials)
		t.Logf("%d pairs, %g alike: %.1f %%", of.pairs, of.alike, rate)
		if rate < of.least || rate > of.most {
			t.Errorf("%d pairs, %g alike: the difference is shown in %.1f %% of the trials", of.pairs, of.alike, rate)
		}
	}
}
