// Package gauge keeps levels over the virtual time of a run: how high they are, were on average, and were at most. Work
// is done when a level changes, not as time goes by.
package gauge

import (
	"math"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Level is a whole number over time, such as pods that are pending. It is 0 from the start of the run to the first
// change.
type Level struct {
	now   int64
	since clock.Time
	area  float64 // integral of the level up to since, in level × seconds
	peak  int64   // the highest level that lasted
}

// Add changes the level.
func (l *Level) Add(delta int64, now clock.Time) {
	l.area = l.AreaAt(now)
	if now > l.since {
		l.peak = max(l.peak, l.now)
	}
	l.now, l.since = l.now+delta, now
}

// Now returns the level since its last change.
func (l *Level) Now() int64 { return l.now }

// AreaAt returns the integral up to now, in level × seconds. The conversion keeps the compiler from fusing
// the product and the sum, which would change the result between machines.
func (l *Level) AreaAt(now clock.Time) float64 {
	return l.area + float64(float64(l.now)*(now-l.since).Seconds())
}

// MeanAt returns the time-weighted mean from the start of the run to now; in a run without length the level.
func (l *Level) MeanAt(now clock.Time) float64 {
	if now == 0 {
		return float64(l.now)
	}
	return l.AreaAt(now) / now.Seconds()
}

// PeakAt returns the highest level that has lasted; in a run without length the level.
func (l *Level) PeakAt(now clock.Time) int64 {
	if now > l.since || now == 0 {
		return max(l.peak, l.now)
	}
	return l.peak
}

// Share is how much of a whole is taken, over time. Both may change.
type Share struct {
	Taken, Whole Level   // changed by Add only
	peak         float64 // the highest share that lasted
	since        clock.Time
}

// Add changes what is taken, and the whole.
func (s *Share) Add(taken, whole int64, now clock.Time) {
	if now > s.since {
		s.peak = s.PeakAt(now)
	}
	s.since = now
	s.Taken.Add(taken, now)
	s.Whole.Add(whole, now)
}

// Now returns the share since the last change; NaN if the whole is 0.
func (s *Share) Now() float64 { return Ratio(float64(s.Taken.now), float64(s.Whole.now)) }

// MeanAt returns the mean of what was taken, of the mean of the whole; NaN if the whole was always 0.
func (s *Share) MeanAt(now clock.Time) float64 {
	return Ratio(s.Taken.MeanAt(now), s.Whole.MeanAt(now))
}

// PeakAt returns the highest share that has lasted.
func (s *Share) PeakAt(now clock.Time) float64 {
	if (now > s.since || now == 0) && s.Whole.now > 0 {
		return max(s.peak, s.Now())
	}
	return s.peak
}

// Ratio returns a/b, or NaN if b is 0.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}
