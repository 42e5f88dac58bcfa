package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// spreadClass is the class of pods of an app that spread evenly over zones and prefer
// nodes with few of their kind.
func spreadClass(cl *cluster.Cluster, app int) *cluster.Class {
	name := fmt.Sprintf("app-%d", app)
	selector := cluster.LabelSelector{Requirements: []cluster.Requirement{
		{Key: cl.Symbol("app"), Op: cluster.In, Values: []cluster.Symbol{cl.Symbol(name)}},
	}}
	c := *benchClasses(cl)[app%4]
	c.Labels = cl.NewLabelSet(map[string]string{"app": name})
	c.Spread = []cluster.SpreadConstraint{
		{TopologyKey: cl.Symbol("topology.kubernetes.io/zone"), MaxSkew: 1, MinDomains: 1, Hard: true, Selector: selector, HonorNodeAffinity: true},
		{TopologyKey: cl.Hostname, MaxSkew: 1, MinDomains: 1, Selector: selector, HonorNodeAffinity: true},
	}
	return cl.AddClass(name, c)
}

// BenchmarkSpread schedules pods of ten apps, with zones as hard and host names as soft
// constraint, every node filtered and scored for each of them that keeps the zones even.
func BenchmarkSpread(b *testing.B) {
	const apps = 10
	for _, size := range []struct{ nodes, pods int }{{100, 2000}, {1000, 10000}, {5000, 10000}} {
		b.Run(fmt.Sprintf("nodes=%d/pods=%d", size.nodes, size.pods), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				cl, s := benchFleet(b, size.nodes)
				for i := range size.pods {
					s.Add(cl.AddPod(cluster.Pod{Serial: int64(i), Class: spreadClass(cl, i%apps)}), 0)
				}
				b.StartTimer()
				placed := 0
				for pod, ok := s.Pop(0); ok; pod, ok = s.Pop(0) {
					a := s.Schedule(pod, 0)
					s.EndAttempt(a, 0)
					if a.Outcome == scheduler.Scheduled && a.Evaluated == size.nodes && a.Feasible >= size.nodes/3 {
						placed++
					}
				}
				if placed != size.pods {
					b.Fatalf("%d of %d pods were placed, all nodes looked at", placed, size.pods)
				}
			}
			perPod := b.Elapsed().Seconds() / float64(b.N*size.pods)
			b.ReportMetric(1/perPod, "pods/s")
			b.ReportMetric(perPod*1e9/float64(size.nodes), "ns/node")
		})
	}
}
