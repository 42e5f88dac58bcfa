package metric

import (
	"math"

	"github.com/berth-sim/berth/sim/model/clock"
)

// gauge is a level over time, from the start of the run on. Work is done when the
// level changes, not as time goes by.
type gauge struct {
	level int64
	since clock.Time
	area  float64 // integral of the level up to since, in level × seconds
	peak  int64   // the highest level that lasted
}

func (g *gauge) add(delta int64, now clock.Time) {
	g.area = g.areaAt(now)
	if now > g.since {
		g.peak = max(g.peak, g.level)
	}
	g.level, g.since = g.level+delta, now
}

// areaAt is the integral up to now. The conversion keeps the compiler from fusing
// the product and the sum, which would change the result between machines.
func (g *gauge) areaAt(now clock.Time) float64 {
	return g.area + float64(float64(g.level)*(now-g.since).Seconds())
}

// meanAt is the time-weighted mean; in a run without length it is the level.
func (g *gauge) meanAt(now clock.Time) float64 {
	if now == 0 {
		return float64(g.level)
	}
	return g.areaAt(now) / now.Seconds()
}

// peakAt is the highest level that has lasted; in a run without length it is the level.
func (g *gauge) peakAt(now clock.Time) int64 {
	if now > g.since || now == 0 {
		return max(g.peak, g.level)
	}
	return g.peak
}

// share is how much of what there is is taken, over time.
type share struct {
	taken, whole gauge
	peak         float64 // the highest share that lasted
	since        clock.Time
}

func (s *share) add(taken, whole int64, now clock.Time) {
	if now > s.since {
		s.peak = s.peakAt(now)
	}
	s.since = now
	s.taken.add(taken, now)
	s.whole.add(whole, now)
}

func (s *share) now() float64 { return ratio(float64(s.taken.level), float64(s.whole.level)) }

func (s *share) meanAt(now clock.Time) float64 {
	return ratio(s.taken.meanAt(now), s.whole.meanAt(now))
}

func (s *share) peakAt(now clock.Time) float64 {
	if (now > s.since || now == 0) && s.whole.level > 0 {
		return max(s.peak, s.now())
	}
	return s.peak
}

// ratio is a/b, and no value where there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}
