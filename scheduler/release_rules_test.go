package scheduler

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// B has rejected a pod, and A gates it. An event that concerns B alone has it looked at again before 1.34 only, and never
// if A looks at nothing but the pod, as SchedulingGates does.
func TestEventsThatUngate(t *testing.T) {
	for _, tt := range []struct {
		rule release.GatedEvents
		of   Dependencies // of A
		want place
	}{
		{release.GatedAll, Volumes, inActive},
		{release.GatedAll, PodItself, inUnschedulable},
		{release.GatedOwn, Volumes, inUnschedulable},
		{release.GatedOwnAndFlush, Volumes, inUnschedulable},
		{release.GatedOwnAndFlush, NodePods, inActive},
	} {
		m := newMoody(t, TieFirst)
		m.s.rules.GatedEvents = tt.rule
		m.addNode("n")
		m.behavior["A"].answers["preEnqueue p"] = "closed"
		pod := m.addPod("p", 0)
		info := m.s.queue.info(pod)
		info.profile.depends[info.gate] = tt.of
		info.rejectors.add(1 - info.gate)
		m.s.queue.joinGroup(info)
		m.behavior["A"].answers["preEnqueue p"] = ""
		m.s.Observe(ClusterEvent{Kind: PodFreed, Node: cluster.None}, 0)
		if info.place != tt.want {
			t.Errorf("%s, gated by a plugin that depends on %b: the pod is at place %d, want %d", tt.rule, tt.of, info.place, tt.want)
		}
	}
}

// A pod with a nominated node is rejected where no plugin is at PostFilter.
func TestARejectionWithoutPostFilterClearsTheNomination(t *testing.T) {
	for _, clears := range []bool{false, true} {
		m := newMoody(t, TieFirst)
		m.s.rules.RejectionClearsNomination = clears
		node := m.addNode("n")
		m.behavior["A"].answers["filter p"] = "unschedulable:busy"
		pod := m.addPod("p", 0)
		m.s.profileOf(pod).postFilter = nil
		m.s.Nominate(pod, node)
		m.s.Pop(0)
		m.s.EndAttempt(m.s.Schedule(pod, 0), 0)
		if kept := m.s.Nominated(pod) == node; kept == clears {
			t.Errorf("rejectionClearsNomination=%t: the pod keeps its nomination: %t", clears, kept)
		}
	}
}
