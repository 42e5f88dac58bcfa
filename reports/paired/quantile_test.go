package paired

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// sortedQuantile is the plain twin of quantile.
func sortedQuantile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

func TestQuantileIsThatOfSortedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		values := make([]float64, 1+rng.IntN(60))
		for i := range values {
			values[i] = float64(rng.IntN(1 + rng.IntN(40))) // with many equal ones
		}
		for _, p := range []float64{0, 0.01, rng.Float64(), 0.99, 1} {
			want := sortedQuantile(values, p)
			if got := quantile(values, p); got != want { // on what the one before has left
				t.Fatalf("quantile %v of %v is %v, want %v", p, values, got, want)
			}
		}
	}
}

func BenchmarkOf(b *testing.B) {
	differences := []float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}
	b.Run("pairs=10", func(b *testing.B) {
		for b.Loop() {
			if d := Of(differences, rand.New(rand.NewPCG(1, 1))); !d.Shown() {
				b.Fatalf("%+v is not shown", d)
			}
		}
	})
}
