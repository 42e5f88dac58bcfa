package legacy_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// currentDefaults are the default plugins of the current family: names and, of scores, weights.
var currentDefaults = []scheduler.PluginRef{
	{Name: "PrioritySort"}, {Name: "NodeUnschedulable"}, {Name: "NodeName"}, {Name: "TaintToleration", Weight: 3}, {Name: "NodeAffinity", Weight: 2},
	{Name: "NodePorts"}, {Name: "NodeResourcesFit", Weight: 1}, {Name: "VolumeRestrictions"}, {Name: "NodeVolumeLimits"}, {Name: "VolumeBinding"},
	{Name: "VolumeZone"}, {Name: "PodTopologySpread", Weight: 2}, {Name: "InterPodAffinity", Weight: 2}, {Name: "DefaultPreemption"},
	{Name: "NodeResourcesBalancedAllocation", Weight: 1}, {Name: "ImageLocality", Weight: 1}, {Name: "DefaultBinder"},
}

// profiles are the default ones of each family, every node looked at.
func profiles(b *testing.B) map[string]scheduler.ProfileConfig {
	s := script{t: b}
	profile := func(family scheduler.Family, registry scheduler.Registry, refs []scheduler.PluginRef, args map[string]any) scheduler.ProfileConfig {
		p := scheduler.ProfileConfig{SchedulerName: "default-scheduler", Family: family, Registry: registry, Args: args, Percentage: 100}
		for _, ref := range refs {
			s.enable(&p, ref)
		}
		return p
	}
	args := map[string]any{}
	for _, name := range legacy.Conditions() {
		args[name] = legacy.ConditionArgs{AsTaints: true}
	}
	refs := legacy.DefaultPriorities()
	for _, name := range append([]string{"PrioritySort", "DefaultPreemption", "DefaultBinder"}, legacy.DefaultPredicates()...) {
		refs = append(refs, scheduler.PluginRef{Name: name})
	}
	return map[string]scheduler.ProfileConfig{
		"legacy":  profile(scheduler.Legacy, legacy.Registry(), refs, args),
		"current": profile(scheduler.Modern, plugins.Registry(), currentDefaults, nil),
	}
}

// BenchmarkScan schedules pods of four sizes, every node filtered and scored for each of them,
// with the DefaultProvider and, on the same fleet, with the current default profile. The pods
// are plain, or those of one Service, which both would rather have apart.
func BenchmarkScan(b *testing.B) {
	for _, pods := range []string{"plain", "service"} {
		for _, family := range []string{"legacy", "current"} {
			for _, size := range []struct{ nodes, pods int }{{100, 2000}, {5000, 2000}} {
				b.Run(fmt.Sprintf("%s/%s/nodes=%d/pods=%d", pods, family, size.nodes, size.pods), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						b.StopTimer()
						cl, s := benchFleet(b, size.nodes, profiles(b)[family])
						classes := benchClasses(cl, pods == "service")
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
	}
}

// benchFleet is nodes in three zones, and the scheduler of a profile.
func benchFleet(b *testing.B, nodes int, profile scheduler.ProfileConfig) (*cluster.Cluster, *scheduler.Scheduler) {
	b.Helper()
	const gib = 1 << 30
	cl := cluster.New(cluster.NewVocabulary())
	for i := range nodes {
		zone, name := fmt.Sprint("zone-", i%3), fmt.Sprintf("node-%05d", i)
		if _, err := cl.AddNode(cluster.NodeSpec{
			Name: name,
			Labels: cl.NewLabelSet(map[string]string{
				"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone, "failure-domain.beta.kubernetes.io/zone": zone,
			}),
			Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 32000}, {Resource: cluster.Memory, Amount: 128 * gib}, {Resource: cluster.Pods, Amount: 110}},
		}); err != nil {
			b.Fatal(err)
		}
	}
	s, err := scheduler.New(cl, scheduler.Config{
		Profiles: []scheduler.ProfileConfig{profile}, Tie: scheduler.TieRandom,
		InitialBackoff: scheduler.DefaultInitialBackoff, MaxBackoff: scheduler.DefaultMaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		b.Fatal(err)
	}
	return cl, s
}

func benchClasses(cl *cluster.Cluster, service bool) []*cluster.Class {
	const gib = 1 << 30
	labels := cl.NewLabelSet(map[string]string{"app": "web"})
	web := cluster.LabelSelector{Requirements: []cluster.Requirement{{Key: labels[0].Key, Values: []cluster.Symbol{labels[0].Value}}}}
	var classes []*cluster.Class
	for _, size := range [][2]int64{{250, gib / 2}, {500, 1 * gib}, {1000, 4 * gib}, {2000, 4 * gib}} {
		requests := []cluster.Quantity{{Resource: cluster.CPU, Amount: size[0]}, {Resource: cluster.Memory, Amount: size[1]}}
		class := cluster.Class{
			Namespace: cl.Symbol("default"), Labels: labels, SchedulerName: "default-scheduler", Requests: requests, ScoreRequests: requests,
			NonZero: size, ScoreNonZero: size, Images: []cluster.Symbol{cl.Symbol("web:1")}, Containers: 1,
		}
		if service {
			class.Services, class.SpreadSelector = []cluster.LabelSelector{web}, web
		}
		classes = append(classes, cl.AddClass(fmt.Sprint(size), class))
	}
	return classes
}
