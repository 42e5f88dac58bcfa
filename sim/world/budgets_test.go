package world_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// watch is how many pods there are by class, and how many of them run, as the records say.
type watch struct {
	class             map[int64]int32 // by pod
	runs              map[int64]bool
	expected, healthy map[int32]int64 // by class
}

func newWatch() *watch {
	return &watch{map[int64]int32{}, map[int64]bool{}, map[int32]int64{}, map[int32]int64{}}
}

func (w *watch) observe(r *record.Record) {
	class := w.class[r.Pod]
	stop := func() {
		if w.runs[r.Pod] {
			w.runs[r.Pod] = false
			w.healthy[class]--
		}
	}
	switch r.Kind {
	case record.PodArrived:
		w.class[r.Pod] = r.Class
		w.expected[r.Class]++
	case record.PodStarted:
		w.runs[r.Pod] = true
		w.healthy[class]++
	case record.PodEvicted:
		stop()
	case record.PodCompleted, record.PodGone:
		stop()
		w.expected[class]--
	}
}

// allows is what a budget must allow by now.
func (w *watch) allows(b *cluster.Budget, c *cluster.Cluster) int32 {
	var expected, healthy int64
	for class, n := range w.expected {
		if b.Selects(c.Class(cluster.ClassID(class)), &c.Symbols) {
			expected, healthy = expected+n, healthy+w.healthy[class]
		}
	}
	return b.DisruptionsAllowedFor(expected, healthy)
}

// What budgets allow follows at any time from the pods that exist and run: at every sample
// it is worked out afresh from the records.
func TestBudgetsFollowThePods(t *testing.T) {
	changes := 0
	for seed := range uint64(6) {
		rw := newRandomWorld(t, seed, func(rw *randomWorld) {
			rw.cfg.SampleEvery, rw.cfg.FragmentationMeter = clock.Second, nil
			for i, share := range []cluster.IntOrPercent{{Value: 3}, {Value: 40, Percent: true}, {Value: 0}, {Value: 100, Percent: true}} {
				rw.cluster.Budgets.Add(cluster.Budget{Name: fmt.Sprint("min", i), MinAvailable: &share})
				rw.cluster.Budgets.Add(cluster.Budget{Name: fmt.Sprint("max", i), MaxUnavailable: &share})
			}
			rw.cluster.Budgets.Add(cluster.Budget{Name: "neither"})
			rw.cluster.Budgets.Add(cluster.Budget{Name: "none", Selector: cluster.SelectsNothing(), MinAvailable: &cluster.IntOrPercent{}})
		})
		w, before := newWatch(), []int32(nil)
		err := rw.run(t, func(r *record.Record) error {
			w.observe(r)
			if r.Kind != record.Sampled {
				return nil
			}
			var now []int32
			for id := range cluster.BudgetID(rw.cluster.Budgets.Len()) {
				b := rw.cluster.Budgets.Budget(id)
				if want := w.allows(b, rw.cluster); b.DisruptionsAllowed != want {
					return fmt.Errorf("budget %s allows %d, want %d", b.Name, b.DisruptionsAllowed, want)
				}
				now = append(now, b.DisruptionsAllowed)
			}
			if !slices.Equal(before, now) {
				changes++
			}
			before = now
			return rw.cluster.Verify()
		})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if changes < 100 {
		t.Errorf("what budgets allow changed only %d times", changes)
	}
}

func TestAllowedOf(t *testing.T) {
	number := func(n int64) *cluster.IntOrPercent { return &cluster.IntOrPercent{Value: n} }
	percent := func(n int64) *cluster.IntOrPercent { return &cluster.IntOrPercent{Value: n, Percent: true} }
	for _, tt := range []struct {
		b                 cluster.Budget
		expected, healthy int64
		want              int32
	}{
		{cluster.Budget{MinAvailable: number(2)}, 3, 3, 1},
		{cluster.Budget{MinAvailable: number(2)}, 3, 1, 0},
		{cluster.Budget{MinAvailable: number(0)}, 0, 0, 0}, // none expected: none allowed
		{cluster.Budget{MinAvailable: percent(50)}, 3, 3, 1},
		{cluster.Budget{MinAvailable: percent(34)}, 3, 3, 1}, // 1.02 is 2
		{cluster.Budget{MinAvailable: percent(100)}, 3, 3, 0},
		{cluster.Budget{MaxUnavailable: number(1)}, 3, 3, 1},
		{cluster.Budget{MaxUnavailable: number(5)}, 3, 2, 2},
		{cluster.Budget{MaxUnavailable: percent(34)}, 3, 3, 2}, // 1.02 is 2
		{cluster.Budget{MaxUnavailable: percent(0)}, 3, 3, 0},
		{cluster.Budget{}, 3, 3, 0},
	} {
		if got := tt.b.DisruptionsAllowedFor(tt.expected, tt.healthy); got != tt.want {
			t.Errorf("%+v with %d of %d: %d, want %d", tt.b, tt.healthy, tt.expected, got, tt.want)
		}
	}
}

// evictions runs three pods of one class, which controllers re-create, on a node that is
// drained at 10 s, beside one that is not. It returns when and how they were evicted, and
// what kept them there.
func evictions(t *testing.T, alter func(*randomWorld)) []string {
	t.Helper()
	rw := newRandomWorld(t, 1, func(rw *randomWorld) {
		rw.cluster = cluster.New(cluster.NewVocabulary())
		rw.addNode(t, "old", nil)
		rw.addNode(t, "new", nil)
		class := rw.class(500, 500, 0)
		var pods []workloads.Arrival
		for i := range 3 {
			pods = append(pods, workloads.Arrival{
				Name: fmt.Sprint("pod-", i), Class: class, Node: "old", Lifetime: clock.Forever, Recreate: true,
			})
		}
		rw.cfg.Cluster, rw.cfg.Arrivals = rw.cluster, &arrivalList{pods}
		rw.cfg.Latency = world.Latency{Start: fixed(7 * clock.Second), Terminate: fixed(clock.Second)}
		rw.cfg.Changes = []world.Change{{At: 10 * clock.Second, Kind: world.DrainNodes, Names: []string{"old"}}}
		alter(rw)
	})
	var out []string
	if err := rw.run(t, func(r *record.Record) error {
		switch r.Kind {
		case record.PodEvictionBlocked:
			out = append(out, fmt.Sprintf("%s %d held: %s", r.Time, r.Pod, r.Text))
		case record.PodEvicted:
			out = append(out, fmt.Sprintf("%s %d %s", r.Time, r.Pod, r.Cause))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// A drain evicts what budgets allow, and tries the rest again every 5 s: the first pod goes
// at once, its heir runs 8 s later, and the next try after that is at 20 s.
func TestDrainHonorsBudgets(t *testing.T) {
	budget := func(min int64) func(*randomWorld) {
		return func(rw *randomWorld) {
			rw.cluster.Budgets.Add(cluster.Budget{Name: "b", MinAvailable: &cluster.IntOrPercent{Value: min}})
		}
	}
	two := func(rw *randomWorld) {
		budget(0)(rw)
		rw.cluster.Budgets.Add(cluster.Budget{Name: "c", Namespace: rw.cluster.Symbol(""), MinAvailable: &cluster.IntOrPercent{}})
	}
	again := func(rw *randomWorld) {
		budget(3)(rw)
		rw.cfg.Changes = append(rw.cfg.Changes,
			world.Change{At: 15 * clock.Second, Kind: world.Uncordon, Names: []string{"old"}},
			world.Change{At: 17 * clock.Second, Kind: world.DrainNodes, Names: []string{"old"}})
	}
	const all = "10s 0 held: budget /b|10s 1 held: budget /b|10s 2 held: budget /b"
	uncordoned := func(rw *randomWorld) {
		budget(2)(rw)
		rw.cfg.Changes = append(rw.cfg.Changes, world.Change{At: 15 * clock.Second, Kind: world.Uncordon, Names: []string{"old"}})
	}
	removed := func(rw *randomWorld) {
		budget(3)(rw)
		rw.cfg.Changes = append(rw.cfg.Changes, world.Change{At: 15 * clock.Second, Kind: world.RemoveNodes, Names: []string{"old"}})
	}
	for _, tt := range []struct {
		name  string
		alter func(*randomWorld)
		want  string
	}{
		{"no budget", func(*randomWorld) {}, "10s 0 drain|10s 1 drain|10s 2 drain"},
		{"one at a time", budget(2), "10s 0 drain|10s 1 held: budget /b|10s 2 held: budget /b|20s 1 drain|30s 2 drain"},
		{"two at a time", budget(1), "10s 0 drain|10s 1 drain|10s 2 held: budget /b|20s 2 drain"},
		{"none", budget(3), all},
		{"two budgets", two, "10s 0 held: permanently: budgets /b, /c|10s 1 held: permanently: budgets /b, /c|10s 2 held: permanently: budgets /b, /c"},
		{"uncordoned meanwhile", uncordoned, "10s 0 drain|10s 1 held: budget /b|10s 2 held: budget /b"},
		{"drained again", again, all + "|17s 0 held: budget /b|17s 1 held: budget /b|17s 2 held: budget /b"},
		{"removed meanwhile", removed, all + "|15s 0 nodeRemoval|15s 1 nodeRemoval|15s 2 nodeRemoval"},
	} {
		if got := strings.Join(evictions(t, tt.alter), "|"); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// A pod that terminates already when the run begins counts as unhealthy, is nobody's victim
// and goes after its grace; if its node is removed earlier, it is removed with it.
func TestPodsThatEnd(t *testing.T) {
	for _, gone := range []bool{false, true} {
		var got []string
		rw := newRandomWorld(t, 1, func(rw *randomWorld) {
			rw.cluster = cluster.New(cluster.NewVocabulary())
			rw.addNode(t, "n", nil)
			rw.cluster.Budgets.Add(cluster.Budget{Name: "b", MinAvailable: &cluster.IntOrPercent{}})
			rw.cfg.Cluster = rw.cluster
			rw.cfg.Arrivals = &arrivalList{[]workloads.Arrival{
				{Name: "ends", Class: rw.class(500, 500, 0), Node: "n", Lifetime: 30 * clock.Second, Terminating: true},
			}}
			rw.cfg.Changes = []world.Change{{At: clock.Second, Kind: world.DrainNodes, Names: []string{"n"}}}
			if gone {
				rw.cfg.Changes = append(rw.cfg.Changes, world.Change{At: 2 * clock.Second, Kind: world.RemoveNodes, Names: []string{"n"}})
			}
		})
		if err := rw.run(t, func(r *record.Record) error {
			switch r.Kind {
			case record.PodEvicted, record.PodGone, record.PodCompleted:
				got = append(got, fmt.Sprintf("%s %s", r.Time, r.Kind))
			case record.Sampled:
				if n := rw.cluster.Budgets.Budget(0).DisruptionsAllowed; n != 0 {
					return fmt.Errorf("%d evictions are allowed", n)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		want := []string{"30s complete"}
		if gone {
			want = []string{"2s evict", "2s gone"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("node goes %t: %v, want %v", gone, got, want)
		}
	}
}
