package plugins_test

import (
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// equalVictims is a world with two full nodes whose victims are equal, except for when they started.
func equalVictims(t *testing.T, tie scheduler.TieBreak, start1, start2 string) *world {
	w := newWorld(t, worldConfig{tie: tie})
	w.addNodes("n1 cpu=1 memory=8Gi pods=10", "n2 cpu=1 memory=8Gi pods=10")
	w.addPods("a node=n1 cpu=1 priority=1 start="+start1, "b node=n2 cpu=1 priority=1 start="+start2)
	return w
}

// preemptOnce is the node that a pod is nominated to, which is then gone again.
func preemptOnce(w *world) cluster.NodeID {
	w.addPods("boss cpu=1 priority=9")
	pod := w.pods["boss"]
	a := takeAndSchedule(w, pod)
	node := a.Nominated
	w.s.EndAttempt(a, w.now)
	w.s.Remove(pod)
	w.cl.RemovePod(pod)
	delete(w.pods, "boss")
	return node
}

// status.startTime has whole seconds: pods that started within one second tie, and the name decides.
func TestVictimsThatStartedWithinOneSecondTie(t *testing.T) {
	for _, test := range []struct{ start1, start2, want string }{
		{"10100ms", "10900ms", "n1"},
		{"10900ms", "11s", "n2"},
		{"11s", "10900ms", "n1"},
	} {
		w := equalVictims(t, scheduler.TieFirst, test.start1, test.start2)
		if got := preemptOnce(w); got != w.node(test.want) {
			t.Errorf("victims that started at %s and %s: node %d is freed, want %s", test.start1, test.start2, got, test.want)
		}
	}
}

// With random tie-breaks preemption takes either of two equal candidates, and only these.
func TestEqualCandidatesOfPreemptionAreDrawn(t *testing.T) {
	w := equalVictims(t, scheduler.TieRandom, "10100ms", "10900ms")
	w.addNodes("n0 cpu=1 memory=8Gi pods=10")
	w.addPods("c node=n0 cpu=1 priority=2 start=10s")
	taken := map[cluster.NodeID]int{}
	for range 100 {
		taken[preemptOnce(w)]++
	}
	if n1, n2 := taken[w.node("n1")], taken[w.node("n2")]; n1+n2 != 100 || n1 < 30 || n2 < 30 {
		t.Errorf("of 100 n1 is taken %d times, n2 %d times", n1, n2)
	}
}
