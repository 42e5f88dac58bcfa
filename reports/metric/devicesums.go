package metric

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// DeviceSums are sums over the devices of all nodes, or of those of a pool, in thousandths of
// devices unless they are counts.
type DeviceSums struct {
	target  *fragment.Target
	pool    string
	known   bool // there have been devices
	used    share
	touched share          // devices that something is taken of
	parts   fragment.Parts // of what is free
	lost    float64        // ∫ F dt up to since, in thousandths × seconds
	span    float64        // ∫ capacity dt while there was a target workload, alike
	since   clock.Time

	busyNodes, busyDevices int64 // that have cpu or devices taken
}

// Pool is the name of the pool.
func (s *DeviceSums) Pool() string { return s.pool }

// Any reports whether there have been devices.
func (s *DeviceSums) Any() bool { return s.known }

// Capacity is all of the devices.
func (s *DeviceSums) Capacity() int64 { return s.used.whole.level }

// Used is what pods hold of devices.
func (s *DeviceSums) Used() int64 { return s.used.taken.level }

// Touched is how many devices something is taken of.
func (s *DeviceSums) Touched() int64 { return s.touched.taken.level }

// Busy is how many nodes with devices have cpu or devices taken, and how many devices they
// have.
func (s *DeviceSums) Busy() (nodes, devices int64) { return s.busyNodes, s.busyDevices }

// Part is what of the devices is free and belongs to one of the parts, in the mean over the
// pods of the target workload.
func (s *DeviceSums) Part(p fragment.Part) float64 { return s.target.Thousandths(s.parts[p]) }

// Fragmented is F: what of the devices is free but unusable, in the mean over the pods of the
// target workload.
func (s *DeviceSums) Fragmented() float64 { return s.target.Thousandths(s.parts.Lost()) }

// settle books what was lost up to now.
func (s *DeviceSums) settle(now clock.Time) {
	if now > s.since && s.target.Pods > 0 {
		seconds := (now - s.since).Seconds()
		s.lost += float64(s.Fragmented() * seconds)
		s.span += float64(float64(s.Capacity()) * seconds)
	}
	s.since = now
}

// meanFragmented is the time-weighted mean of F as a share of the capacity; in a run without
// length it is the share now.
func (s *DeviceSums) meanFragmented(now clock.Time) float64 {
	if now == 0 {
		return ratio(s.Fragmented(), float64(s.Capacity()))
	}
	s.settle(now)
	return ratio(s.lost, s.span)
}
