package cluster

import "testing"

// TestTryLeave: a pod that leaves for a trial is missing where it was counted, and nowhere
// else: one that terminates is not active, though a removal takes it off them.
func TestTryLeave(t *testing.T) {
	c := New(NewVocabulary())
	app := c.Symbol("app")
	node := addNode(t, c, NodeSpec{Name: "n", Labels: c.NewLabelSet(map[string]string{"zone": "a"}), Allocatable: []Quantity{{CPU, 1000}, {Pods, 9}}})
	class := c.AddClass("web", Class{Labels: c.NewLabelSet(map[string]string{"app": "web"}), Requests: []Quantity{{CPU, 100}}})
	var pods [2]PodID
	for i := range pods {
		pods[i] = c.AddPod(Pod{Serial: int64(i), Name: "web", Class: class, Group: NoGroup})
		c.Assume(pods[i], node)
		c.Bind(pods[i], 0)
	}
	c.Terminate(pods[1], false)
	selector := LabelSelector{Requirements: []Requirement{{Key: app, Op: Exists}}}
	active := c.Topology.Counts(c.Topology.Partition(c.Symbol("zone"), NodeInclusionPolicy{}), c.ActivePods(0, selector))
	if !c.Topology.Includes(active, pods[0]) || c.Topology.Includes(active, pods[1]) {
		t.Error("the pod that terminates is counted, or the other one is not")
	}
	for i, tt := range []struct {
		try       func(PodID)
		pod       PodID
		left, cpu int64
		announced int
	}{
		{c.TryDelete, pods[0], 0, 100, 0},
		{c.TryDelete, pods[1], 1, 100, 0},
		{c.TryRemove, pods[0], 0, 100, 1},
		{c.TryRemove, pods[1], 0, 100, 1},
	} {
		mark := c.Mark()
		tt.try(tt.pod)
		moves := 0
		c.EachTrialMove(func(PodID, bool) { moves++ })
		afresh := c.Topology.Counts(c.Topology.EachNode(), c.ActivePods(0, selector)).Total()
		if active.Total() != tt.left || afresh != tt.left || c.Requested(CPU)[node] != tt.cpu || moves != tt.announced {
			t.Errorf("case %d: %d are left, or %d, with %d cpu, after %d moves", i, active.Total(), afresh, c.Requested(CPU)[node], moves)
		}
		c.Rollback(mark)
		if active.Total() != 1 || c.Requested(CPU)[node] != 200 {
			t.Errorf("case %d: the trial is not undone", i)
		}
	}
	if err := c.Verify(); err != nil {
		t.Error(err)
	}
}
