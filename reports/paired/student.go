package paired

import (
	"math"

	"github.com/berth-sim/berth/sim/model/portable"
)

// tTest returns the probability that Student's t distribution with so many degrees of freedom, a whole number, is at
// least as far from 0 as a value whose square is t2.
//
// It is the regularized incomplete beta function of freedom/(freedom+t²), freedom/2 and 1/2, or 1 less that of the
// complement, whichever continued fraction converges quickly.
func tTest(t2, freedom float64) float64 {
	const half = 0.5
	a, x, y := float64(freedom/2), freedom/(freedom+t2), 1/(1+freedom/t2)
	front := portable.Pow(x, a) * math.Sqrt(y) / beta(freedom)
	if x < (a+1)/(a+half+2) {
		return front / (a * betaFraction(x, a, half))
	}
	return 1 - front/(half*betaFraction(y, half, a))
}

// beta returns the beta function of freedom/2 and 1/2.
func beta(freedom float64) float64 {
	value, k := math.Pi, 1.0
	if math.Mod(freedom, 2) == 0 {
		value, k = 2, 2
	}
	for ; k < freedom; k += 2 {
		value *= k / (k + 1)
	}
	return value
}

// betaFraction returns the continued fraction 1 + d₁/(1 + d₂/(1 + …)) of the incomplete beta function, by Lentz's
// method. Source: NIST Digital Library of Mathematical Functions, 8.17.22.
func betaFraction(x, a, b float64) float64 {
	value, c, d := 1.0, 1.0, 0.0
	for n := 1; ; n++ {
		m := float64(n / 2)
		even := a + float64(2*m)
		term := m * (b - m) * x / ((even - 1) * even)
		if n%2 == 1 {
			term = -(a + m) * (a + b + m) * x / (even * (even + 1))
		}
		d = 1 / (1 + float64(term*d))
		c = 1 + term/c
		change := float64(c * d)
		value *= change
		if math.Abs(change-1) < 1e-15 {
			return value
		}
	}
}

// normal95 is a value that the normal distribution exceeds, up or down, with a probability a little above Level.
const normal95 = 1.959963

// student returns the value that the t distribution exceeds, up or down, with probability Level: by Newton's method from
// below, where each step stops short of the value.
func student(freedom float64) float64 {
	scale := 2 / (math.Sqrt(freedom) * beta(freedom)) // of the density, both ways
	for t := normal95; ; {
		density := scale * portable.Pow(freedom/(freedom+float64(t*t)), (freedom+1)/2)
		next := t + (tTest(t*t, freedom)-Level)/density
		if !(next > t) {
			return t
		}
		t = next
	}
}

// normalTail returns the probability that the standard normal distribution exceeds z, which is positive and moderate.
//
// Source: G. Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11(4), 2004.
func normalTail(z float64) float64 {
	sum, term := 0.0, z
	for k := 3.0; sum+term != sum; k += 2 {
		sum += float64(term)
		term *= z * z / k
	}
	return 0.5 - float64(sum*portable.Exp(-0.5*z*z)/math.Sqrt(2*math.Pi))
}
