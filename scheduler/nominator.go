package scheduler

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// nominator knows which pending pods expect to get a node that preemption frees.
//
// Upstream: pkg/scheduler/backend/queue/nominator.go, v1.36.3.
type nominator struct {
	of map[cluster.NodeRef][]cluster.PodID // in order of nomination
}

func (s *Scheduler) nominate(pod cluster.PodID, node cluster.NodeID) {
	s.clearNomination(pod)
	if node == cluster.None {
		return
	}
	ref := s.cluster.Ref(node)
	s.queue.info(pod).nominated = ref
	s.nominator.of[ref] = append(s.nominator.of[ref], pod)
	s.cluster.NoteNomination(node)
}

func (s *Scheduler) clearNomination(pod cluster.PodID) {
	info := s.queue.info(pod)
	if info.nominated == (cluster.NodeRef{}) {
		return
	}
	list := s.nominator.of[info.nominated]
	list = slices.DeleteFunc(list, func(p cluster.PodID) bool { return p == pod })
	if len(list) == 0 {
		delete(s.nominator.of, info.nominated)
	} else {
		s.nominator.of[info.nominated] = list
	}
	if node := s.cluster.Resolve(info.nominated); node != cluster.None {
		s.cluster.NoteNomination(node)
	}
	info.nominated = cluster.NodeRef{}
}

// clearLower takes the nominations of pods of lower priority off a node that a pod has preempted
// on. If all pods that must be evicted are already terminating, the nominations are kept.
//
// Upstream: prepareCandidateAsync, framework/preemption/executor.go, v1.36.3.
func (s *Scheduler) clearLower(node cluster.NodeID, priority int32) []cluster.PodID {
	var cleared []cluster.PodID
	for _, pod := range s.nominator.of[s.cluster.Ref(node)] {
		if s.cluster.Pod(pod).Class.Priority < priority {
			cleared = append(cleared, pod)
		}
	}
	for _, pod := range cleared {
		s.clearNomination(pod)
	}
	return cleared
}

// nominationLost tells the queue that a pending pod is not nominated to a node any more: pods of at
// most its priority could not use the resources reserved for it. The pod except is not queued again
// on account of that.
//
// Upstream: updatePodInSchedulingQueue and deletePodFromSchedulingQueue,
// pkg/scheduler/eventhandlers.go, v1.36.3.
func (s *Scheduler) nominationLost(pod cluster.PodID, from cluster.NodeRef, except cluster.PodID) {
	if from != (cluster.NodeRef{}) {
		p := s.cluster.Pod(pod)
		s.queue.observe(ClusterEvent{Kind: NominationLost, Node: s.cluster.Resolve(from), Pod: pod, Class: p.Class, Group: p.Group}, except)
	}
}

// Nominated returns the node that a pending pod is nominated to, or None if there is none or it
// does not exist any more.
func (s *Scheduler) Nominated(pod cluster.PodID) cluster.NodeID {
	return s.cluster.Resolve(s.queue.info(pod).nominated)
}

// Nominate sets the node that a pod is nominated to, as status.nominatedNodeName does. Whether room is
// kept there for a pod that is gated is a rule; it will try that node first in any case.
//
// Upstream: moveToActiveQ and addPod, pkg/scheduler/backend/queue/scheduling_queue.go, v1.36.3 and v1.37.2.
func (s *Scheduler) Nominate(pod cluster.PodID, node cluster.NodeID) {
	if info := s.queue.info(pod); info.gate >= 0 && !s.rules.GatedNominationCounts {
		info.nominated = s.cluster.Ref(node)
		return
	}
	s.nominate(pod, node)
}
