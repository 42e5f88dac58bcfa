package paired

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// off returns the relative difference.
func off(got, want float64) float64 { return math.Abs(got-want) / want }

func TestTTest(t *testing.T) {
	for _, freedom := range []float64{1, 2, 3, 4, 5, 9, 10, 29, 100, 999, 5000} {
		for _, value := range []float64{0.1, 0.5, 1, 1.7, 2, 2.5, 3, 5, 8, 20, 100} {
			want := mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+value*value))
			if got := tTest(value*value, freedom); off(got, want) > 1e-11 && want > 1e-290 {
				t.Errorf("tTest(%v², %v) = %v, want %v", value, freedom, got, want)
			}
		}
		x := mathext.InvRegIncBeta(freedom/2, 0.5, Level)
		if got, want := student(freedom), math.Sqrt(freedom*(1-x)/x); off(got, want) > 1e-12 {
			t.Errorf("student(%v) = %v, want %v", freedom, got, want)
		}
	}
	for _, c := range []struct{ t2, want float64 }{{0, 1}, {1e-12, 1 - 0.75e-6}, {math.Inf(1), 0}} {
		if got := tTest(c.t2, 4); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("tTest(%v, 4) = %v, want %v", c.t2, got, c.want)
		}
	}
}

func TestNormalTail(t *testing.T) {
	for z := 0.25; z < 4; z += 0.25 {
		if got, want := normalTail(z), math.Erfc(z/math.Sqrt2)/2; off(got, want) > 1e-11 {
			t.Errorf("normalTail(%v) = %v, want %v", z, got, want)
		}
	}
}

// The statistics have the same bits on every processor.
func TestBits(t *testing.T) {
	for _, c := range []struct {
		name string
		got  float64
		want uint64
	}{
		{"tTest(5.29, 9)", tTest(5.29, 9), 0x3fa8104dccb3e8f8},
		{"tTest(0.04, 12)", tTest(0.04, 12), 0x3feb08d8935da653},
		{"student(4)", student(4), 0x40063628d9efb5e0},
		{"student(29)", student(29), 0x40005ca15bce2874},
		{"normalTail(2.1)", normalTail(2.1), 0x3f924b0cf8513080},
	} {
		if got := math.Float64bits(c.got); got != c.want {
			t.Errorf("%s = %v, bits %#x, want %v, bits %#x", c.name, c.got, got, math.Float64frombits(c.want), c.want)
		}
	}
}
