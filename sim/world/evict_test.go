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

// oneNodeWorld is a world of one node of 4 cpu, without changes and samples.
func oneNodeWorld(t *testing.T, latency world.Latency, pods func(*randomWorld) []workloads.Arrival) *randomWorld {
	rw := newRandomWorld(t, 1, func(rw *randomWorld) {
		rw.cluster = cluster.New(cluster.NewVocabulary())
		rw.cfg.Cluster = rw.cluster
		rw.addNode(t, "only", nil)
	})
	rw.cfg.Latency, rw.cfg.Changes, rw.cfg.SampleEvery = latency, nil, 0
	rw.cfg.Arrivals = &arrivalList{pods(rw)}
	return rw
}

// story is what happened to pods, in order.
func (rw *randomWorld) story(kinds ...record.Kind) []string {
	var out []string
	for _, r := range rw.records {
		if slices.Contains(kinds, r.Kind) {
			out = append(out, fmt.Sprintf("%s pod %d at %s %s", r.Kind, r.Pod, r.Time, r.Cause))
		}
	}
	return out
}

// A pod takes 10 s to bind. At 1 s a pod of higher priority needs its room: the victim
// is not bound yet, so it is evicted as soon as it is.
func TestAVictimThatIsBeingBoundIsEvictedOnceItIs(t *testing.T) {
	rw := oneNodeWorld(t, world.Latency{Bind: fixed(10 * clock.Second)}, func(rw *randomWorld) []workloads.Arrival {
		return []workloads.Arrival{
			{Name: "low", Class: rw.class(4000, 1000, 0), Lifetime: clock.Hour},
			{Name: "high", At: clock.Second, Class: rw.class(4000, 1000, 1), Lifetime: clock.Second},
		}
	})
	rw.end(t, context.Background())
	want := []string{"bind pod 0 at 10s ", "evict pod 0 at 10s preemption", "bind pod 1 at 20s "}
	if got := rw.story(record.PodBound, record.PodEvicted, record.PodRolledBack); !slices.Equal(got, want) {
		t.Errorf("the story is %q, want %q", got, want)
	}
}

// A pod that is being deleted before it has a node keeps the room of its nomination from a pod of its
// priority that is tried before it. When the queue has popped it, it is gone without an attempt, and
// the other one gets the room.
func TestADeletedPodKeepsItsNominationUntilItIsPopped(t *testing.T) {
	rw := oneNodeWorld(t, world.Latency{}, func(rw *randomWorld) []workloads.Arrival {
		class := rw.class(4000, 1000, 0)
		return []workloads.Arrival{
			{Name: "first", Class: class, Lifetime: clock.Second},
			{Name: "deleted", Class: class, Nominated: "only", Terminating: true},
		}
	})
	rw.end(t, context.Background())
	want := []string{"attempt pod 0 at 0s ", "gone pod 1 at 0s ", "attempt pod 0 at 0s ", "bind pod 0 at 0s "}
	if got := rw.story(record.PodAttempted, record.PodGone, record.PodBound); !slices.Equal(got, want) {
		t.Errorf("the story is %q, want %q", got, want)
	}
}

// A run with a horizon lasts until it, though its only pod is done long before.
func TestAHorizonIsKept(t *testing.T) {
	rw := oneNodeWorld(t, world.Latency{}, func(rw *randomWorld) []workloads.Arrival {
		return []workloads.Arrival{{Name: "brief", Class: rw.class(1000, 1000, 0), Lifetime: clock.Second}}
	})
	rw.cfg.Horizon = clock.Hour
	if end := rw.end(t, context.Background()); end != "horizon" {
		t.Errorf("the run ended %q, want horizon", end)
	}
	if last := rw.records[len(rw.records)-1]; last.Time != clock.Hour {
		t.Errorf("the run ended at %s, want 1h0m0s", last.Time)
	}
}

// Of two pods of a gang one completes and the other is evicted. It comes again alone,
// and does not wait for the one that is done.
func TestAnEvictedMemberDoesNotWaitForThoseThatAreDone(t *testing.T) {
	group := &workloads.Group{Name: "gang", MinMember: 2, Size: 2, ScheduleTimeout: clock.Minute}
	rw := oneNodeWorld(t, world.Latency{}, func(rw *randomWorld) []workloads.Arrival {
		class := rw.class(1000, 1000, 0)
		return []workloads.Arrival{
			{Name: "short", Class: class, Group: group, Lifetime: clock.Second},
			{Name: "long", Class: class, Group: group, Lifetime: 10 * clock.Second, Recreate: true},
			{Name: "urgent", At: 5 * clock.Second, Class: rw.class(4000, 1000, 1), Lifetime: clock.Second},
		}
	})
	rw.end(t, context.Background())
	want := []string{"complete pod 0 at 1s ", "evict pod 1 at 5s preemption", "complete pod 2 at 6s ", "complete pod 3 at 16s "}
	if got := rw.story(record.PodEvicted, record.PodCompleted, record.PodRolledBack); !slices.Equal(got, want) {
		t.Errorf("the story is %q, want %q", got, want)
	}
}

// Daemons are no part of the mix, nor does a pod that is re-created count twice.
func TestTheMixIsOfPodsThatComeForTheFirstTime(t *testing.T) {
	rw := oneNodeWorld(t, world.Latency{}, func(rw *randomWorld) []workloads.Arrival {
		return []workloads.Arrival{
			{Name: "daemon", Class: rw.class(100, 100, 0), Lifetime: clock.Forever, Daemon: true},
			{Name: "low", Class: rw.class(3000, 1000, 0), Lifetime: 10 * clock.Second, Recreate: true},
			{Name: "high", At: clock.Second, Class: rw.class(3000, 1000, 1), Lifetime: clock.Second},
		}
	})
	rw.end(t, context.Background())
	mix := rw.records[len(rw.records)-2].Sample.Fragmentation.Mix
	if len(mix) != 2 || mix[0].Weight != 0.5 || mix[1].Weight != 0.5 {
		t.Errorf("the mix is %+v, want the two classes that are no daemons, half each", mix)
	}
}
