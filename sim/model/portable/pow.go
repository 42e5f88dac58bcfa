package portable

import "math"

// Pow returns x to the power of y for an x that is zero or positive; NaN for a negative x. The result's relative error
// is at most about (2 + |y'·ln x|)·2⁻⁵², where y' is what y is off an integer, plus 2⁻⁵² for each binary digit of y.
//
// Method: the fractional part of the exponent by Exp and Log, the whole part by squaring.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case math.IsNaN(x) || math.IsNaN(y) || x < 0:
		return math.NaN()
	case x == 0 || math.IsInf(x, 1) || math.Abs(y) >= 1<<63:
		if (x < 1) == (y < 0) {
			return math.Inf(1)
		}
		return 0
	case y == 0.5:
		return math.Sqrt(x)
	case y == -0.5:
		return 1 / math.Sqrt(x)
	}
	whole, part := math.Modf(math.Abs(y))
	power := 1.0
	if part > 0.5 {
		whole, part = whole+1, part-1
	}
	if part != 0 {
		power = Exp(part * Log(x))
	}
	fraction, exponent := integerPower(x, int64(whole))
	power *= fraction
	if y < 0 {
		power, exponent = 1/power, -exponent
	}
	return math.Ldexp(power, exponent)
}

// beyond is a binary exponent that no float64 has, small enough to be doubled.
const beyond = 1 << 12

// integerPower returns x to the power of n, which is not negative, as fraction·2^exponent, so that squares neither
// overflow nor underflow on the way.
func integerPower(x float64, n int64) (fraction float64, exponent int) {
	square, squareExponent := math.Frexp(x)
	fraction = 1
	for ; n != 0; n >>= 1 {
		if squareExponent < -beyond || squareExponent > beyond {
			return fraction, exponent + squareExponent // n has a digit left: the power is zero or infinite
		}
		if n&1 == 1 {
			fraction *= square
			exponent += squareExponent
		}
		square = float64(square * square)
		squareExponent *= 2
		if square < 0.5 {
			square *= 2
			squareExponent--
		}
	}
	return fraction, exponent
}
