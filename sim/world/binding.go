package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// setPermitTimer ends the wait of a pod in Permit at that time. In steps waits do not end.
func (s *scheduling) setPermitTimer(at clock.Time, r podRef) {
	if !s.oneShot {
		s.push(at, permitTimer, task{podRef: r})
	}
}

// expire ends the wait of a pod in Permit when it has lasted too long.
func (s *scheduling) expire(r podRef) {
	if !s.pods.isCurrent(r) {
		return
	}
	s.scheduler.Expire(r.pod, s.now)
	s.takeRejected()
	if until, waits := s.scheduler.WaitDeadline(r.pod); waits && s.pods.isCurrent(r) {
		s.setPermitTimer(until, r) // the plugin whose wait has ended had allowed the pod
	}
}

// takeAllowed binds the pods that need not wait in Permit any more.
func (s *scheduling) takeAllowed() {
	for _, pod := range s.scheduler.TakeAllowed() {
		s.emitPod(record.PodAllowed, pod)
		s.startBinding(pod)
	}
}

// takeRejected notes the pods that were rejected in Permit.
func (s *scheduling) takeRejected() {
	for _, r := range s.scheduler.TakeRejected() {
		cause := record.ByPermitReject
		if r.Expired {
			cause = record.ByPermitTimeout
		}
		s.rolledBack(r, cause)
	}
}

// rolledBack notes that a pod has lost its node in Permit or in its binding cycle.
func (s *scheduling) rolledBack(r scheduler.RolledBack, cause record.Cause) {
	s.pods.lostNode(r.Pod, r.Node, cause, r.Message)
	if s.cfg.RolledBack != nil {
		s.cfg.RolledBack(r, cause)
	}
}

// startBinding begins the binding cycle of a pod.
func (s *scheduling) startBinding(pod cluster.PodID) {
	s.enterStage(pod, record.InPreBind)
	if s.volumes != nil {
		if bindings, _ := s.cluster.Volumes.Assumed(pod); len(bindings) > 0 {
			s.push(s.now.Add(s.volumes.preBind(pod, bindings)), preBindDone, task{podRef: s.pods.ref(pod)})
			return
		}
	}
	s.endPreBind(s.pods.ref(pod))
}

// endPreBind goes on with a pod that has waited for its volumes: it is bound in due time
// if they are there, and loses its node if not.
func (s *scheduling) endPreBind(r podRef) {
	if !s.pods.isCurrent(r) {
		return // it lost its node meanwhile
	}
	node := s.cluster.Pod(r.pod).Node
	if ok, why := s.scheduler.PreBind(r.pod, s.now); !ok {
		s.bindingFailed(r.pod, node, why)
		return
	}
	s.enterStage(r.pod, record.InBind)
	s.push(s.now.Add(draw(s.cfg.Latency.Bind)), bindingDone, task{podRef: r})
}

// bind ends the binding cycle of a pod.
func (s *scheduling) bind(r podRef) {
	if !s.pods.isCurrent(r) {
		return // it lost its node meanwhile
	}
	node, class := s.cluster.Pod(r.pod).Node, s.cluster.Pod(r.pod).Class
	ok, why := s.scheduler.Bind(r.pod, s.now)
	if s.scheduler.Interrupted() {
		return // the run ends before this
	}
	if !ok {
		s.bindingFailed(r.pod, node, why)
		return
	}
	s.emitPod(record.PodBound, r.pod)
	s.pods.noteLabels(r.pod, class)
	s.push(s.now.Add(draw(s.cfg.Latency.Start)), started, task{podRef: r})
	if st := &s.pods.states[r.pod]; st.pendingEviction != "" {
		s.pods.evict(r.pod, st.pendingEviction, st.evictor)
		return
	}
	s.notify(notice{kind: podBound, pod: r.pod})
}

// bindingFailed notes that a pod has lost its node in its binding cycle.
func (s *scheduling) bindingFailed(pod cluster.PodID, node cluster.NodeID, why string) {
	s.rolledBack(scheduler.RolledBack{Pod: pod, Node: node, Message: why}, record.ByBindFailure)
	s.takeRejected()
}
