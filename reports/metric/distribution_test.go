package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The plain twin of the buckets: all values, sorted.
func TestQuantilesOfManyValuesAreWithinTheErrorBound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() int64{
		"small":      func() int64 { return rnd.Int64N(700) },
		"nanosecond": func() int64 { return int64(rnd.ExpFloat64() * 1e11) },
		"wide":       func() int64 { return int64(1) << rnd.IntN(62) },
		"one":        func() int64 { return 123_456_789 },
	} {
		var d distribution
		var all []int64
		for range 4 * exactLimit {
			v := draw()
			d.observe(v)
			all = append(all, v)
		}
		slices.Sort(all)
		for permille := int64(1); permille <= 1000; permille++ {
			want := float64(all[(permille*int64(len(all))+999)/1000-1])
			if got := d.quantile(permille); math.Abs(got-want) > want/1000 {
				t.Errorf("%s: quantile %d is %v, want %v within 0.1 %%", name, permille, got, want)
			}
		}
		if d.exact != nil || d.max != all[len(all)-1] || d.min != all[0] {
			t.Errorf("%s: min %d, max %d, %d exact values", name, d.min, d.max, len(d.exact))
		}
	}
}

func TestQuantilesOfFewValuesAreExact(t *testing.T) {
	var d distribution
	for _, v := range []int64{50, 10, 40, 20, 30} {
		d.observe(v)
	}
	for permille, want := range map[int64]float64{1: 10, 200: 10, 201: 20, 500: 30, 900: 50, 1000: 50} {
		if got := d.quantile(permille); got != want {
			t.Errorf("quantile %d is %v, want %v", permille, got, want)
		}
	}
	if d.mean() != 30 {
		t.Errorf("mean is %v, want 30", d.mean())
	}
}
