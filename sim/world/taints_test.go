package world_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// A NoExecute taint is added at 10 s and removed at 40 s. A pod that does not tolerate it
// is evicted at once, one that tolerates it for 20 s at 30 s; those that tolerate it for 60 s
// and forever are not. A pod that is bound to the tainted node is evicted 20 s
// later.
func TestPodsTolerateNoExecuteTaintsForATime(t *testing.T) {
	rw := newRandomWorld(t, 1, nil)
	hot := cluster.Taint{Key: rw.cluster.Symbol("hot"), Effect: cluster.NoExecute}
	tolerating := func(name string, at clock.Time, tolerations ...cluster.Toleration) workloads.Arrival {
		class := *rw.class(100, 100, 0)
		class.Tolerations = tolerations
		return workloads.Arrival{Name: name, At: at, Class: rw.cluster.AddClass(fmt.Sprint(tolerations), class), Lifetime: 100 * clock.Second}
	}
	limited := func(d clock.Time) cluster.Toleration {
		return cluster.Toleration{Key: hot.Key, Exists: true, Effect: cluster.NoExecute, HasTolerationSeconds: true, TolerationSeconds: d}
	}
	rw.cfg.Latency, rw.cfg.SampleEvery = world.Latency{}, 0
	rw.cfg.Arrivals = &arrivalList{[]workloads.Arrival{
		tolerating("none", 0), tolerating("short", 0, limited(20*clock.Second)), tolerating("long", 0, limited(clock.Minute)),
		tolerating("ever", 0, cluster.Toleration{Key: hot.Key, Exists: true}), tolerating("late", 15*clock.Second, limited(20*clock.Second)),
	}}
	rw.cfg.Changes = []world.Change{
		{At: 10 * clock.Second, Kind: world.AddTaint, Pool: "p", Taint: hot},
		{At: 40 * clock.Second, Kind: world.RemoveTaint, Pool: "p", Taint: hot},
	}
	rw.end(t, context.Background())
	var evicted []string
	for _, r := range rw.records {
		if r.Kind == record.PodEvicted {
			evicted = append(evicted, fmt.Sprintf("pod %d at %s by %s", r.Pod, r.Time, r.Cause))
		}
	}
	want := []string{"pod 0 at 10s by taint", "pod 1 at 30s by taint", "pod 4 at 35s by taint"}
	if !slices.Equal(evicted, want) {
		t.Errorf("evicted are %q, want %q", evicted, want)
	}
}
