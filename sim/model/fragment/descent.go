package fragment

import (
	"slices"
	"sort"
)

// Descent is where a pod would go on a node, and what that changes.
type Descent struct {
	// Device is the one of which a pod takes a part; -1 where it takes none, or the free
	// ones of the lowest numbers.
	Device int
	Score  int   // the paper's, 0 to 100
	Gain   int64 // how much less is lost, in pods times thousandths
}

// Score is the paper's score for a gain in thousandths of devices; 50 is no change.
//
// Source: Weng et al., section 4.3, and pkg/simulator/plugin/fgd_score.go of its authors.
func Score(gain float64) int {
	return sort.Search(len(thresholds), func(i int) bool { return gain < thresholds[i] })
}

// Paper is the descent by the paper's score: of several devices with the best score it takes
// the lowest. The pod must fit. n is as it was in the end. Gauge.Paper is its fast form.
func (t *Target) Paper(n *Node, p *Pod) Descent {
	before := t.Rounded(n)
	best := Descent{Device: -1, Score: -1}
	n.each(p, func(device int) {
		if score := Score(before - t.Rounded(n)); score > best.Score {
			best.Device, best.Score = device, score
		}
	})
	return best
}

// Steepest is the descent by the exact change: of several devices with the largest gain it
// takes the lowest. The pod must fit. n is as it was in the end. Gauge.Steepest is its fast
// form.
func (t *Target) Steepest(n *Node, p *Pod) Descent {
	before := t.Measure(n)
	best, found := Descent{Device: -1}, false
	n.each(p, func(device int) {
		after := t.Measure(n)
		if gain := before.Lost() - after.Lost(); !found || gain > best.Gain {
			best.Device, best.Gain, found = device, gain, true
		}
	})
	return best
}

// each tries each way to place the pod: a part of a device on every device that has it, whole
// devices on those of the lowest numbers. While try is called the pod is there.
func (n *Node) each(p *Pod, try func(device int)) {
	n.MilliCPU -= p.MilliCPU
	switch {
	case p.Count == 1 && p.Milli < Whole:
		for d := range n.Free {
			if n.Free[d] >= p.Milli {
				n.Free[d] -= p.Milli
				try(d)
				n.Free[d] += p.Milli
			}
		}
	default:
		before := slices.Clone(n.Free)
		taken := 0
		for d := range n.Free {
			if taken < p.Count && n.Free[d] >= p.Milli {
				n.Free[d] -= p.Milli
				taken++
			}
		}
		try(-1)
		copy(n.Free, before)
	}
	n.MilliCPU += p.MilliCPU
}
