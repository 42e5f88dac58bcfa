package portable

import "math"

// Log returns the natural logarithm of x: minus infinity for 0, NaN for what is negative.
//
// Method: x is 2ᵏ·(1+f) with 1+f between √½ and √2. With s = f/(2+f), the logarithm of 1+f is 2s plus an odd
// polynomial in s. Source: FreeBSD, lib/msun/src/e_log.c.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	f, k := fraction-1, float64(exponent)
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	rest := float64(s2*polynomial(s4, 6.666666666666735130e-01, 2.857142874366239149e-01,
		1.818357216161805012e-01, 1.479819860511658591e-01)) +
		float64(s4*polynomial(s4, 3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01))
	half := float64(0.5 * f * f)
	return float64(k*ln2High) - ((half - (float64(s*(half+rest)) + float64(k*ln2Low))) - f)
}

// Log10 returns the decimal logarithm of x, within three units in the last place; that of a power of ten may be off by as
// much.
func Log10(x float64) float64 { return Log(x) * (1 / math.Ln10) }
