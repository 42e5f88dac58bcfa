package plan

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// fitted is a trial on a fleet of which it is known into which sizes the workload fits: a plus
// for each from one node up.
func fitted(sizes string) *trial {
	t := &trial{placed: map[int]*placement{}}
	for i, fits := range sizes {
		t.placed[i+1] = &placement{nodes: i + 1, fits: fits == '+'}
	}
	t.take(t.placed[len(sizes)])
	return t
}

// Where the workload fits into a size and not into one of the next few, the answer is above that,
// as if nodes were taken away one by one.
func TestReduce(t *testing.T) {
	for _, c := range []struct {
		sizes string
		want  int
	}{
		{"+", 1}, {".+", 2}, {"++++", 1}, {"....++++", 5},
		{strings.Repeat(".", 39) + "++.++++++++", 43}, // of a review
		{"..+.+.+.++++++++++++++++", 9},
		{"...+....+", 9},
		{"...+" + strings.Repeat("+", beyond-1) + ".++++++++++++++++++++++", 3 + beyond + 2},
		{"...+" + strings.Repeat("+", beyond) + ".+++++++++++++++++++++", 4}, // too far above to be seen
	} {
		trial := fitted(c.sizes)
		if err := trial.reduce(t.Context(), len(c.sizes)); err != nil || trial.Nodes != c.want {
			t.Errorf("%s: %d nodes, want %d: %v", c.sizes, trial.Nodes, c.want, err)
		}
	}
}

// The answer fits, the next smaller size does not, and the next few above do.
func TestReduceToWhatFits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 2000 {
		var b strings.Builder
		for range 1 + r.IntN(40) {
			b.WriteByte(".+"[r.IntN(2)])
		}
		sizes := b.String() + "+"
		trial := fitted(sizes)
		if err := trial.reduce(t.Context(), len(sizes)); err != nil {
			t.Fatal(err)
		}
		n := trial.Nodes
		if above := sizes[n-1 : min(n+beyond, len(sizes))]; strings.Contains(above, ".") || n > 1 && sizes[n-2] == '+' {
			t.Errorf("%s: %d nodes", sizes, n)
		}
	}
}

// A share of the pods is a whole number of them, whatever its binary fraction.
func TestTolerated(t *testing.T) {
	for _, c := range []struct{ share, pods, want float64 }{
		{0.29, 100, 29}, {0.002, 500, 1}, {0.002, 499, 0}, {0.07, 300, 21}, {0, 10, 0}, {1, 7, 7},
	} {
		if got := tolerated(c.share, c.pods); got != c.want {
			t.Errorf("%v of %v pods: %v, want %v", c.share, c.pods, got, c.want)
		}
	}
}
