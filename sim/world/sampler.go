package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// sampler takes samples of the queue and of the fragmentation of the free capacity, and keeps the
// mix of pods that fragmentation is measured by.
type sampler struct {
	*core
	byClass   []int64    // pods that have arrived
	target    *targetMix // what the target workload is taken from; nil: it is given
	sampledAt clock.Time
	due       clock.Time // when the next sample is due
	samples   int
	rooms     rooms // of the classes of the mix
}

// begin sets the target workload if it is given, and schedules the first sample.
func (s *sampler) begin() {
	s.beginTarget()
	if s.cfg.SampleEvery > 0 {
		s.push(0, sample, task{})
	}
}

// count adds a pod that has arrived to the mix.
func (s *sampler) count(class *cluster.Class) {
	*at(&s.byClass, class.ID)++
	s.countForTarget(class)
}

// sampleOnTime takes a sample at an instant of the interval. The last one is taken when the run
// ends.
func (s *sampler) sampleOnTime() {
	if s.now < s.cfg.Horizon {
		s.sample(false)
	}
	s.due = s.now.Add(s.interval())
	s.push(s.due, sample, task{})
}

// skip takes a sample now if others were due before the end, until which nothing changes.
func (s *sampler) skip(end clock.Time) {
	if s.cfg.SampleEvery > 0 && s.due < end {
		s.sample(false)
	}
}

func (s *sampler) interval() clock.Time {
	if s.cfg.SampleShare == 0 {
		return s.cfg.SampleEvery
	}
	return max(s.cfg.SampleEvery, s.now/clock.Time(s.cfg.SampleShare))
}

// sample takes a sample, if none has been taken at this instant.
func (s *sampler) sample(last bool) {
	if s.sampledAt == s.now {
		return
	}
	s.sampledAt = s.now
	info := &record.Sample{Queue: s.scheduler.Depth()}
	if s.cfg.FragmentationMeter != nil {
		info.Fragmentation = s.fragmentation(s.cfg.FragmentationMeter, last)
	}
	s.emit(record.Record{Kind: record.Sampled, Pod: -1, Node: -1, Group: -1, Sample: info})
}
