package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

var normalizations = []Normalization{NoNormalization, ByMaximum, ByMaximumReversed, MinMax, MinMaxInteger, MinMaxIntegerZero, MinMaxReversed}

func TestNormalizations(t *testing.T) {
	tests := []struct {
		name string
		n    Normalization
		raw  []int64
		want []int64
	}{
		{"in range already", NoNormalization, []int64{7, 0, 100}, []int64{7, 0, 100}},
		{"the highest becomes 100", ByMaximum, []int64{0, 1, 2, 3}, []int64{0, 33, 66, 100}},
		{"reversed after the cut", ByMaximumReversed, []int64{0, 1, 2, 3}, []int64{100, 67, 34, 0}},
		{"all 0 stay 0", ByMaximum, []int64{0, 0}, []int64{0, 0}},
		{"all 0 reversed", ByMaximumReversed, []int64{0, 0}, []int64{100, 100}},
		{"above 100 is scaled down", ByMaximum, []int64{150, 300, 0, 75}, []int64{50, 100, 0, 25}},
		{"the ratio comes first", MinMax, []int64{0, 29, 100}, []int64{0, 28, 100}},
		{"equal raw scores", MinMax, []int64{5, 5}, []int64{0, 0}},
		{"in integers", MinMaxInteger, []int64{0, 29, 100}, []int64{0, 29, 100}},
		{"equal raw scores are all the best", MinMaxInteger, []int64{-5, -5}, []int64{100, 100}},
		{"in integers, with zero", MinMaxIntegerZero, []int64{-7, -5, 0}, []int64{0, 28, 100}},
		{"equal raw scores are all the worst", MinMaxIntegerZero, []int64{-5, -5}, []int64{0, 0}},
		{"the fewest are the best", MinMaxReversed, []int64{2, 4, 8}, []int64{100, 75, 25}},
		{"ignored nodes get nothing", MinMaxReversed, []int64{ScoreIgnored, 4, 8}, []int64{0, 100, 50}},
		{"nothing to hold against a node", MinMaxReversed, []int64{0, 0}, []int64{100, 100}},
	}
	for _, tt := range tests {
		got := slices.Clone(tt.raw)
		if tt.n.NormalizeAll(got, MaxNodeScore); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The extremes alone suffice to normalize one node.
func TestNormalizingOneNodeIsNormalizingAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		raw := make([]int64, 1+rnd.IntN(6))
		for i := range raw {
			raw[i] = rnd.Int64N(40) + ScoreIgnored
		}
		for _, n := range normalizations {
			if n != MinMaxReversed && n != MinMax && n != MinMaxInteger && n != MinMaxIntegerZero {
				for i := range raw {
					raw[i] = max(raw[i], 0)
				}
			}
			for _, top := range []int64{MaxNodeScore, MaxLegacyScore} {
				all, e := slices.Clone(raw), n.Extremes(raw)
				n.NormalizeAll(all, top)
				for i, s := range raw {
					if one := n.NormalizeOne(s, e, top); one != all[i] {
						t.Fatalf("normalization %d of %v: %d for node %d, %v for all", n, raw, one, i, all)
					}
				}
			}
		}
	}
}
