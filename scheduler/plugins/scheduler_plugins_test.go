package plugins_test

import (
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

func TestNodeResourcesAllocatable(t *testing.T) {
	const name = "NodeResourcesAllocatable"
	weights := func(list ...plugins.ResourceWeight) []plugins.ResourceWeight { return list }
	tests := []struct {
		name  string
		args  any
		nodes []string
		want  string
	}{
		{"small nodes by default", nil, []string{"a cpu=1 memory=1Gi", "b cpu=2 memory=2Gi", "c cpu=3 memory=3Gi"}, "a=100 b=50 c=0"},
		{"large nodes", plugins.AllocatableArgs{Mode: plugins.MostAllocatable, Resources: plugins.DefaultAllocatableArgs().Resources},
			[]string{"a cpu=1 memory=1Gi", "b cpu=2 memory=2Gi", "c cpu=3 memory=3Gi"}, "a=0 b=50 c=100"},
		{"equal nodes", nil, []string{"a cpu=1 memory=1Gi", "b cpu=1 memory=1Gi"}, "a=0 b=0"},
		{"the last weight of a resource counts",
			plugins.AllocatableArgs{Mode: plugins.MostAllocatable, Resources: weights(
				plugins.ResourceWeight{Name: "cpu", Weight: 1 << 40}, plugins.ResourceWeight{Name: "memory", Weight: 1}, plugins.ResourceWeight{Name: "cpu", Weight: 1})},
			[]string{"a cpu=1 memory=2Gi", "b cpu=2 memory=1Gi"}, "a=100 b=0"},
		{"the number of pods does not count, but its weight does", // 1010 and 1012 are 1 each when they are divided by 1001
			plugins.AllocatableArgs{Mode: plugins.MostAllocatable, Resources: weights(
				plugins.ResourceWeight{Name: "cpu", Weight: 1}, plugins.ResourceWeight{Name: "pods", Weight: 1000})},
			[]string{"a cpu=1010m pods=10", "b cpu=1012m pods=2000"}, "a=0 b=0"},
	}
	for _, tt := range tests {
		w := newWorld(t, worldConfig{plugins: []string{name}, args: map[string]any{name: tt.args}})
		w.addNodes(tt.nodes...)
		w.addPods("p cpu=500m")
		if got := scores(w, w.try("p"), name); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestNodeResourcesAllocatableRefusesArguments(t *testing.T) {
	for _, a := range []plugins.AllocatableArgs{
		{Mode: "least", Resources: plugins.DefaultResources()},
		{Mode: plugins.LeastAllocatable},
		{Mode: plugins.LeastAllocatable, Resources: []plugins.ResourceWeight{{Name: "cpu"}}},
	} {
		if _, err := plugins.Registry().ExtensionPointsOf("NodeResourcesAllocatable", a, nil); err == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
}

// Terminating pods count for a node and nominated ones against it. Those that only run do not count.
func TestPodState(t *testing.T) {
	w := newWorld(t, worldConfig{plugins: []string{"PodState"}})
	w.addNodes("empty", "busy", "leaving", "wanted", "both")
	w.addPods("r1 node=busy", "l1 node=leaving", "l2 node=leaving", "l3 node=both", "w1 nominated=wanted", "w2 nominated=wanted", "w3 nominated=both", "p")
	for _, pod := range []string{"l1", "l2", "l3"} {
		w.cl.Terminate(w.pods[pod], false)
	}
	if got, want := scores(w, w.try("p"), "PodState"), "empty=50 busy=50 leaving=100 wanted=0 both=50"; got != want {
		t.Errorf("scores are %s, want %s", got, want)
	}
}

func TestQOSSort(t *testing.T) {
	registry := plugins.Registry()
	var sort scheduler.QueueSortPlugin
	make := registry["QOSSort"]
	registry["QOSSort"] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		p, err := make(h, args)
		sort = p.(scheduler.QueueSortPlugin)
		return p, err
	}
	profile := onlyThese(t, registry, []string{"QOSSort", "DefaultBinder"}, nil, nil)
	cl := cluster.New(cluster.NewVocabulary())
	if _, err := scheduler.New(cl, scheduler.Config{Profiles: []scheduler.ProfileConfig{profile}, Registry: registry, Tie: scheduler.TieFirst}); err != nil {
		t.Fatal(err)
	}
	pod := func(key string, priority int32, q cluster.QoS) *scheduler.QueuedPod {
		id := cl.AddPod(cluster.Pod{Name: key, Class: cl.AddClass(key, cluster.Class{Priority: priority, QoS: q})})
		return &scheduler.QueuedPod{Pod: id, Priority: priority}
	}
	late := pod("guaranteed, late", 0, cluster.Guaranteed)
	late.Timestamp = 1
	order := []*scheduler.QueuedPod{
		pod("urgent", 1, cluster.BestEffort), pod("guaranteed", 0, cluster.Guaranteed), late,
		pod("burstable", 0, cluster.Burstable), pod("best effort", 0, cluster.BestEffort), pod("low", -1, cluster.Guaranteed),
	}
	got := slices.Clone(order)
	slices.Reverse(got)
	slices.SortStableFunc(got, func(a, b *scheduler.QueuedPod) int {
		switch {
		case sort.Less(a, b):
			return -1
		case sort.Less(b, a):
			return 1
		}
		return 0
	})
	for i := range got {
		if got[i] != order[i] {
			t.Errorf("pod %d in the queue is %s, want %s", i, cl.Pod(got[i].Pod).Name, cl.Pod(order[i].Pod).Name)
		}
	}
}
