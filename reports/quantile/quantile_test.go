package quantile

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// sortedBetween is the plain twin of Between.
func sortedBetween(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

func TestBetweenIsThatOfSortedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		values := make([]float64, 1+rng.IntN(60))
		for i := range values {
			values[i] = float64(rng.IntN(1 + rng.IntN(40))) // with many equal ones
		}
		for _, p := range []float64{0, 0.01, rng.Float64(), 0.99, 1} {
			want := sortedBetween(values, p)
			if got := Between(values, p); got != want { // on what the one before has left
				t.Fatalf("quantile %v of %v is %v, want %v", p, values, got, want)
			}
		}
	}
}

func TestPercentile(t *testing.T) {
	for _, c := range []struct {
		values  []int
		percent int
		want    int
	}{
		{[]int{7}, 0, 7}, {[]int{7}, 50, 7}, {[]int{7}, 100, 7},
		{[]int{1, 2}, 50, 1}, {[]int{1, 2}, 51, 2}, {[]int{1, 2, 3}, 50, 2}, {[]int{1, 2, 3, 4}, 90, 4}, {[]int{1, 2, 3, 4}, 0, 1},
	} {
		if got := Percentile(c.values, c.percent); got != c.want {
			t.Errorf("percentile %d of %v is %d, want %d", c.percent, c.values, got, c.want)
		}
	}
}

// TestRank: as many values as the share are not above that of the rank, and fewer are below it.
func TestRank(t *testing.T) {
	for n := int64(1); n < 200; n++ {
		for permille := int64(0); permille <= 1000; permille++ {
			rank := Rank(n, permille)
			if rank < 1 || rank > n || 1000*rank < permille*n || rank > 1 && 1000*(rank-1) >= permille*n {
				t.Fatalf("the quantile %d of %d values is at %d", permille, n, rank)
			}
		}
	}
}
