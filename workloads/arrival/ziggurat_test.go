package arrival

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The numbers are those of math/rand/v2, except for the last bits of its logarithm in the tails, so that the tables, which
// are computed here, are its tables.
func TestZigguratDrawsWhatTheStandardLibraryDraws(t *testing.T) {
	for _, c := range []struct {
		name        string
		got, oracle func(*rand.Rand) float64
		tail        float64
	}{
		{"normal", normal, (*rand.Rand).NormFloat64, normalTail},
		{"exponential", exponential, (*rand.Rand).ExpFloat64, exponentialTail},
	} {
		beyond := 0
		for seed := range uint64(1_000_000) {
			got := c.got(rand.New(rand.NewPCG(seed, 5)))
			want := c.oracle(rand.New(rand.NewPCG(seed, 5)))
			if math.Abs(want) >= c.tail {
				beyond++
				if math.Abs(got-want) < 1e-12 {
					continue
				}
			}
			if got != want {
				t.Fatalf("%s, seed %d: drew %v, want %v", c.name, seed, got, want)
			}
		}
		if beyond < 300 {
			t.Errorf("%s: only %d draws in the tail", c.name, beyond)
		}
	}
}
