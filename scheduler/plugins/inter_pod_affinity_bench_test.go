package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// benchSocial schedules pods of four sizes and one label, every node filtered and scored for
// each of them; terms gives them their terms, from one about all of them by host name.
func benchSocial(b *testing.B, nodes, pods int, terms func(*cluster.Class, *cluster.PodTerm)) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		cl, s := benchFleet(b, nodes)
		app := cl.NewLabelSet(map[string]string{"app": "web"})
		term := cl.AddPodTerm(cluster.PodTerm{
			TopologyKey: cl.Hostname, Namespaces: []cluster.Symbol{cl.Symbol("default")}, NamespaceSelector: cluster.SelectsNothing(),
			Selector: cluster.LabelSelector{Requirements: []cluster.Requirement{{Key: app[0].Key, Values: []cluster.Symbol{app[0].Value}}}},
		})
		var classes []*cluster.Class
		for i, plain := range benchClasses(cl) {
			class := *plain
			class.Namespace, class.Labels = cl.Symbol("default"), app
			terms(&class, term)
			classes = append(classes, cl.AddClass(fmt.Sprint("social", i), class))
		}
		for i := range pods {
			s.Add(cl.AddPod(cluster.Pod{Serial: int64(i), Class: classes[i%len(classes)]}), 0)
		}
		b.StartTimer()
		placed := 0
		for pod, ok := s.Pop(0); ok; pod, ok = s.Pop(0) {
			a := s.Schedule(pod, 0)
			s.EndAttempt(a, 0)
			if a.Outcome == scheduler.Scheduled && a.Evaluated == nodes {
				placed++
			}
		}
		if placed != pods {
			b.Fatalf("%d of %d pods were placed over all nodes", placed, pods)
		}
	}
	perPod := b.Elapsed().Seconds() / float64(b.N*pods)
	b.ReportMetric(1/perPod, "pods/s")
	b.ReportMetric(perPod*1e9/float64(nodes), "ns/node")
}

// BenchmarkPreferredAntiAffinity: every pod would rather be on a node without the others.
func BenchmarkPreferredAntiAffinity(b *testing.B) {
	for _, size := range []struct{ nodes, pods int }{{100, 2000}, {1000, 10000}, {5000, 10000}} {
		b.Run(fmt.Sprintf("nodes=%d/pods=%d", size.nodes, size.pods), func(b *testing.B) {
			benchSocial(b, size.nodes, size.pods, func(c *cluster.Class, t *cluster.PodTerm) {
				c.PreferredAntiAffinity = []cluster.WeightedPodTerm{{Weight: 100, Term: t}}
			})
		})
	}
}

// BenchmarkRequiredAntiAffinity: every pod excludes all others from its node.
func BenchmarkRequiredAntiAffinity(b *testing.B) {
	for _, size := range []struct{ nodes, pods int }{{100, 100}, {1000, 1000}, {5000, 5000}} {
		b.Run(fmt.Sprintf("nodes=%d/pods=%d", size.nodes, size.pods), func(b *testing.B) {
			benchSocial(b, size.nodes, size.pods, func(c *cluster.Class, t *cluster.PodTerm) {
				c.AntiAffinity = []*cluster.PodTerm{t}
			})
		})
	}
}
