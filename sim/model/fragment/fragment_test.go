package fragment

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// The table of scores is the formula of the paper.
func TestScoreIsThePapers(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the table holds the steps of exp as amd64 rounds it")
	}
	formula := func(gain float64) int { return int(100 / (1 + math.Exp(-gain/1000))) }
	for i, at := range thresholds {
		below := math.Nextafter(at, math.Inf(-1))
		for _, gain := range []float64{at, below, at + 1e-9, below - 1e-9} {
			if got, want := Score(gain), formula(gain); got != want {
				t.Errorf("gain %v scores %d, by the formula %d", gain, got, want)
			}
		}
		if Score(at) != i+1 {
			t.Errorf("gain %v scores %d, not %d", at, Score(at), i+1)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		gain := rnd.NormFloat64() * 1500
		if got, want := Score(gain), formula(gain); got != want {
			t.Errorf("gain %v scores %d, by the formula %d", gain, got, want)
		}
	}
}

// A node with 8 cpus and GPUs of model 1 with 300, 1000 and 600 thousandths free.
func node() Node { return Node{MilliCPU: 8000, Free: []int32{300, 1000, 600}, Model: 1} }

func TestParts(t *testing.T) {
	for _, tt := range []struct {
		name string
		pod  Pod
		want Parts
	}{
		{"fits a part", Pod{MilliCPU: 8000, Count: 1, Milli: 600}, Parts{LacksDevices: 300, Usable: 1600}},
		{"fits a whole device", Pod{MilliCPU: 1, Count: 1, Milli: 1000, Models: []int32{2, 1}}, Parts{LacksDevices: 900, Usable: 1000}},
		{"needs two", Pod{MilliCPU: 8000, Count: 2, Milli: 1000}, Parts{LacksDevices: 1900}},
		{"needs two and cpu", Pod{MilliCPU: 8001, Count: 2, Milli: 1000}, Parts{LacksBoth: 1900}},
		{"needs cpu", Pod{MilliCPU: 8001, Count: 1, Milli: 1}, Parts{LacksCPU: 1900}},
		{"another model", Pod{MilliCPU: 9000, Count: 1, Milli: 1, Models: []int32{2}}, Parts{NoAccess: 1900}},
		{"no devices", Pod{MilliCPU: 8000}, Parts{NoDevices: 1900}},
		{"no devices, needs cpu", Pod{MilliCPU: 8001}, Parts{NoDevicesCPU: 1900}},
	} {
		n := node()
		target := Target{Classes: []Class{{Pod: tt.pod, Pods: 1, Share: 1}}, Pods: 1}
		if got := target.Measure(&n); got != tt.want {
			t.Errorf("%s: parts are %v, not %v", tt.name, got, tt.want)
		}
		lost := 1900 - tt.want[Usable]
		if got := target.Rounded(&n); got != float64(lost) {
			t.Errorf("%s: F is %v, not %d", tt.name, got, lost)
		}
	}
}

// The worked example of the paper's figure on scores: a pod that leaves no fragment behind
// scores above 50, one that breaks a free device below.
func TestDescents(t *testing.T) {
	target := Target{Classes: []Class{
		{Pod: Pod{MilliCPU: 1000, Count: 1, Milli: 1000}, Pods: 3, Share: 0.75},
		{Pod: Pod{MilliCPU: 1000, Count: 1, Milli: 300}, Pods: 1, Share: 0.25},
	}, Pods: 4}
	n := node()
	// On device 0 three of four pods lose 300 less, on device 1 they lose 700 more and the
	// fourth keeps all it can use; on device 2 they lose 300 less too.
	pod := Pod{MilliCPU: 100, Count: 1, Milli: 300}
	if got, want := target.Steepest(&n, &pod), (Descent{Device: 0, Gain: 900}); got != want {
		t.Errorf("the steepest descent is %+v, not %+v", got, want)
	}
	if got, want := target.Paper(&n, &pod), (Descent{Device: 0, Score: Score(225)}); got != want {
		t.Errorf("the paper's descent is %+v, not %+v", got, want)
	}
	if whole := (Pod{MilliCPU: 100, Count: 1, Milli: 1000}); target.Steepest(&n, &whole).Device != -1 {
		t.Error("a whole device was chosen among others")
	}
	if want := node(); n.MilliCPU != want.MilliCPU || !slices.Equal(n.Free, want.Free) {
		t.Errorf("the node is %+v afterwards", n)
	}
}

// On random nodes the rounded F is the exact one except for its last digits, all that is idle is
// in some part, and the steepest gain is what comes of it.
func TestExactAndRoundedAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		counts := map[Shape]int64{}
		for range 1 + rnd.IntN(20) {
			s := Shape{MilliCPU: int64(rnd.IntN(20)) * 1000, Count: rnd.IntN(5)}
			if s.Count == 1 {
				s.Milli = int32(1 + rnd.IntN(Whole))
			} else if s.Count > 0 {
				s.Milli = Whole
			}
			counts[s] = int64(1 + rnd.IntN(50))
		}
		target := NewTarget(counts, PaperShare, func(string) []int32 { return nil })
		n := Node{MilliCPU: int64(rnd.IntN(30000)), Free: make([]int32, rnd.IntN(9))}
		for d := range n.Free {
			n.Free[d] = int32(rnd.IntN(3)*500) & int32(rnd.IntN(1024))
		}
		parts := target.Measure(&n)
		if exact, rounded := target.Thousandths(parts.Lost()), target.Rounded(&n); math.Abs(exact-rounded) > 1e-8 {
			t.Errorf("F is %v exactly, %v rounded", exact, rounded)
		}
		if all := parts.Lost() + parts[Usable]; all != target.Pods*n.Idle() {
			t.Errorf("%d of %d are in some part", all, target.Pods*n.Idle())
		}
	}
}

func TestTarget(t *testing.T) {
	a, b := Shape{MilliCPU: 2000, Count: 1, Milli: 500}, Shape{MilliCPU: 2000, Count: 1, Milli: 500, Spec: "T4|P100"}
	c, rare := Shape{MilliCPU: 4000}, Shape{MilliCPU: 1, Count: 8, Milli: 1000}
	models := func(spec string) []int32 {
		if spec == "" {
			return nil
		}
		return []int32{4, 100}
	}
	target := NewTarget(map[Shape]int64{a: 38, b: 38, c: 19, rare: 5}, PaperShare, models)
	if len(target.Classes) != 3 || target.Pods != 95 {
		t.Fatalf("the target has %d classes of %d pods", len(target.Classes), target.Pods)
	}
	want := []Class{
		{Pod{2000, 1, 500, []int32{4, 100}}, 38, 0.38 / 0.95}, // equally frequent, and larger
		{Pod{2000, 1, 500, nil}, 38, 0.38 / 0.95},
		{Pod{4000, 0, 0, nil}, 19, 0.19 / 0.95},
	}
	for i, c := range target.Classes {
		w := want[i]
		if c.MilliCPU != w.MilliCPU || c.Count != w.Count || c.Milli != w.Milli || !slices.Equal(c.Models, w.Models) || c.Pods != w.Pods || c.Share != w.Share {
			t.Errorf("class %d is %+v, not %+v", i, c, w)
		}
	}
	if all := NewTarget(map[Shape]int64{a: 1, b: 1}, 100, models); len(all.Classes) != 2 || all.Classes[0].Share != 0.5 {
		t.Errorf("of two shapes the target has %+v", all)
	}
	if none := NewTarget(nil, PaperShare, models); len(none.Classes) != 0 || none.Thousandths(0) != 0 {
		t.Errorf("of no pods the target is %+v", none)
	}
}
