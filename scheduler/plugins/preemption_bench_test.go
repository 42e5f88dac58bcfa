package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// BenchmarkPreemption schedules pods onto full nodes: each must preempt another one, finds
// victims on every one of 100 candidates, and is placed at its second attempt.
func BenchmarkPreemption(b *testing.B) {
	for _, size := range []struct{ nodes, podsPerNode int }{{100, 8}, {1000, 8}, {5000, 8}} {
		b.Run(fmt.Sprintf("nodes=%d/podsPerNode=%d", size.nodes, size.podsPerNode), func(b *testing.B) {
			w := newWorld(b, worldConfig{percentage: 100})
			for i := range size.nodes {
				w.addNodes(fmt.Sprintf("n%d cpu=%d memory=64Gi pods=110", i, size.podsPerNode))
			}
			low := w.cl.AddClass("low", w.class(fieldsOf("cpu=1 memory=1Gi priority=1")))
			high := w.cl.AddClass("high", w.class(fieldsOf("cpu=1 memory=1Gi priority=9")))
			run := func(class *cluster.Class, node cluster.NodeID) {
				pod := w.cl.AddPod(cluster.Pod{Class: class})
				w.cl.Assume(pod, node)
				w.cl.Bind(pod, 0)
			}
			for i := range size.nodes * size.podsPerNode {
				run(low, cluster.NodeID(i%size.nodes))
			}
			b.ReportAllocs()
			for b.Loop() {
				pod := w.cl.AddPod(cluster.Pod{Class: high})
				w.s.Add(pod, 0)
				a := takeAndSchedule(w, pod)
				if len(a.Victims) != 1 {
					b.Fatalf("%d victims: %s", len(a.Victims), a.Message())
				}
				victim := a.Victims[0]
				w.s.EndAttempt(a, 0)
				w.s.Remove(victim)
				w.cl.RemovePod(victim)
				if a = takeAndSchedule(w, pod); a.Outcome != scheduler.Scheduled {
					b.Fatal(a.Message())
				}
				node := a.Node
				w.s.EndAttempt(a, 0)
				w.s.Remove(pod)
				w.cl.RemovePod(pod)
				run(low, node) // the fleet is as before
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

func takeAndSchedule(w *world, pod cluster.PodID) *scheduler.Attempt {
	w.s.PopPod(pod, 0)
	return w.s.Schedule(pod, 0)
}
