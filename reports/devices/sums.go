package devices

import (
	"github.com/berth-sim/berth/reports/gauge"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// Sums are sums over the devices of all nodes, or of those of a pool, in thousandths of
// devices unless they are counts.
type Sums struct {
	target  *fragment.Target
	pool    string
	known   bool // there have been devices
	used    gauge.Share
	touched gauge.Share    // devices that something is taken of
	parts   fragment.Parts // of what is free
	lost    float64        // ∫ F dt up to since, in thousandths × seconds
	span    float64        // ∫ capacity dt while there was a target workload, alike
	since   clock.Time

	busyNodes, busyDevices int64 // that have cpu or devices taken
}

// Pool returns the name of the pool.
func (s *Sums) Pool() string { return s.pool }

// Any reports whether there have been devices.
func (s *Sums) Any() bool { return s.known }

// Capacity returns all of the devices.
func (s *Sums) Capacity() int64 { return s.used.Whole.Now() }

// Used returns what pods hold of devices.
func (s *Sums) Used() int64 { return s.used.Taken.Now() }

// Touched returns how many devices something is taken of.
func (s *Sums) Touched() int64 { return s.touched.Taken.Now() }

// Count returns how many devices there are.
func (s *Sums) Count() int64 { return s.touched.Whole.Now() }

// UsedShare returns what pods hold of devices as a share of the capacity.
func (s *Sums) UsedShare() float64 { return s.used.Now() }

// MeanUsed returns the time-weighted mean of what pods held, as a share of the capacity.
func (s *Sums) MeanUsed(now clock.Time) float64 { return s.used.MeanAt(now) }

// TouchedShare returns the share of the devices that something is taken of.
func (s *Sums) TouchedShare() float64 { return s.touched.Now() }

// HasTarget reports whether there is a target workload, without which nothing is known of fragmentation.
func (s *Sums) HasTarget() bool { return s.target.Pods > 0 }

// Busy returns how many nodes with devices have cpu or devices taken, and how many devices they
// have.
func (s *Sums) Busy() (nodes, devices int64) { return s.busyNodes, s.busyDevices }

// Part returns what of the devices is free and belongs to one of the parts, in the mean over the
// pods of the target workload.
func (s *Sums) Part(p fragment.Part) float64 { return s.target.Thousandths(s.parts[p]) }

// Fragmented returns F: what of the devices is free but unusable, in the mean over the pods of the
// target workload.
func (s *Sums) Fragmented() float64 { return s.target.Thousandths(s.parts.Lost()) }

// advance adds the time up to now to the integrals of MeanFragmented.
func (s *Sums) advance(now clock.Time) {
	if now > s.since && s.target.Pods > 0 {
		seconds := (now - s.since).Seconds()
		s.lost += float64(s.Fragmented() * seconds)
		s.span += float64(float64(s.Capacity()) * seconds)
	}
	s.since = now
}

// MeanFragmented returns the time-weighted mean of F as a share of the capacity, while there was a target workload; in a run
// without length the share now.
func (s *Sums) MeanFragmented(now clock.Time) float64 {
	if now == 0 {
		return gauge.Ratio(s.Fragmented(), float64(s.Capacity()))
	}
	s.advance(now)
	return gauge.Ratio(s.lost, s.span)
}
