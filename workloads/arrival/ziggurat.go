package arrival

import (
	"math"
	"math/rand/v2"

	"github.com/berth-sim/berth/sim/model/portable"
)

// The methods ExpFloat64 and NormFloat64 of math/rand/v2 use the standard library's exponential and logarithm, whose
// last bits depend on the processor. The functions of this file are the same method over the portable ones, with
// every product rounded, so that they draw the same numbers from a stream except for these last bits.
//
// Source: G. Marsaglia and W. W. Tsang, "The Ziggurat Method for Generating Random Variables", Journal of Statistical
// Software 5(8), 2000. The area under the density is cut into strips of equal area. A point is drawn in a random strip;
// mostly it lies in the part of the strip that is below the density as a whole, which one comparison of integers tells.

// A strip is one horizontal strip under a density. Its values are rounded to the digits that math/rand/v2 keeps.
type strip struct {
	inside  uint32  // draws below it lie under the density whatever their height
	width   float32 // of the strip, for each unit of the draw
	density float32 // at the right end of the strip
}

// A density that decreases from 1 at zero, and its inverse.
type density struct {
	at, inverse func(float64) float64
	right       float64 // where the tail begins
	area        float64 // of each strip
	units       float64 // of which a draw across a strip counts
}

var (
	bell = density{
		at:      func(x float64) float64 { return portable.Exp(-0.5 * x * x) },
		inverse: func(y float64) float64 { return math.Sqrt(-2 * portable.Log(y)) },
		right:   normalTail, area: 9.91256303526217e-3, units: 1 << 31,
	}
	decay = density{
		at:      func(x float64) float64 { return portable.Exp(-x) },
		inverse: func(y float64) float64 { return -portable.Log(y) },
		right:   exponentialTail, area: 3.949659822581572e-3, units: 1 << 32,
	}
)

// Where the tails begin that are not cut into strips.
const (
	normalTail      = 3.442619855899
	exponentialTail = 7.69711747013104972
)

var (
	normalStrips      [128]strip
	exponentialStrips [256]strip
)

func init() {
	bell.cut(normalStrips[:])
	decay.cut(exponentialStrips[:])
}

// cut fills strips from the lowest, which has number 0 and holds the tail, and then from the right to the left: the
// strip with number 1 is the highest.
func (d density) cut(strips []strip) {
	n := len(strips)
	right := d.right
	lowest := d.area / d.at(right)
	strips[0] = strip{inside: uint32(right / lowest * d.units), width: float32(lowest / d.units), density: 1}
	strips[n-1].width, strips[n-1].density = float32(right/d.units), float32(d.at(right))
	for i := n - 2; i >= 1; i-- {
		left := d.inverse(d.area/right + d.at(right))
		strips[i+1].inside = uint32(left / right * d.units)
		strips[i].width, strips[i].density = float32(left/d.units), float32(d.at(left))
		right = left
	}
}

// below reports whether a point of random height in strip i, which is not the lowest, lies under a density of at.
func below(strips []strip, i int, rnd *rand.Rand, at float64) bool {
	low, high := strips[i].density, strips[i-1].density
	return low+float32(float32(rnd.Float64())*(high-low)) < float32(at)
}

// normal draws from the standard normal distribution.
func normal(rnd *rand.Rand) float64 {
	for {
		bits := rnd.Uint64()
		across, i := int32(bits), int(bits>>32&0x7F)
		s := &normalStrips[i]
		x := float64(across) * float64(s.width)
		switch {
		case magnitude(across) < s.inside:
			return x
		case i == 0:
			return math.Copysign(normalBeyond(rnd), float64(across))
		case below(normalStrips[:], i, rnd, bell.at(x)):
			return x
		}
	}
}

func magnitude(x int32) uint32 {
	if x < 0 {
		return uint32(-x)
	}
	return uint32(x)
}

// normalBeyond draws from the right tail of the standard normal distribution.
func normalBeyond(rnd *rand.Rand) float64 {
	for {
		x := -portable.Log(rnd.Float64()) * (1.0 / normalTail)
		y := -portable.Log(rnd.Float64())
		if y+y >= float64(x*x) {
			return normalTail + float64(x)
		}
	}
}

// exponential draws from the exponential distribution with the mean 1.
func exponential(rnd *rand.Rand) float64 {
	for {
		bits := rnd.Uint64()
		across, i := uint32(bits), int(uint8(bits>>32))
		s := &exponentialStrips[i]
		x := float64(across) * float64(s.width)
		switch {
		case across < s.inside:
			return x
		case i == 0:
			return exponentialTail - portable.Log(rnd.Float64())
		case below(exponentialStrips[:], i, rnd, decay.at(x)):
			return x
		}
	}
}
