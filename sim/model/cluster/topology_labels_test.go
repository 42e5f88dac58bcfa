package cluster

import "testing"

// A bound pod has the zone and the region of its node over its own, once a selector names one of them, and is counted by them.
func TestCopyTopologyLabels(t *testing.T) {
	c := New(NewVocabulary())
	zone, region, app := c.Symbol(zoneLabel), c.Symbol(regionLabel), c.Symbol("app")
	labels := func(of map[string]string) LabelSet { return c.NewLabelSet(of) }
	near := addNode(t, c, NodeSpec{Name: "near", Labels: labels(map[string]string{zoneLabel: "a", regionLabel: "r", "rack": "7"})})
	far := addNode(t, c, NodeSpec{Name: "far", Labels: labels(map[string]string{zoneLabel: "b"})})
	bare := addNode(t, c, NodeSpec{Name: "bare"})
	class := c.AddClass("web", Class{Labels: labels(map[string]string{"app": "web", zoneLabel: "elsewhere"})})
	in := func(value string) *DomainCounts {
		return c.Topology.Counts(c.Topology.EachNode(), c.ActivePods(0, LabelSelector{Requirements: []Requirement{{Key: zone, Op: In, Values: []Symbol{c.Symbol(value)}}}}))
	}
	bind := func(node NodeID) PodID {
		pod := c.AddPod(Pod{Name: "web", Class: class})
		c.Assume(pod, node)
		c.Bind(pod, 0)
		c.CopyTopologyLabels(pod)
		return pod
	}
	if early := bind(near); c.Pod(early).Class != class {
		t.Error("no selector names a topology label, and the pod got them")
	}
	c.NoteSelectorKey(app)
	if early := bind(near); c.Pod(early).Class != class {
		t.Error("a selector that names another label gave the pod topology labels")
	}
	c.NoteSelectorKey(region)
	elsewhere, a := in("elsewhere"), in("a")
	first, second := bind(near), bind(near)
	if elsewhere.On(near) != 2 || a.On(near) != 2 {
		t.Errorf("%d pods are labeled as elsewhere and %d as in zone a, want 2 and 2", elsewhere.On(near), a.On(near))
	}
	labeled := c.Pod(first).Class
	if labeled != c.Pod(second).Class || labeled.Serial != -1 || class.Serial != 0 {
		t.Error("pods of one class on one node are of different classes, or records name the class")
	}
	for key, want := range map[Symbol]string{zone: "a", region: "r", app: "web"} {
		if got, _ := labeled.Labels.Get(key); c.Text(got) != want {
			t.Errorf("%s is %q, want %q", c.Text(key), c.Text(got), want)
		}
	}
	if _, has := labeled.Labels.Get(c.Symbol("rack")); has {
		t.Error("the pod got a label that is not of the topology")
	}
	if got, has := c.Pod(bind(far)).Class.Labels.Get(region); has {
		t.Errorf("the node has no region, and the pod got %q", c.Text(got))
	}
	if c.Pod(bind(bare)).Class != class {
		t.Error("a node without topology labels changed the pod's")
	}
	if err := c.Verify(); err != nil {
		t.Error(err)
	}
	c.Terminate(first, false)
	c.RemovePod(first)
	if err := c.Verify(); err != nil || a.On(near) != 1 {
		t.Errorf("%v; %d pods in the zone, want 1", err, a.On(near))
	}
}
