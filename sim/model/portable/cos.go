package portable

import "math"

// A quarter of π in three parts, of which the first two have so few digits that their products with an octant's number
// are exact.
const (
	octantHigh   = 7.85398125648498535156e-1  // 0x3fe921fb40000000
	octantMiddle = 3.77489470793079817668e-8  // 0x3e64442d00000000
	octantLow    = 2.69515142907905952645e-15 // 0x3ce8469898cc5170
)

// maxAngle is where the products with an octant's number cease to be exact.
const maxAngle = 1 << 29

// Cos returns the cosine of x radians. It is NaN for an x beyond ±2²⁹.
//
// Method: x is reduced to a distance from the nearest even multiple of π/4, where the sine or the cosine is a
// polynomial. Source: Moshier, Cephes Mathematical Library, sin.c.
func Cos(x float64) float64 {
	x = math.Abs(x)
	if !(x < maxAngle) {
		return math.NaN()
	}
	octant := int64(x * (4 / math.Pi))
	octant += octant & 1
	n := float64(octant)
	z := ((x - float64(n*octantHigh)) - float64(n*octantMiddle)) - float64(n*octantLow)
	switch octant % 8 {
	case 0:
		return cosNearZero(z)
	case 2:
		return -sinNearZero(z)
	case 4:
		return -cosNearZero(z)
	default:
		return sinNearZero(z)
	}
}

// sinNearZero returns the sine of a z within ±π/4.
func sinNearZero(z float64) float64 {
	z2 := z * z
	return z + float64(z*z2*polynomial(z2, -1.66666666666666307295e-1, 8.33333333332211858878e-3,
		-1.98412698295895385996e-4, 2.75573136213857245213e-6, -2.50507477628578072866e-8, 1.58962301576546568060e-10))
}

// cosNearZero returns the cosine of a z within ±π/4.
func cosNearZero(z float64) float64 {
	z2 := z * z
	return 1 - float64(0.5*z2) + float64(z2*z2*polynomial(z2, 4.16666666666665929218e-2, -1.38888888888730564116e-3,
		2.48015872888517045348e-5, -2.75573141792967388112e-7, 2.08757008419747316778e-9, -1.13585365213876817300e-11))
}
