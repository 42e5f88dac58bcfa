// Package paired judges differences between two systems that have been observed under
// the same conditions, pair by pair: how large they are, with what confidence, and whether
// they are shown when many are looked at together.
package paired

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/reports/quantile"
)

// Level is the probability of an error that judgments allow: intervals cover what they
// estimate with 1 - Level.
const Level = 0.05

// resamples is how many samples the bootstrap draws. The expanded levels of few pairs are
// far out, where fewer would tell little.
const resamples = 10_000

// MinPairs is the least number of pairs that a difference can be shown with.
const MinPairs = 3

// MinResampled is the least number of pairs whose interval the bootstrap gives: the means of
// fewer never leave their range, which is then too narrow.
const MinResampled = 10

// Difference is how much more the second of a pair has than the first.
type Difference struct {
	Pairs       int
	Mean        float64 // NaN without pairs, as are the next two
	Least, Most float64 // of the differences
	// Low and High bound the mean with probability 1 - Level, whatever other differences
	// there are; NaN with fewer than MinPairs pairs.
	Low, High float64
	// Effect is the smallest difference that is of interest.
	Effect float64
	// P is the probability of a difference at least as large where there is none beyond Effect; NaN with fewer than
	// MinPairs pairs.
	P float64
	// PLess and PMore are those of a mean at least as small where there is none below Effect, and of one at least as large
	// where there is none above -Effect.
	PLess, PMore float64
	// Adjusted is P for the family that Adjust has been given; until then it is P.
	Adjusted float64

	variance float64 // of the differences
	apart    float64 // of differences of values that are no pairs: the sum of both variances
}

// Of judges the differences of pairs; those that are NaN are left out. The draws are those of
// the bootstrap.
//
// P is that of the paired t-test, which assumes that they are normally distributed. If all nonzero
// differences are identical, they are not normal, and P is at least the p-value of a sign test.
//
// The interval is the bootstrap's expanded percentile interval: Hesterberg, "What Teachers
// Should Know About the Bootstrap", The American Statistician 69(4), 2015, section 4.3.1. With
// fewer pairs than MinResampled it is that of the t-test.
func Of(differences []float64, draws *rand.Rand) Difference {
	none := math.NaN()
	d := Difference{Mean: none, Least: none, Most: none, Low: none, High: none, P: none, PLess: none, PMore: none, Adjusted: none}
	x := slices.DeleteFunc(slices.Clone(differences), math.IsNaN)
	d.Pairs = len(x)
	if len(x) == 0 {
		return d
	}
	d.Mean, d.Least, d.Most = mean(x), slices.Min(x), slices.Max(x)
	if len(x) < MinPairs {
		return d
	}
	d.Low, d.High = interval(x, draws)
	d.P = pValue(x)
	d.Adjusted = d.P
	return d
}

// Shown reports whether there is a difference beyond Effect, as far as the pairs show: a test of few pairs and their interval
// agree.
func (d Difference) Shown() bool {
	return d.Adjusted <= Level && (d.Low >= d.Effect && d.Low > 0 || d.High <= -d.Effect && d.High < 0)
}

// Adjust sets Adjusted for differences that are judged together: it bounds the probability of at
// least one false positive by Level. Differences without a p-value are ignored.
//
// Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian
// Journal of Statistics 6(2), 1979.
func Adjust(family []*Difference) {
	family = slices.DeleteFunc(slices.Clone(family), func(d *Difference) bool { return math.IsNaN(d.P) })
	slices.SortStableFunc(family, func(a, b *Difference) int { return cmp.Compare(a.P, b.P) })
	least := 0.0
	for i, d := range family {
		least = max(least, min(1, d.P*float64(len(family)-i)))
		d.Adjusted = least
	}
}

// Mean returns the mean of the values that are not NaN, or NaN if all are.
func Mean(values []float64) float64 {
	return mean(slices.DeleteFunc(slices.Clone(values), math.IsNaN))
}

// mean adds in the order of the values, which is the same on any machine.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// pValue is that of the two-sided t-test of x having the mean 0, or that of sign flips.
func pValue(x []float64) float64 {
	m := mean(x)
	if m == 0 {
		return 1
	}
	n, p := float64(len(x)), 0.0
	if squares := squares(x, m); squares > 0 {
		t2 := m * m * n * (n - 1) / squares
		p = tTest(t2, n-1)
	}
	return max(p, signFlips(x))
}

// squares is the sum of those of what x is off its mean.
func squares(x []float64, mean float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64((v - mean) * (v - mean))
	}
	return sum
}

// rounding is the share of the largest difference that sums may lose.
const rounding = 1e-9

// signFlips is how likely it is that all k differences that are not 0 have one sign, if each
// has either of them by chance: 2^(1-k). It is 0 where they are not all the same, which leaves
// the judgment to the t-test.
func signFlips(x []float64) float64 {
	least := rounding * max(-slices.Min(x), slices.Max(x))
	k, first := 0, 0.0
	for _, v := range x {
		switch {
		case math.Abs(v) <= least:
			continue
		case k == 0:
			first = v
		case math.Abs(v-first) > least:
			return 0
		}
		k++
	}
	return math.Ldexp(1, 1-k)
}

// interval is the expanded percentile interval of the mean, or that of the t-test. Where all
// differences are the same, so are the means of all samples.
func interval(x []float64, draws *rand.Rand) (low, high float64) {
	m := mean(x)
	if !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] }) {
		return m, m
	}
	if n := float64(len(x)); len(x) < MinResampled {
		half := student(n-1) * math.Sqrt(squares(x, m)/(n-1)/n)
		return m - float64(half), m + float64(half)
	}
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range x {
			sum += x[draws.IntN(len(x))]
		}
		means[i] = sum / float64(len(x))
	}
	outside := expanded(len(x))
	return quantile.Between(means, outside), quantile.Between(means, 1-outside)
}

// expanded is the share of bootstrap means that lie below the interval: that of a normal
// distribution beyond what the t distribution has beyond Level/2, with the bootstrap's
// spread, which divides by n instead of n-1, made up for.
func expanded(n int) float64 {
	freedom := float64(n - 1)
	return normalTail(math.Sqrt(float64(n)/freedom) * student(freedom))
}
