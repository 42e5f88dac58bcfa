package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// scheduling runs the scheduler: one scheduling cycle at a time, and beside it the waits in
// Permit and the binding cycles of pods that have a node. Stage has their states.
type scheduling struct {
	*core
	pods        *podLifecycle
	volumes     *volumeController // nil: PreBind binds volumes itself, in no time
	dryRun      bool              // victims are chosen, and not evicted
	busy        bool              // a cycle is under way
	cycleQueued bool              // a cycle event is in the queue
	flushAt     clock.Time        // of the earliest flush event in the queue
	attempt     *scheduler.Attempt
	victims     []podRef // of the attempt
	cycles      int      // at this instant
}

// maxCyclesAtOnce is how many scheduling cycles may happen at one instant, beyond
// two for each pod: more means that the run does not get on.
const maxCyclesAtOnce = 1_000_000

// wake schedules the next cycle and the next flush, if the scheduler has something to do.
func (s *scheduling) wake() {
	if !s.busy && !s.cycleQueued && s.scheduler.HasNext() {
		s.cycleQueued = true
		s.push(s.now, cycle, task{})
	}
	if at := s.scheduler.NextFlush(); at < s.flushAt {
		s.flushAt = max(at, s.now)
		s.push(s.flushAt, flushTimer, task{})
	}
}

// flush moves pods whose backoff is over, unless an earlier flush has taken the place of this one.
func (s *scheduling) flush() {
	if s.now == s.flushAt {
		s.flushAt = clock.Forever
		s.scheduler.Flush(s.now)
	}
}

// startCycle has the scheduler decide on its next pod.
func (s *scheduling) startCycle() {
	s.cycleQueued = false
	pod, ok := s.scheduler.Pop(s.now)
	if !ok {
		return
	}
	if s.cycles++; s.cycles > maxCyclesAtOnce+2*s.cluster.NumPods() {
		s.fault("no progress: %d scheduling cycles at the instant %s; a scheduling cycle that takes time (latency) would end this", s.cycles, s.now)
		return
	}
	s.schedule(pod)
}

// schedule has the scheduler decide on a pod that it has taken off its queue. The decision holds
// from now on; the scheduler is busy with it for as long as the latency says. It returns nil if
// there is no decision, since the pod is being deleted or the run is interrupted.
func (s *scheduling) schedule(pod cluster.PodID) *scheduler.Attempt {
	if s.pods.states[pod].Deleted() {
		s.pods.drop(pod, false)
		return nil
	}
	a := s.scheduler.Schedule(pod, s.now)
	if s.scheduler.Interrupted() {
		return nil
	}
	if s.cfg.Attempted != nil {
		s.cfg.Attempted(a, s.now)
	}
	s.attempt, s.busy = a, true
	s.victims = s.victims[:0]
	for _, v := range a.Victims {
		s.victims = append(s.victims, podRef{pod: v, serial: s.cluster.Pod(v).Serial})
	}
	if a.Node != cluster.None {
		s.pods.states[pod].assignment++
		s.pods.states[pod].pendingEviction = ""
		s.enterStage(pod, record.InCycle)
	}
	span := s.cfg.Latency.cycle(a, s.cluster.NumNodes())
	s.emitAttempt(a, span)
	s.push(s.now.Add(span), cycleDone, task{})
	return a
}

func (s *scheduling) emitAttempt(a *scheduler.Attempt, span clock.Time) {
	if !s.recording() {
		return
	}
	info := record.AttemptInfo{
		Outcome: a.Outcome.String(), Node: s.nodeSerial(a.Node), Feasible: a.Feasible, Evaluated: a.Evaluated,
		Busy: span, Nominated: s.nodeSerial(a.Nominated), Victims: len(a.Victims), Reasons: a.Reasons(),
	}
	if a.Node != cluster.None {
		info.Held = s.cluster.Devices.Of(a.Pod)
	}
	s.emit(record.Record{Kind: record.PodAttempted, Pod: s.cluster.Pod(a.Pod).Serial, Node: -1, Group: -1, Count: a.Number, Attempt: &info, Text: a.Err})
}

// finishCycle acts on the decision: the pod binds or waits in Permit or is queued
// again, victims are evicted.
func (s *scheduling) finishCycle() {
	a := s.attempt
	s.busy = false
	async := s.scheduler.Rules().AsyncPreemption
	if !async {
		s.evictVictims(a.Pod)
	}
	s.scheduler.EndAttempt(a, s.now)
	if a.Node != cluster.None && s.cluster.Pod(a.Pod).Phase == cluster.Assumed {
		if until, waits := s.scheduler.WaitDeadline(a.Pod); waits {
			s.enterStage(a.Pod, record.InPermit)
			s.setPermitTimer(until, s.pods.ref(a.Pod))
		} else if a.Outcome == scheduler.Scheduled {
			s.startBinding(a.Pod)
		}
	}
	s.takeAllowed()
	s.takeRejected()
	if async {
		s.evictVictims(a.Pod)
	}
}

// evictVictims evicts the victims of a pod, unless this is a dryRun. A pod that is still in its attempt will have the
// events replayed.
//
// Upstream: prepareCandidate and prepareCandidateAsync, framework/preemption/preemption.go, v1.34.4 and v1.35.4, and executor.go, v1.36.3 and
// v1.37.2. Differs: API calls take no time, so that the pod is held until the last of them begins.
func (s *scheduling) evictVictims(preemptor cluster.PodID) {
	if s.dryRun {
		return
	}
	by := s.cluster.Pod(preemptor).Serial
	rules := s.scheduler.Rules()
	if rules.PreemptorHeld && len(s.victims) > 1 {
		s.scheduler.Hold(preemptor)
	}
	canceled := false // the last one, in memory
	for i, v := range s.victims {
		if i == len(s.victims)-1 {
			s.scheduler.Release()
		}
		if canceled = false; s.cluster.Alive(v.pod, v.serial) {
			before := s.cluster.Pod(v.pod).Phase
			s.pods.evict(v.pod, record.ByPreemption, by)
			canceled = before == cluster.Assumed && s.cluster.Alive(v.pod, v.serial) && s.cluster.Pod(v.pod).Phase == cluster.Pending
		}
	}
	if canceled && rules.CanceledVictimActivates {
		s.scheduler.Activate(preemptor, s.now)
	}
}
