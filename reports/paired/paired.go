// Package paired judges differences between two systems that have been observed under
// the same conditions, pair by pair: how large they are, how sure that is, and whether
// they are shown when many are looked at together.
package paired

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Level is the probability of an error that judgements allow: intervals cover what they
// estimate with 1 - Level.
const Level = 0.05

// resamples is how many samples the bootstrap draws. The expanded levels of few pairs are
// far out, where fewer would tell little.
const resamples = 10_000

// MinPairs is the least number of pairs that a difference can be shown with.
const MinPairs = 3

// Difference is how much more the second of a pair has than the first.
type Difference struct {
	Pairs int
	Mean  float64 // NaN without pairs
	// Low and High bound the mean with probability 1 - Level, whatever other differences
	// there are; NaN with fewer than MinPairs pairs.
	Low, High float64
	// P is the probability of a difference at least as large where there is none; NaN
	// with fewer than MinPairs pairs.
	P float64
	// Adjusted is P for the family that Adjust has been given; until then it is P.
	Adjusted float64
}

// Of judges the differences of pairs; those that are NaN are left out. The draws are those of
// the bootstrap.
//
// P is that of the paired t-test. The interval is the bootstrap's expanded percentile
// interval, which allows for few pairs as the t-test does: Hesterberg, "What Teachers Should
// Know About the Bootstrap", The American Statistician 69(4), 2015, section 4.3.1.
func Of(differences []float64, draws *rand.Rand) Difference {
	x := slices.DeleteFunc(slices.Clone(differences), math.IsNaN)
	d := Difference{Pairs: len(x), Mean: mean(x), Low: math.NaN(), High: math.NaN(), P: math.NaN(), Adjusted: math.NaN()}
	if len(x) < MinPairs {
		return d
	}
	d.Low, d.High = interval(x, draws)
	d.P = pValue(x)
	d.Adjusted = d.P
	return d
}

// Shown says whether there is a difference, as far as the pairs show.
func (d Difference) Shown() bool { return d.Adjusted <= Level && (d.Low > 0 || d.High < 0) }

// Adjust sets Adjusted for differences that are judged together: the probability that any of
// those is shown that are none is at most Level. Those without P are no part of it.
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

// Mean is the mean of the values that are there, those that are NaN left out; NaN where
// there is none.
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

// pValue is that of the two-sided t-test of x having the mean 0.
func pValue(x []float64) float64 {
	m := mean(x)
	squares := 0.0
	for _, v := range x {
		squares += (v - m) * (v - m)
	}
	n := float64(len(x))
	switch {
	case m == 0:
		return 1
	case squares == 0:
		return 0
	}
	t2 := m * m * n * (n - 1) / squares
	return mathext.RegIncBeta((n-1)/2, 0.5, (n-1)/(n-1+t2))
}

// interval is the expanded percentile interval of the mean.
func interval(x []float64, draws *rand.Rand) (low, high float64) {
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range x {
			sum += x[draws.IntN(len(x))]
		}
		means[i] = sum / float64(len(x))
	}
	slices.Sort(means)
	outside := expanded(len(x))
	return quantile(means, outside), quantile(means, 1-outside)
}

// expanded is the share of bootstrap means that lie below the interval: that of a normal
// distribution beyond what the t distribution has beyond Level/2, with the bootstrap's
// spread, which divides by n instead of n-1, made up for.
func expanded(n int) float64 {
	df := float64(n - 1)
	x := mathext.InvRegIncBeta(df/2, 0.5, Level)
	t := math.Sqrt(df * (1 - x) / x)
	return math.Erfc(math.Sqrt(float64(n)/df)*t/math.Sqrt2) / 2
}

// quantile of sorted values, between the two next to it.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
