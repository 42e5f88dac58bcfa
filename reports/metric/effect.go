package metric

import (
	"math"
	"strconv"
)

// Effect is the smallest difference that is of interest. A difference d from a baseline of mean b matters if
//
//	|d| ≥ max(Absolute, Relative × |b|)
//
// so it must reach both: a second victim after the first one is 100 % more and still one pod, and 3 of 1,000 pending pods
// are more than one pod and still 0.3 %. A part that is 0 asks for nothing; if both are 0, every difference matters.
type Effect struct {
	Absolute float64 // in the metric's unit
	Relative float64 // share of the baseline's mean
}

// Of returns the smallest difference of interest in the metric's unit, beside a baseline of that mean. It is Absolute if the
// mean is NaN.
func (e Effect) Of(baseline float64) float64 {
	if math.IsNaN(baseline) {
		return e.Absolute
	}
	return max(e.Absolute, float64(e.Relative*math.Abs(baseline)))
}

// Met reports whether the difference of a value from a baseline matters. It does not if one of them is NaN, or they are equal.
func (e Effect) Met(baseline, value float64) bool {
	size := math.Abs(value - baseline)
	return size > 0 && size >= e.Of(baseline)
}

// EffectText returns an effect in the value as text: "1 pod and 20 %"; "none" if every difference matters.
func (k Key) EffectText(e Effect) string {
	share := strconv.FormatFloat(100*e.Relative, 'g', 12, 64) + " %"
	switch {
	case e.Absolute == 0 && e.Relative == 0:
		return "none"
	case e.Absolute == 0:
		return share
	case e.Relative == 0:
		return k.Size(e.Absolute)
	}
	return k.Size(e.Absolute) + " and " + share
}

// Effects that several metrics share.
var (
	// points is half a percentage point: of 200 nodes it is one node.
	points = Effect{Absolute: 0.005}
	// twoPoints is for shares of what is free. Of a fleet that is three quarters full, two points of the free quarter are
	// half a point of the fleet.
	twoPoints = Effect{Absolute: 0.02}
	// wait is for times that pods and gangs wait: less than a second does not matter beside the start of a container.
	wait = Effect{Absolute: 1, Relative: 0.1}
	// evictedPods is for counts that vary a lot with the order of arrivals, such as victims of preemption.
	evictedPods = Effect{Absolute: 1, Relative: 0.2}
)
