package scheduler

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// nominator knows which pending pods expect to get a node that preemption frees.
//
// Upstream: pkg/scheduler/backend/queue/nominator.go, v1.36.3.
type nominator struct {
	of map[cluster.NodeID][]cluster.PodID // in order of nomination
}

func (s *Scheduler) nominate(pod cluster.PodID, node cluster.NodeID) {
	s.clearNomination(pod)
	if node == cluster.None {
		return
	}
	s.queue.info(pod).nominated = s.cluster.Ref(node)
	s.nominator.of[node] = append(s.nominator.of[node], pod)
}

func (s *Scheduler) clearNomination(pod cluster.PodID) {
	info := s.queue.info(pod)
	if node := s.cluster.Resolve(info.nominated); node != cluster.None {
		list := s.nominator.of[node]
		list = slices.DeleteFunc(list, func(p cluster.PodID) bool { return p == pod })
		if len(list) == 0 {
			delete(s.nominator.of, node)
		} else {
			s.nominator.of[node] = list
		}
	}
	info.nominated = cluster.NodeRef{}
}

// forgetNode drops what is kept by the id of a node that was removed: another node may get the
// id. The pods that were nominated to it stay so until their next attempt.
func (s *Scheduler) forgetNode(node cluster.NodeID) { delete(s.nominator.of, node) }

// clearLower takes the nominations of pods of lower priority off a node that a pod
// has preempted on. A pod that needs to preempt nobody, since all that is in its way
// terminates already, leaves them.
//
// Upstream: prepareCandidateAsync, framework/preemption/executor.go, v1.36.3.
func (s *Scheduler) clearLower(node cluster.NodeID, priority int32) []cluster.PodID {
	var cleared []cluster.PodID
	for _, pod := range s.nominator.of[node] {
		if s.cluster.Pod(pod).Class.Priority < priority {
			cleared = append(cleared, pod)
		}
	}
	for _, pod := range cleared {
		s.clearNomination(pod)
	}
	return cleared
}

// nominationLost tells the queue that a pending pod does not hope for a node any more:
// pods of at most its priority had to stand back for it there. The pod except is not
// queued again on account of that.
//
// Upstream: updatePodInSchedulingQueue and deletePodFromSchedulingQueue,
// pkg/scheduler/eventhandlers.go, v1.36.3.
func (s *Scheduler) nominationLost(pod cluster.PodID, from cluster.NodeRef, except cluster.PodID) {
	if from != (cluster.NodeRef{}) {
		p := s.cluster.Pod(pod)
		s.queue.observe(Event{Kind: NominationLost, Node: s.cluster.Resolve(from), Pod: pod, Class: p.Class, Group: p.Group}, except)
	}
}

// Nominated is the node that a pending pod is nominated to, or None if there is none or it does
// not exist any more.
func (s *Scheduler) Nominated(pod cluster.PodID) cluster.NodeID {
	return s.cluster.Resolve(s.queue.info(pod).nominated)
}

// Nominate sets the node that a pod hopes for, as status.nominatedNodeName does. A pod
// that is gated will try that node first, but no room is kept for it there.
//
// Upstream: moveToActiveQ, pkg/scheduler/backend/queue/scheduling_queue.go, v1.36.3.
func (s *Scheduler) Nominate(pod cluster.PodID, node cluster.NodeID) {
	if info := s.queue.info(pod); info.gate >= 0 {
		info.nominated = s.cluster.Ref(node)
		return
	}
	s.nominate(pod, node)
}
