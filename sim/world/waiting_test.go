package world_test

import (
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// stageWatch checks before each instant what a world says of the pods that wait.
type stageWatch struct {
	*randomWorld
	world  *world.World
	passed clock.Time // the instant before which the last check was
	seen   map[record.Stage]int
	tries  map[cluster.PodID]try
}

// cycleTime is how long a scheduling cycle takes at least.
const cycleTime = 50 * clock.Millisecond

// try is the last attempt that found a node for a pod.
type try struct {
	at     clock.Time
	serial int64 // of the pod
}

// passing takes the next instant. Nothing happens before it, so its last moment is
// the one to ask about.
func (s *stageWatch) passing(t *testing.T, next clock.Time) {
	if next <= s.passed {
		t.Fatalf("%s comes after %s", next, s.passed)
	}
	s.passed = next
	for id, last := range s.tries {
		if !s.cluster.Alive(id, last.serial) {
			continue
		}
		w, waits := s.world.WaitOf(id)
		if waits != (s.cluster.Pod(id).Phase == cluster.Assumed) {
			t.Fatalf("before %s: pod %d waits: %v", next, last.serial, waits)
		}
		if waits {
			s.check(t, id, w)
		}
	}
}

func (s *stageWatch) check(t *testing.T, id cluster.PodID, w world.Wait) {
	s.seen[w.Stage]++
	last, at := s.tries[id], s.passed-1
	deadline, inPermit := s.cfg.Scheduler.WaitDeadline(id)
	bindings, written := s.cluster.Volumes.Assumed(id)
	wrong := ""
	switch {
	case w.Since < last.at || w.Since > at || w.Until < at:
		wrong = "at another time"
	case w.Stage == record.InCycle && w.Since != last.at:
		wrong = "later than its attempt"
	case w.Stage != record.InCycle && w.Since < last.at+cycleTime:
		wrong = "before its cycle is over"
	case w.Stage == record.InPermit && inPermit && w.Until != deadline:
		wrong = "until another time than the scheduler says"
	case (w.Stage == record.InPreBind || w.Stage == record.InBind) && (inPermit || len(bindings) > 0 && !written):
		wrong = "too early"
	case w.Stage == record.InPreBind && len(bindings) == 0:
		wrong = "for no volume"
	}
	if wrong != "" {
		t.Fatalf("%s: pod %d, tried at %s, waits in %s from %s to %s: %s", at, last.serial, last.at, w.Stage, w.Since, w.Until, wrong)
	}
}

// A pod that has a node and is not bound is in one stage, which began after its attempt.
func TestStagesOfPodsThatWait(t *testing.T) {
	seen := map[record.Stage]int{}
	for seed := range uint64(10) {
		rw := newRandomWorld(t, seed, func(rw *randomWorld) {
			rw.addStorage(t)
			rnd := rand.New(rand.NewPCG(seed, 1))
			for i := range rw.cfg.Arrivals.(*arrivalList).left {
				if a := &rw.cfg.Arrivals.(*arrivalList).left[i]; rnd.IntN(2) == 0 {
					a.Class = rw.withVolume(a.Class, "made")
				}
			}
			rw.cfg.Latency.Cycle, rw.cfg.Latency.Bind = fixed(cycleTime), fixed(300*clock.Millisecond)
			rw.cfg.Latency.Provision = fixed(1500 * clock.Millisecond)
		})
		watch := &stageWatch{randomWorld: rw, seen: seen, tries: map[cluster.PodID]try{}}
		rw.cfg.Attempted = func(a *scheduler.Attempt, now clock.Time) {
			if a.Node != cluster.None {
				watch.tries[a.Pod] = try{now, rw.cluster.Pod(a.Pod).Serial}
			}
		}
		rw.cfg.BeforeAdvance = func(next clock.Time) { watch.passing(t, next) }
		rw.cfg.Record = func(*record.Record) {}
		watch.world = world.New(rw.cfg)
		if _, err := watch.world.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, stage := range []record.Stage{record.InCycle, record.InPermit, record.InPreBind, record.InBind} {
		if seen[stage] < 20 {
			t.Errorf("%d pods were seen in %s: it was not tested", seen[stage], stage)
		}
	}
}
