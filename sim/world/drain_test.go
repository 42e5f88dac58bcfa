package world_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// drained is a world in which nodes with that many pods are drained at once, while the one
// budget of all pods lets go of one at a time. Controllers re-create the pods elsewhere.
func drained(t testing.TB, pods int, record func(*record.Record)) *world.World {
	t.Helper()
	rw := newRandomWorld(t, 1, func(rw *randomWorld) {
		rw.cluster = cluster.New(cluster.NewVocabulary())
		for _, pool := range []string{"old", "new"} {
			for i := range pods / 100 {
				if _, err := rw.cluster.AddNode(cluster.NodeSpec{
					Name: fmt.Sprintf("%s-%d", pool, i), Pool: pool,
					Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 10_000}, {Resource: cluster.Memory, Amount: 10_000}, {Resource: cluster.Pods, Amount: 100}},
				}); err != nil {
					t.Fatal(err)
				}
			}
		}
		rw.cluster.Budgets.Add(cluster.Budget{Name: "one", MaxUnavailable: &cluster.IntOrPercent{Value: 1}})
		class, arrivals := rw.class(100, 100, 0), make([]workloads.Arrival, pods)
		for i := range arrivals {
			arrivals[i] = workloads.Arrival{
				Name: fmt.Sprint("pod-", i), Class: class, Node: fmt.Sprintf("old-%d", i%(pods/100)), Lifetime: clock.Forever, Recreate: true,
			}
		}
		rw.cfg.Cluster, rw.cfg.Arrivals = rw.cluster, &arrivalList{arrivals}
		rw.cfg.Latency = world.Latency{Start: fixed(clock.Second), Terminate: fixed(clock.Second)}
		rw.cfg.Changes = []world.Change{{At: clock.Second, Kind: world.DrainNodes, Pool: "old"}}
		rw.cfg.Horizon, rw.cfg.SampleEvery = clock.Forever, 0
	})
	rw.cfg.Record = record
	return world.New(rw.cfg)
}

// What a drain costs is proportional to the pods that it evicts, however many of them wait.
func TestDrainsLookAtAPodAFewTimes(t *testing.T) {
	for _, pods := range []int{500, 2000} {
		evicted, held := 0, 0
		w := drained(t, pods, func(r *record.Record) {
			switch r.Kind {
			case record.PodEvicted:
				evicted++
			case record.PodEvictionBlocked:
				held++
			}
		})
		if _, err := w.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if evicted != pods || held != pods-1 {
			t.Errorf("%d of %d pods were evicted, %d were held", evicted, pods, held)
		}
		if looks := w.DrainChecks(); looks < int64(held) || looks > int64(4*pods) {
			t.Errorf("%d looks at pods that wait, for %d pods", looks, pods)
		}
	}
}

// BenchmarkDrain evicts pods whose budget lets go of one at a time.
func BenchmarkDrain(b *testing.B) {
	for _, pods := range []int{500, 5000} {
		b.Run(fmt.Sprintf("nodes=%d/pods=%d", pods/50, pods), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				evicted := 0
				w := drained(b, pods, func(r *record.Record) {
					if r.Kind == record.PodEvicted {
						evicted++
					}
				})
				b.StartTimer()
				if end, err := w.Run(context.Background()); err != nil || evicted != pods {
					b.Fatalf("%d of %d pods were evicted, the end is %q, %v", evicted, pods, end, err)
				}
			}
			b.ReportMetric(float64(b.N*pods)/b.Elapsed().Seconds(), "evictions/s")
		})
	}
}
