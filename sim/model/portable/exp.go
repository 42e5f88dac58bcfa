package portable

import "math"

// The logarithm of 2 in two parts. The product of the high part and an exponent is exact.
const (
	ln2High = 6.93147180369123816490e-01 // 0x3fe62e42fee00000
	ln2Low  = 1.90821492927058770002e-10 // 0x3dea39ef35793c76
)

// Beyond these arguments the exponential is infinite or zero.
const (
	expOverflow  = 7.09782712893383973096e+02
	expUnderflow = -7.45133219101941108420e+02
)

// Exp returns e to the power of x.
//
// Method: x is k·ln 2 + r with |r| at most ln 2 / 2. With R(r²) = r(eʳ+1)/(eʳ-1), which a polynomial approximates,
// eʳ is 1 + 2r/(R-r); that is scaled by 2ᵏ. Source: FreeBSD, lib/msun/src/e_exp.c.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > expOverflow:
		return math.Inf(1)
	case x < expUnderflow:
		return 0
	case math.Abs(x) < 0x1p-28:
		return 1 + x
	}
	k := int(float64(x*math.Log2E) + math.Copysign(0.5, x))
	high := x - float64(float64(k)*ln2High)
	low := float64(float64(k) * ln2Low)
	r := high - low
	t := r * r
	c := r - float64(t*polynomial(t, 1.66666666666666657415e-01, -2.77777777770155933842e-03,
		6.61375632143793436117e-05, -1.65339022054652515390e-06, 4.13813679705723846039e-08))
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	return math.Ldexp(y, k)
}

// polynomial returns c[0] + c[1]·x + c[2]·x² + …, by Horner's rule.
func polynomial(x float64, c ...float64) float64 {
	sum := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}
