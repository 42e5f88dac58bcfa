package portable_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/sim/model/portable"
)

const precision = 400 // of the reference values, in bits

func exact(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func number() *big.Float { return new(big.Float).SetPrec(precision) }

// series adds up terms, each of which step makes of the one before, until they no longer count.
func series(first *big.Float, step func(n int64, term *big.Float)) *big.Float {
	sum, term := number().Set(first), number().Set(first)
	for n := int64(1); term.Sign() != 0 && (sum.Sign() == 0 || term.MantExp(nil) > sum.MantExp(nil)-precision); n++ {
		step(n, term)
		sum.Add(sum, term)
	}
	return sum
}

func bigExp(x *big.Float) *big.Float {
	const halvings = 20
	small := number().SetMantExp(x, -halvings)
	y := series(exact(1), func(n int64, term *big.Float) {
		term.Mul(term, small)
		term.Quo(term, exact(float64(n)))
	})
	for range halvings {
		y.Mul(y, y)
	}
	return y
}

// bigLog is Newton's method: each round doubles the digits that are right.
func bigLog(x float64) *big.Float {
	y := exact(math.Log(x))
	for range 4 {
		off := bigExp(number().Neg(y))
		off.Mul(off, exact(x))
		y.Add(y, off.Sub(off, exact(1)))
	}
	return y
}

func bigPow(x, y float64) *big.Float {
	l := bigLog(x)
	return bigExp(l.Mul(l, exact(y)))
}

func bigCos(x float64) *big.Float {
	square := exact(x)
	square.Mul(square, square)
	return series(exact(1), func(n int64, term *big.Float) {
		term.Mul(term, square)
		term.Quo(term, exact(float64(-(2*n-1)*2*n)))
	})
}

// unitsOff returns how far got is from want, in units of the last place of got.
func unitsOff(got float64, want *big.Float) float64 {
	unit := math.Nextafter(math.Abs(got), math.Inf(1)) - math.Abs(got)
	off := number().Sub(exact(got), want)
	units, _ := off.Quo(off, exact(unit)).Float64()
	return math.Abs(units)
}

func TestAccuracy(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	between := func(low, high float64) float64 { return low + (high-low)*rnd.Float64() }
	for _, c := range []struct {
		name  string
		of    func() (got float64, want *big.Float)
		units float64
	}{
		{"Exp", func() (float64, *big.Float) { x := between(-700, 700); return portable.Exp(x), bigExp(exact(x)) }, 1},
		{"Exp near zero", func() (float64, *big.Float) { x := between(-1, 1); return portable.Exp(x), bigExp(exact(x)) }, 1},
		{"Log", func() (float64, *big.Float) {
			x := math.Ldexp(between(1, 2), rnd.IntN(2000)-1000)
			return portable.Log(x), bigLog(x)
		}, 1},
		{"Log near one", func() (float64, *big.Float) { x := between(0.5, 2); return portable.Log(x), bigLog(x) }, 1},
		{"Log10", func() (float64, *big.Float) {
			x := between(0.5, 1e6)
			return portable.Log10(x), number().Quo(bigLog(x), bigLog(10))
		}, 3},
		{"Pow", func() (float64, *big.Float) {
			x, y := between(0, 40), between(0, 4)
			return portable.Pow(x, y), bigPow(x, y)
		}, 8},
		{"Pow of less than one", func() (float64, *big.Float) {
			x, y := between(0, 1), 1/float64(1+rnd.IntN(1000))
			return portable.Pow(x, y), bigPow(x, y)
		}, 8},
		{"Pow with a negative exponent", func() (float64, *big.Float) {
			x, y := between(0.1, 10), between(-20, 0)
			return portable.Pow(x, y), bigPow(x, y)
		}, 16},
		{"Cos", func() (float64, *big.Float) { x := between(-7, 7); return portable.Cos(x), bigCos(x) }, 2},
	} {
		worst := 0.0
		for range 1000 {
			worst = max(worst, unitsOff(c.of()))
		}
		if !(worst <= c.units) {
			t.Errorf("%s: %v units in the last place off, at most %v are allowed", c.name, worst, c.units)
		}
	}
}
