package world_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// BenchmarkSample takes samples of fragmentation of 5,000 nodes, of which 50 have changed since the last sample, with 20
// classes in the mix: all nodes asked about, or those that changed.
func BenchmarkSample(b *testing.B) {
	w, move := sampledWorld(b, 5000, 20)
	kept, plain := w.KeptFragmentation(), w.PlainFragmentation()
	if len(kept.Mix) < 15 || w.KeptClasses() != len(kept.Mix) {
		b.Fatalf("%d of %d classes are kept", w.KeptClasses(), len(kept.Mix))
	}
	b.Run("nodes=5000/classes=20/asked=all", func(b *testing.B) {
		for b.Loop() {
			move()
			plain = w.PlainFragmentation()
		}
	})
	b.Run("nodes=5000/classes=20/asked=changed", func(b *testing.B) {
		for b.Loop() {
			move()
			kept = w.KeptFragmentation()
		}
		if plain = w.PlainFragmentation(); !reflect.DeepEqual(kept, plain) {
			b.Fatalf("%+v, want %+v", kept, plain)
		}
	})
}

// sampledWorld is a world that has run, with a function that moves 50 pods to other nodes.
func sampledWorld(b *testing.B, nodes, classes int) (*world.World, func()) {
	rw := &randomWorld{cluster: cluster.New(cluster.NewVocabulary())}
	for i := range nodes {
		rw.addNode(b, fmt.Sprint("node-", i), nil)
	}
	policy := config.Default(plugins.Registry())
	s, err := scheduler.New(rw.cluster, scheduler.Config{Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieFirst})
	if err != nil {
		b.Fatal(err)
	}
	var pods []workloads.Arrival
	for i := range classes {
		class := rw.class(int64(100*(i+1)), int64(200*(i+1)), 0)
		pods = append(pods, workloads.Arrival{Name: fmt.Sprint("pod-", i), Class: class, Lifetime: clock.Forever})
	}
	w := world.New(world.Config{
		Name: "sampled", Cluster: rw.cluster, Scheduler: s, Arrivals: &arrivalList{pods}, Workloads: []string{"only"},
		Horizon: clock.Forever, FragmentationMeter: world.DefaultFragmentationMeter(),
	})
	if _, err := w.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
	pod, at := rw.cluster.AddPod(cluster.Pod{Class: rw.class(3000, 3000, 0)}), 0
	rw.cluster.Assume(pod, 0)
	return w, func() {
		for range 50 {
			at = (at + 37) % nodes
			rw.cluster.Forget(pod)
			rw.cluster.Assume(pod, cluster.NodeID(at))
		}
	}
}
