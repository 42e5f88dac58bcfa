package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/workloads"
)

// arrivals creates the pods of the scenario's workloads.
type arrivals struct {
	*core
	pods    *podLifecycle
	sampler *sampler
	next    workloads.Arrival // the head of the stream
	more    bool              // there is one
	longest clock.Time        // finite lifetime so far
}

// pull takes the next arrival off the stream and schedules it.
func (s *arrivals) pull() {
	next, more, err := s.cfg.Arrivals.Next()
	if err != nil {
		s.fault("%w", err)
		return
	}
	if s.next, s.more = next, more; more {
		s.push(max(next.At, s.now), arrival, task{})
	}
}

// arrive creates the pod that has been pulled.
func (s *arrivals) arrive() {
	s.progress = s.now
	if lifetime := s.next.Lifetime; lifetime != clock.Forever {
		s.longest = max(s.longest, lifetime)
	}
	s.arriveNew(s.next)
	s.pull()
}

// arriveNew creates a pod that is not a re-creation of another. Such pods make up the mix that
// fragmentation is measured by, except daemons, which are made for one node each, and pods that are
// being deleted.
func (s *arrivals) arriveNew(a workloads.Arrival) {
	s.pods.declareClass(a.Class)
	if !a.Daemon && !a.Deleted() {
		s.sampler.count(a.Class)
	}
	s.pods.create(a)
}
