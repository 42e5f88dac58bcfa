package plugins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// BenchmarkFailingAttempt tries a pod that no node of a full fleet has room for, and reads the message and the reasons of
// every attempt, as a run does: what a pending pod costs in an overloaded cluster. Neighboring nodes lack the same, or
// each something else.
func BenchmarkFailingAttempt(b *testing.B) {
	for _, verdicts := range []int{1, 3} {
		b.Run(fmt.Sprintf("nodes=5000/verdicts=%d", verdicts), func(b *testing.B) { benchFailing(b, 5000, verdicts) })
	}
}

func benchFailing(b *testing.B, nodes, verdicts int) {
	cl, s := benchFleet(b, nodes)
	full := []*cluster.Class{fillingClass(cl, 31500, 127*gib), fillingClass(cl, 1000, 127*gib), fillingClass(cl, 31500, gib)}[:verdicts]
	for i := range nodes {
		pod := cl.AddPod(cluster.Pod{Serial: int64(i), Class: full[i%len(full)]})
		cl.Assume(pod, cluster.NodeID(i))
		cl.Bind(pod, 0)
	}
	pod := cl.AddPod(cluster.Pod{Serial: int64(nodes), Class: fillingClass(cl, 2000, 4*gib)})
	s.Add(pod, 0)
	b.ReportAllocs()
	for b.Loop() {
		s.PopPod(pod, 0)
		a := s.Schedule(pod, 0)
		if r := a.Reasons(); a.Outcome != scheduler.Rejected || a.Evaluated != nodes || len(r) != 2 || r[1].Nodes < nodes/2 {
			b.Fatalf("%s, %d nodes evaluated: %v", a.Outcome, a.Evaluated, r)
		}
		if message := a.Message(); !strings.HasPrefix(message, "0/5000 nodes are available: ") || !strings.Contains(message, "No preemption victims found") {
			b.Fatal(message)
		}
		s.EndAttempt(a, 0)
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*nodes), "ns/node")
}

// fillingClass is a class of pods that leave little room on a node of benchFleet.
func fillingClass(cl *cluster.Cluster, milliCPU, memory int64) *cluster.Class {
	requests := []cluster.Quantity{{Resource: cluster.CPU, Amount: milliCPU}, {Resource: cluster.Memory, Amount: memory}}
	size := [2]int64{milliCPU, memory}
	return cl.AddClass(fmt.Sprint(size), cluster.Class{
		SchedulerName: "default-scheduler", Requests: requests, ScoreRequests: requests, NonZero: size, ScoreNonZero: size, Containers: 1,
	})
}
