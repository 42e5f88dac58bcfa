package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// defaultProfile is the default profile of this package's plugins, every node looked
// at.
func defaultProfile() scheduler.ProfileConfig {
	refs := func(names ...string) []scheduler.PluginRef {
		var out []scheduler.PluginRef
		for _, n := range names {
			out = append(out, scheduler.PluginRef{Name: n, Weight: 1})
		}
		return out
	}
	p := scheduler.ProfileConfig{SchedulerName: "default-scheduler", Percentage: 100}
	p.Points[scheduler.PreEnqueue] = refs("SchedulingGates", "Coscheduling")
	p.Points[scheduler.QueueSort] = refs("PrioritySort")
	p.Points[scheduler.PreFilter] = refs("NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread", "InterPodAffinity", "NodeDeclaredFeatures")
	p.Points[scheduler.Filter] = refs("NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions", "NodeVolumeLimits",
		"VolumeBinding", "VolumeZone", "PodTopologySpread", "InterPodAffinity", "NodeDeclaredFeatures")
	p.Points[scheduler.PostFilter] = refs("DefaultPreemption")
	p.Points[scheduler.PreScore] = refs("TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding", "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation")
	p.Points[scheduler.Score] = []scheduler.PluginRef{
		{Name: "TaintToleration", Weight: 3}, {Name: "NodeAffinity", Weight: 2}, {Name: "NodeResourcesFit", Weight: 1}, {Name: "VolumeBinding", Weight: 1},
		{Name: "PodTopologySpread", Weight: 2}, {Name: "InterPodAffinity", Weight: 2}, {Name: "NodeResourcesBalancedAllocation", Weight: 1}, {Name: "ImageLocality", Weight: 1},
	}
	p.Points[scheduler.Reserve] = refs("VolumeBinding", "Coscheduling")
	p.Points[scheduler.PreBind] = refs("VolumeBinding")
	p.Points[scheduler.Permit] = refs("Coscheduling")
	p.Points[scheduler.Bind] = refs("DefaultBinder")
	return p
}

const gib = 1 << 30

func benchFleet(b *testing.B, nodes int) (*cluster.Cluster, *scheduler.Scheduler) {
	cl := cluster.New(cluster.NewVocabulary())
	for i := range nodes {
		_, err := cl.AddNode(cluster.NodeSpec{
			Name: fmt.Sprintf("node-%05d", i),
			Labels: cl.NewLabelSet(map[string]string{
				"kubernetes.io/hostname": fmt.Sprintf("node-%05d", i), "topology.kubernetes.io/zone": fmt.Sprintf("zone-%d", i%3),
			}),
			Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 32000}, {Resource: cluster.Memory, Amount: 128 * gib}, {Resource: cluster.Pods, Amount: 110}},
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	s, err := scheduler.New(cl, scheduler.Config{
		Profiles: []scheduler.ProfileConfig{defaultProfile()}, Registry: plugins.Registry(), Tie: scheduler.TieRandom,
		InitialBackoff: scheduler.DefaultInitialBackoff, MaxBackoff: scheduler.DefaultMaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		b.Fatal(err)
	}
	return cl, s
}

func benchClasses(cl *cluster.Cluster) []*cluster.Class {
	var classes []*cluster.Class
	for _, size := range [][2]int64{{250, gib / 2}, {500, 1 * gib}, {1000, 4 * gib}, {2000, 4 * gib}} {
		requests := []cluster.Quantity{{Resource: cluster.CPU, Amount: size[0]}, {Resource: cluster.Memory, Amount: size[1]}}
		classes = append(classes, cl.AddClass(fmt.Sprint(size), cluster.Class{
			SchedulerName: "default-scheduler", Requests: requests, ScoreRequests: requests,
			NonZero: size, ScoreNonZero: size, Images: []cluster.Symbol{cl.Symbol("web:1")}, Containers: 1,
		}))
	}
	return classes
}

// BenchmarkPlainScan schedules plain pods of four sizes, every node filtered and
// scored for each of them.
func BenchmarkPlainScan(b *testing.B) {
	for _, size := range []struct{ nodes, pods int }{{100, 2000}, {1000, 10000}, {5000, 10000}} {
		b.Run(fmt.Sprintf("nodes=%d/pods=%d", size.nodes, size.pods), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				cl, s := benchFleet(b, size.nodes)
				classes := benchClasses(cl)
				for i := range size.pods {
					s.Add(cl.AddPod(cluster.Pod{Serial: int64(i), Class: classes[i%len(classes)]}), 0)
				}
				b.StartTimer()
				placed := 0
				for pod, ok := s.Pop(0); ok; pod, ok = s.Pop(0) {
					a := s.Schedule(pod, 0)
					s.EndAttempt(a, 0)
					if a.Outcome == scheduler.Scheduled && a.Feasible == size.nodes {
						placed++
					}
				}
				if placed != size.pods {
					b.Fatalf("%d of %d pods were placed over all nodes", placed, size.pods)
				}
			}
			perPod := b.Elapsed().Seconds() / float64(b.N*size.pods)
			b.ReportMetric(1/perPod, "pods/s")
			b.ReportMetric(perPod*1e9/float64(size.nodes), "ns/node")
		})
	}
}
