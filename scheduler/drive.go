package scheduler

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// Add queues a pending pod that has just come.
func (s *Scheduler) Add(pod cluster.PodID, now clock.Time) {
	s.now = now
	s.queue.add(pod)
	if g := s.cluster.Pod(pod).Group; g != cluster.NoGroup {
		s.queue.observe(ClusterEvent{Kind: GroupChanged, Node: cluster.None, Group: g}, pod)
	}
}

// Remove forgets a pod that is about to be removed from the cluster.
func (s *Scheduler) Remove(pod cluster.PodID) {
	s.waiting.remove(pod)
	node := s.queue.info(pod).nominated
	s.clearNomination(pod)
	s.queue.remove(pod)
	delete(s.states, pod)
	s.nominationLost(pod, node, cluster.NoPod)
}

// Observe tells the scheduler of a change of the cluster, after it happened.
func (s *Scheduler) Observe(e ClusterEvent, now clock.Time) {
	s.now = now
	s.queue.observe(e, cluster.NoPod)
}

// Pop takes the pod that is to be scheduled now; false when there is none.
func (s *Scheduler) Pop(now clock.Time) (cluster.PodID, bool) {
	s.now = now
	return s.queue.next()
}

// PopPod removes the pod from the queue for an attempt, as Next does for the first one; it returns
// false if the pod is gated or not in the queue.
func (s *Scheduler) PopPod(pod cluster.PodID, now clock.Time) bool {
	s.now = now
	return s.queue.take(pod)
}

// HasNext reports whether Pop would return a pod.
func (s *Scheduler) HasNext() bool { return s.queue.hasNext() }

// EndAttempt ends the cycle of an attempt: a pod without a node is queued again.
func (s *Scheduler) EndAttempt(a *Attempt, now clock.Time) {
	s.now = now
	switch a.Outcome {
	case Scheduled:
		s.queue.done(a.Pod)
	case Waiting:
		s.queue.endAttempt(a.Pod)
	default:
		s.queue.requeueFailed(a.Pod, a.cycle.rejectors)
		if s.queue.info(a.Pod).nominated != a.nominatedBefore {
			s.nominationLost(a.Pod, a.nominatedBefore, preempting(a))
		}
		for _, pod := range a.ClearedNominations {
			s.nominationLost(pod, a.preemptedOn, preempting(a))
		}
	}
}

// preempting is the pod of an attempt that evicts victims: the nominations that are lost thereby do not wake it.
func preempting(a *Attempt) cluster.PodID {
	if len(a.Victims) > 0 {
		return a.Pod
	}
	return cluster.NoPod
}

// PreBind runs PreBind for an assumed pod, when it has waited for its volumes. If that
// fails, the pod is rolled back and queued again, and the message says why. Even a
// rejection is an error here and in Bind: the pod is tried again after its backoff.
//
// Upstream: bindingCycle and handleBindingCycleError, pkg/scheduler/schedule_one.go, v1.36.3.
func (s *Scheduler) PreBind(pod cluster.PodID, now clock.Time) (bool, string) {
	s.now = now
	for _, pb := range s.profileOf(pod).preBind {
		if st := pb.plugin.PreBind(pod, s.cluster.Pod(pod).Node); st.Code != Success {
			s.rollBackAndRequeue(pod, "")
			return false, st.in("PreBind", pb.plugin).Message
		}
	}
	return true, ""
}

// Bind runs Bind and PostBind for an assumed pod that has gone through PreBind. On success
// the pod is bound; else it is rolled back and queued again, and the message says why. If
// the scheduler is Interrupted, the pod stays assumed as it was.
func (s *Scheduler) Bind(pod cluster.PodID, now clock.Time) (bool, string) {
	s.now = now
	p, node := s.profileOf(pod), s.cluster.Pod(pod).Node
	st := s.runBind(p, pod, node)
	if s.Interrupted() {
		return false, "cut short"
	}
	if st.Code != Success {
		s.rollBackAndRequeue(pod, "")
		return false, st.Message
	}
	s.cluster.Bind(pod, now)
	if s.rules.TopologyLabelsOnBind {
		s.cluster.CopyTopologyLabels(pod)
	}
	delete(s.states, pod)
	for _, pb := range p.postBind {
		pb.plugin.PostBind(pod, node)
	}
	bound := s.cluster.Pod(pod)
	s.queue.observe(ClusterEvent{Kind: PodPlaced, Node: node, Pod: pod, Class: bound.Class, Group: bound.Group}, pod)
	if s.rules.NominatedBindWakes {
		s.nominationLost(pod, s.queue.info(pod).assumedNominated, pod)
	}
	return true, ""
}

// RunBindingCycle runs PreBind and Bind without latency, for callers without a clock.
func (s *Scheduler) RunBindingCycle(pod cluster.PodID, now clock.Time) (bool, string) {
	if ok, why := s.PreBind(pod, now); !ok {
		return false, why
	}
	return s.Bind(pod, now)
}

// runBind binds the pod: by an extender that binds, or else by the first bind plugin that
// does not skip.
func (s *Scheduler) runBind(p *profile, pod cluster.PodID, node cluster.NodeID) Status {
	if st, bound := s.bindExtended(pod, node); bound {
		return st
	}
	for _, b := range p.bind {
		if st := b.plugin.Bind(pod, node); st.Code != Skip {
			return st.in("Bind", b.plugin)
		}
	}
	return Status{Error, "no bind plugin takes the pod"}
}

// PreBindTimeout returns the longest time that PreBind waits for the pod, or clock.Forever if there
// is no limit.
func (s *Scheduler) PreBindTimeout(pod cluster.PodID) clock.Time {
	timeout := clock.Forever
	for _, pb := range s.profileOf(pod).preBind {
		if w, waits := pb.plugin.(WaitingPreBindPlugin); waits {
			timeout = min(timeout, w.PreBindTimeout())
		}
	}
	return timeout
}

// Hold has a pod gated that preempts, until Release. The gate is asked when an event has the pod queued again.
func (s *Scheduler) Hold(pod cluster.PodID) { s.queue.held = pod }

// Release ends Hold.
func (s *Scheduler) Release() { s.queue.held = cluster.NoPod }

// Activate moves a pod that waits for an event or for the end of its backoff to the active queue.
func (s *Scheduler) Activate(pod cluster.PodID, now clock.Time) {
	s.now = now
	s.queue.activate(pod)
}

// Flush moves the pods whose backoff is over to the active queue, and those that have been unschedulable for the
// maximum time to the backoff or the active queue.
func (s *Scheduler) Flush(now clock.Time) {
	s.now = now
	s.queue.flush()
}

// NextFlush returns the earliest time at which Flush is due, or Forever.
func (s *Scheduler) NextFlush() clock.Time { return s.queue.nextFlush() }

// Stuck reports whether further attempts would end as the last ones did, as long as
// nothing happens in the cluster.
func (s *Scheduler) Stuck() bool { return s.queue.stuck() }

// Idle reports whether no pod would be tried again, however long nothing changes.
func (s *Scheduler) Idle() bool {
	d := s.Depth()
	return d.Active+d.Backoff+d.Unschedulable == 0
}

// Depth counts the pods that wait.
func (s *Scheduler) Depth() record.Depth {
	q := s.queue
	return record.Depth{
		Active:        q.active.Len(),
		Backoff:       q.backoff.Len() + q.errorBackoff.Len(),
		Unschedulable: len(q.unschedulablePods) - q.gated,
		Gated:         q.gated,
		Waiting:       len(s.waiting.pods),
	}
}

// OnGate has f called whenever a pod is kept from the active queue for a new reason, and,
// with an empty one, when it no longer is.
func (s *Scheduler) OnGate(f func(pod cluster.PodID, why string)) { s.queue.onGate = f }

// Gate returns why a pod is kept from the active queue, or "" if it is not gated.
func (s *Scheduler) Gate(pod cluster.PodID) string { return s.queue.info(pod).gateMessage }
