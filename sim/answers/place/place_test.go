package place_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// newPlacement returns a placement on two nodes with room for two pods of 1000 milliCPU each.
func newPlacement(t *testing.T) *place.Placement {
	t.Helper()
	c := cluster.New(cluster.NewVocabulary())
	for i := range 2 {
		if _, err := c.AddNode(cluster.NodeSpec{Name: fmt.Sprint("node-", i), Allocatable: []cluster.Quantity{
			{Resource: cluster.CPU, Amount: 2000}, {Resource: cluster.Pods, Amount: 10},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	policy := config.Default(plugins.Registry())
	s, err := scheduler.New(c, scheduler.Config{
		Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieFirst,
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	return &place.Placement{Cluster: c, Scheduler: s, Order: place.DocumentOrder}
}

func class(c *cluster.Cluster, cpu int64, priority int32) *cluster.Class {
	requests := []cluster.Quantity{{Resource: cluster.CPU, Amount: cpu}}
	return c.AddClass(fmt.Sprint(cpu, priority), cluster.Class{
		SchedulerName: "default-scheduler", Priority: priority, Requests: requests, ScoreRequests: requests,
		NonZero: [2]int64{cpu, 0}, ScoreNonZero: [2]int64{cpu, 0}, TerminationGrace: 30 * clock.Second,
	})
}

// pods are four that run, which fill the nodes and own re-creation, and an urgent one.
func pods(c *cluster.Cluster) []workloads.Arrival {
	var out []workloads.Arrival
	for i := range 4 {
		out = append(out, workloads.Arrival{
			Name: fmt.Sprint("run-", i), Class: class(c, 1000, 0), Node: fmt.Sprint("node-", i/2), Lifetime: clock.Second, Recreate: true,
		})
	}
	return append(out, workloads.Arrival{Name: "urgent", Class: class(c, 1500, 10), Lifetime: clock.Second})
}

func TestVictimsAreEvictedAtOnceAndNotReCreated(t *testing.T) {
	p := newPlacement(t)
	r, err := p.Run(pods(p.Cluster))
	if err != nil {
		t.Fatal(err)
	}
	if r.Placed != 1 || r.Preempted != 2 || p.Cluster.NumPods() != 3 {
		t.Errorf("%+v with %d pods, want the urgent one in the place of two", r, p.Cluster.NumPods())
	}
	if err := p.Cluster.Verify(); err != nil {
		t.Error(err)
	}
}

func TestDryRunLeavesVictimsOnTheirNodes(t *testing.T) {
	p := newPlacement(t)
	victims := 0
	p.DryRun = true
	p.Attempted = func(a *scheduler.Attempt) { victims += len(a.Victims) }
	r, err := p.Run(pods(p.Cluster))
	if err != nil {
		t.Fatal(err)
	}
	if victims != 2 || r.Preempted != 0 || r.Pending != 1 || p.Cluster.NumPods() != 5 {
		t.Errorf("%+v, %d victims and %d pods, want two victims that remain", r, victims, p.Cluster.NumPods())
	}
}

// Filling at once and placing pod by pod come to the same number, and leave no trial behind.
func TestFillPlacesAsManyAsMore(t *testing.T) {
	for _, cpu := range []int64{300, 500, 700, 2500} {
		one, other := newPlacement(t), newPlacement(t)
		for _, p := range []*place.Placement{one, other} {
			if _, err := p.Run(nil); err != nil {
				t.Fatal(err)
			}
		}
		filled, ok := one.Fill(0, class(one.Cluster, cpu, 0), 100, func() string { return "more" })
		n := 0
		for {
			fits, err := other.More(int64(n), workloads.Arrival{Name: "more", Class: class(other.Cluster, cpu, 0)})
			if err != nil {
				t.Fatal(err)
			}
			if !fits {
				break
			}
			n++
		}
		if !ok || filled != n || one.Cluster.NumPods() != n {
			t.Errorf("cpu %d: filled %d (%t) with %d pods, want %d", cpu, filled, ok, one.Cluster.NumPods(), n)
		}
		if _, ok := one.Fill(100, class(one.Cluster, 1, 0), 0, func() string { return "tiny" }); ok && cpu != 500 {
			t.Errorf("cpu %d: filled beyond the limit", cpu)
		}
		if err := one.Cluster.Verify(); err != nil || one.Cluster.NumPods() != n {
			t.Errorf("cpu %d: %d pods remain of %d: %v", cpu, one.Cluster.NumPods(), n, err)
		}
	}
}

func TestAPodOnANodeThatDoesNotExistIsAnError(t *testing.T) {
	p := newPlacement(t)
	_, err := p.Run([]workloads.Arrival{{Name: "lost", Class: class(p.Cluster, 1, 0), Node: "nowhere"}})
	if want := `pod /lost runs on node "nowhere", which does not exist`; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
