package plugins

import (
	"math/rand/v2"
	"testing"
)

// FuzzPercent holds the division in floating point against the one of integers.
func FuzzPercent(f *testing.F) {
	for _, a := range []int64{1, 2, 3, 7, 100, 1 << 20, 128 << 30, exactBelow - 1, exactBelow, exactBelow + 1, 1 << 56} {
		for _, x := range []int64{0, 1, a / 3, a / 2, a - 1, a} {
			f.Add(x, a)
		}
	}
	f.Fuzz(func(t *testing.T, x, a int64) {
		// Beyond that upstream's product overflows too, which percentPlain shares.
		if x < 0 || x > a || a <= 0 || x > 1<<56 {
			t.Skip()
		}
		if got, want := percent(x, a), percentPlain(x, a); got != want {
			t.Errorf("percent(%d, %d) = %d, want %d", x, a, got, want)
		}
	})
}

// TestPercentJustBelowWholeNumbers tries where a quotient is closest to the next integer:
// 100*x = k*a - 1, near the largest capacity for which it is worked out in floating point.
func TestPercentJustBelowWholeNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 0))
	tried := 0
	for a := int64(exactBelow - 1); tried < 20000; a -= 1 + rnd.Int64N(1000) {
		for k := int64(1); k <= 100; k += 7 {
			for below := int64(-1); below <= 1; below++ {
				x := (k*a + below) / 100
				if x < 0 || x > a {
					continue
				}
				tried++
				if got, want := percent(x, a), percentPlain(x, a); got != want {
					t.Fatalf("percent(%d, %d) = %d, want %d", x, a, got, want)
				}
			}
		}
	}
}

func TestInterpolate(t *testing.T) {
	rising := []ShapePoint{{0, 0}, {100, 100}}
	falling := []ShapePoint{{0, 100}, {100, 0}}
	steps := []ShapePoint{{20, 10}, {50, 90}, {70, 0}}
	tests := []struct {
		name  string
		shape []ShapePoint
		u     int64
		want  int64
	}{
		{"rising", rising, 37, 37},
		{"falling", falling, 37, 63},
		{"flat before the first point", steps, 0, 10},
		{"at the first point", steps, 20, 10},
		{"between", steps, 25, 23},          // 10 + 80*5/30 = 10 + 13
		{"between, falling", steps, 57, 59}, // 90 - 90*7/20 = 90 - 31, cut towards zero
		{"at the last point", steps, 70, 0},
		{"flat after the last point", steps, 100, 0},
		{"one point", []ShapePoint{{50, 30}}, 80, 30},
		{"falling is cut towards zero, not down", []ShapePoint{{0, 10}, {3, 0}}, 1, 7}, // 10 - 10/3 = 10 - 3
	}
	for _, tt := range tests {
		if got := Interpolate(tt.shape, tt.u); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
