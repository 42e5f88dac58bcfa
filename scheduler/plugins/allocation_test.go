package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// allocations is how often one cycle allocates for a pod, in a cluster of so many nodes of
// several kinds.
func allocations(t *testing.T, registry scheduler.Registry, nodes int, pod string) float64 {
	t.Helper()
	w := newWorld(t, worldConfig{registry: registry, percentage: 100, tie: scheduler.TieUpstream})
	kinds := []string{
		"label=disk:ssd", "label=disk:hdd example.com/gpu=4", "taint=a::PreferNoSchedule taint=b::NoSchedule", "image=web:1@500Mi",
	}
	for i := range nodes {
		w.addNodes(fmt.Sprintf("n%d cpu=8 memory=16Gi pods=110 zone=%d %s", i, i%3, kinds[i%len(kinds)]))
	}
	w.addNodes("bare cpu=8 pods=110") // lacks one of the two resources that are scored
	class := w.cl.AddClass(pod, w.class(fieldsOf(pod)))
	return testing.AllocsPerRun(20, func() {
		id := w.cl.AddPod(cluster.Pod{Class: class})
		w.s.Add(id, w.now)
		next, _ := w.s.Pop(w.now)
		a := w.s.Schedule(next, w.now)
		w.s.EndAttempt(a, w.now)
		w.s.Remove(id)
		w.cl.RemovePod(id)
	})
}

func fieldsOf(pod string) []field {
	_, fields := split("p " + pod)
	return fields
}

func TestACycleAllocatesNothingPerNode(t *testing.T) {
	tests := []struct {
		pod string
		few int
	}{
		{"cpu=1 memory=1Gi", 100},
		{"cpu=1", 100},
		{"cpu=1 example.com/gpu=1", 100},
		{"cpu=1 selector=disk:ssd tolerate=b:* image=web:1 port=80", 100},
		{"cpu=99", 300}, // fits nowhere; the numbers of nodes in its message allocate from 256 on
	}
	for _, tt := range tests {
		few, many := allocations(t, nil, tt.few, tt.pod), allocations(t, nil, 5000, tt.pod)
		if few != many {
			t.Errorf("a pod with %s: %v allocations with %d nodes, %v with 5000", tt.pod, few, tt.few, many)
		}
	}
}

// wasteful scores nodes and allocates for each.
type wasteful struct{ scheduler.ScorePlugin }

var wasted []byte // keeps what wasteful allocates on the heap

func (p wasteful) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	wasted = make([]byte, 1)
	return p.ScorePlugin.Score(c, node)
}

func TestAnAllocationPerNodeIsNoticed(t *testing.T) {
	registry := plugins.Registry()
	images := registry["ImageLocality"]
	registry["ImageLocality"] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		p, err := images(h, args)
		return wasteful{p.(scheduler.ScorePlugin)}, err
	}
	few, many := allocations(t, registry, 100, "cpu=1"), allocations(t, registry, 5000, "cpu=1")
	if many < few+3000 {
		t.Errorf("%v allocations with 100 nodes, %v with 5000", few, many)
	}
}
