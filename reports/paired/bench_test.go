package paired

import (
	"math/rand/v2"
	"testing"
)

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
