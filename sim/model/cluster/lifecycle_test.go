package cluster

import (
	"slices"
	"testing"
)

func TestAPodGoesThroughItsPhases(t *testing.T) {
	c := New(NewVocabulary())
	node := addNode(t, c, NodeSpec{Name: "n", Allocatable: []Quantity{{CPU, 4000}, {Pods, 10}}})
	class := c.AddClass("web", Class{
		Requests: []Quantity{{CPU, 500}}, NonZero: [2]int64{500, 200}, Ports: []HostPort{{Port: 80}},
	})
	group := c.Groups.Add(Group{Name: "gang", MinMember: 1})
	pod := c.AddPod(Pod{Serial: 7, Name: "web", Class: class, Group: group})
	check := func(phase Phase, cpu int64, ports, reserved int) {
		t.Helper()
		if got := c.Pod(pod).Phase; got != phase {
			t.Errorf("phase %s, want %s", got, phase)
		}
		if got := c.Requested(CPU)[node]; got != cpu {
			t.Errorf("%s: %d milli cpu requested, want %d", phase, got, cpu)
		}
		if got := len(c.PortsOn(node)); got != ports {
			t.Errorf("%s: %d ports taken, want %d", phase, got, ports)
		}
		if got := c.Groups.Group(group).Reserved; got != reserved {
			t.Errorf("%s: %d reserved, want %d", phase, got, reserved)
		}
		if err := c.Verify(); err != nil {
			t.Error(err)
		}
	}
	check(Pending, 0, 0, 0)
	c.Assume(pod, node)
	check(Assumed, 500, 1, 1)
	c.Forget(pod)
	check(Pending, 0, 0, 0)
	c.Assume(pod, node)
	c.Bind(pod, 9)
	check(Bound, 500, 1, 1)
	if got := c.Pod(pod).Start; got != 9 {
		t.Errorf("started at %d, want 9", got)
	}
	c.Terminate(pod, true)
	check(Terminating, 500, 1, 1) // it holds its room until it is gone
	c.RemovePod(pod)
	if c.Alive(pod, 7) || c.NumPods() != 0 || c.Requested(CPU)[node] != 0 || c.Groups.Group(group).Arrived != 1 {
		t.Error("the pod is not gone, or was never seen")
	}
	if again := c.AddPod(Pod{Serial: 8, Class: class}); again != pod || !c.Alive(again, 8) || c.Alive(again, 7) {
		t.Error("the id is not used again for another serial")
	}
}

func TestPhasesOutOfOrderPanic(t *testing.T) {
	c := New(NewVocabulary())
	node := addNode(t, c, NodeSpec{Name: "n"})
	class := c.AddClass("web", Class{})
	pending, bound := c.AddPod(Pod{Name: "a", Class: class}), c.AddPod(Pod{Name: "b", Class: class})
	c.Assume(bound, node)
	c.Bind(bound, 0)
	mustPanic(t, `cluster: pod 1 ("b", Bound) cannot be assumed`, func() { c.Assume(bound, node) })
	mustPanic(t, `cluster: pod 0 ("a", Pending) cannot be forgotten`, func() { c.Forget(pending) })
	mustPanic(t, `cluster: pod 0 ("a", Pending) cannot be bound`, func() { c.Bind(pending, 0) })
	mustPanic(t, `cluster: pod 0 ("a", Pending) cannot be terminated`, func() { c.Terminate(pending, false) })
	mustPanic(t, `cluster: node "n" is removed with 1 pods on it`, func() { c.RemoveNode(node) })
	mustPanic(t, `cluster: node "n" cannot be renamed to "m"`, func() { c.UpdateNode(node, NodeSpec{Name: "m"}) })
	group := c.Groups.Add(Group{})
	c.AddPod(Pod{Class: class, Group: group})
	mustPanic(t, "cluster: a pod group with members is removed", func() { c.Groups.Remove(group) })
}

func TestNodesShareWhatIsEqual(t *testing.T) {
	c := New(NewVocabulary())
	hot := Taint{Key: c.Symbol("hot"), Effect: NoExecute}
	labels := func(host, disk string) LabelSet {
		return c.NewLabelSet(map[string]string{"kubernetes.io/hostname": host, "disk": disk})
	}
	a := addNode(t, c, NodeSpec{Name: "a", Labels: labels("a", "ssd")})
	b := addNode(t, c, NodeSpec{Name: "b", Labels: labels("b", "ssd"), Taints: []Taint{hot}})
	d := addNode(t, c, NodeSpec{Name: "d", Labels: labels("d", "hdd"), Taints: []Taint{hot}, Unschedulable: true})
	if c.Node(a).LabelClass != c.Node(b).LabelClass || c.Node(a).LabelClass == c.Node(d).LabelClass {
		t.Error("label classes are those of labels without the host name")
	}
	if c.Node(b).TaintID != c.Node(d).TaintID || c.Node(a).TaintID == c.Node(b).TaintID {
		t.Error("taint ids are those of lists of taints")
	}
	if !c.AnyHardTaint() || c.AnySoftTaint() || !c.AnyUnschedulable() {
		t.Error("kinds of nodes are miscounted")
	}
	c.UpdateNode(b, NodeSpec{Name: "b"})
	c.RemoveNode(d)
	if c.AnyHardTaint() || c.AnyUnschedulable() || c.NumNodes() != 2 || c.NodeIDs() != 3 {
		t.Error("what went is still counted")
	}
	if _, err := c.AddNode(NodeSpec{Name: "a"}); err == nil || err.Error() != `node "a" exists already` {
		t.Errorf("a second node of one name: %v", err)
	}
}

func TestImagesKeepTheSizeOfTheFirstNode(t *testing.T) {
	c := New(NewVocabulary())
	web := c.Symbol("web:1")
	has := func(size int64) []NodeImage { return []NodeImage{{web, size}} }
	a := addNode(t, c, NodeSpec{Name: "a", Images: has(100)})
	addNode(t, c, NodeSpec{Name: "b", Images: has(200)})
	check := func(want ImageState, known bool) {
		t.Helper()
		if got, ok := c.Images.State(web); got != want || ok != known {
			t.Errorf("image %+v %v, want %+v %v", got, ok, want, known)
		}
	}
	check(ImageState{100, 2}, true)
	c.RemoveNode(a)
	check(ImageState{100, 1}, true) // kept by the entry, not by the node
	b, _ := c.NodeByName("b")
	c.UpdateNode(b, NodeSpec{Name: "b", Images: has(300)}) // the last one to have it: re-created
	check(ImageState{300, 1}, true)
	c.UpdateNode(b, NodeSpec{Name: "b"})
	check(ImageState{}, false)
}

func TestLabelSets(t *testing.T) {
	v := NewVocabulary()
	set := v.NewLabelSet(map[string]string{"b": "2", "a": "1"})
	more := set.With(v.Symbol("c"), v.Symbol("3")).With(v.Symbol("a"), v.Symbol("9"))
	if !slices.Equal(more, v.NewLabelSet(map[string]string{"a": "9", "b": "2", "c": "3"})) {
		t.Errorf("with c=3 and a=9: %v", more)
	}
	if !slices.Equal(more.Without(v.Symbol("a")), v.NewLabelSet(map[string]string{"b": "2", "c": "3"})) {
		t.Error("without a")
	}
	if got, has := set.Get(v.Symbol("a")); !has || v.Text(got) != "1" {
		t.Error("the set that copies were made of has changed")
	}
}
