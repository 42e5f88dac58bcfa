package paired

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Compare judges the differences of pairs, after minus before, against the smallest difference that is of interest. Pairs of
// which a value is NaN are left out. The draws are those of the bootstrap.
//
// Three statements are tested. P belongs to "the mean is beyond effect, up or down". PLess and PMore are the two one-sided
// tests of equivalence: "it is less than effect" and "it is more than -effect".
//
// Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach for assessing the
// equivalence of average bioavailability", Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987; Lakens,
// "Equivalence tests", Social Psychological and Personality Science 8(4), 2017:
//
//	t_less = (effect - mean) / (s/√n),  t_more = (mean + effect) / (s/√n),  both with n-1 degrees of freedom
//
// The differences of few pairs may be alike by coincidence, which makes s too small. With fewer than MinResampled pairs each
// p-value is at least that of Welch's test, which ignores the pairs.
//
// Values that are the same in every pair, before and after, do not depend on chance: with MinPairs pairs their difference
// is taken as it is.
func Compare(before, after []float64, effect float64, draws *rand.Rand) Difference {
	s := newSample(before, after)
	d := Of(s.differences, draws)
	d.Effect, d.PLess, d.PMore = effect, math.NaN(), math.NaN()
	if d.Pairs < MinPairs {
		return d
	}
	d.variance, d.apart = squares(s.differences, d.Mean)/(s.pairs-1), s.apart()/(s.pairs-1)
	if s.constant() {
		d.P = certainty(d.Mean != 0 && math.Abs(d.Mean) >= effect)
		d.PLess, d.PMore = certainty(d.Mean < effect), certainty(d.Mean > -effect)
	} else {
		up, down := s.above(effect), s.flipped().above(effect)
		d.P = min(1, 2*min(up, down))
		if d.Pairs >= MinResampled {
			d.P = max(d.P, signFlips(s.differences))
		}
		d.PMore, d.PLess = s.above(-effect), s.flipped().above(-effect)
	}
	d.Adjusted = d.P
	return d
}

// certainty is the p-value of a statement that is true or false without chance.
func certainty(holds bool) float64 {
	if holds {
		return 0
	}
	return 1
}

// Beyond reports whether the difference is shown to be beyond the effect, upward for a positive sign and downward for a
// negative one.
func (d Difference) Beyond(sign int) bool { return d.Shown() && float64(sign)*d.Mean > 0 }

// Within reports whether the difference is shown to be less than the effect in the direction of the sign: one of the two
// one-sided tests. Statements of this kind about several metrics hold together without a correction, since all
// of them must hold: Berger and Hsu, "Bioequivalence trials, intersection-union tests and equivalence confidence sets",
// Statistical Science 11(4), 1996.
func (d Difference) Within(sign int) bool {
	if sign > 0 {
		return d.PLess <= Level
	}
	return d.PMore <= Level
}

// Equivalent reports whether the difference is shown to be less than the effect in both directions.
func (d Difference) Equivalent() bool { return d.Within(1) && d.Within(-1) }

// power is the probability with which PairsToShow finds what is there, as a quantile of the normal distribution: 80 %.
const power = 0.8416

// PairsToShow returns how many pairs would probably show whether the difference is beyond the effect in the direction of the
// sign, among so many tests, if mean and deviation stay as they are. It is 0 if there are too few pairs to tell, and
// infinite if the mean lies on the effect.
//
// Source: Guenther, "Sample size formulas for normal theory t tests", The American Statistician 35(4), 1981:
// n = (z_α + z_β)² s² / gap² + z_α² / 2.
func (d Difference) PairsToShow(sign, tests int) float64 {
	if d.Pairs < MinPairs {
		return 0
	}
	gap, alpha := float64(float64(sign)*d.Mean)-d.Effect, Level
	if gap > 0 {
		alpha = Level / 2 / float64(max(tests, 1))
	}
	if gap == 0 {
		return math.Inf(1)
	}
	z := normalQuantile(alpha)
	enough := func(variance float64) float64 {
		n := float64((z+power)*(z+power)*variance)/(gap*gap) + float64(z*z/2)
		return max(math.Ceil(n), float64(d.Pairs+1))
	}
	n := enough(d.variance)
	if n < MinResampled { // so few must differ without pairs too
		n = min(MinResampled, max(n, enough(d.apart)))
	}
	return n
}

// sample is pairs of which both values are there.
type sample struct {
	before, after, differences []float64
	pairs                      float64
}

func newSample(before, after []float64) *sample {
	s := &sample{}
	for i, b := range before {
		if a := after[i]; !math.IsNaN(a - b) {
			s.before, s.after = append(s.before, b), append(s.after, a)
			s.differences = append(s.differences, exactDifference(b, a))
		}
	}
	s.pairs = float64(len(s.differences))
	return s
}

// lostInRounding is the share of a value that the order of a sum may change.
const lostInRounding = 1e-12

// exactDifference is 0 for values that differ in rounding only.
func exactDifference(before, after float64) float64 {
	d := after - before
	if math.Abs(d) <= lostInRounding*math.Abs(after) {
		return 0
	}
	return d
}

// Differ reports whether the values of any pair differ by more than rounding.
func Differ(before, after []float64) bool {
	return slices.ContainsFunc(newSample(before, after).differences, func(d float64) bool { return d != 0 })
}

// constant reports whether neither value varies.
func (s *sample) constant() bool {
	varies := func(x []float64) bool {
		return slices.ContainsFunc(x, func(v float64) bool { return exactDifference(x[0], v) != 0 })
	}
	return !varies(s.before) && !varies(s.after)
}

// flipped has the differences with the other sign.
func (s *sample) flipped() *sample {
	out := &sample{before: s.after, after: s.before, pairs: s.pairs}
	for _, d := range s.differences {
		out.differences = append(out.differences, -d)
	}
	return out
}

// above returns the p-value of the one-sided test that the mean difference is above the edge. Differences that are all the same
// are as sure as their signs, or, if there are few, as the test without pairs.
func (s *sample) above(edge float64) float64 {
	m := mean(s.differences)
	gap, spread, few := m-edge, squares(s.differences, m), len(s.differences) < MinResampled
	p := 0.0
	switch alike := math.Sqrt(spread/s.pairs) <= rounding*max(math.Abs(m), math.Abs(edge)); {
	case alike && gap <= 0:
		return 1
	case alike && !few:
		return math.Ldexp(1, -len(s.differences))
	case !alike:
		p = oneSided(gap, spread/(s.pairs-1)/s.pairs, s.pairs-1)
	}
	if few {
		p = max(p, oneSided(gap, s.apart()/(s.pairs-1)/s.pairs, 2*(s.pairs-1)))
	}
	return p
}

// apart returns the sum of squares of what both values are off their means.
func (s *sample) apart() float64 {
	return squares(s.before, mean(s.before)) + squares(s.after, mean(s.after))
}

// oneSided returns the probability that Student's t distribution exceeds gap/√variance.
func oneSided(gap, variance, freedom float64) float64 {
	if variance == 0 {
		return certainty(gap > 0)
	}
	p := float64(tTest(float64(gap*gap)/variance, freedom) / 2)
	if gap < 0 {
		return 1 - p
	}
	return p
}

// normalQuantile returns the value that the standard normal distribution exceeds with the probability, which is below one half.
func normalQuantile(probability float64) float64 {
	low, high := 0.0, 8.0
	for range 60 {
		middle := (low + high) / 2
		if normalTail(middle) > probability {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
