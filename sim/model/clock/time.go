// Package clock is virtual time: instants, the queue of events in their total
// order, and named random streams. Nothing here reads the wall clock.
package clock

import (
	"math"
	"time"
)

// Time is an instant in nanoseconds since the start of the run, or a span of
// that unit.
type Time int64

// Spans of virtual time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
	Hour             = 60 * Minute
)

// Forever is later than every instant of any run: the lifetime of a pod that
// never completes, the deadline of a wait without timeout.
const Forever Time = math.MaxInt64

// FromSeconds turns seconds into a Time, rounded to the nearest nanosecond.
// What does not fit, and NaN, becomes Forever or its negative.
func FromSeconds(s float64) Time {
	ns := math.Round(s * float64(Second))
	switch {
	case math.IsNaN(ns) || ns >= math.MaxInt64:
		return Forever
	case ns <= math.MinInt64:
		return -Forever
	}
	return Time(ns)
}

// FromDuration turns a duration of package time into a Time.
func FromDuration(d time.Duration) Time { return Time(d) }

// Seconds is t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// Add is t+d, and Forever where either is Forever or the sum overflows.
func (t Time) Add(d Time) Time {
	if t == Forever || d == Forever || (d > 0 && t > Forever-d) {
		return Forever
	}
	return t + d
}

// String prints t as package time prints a duration ("1h2m3.5s").
func (t Time) String() string {
	if t == Forever {
		return "forever"
	}
	return time.Duration(t).String()
}
