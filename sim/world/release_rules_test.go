package world_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/release"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// worldUnder is a world of one node of 4 cpu with storage and no latency, under the rules of the newest release with
// another value of one.
func worldUnder(t *testing.T, rule, value string, pods func(*randomWorld) []workloads.Arrival) *randomWorld {
	t.Helper()
	rules := release.Newest().Rules()
	if err := rules.Set(rule, value); err != nil {
		t.Fatal(err)
	}
	rw := newRandomWorld(t, 1, func(rw *randomWorld) {
		rw.rules, rw.cluster = &rules, cluster.New(cluster.NewVocabulary())
		rw.cfg.Cluster = rw.cluster
		rw.addNode(t, "only", nil)
		rw.addStorage(t)
	})
	rw.cfg.Latency, rw.cfg.Changes, rw.cfg.SampleEvery = world.Latency{}, nil, 0
	rw.cfg.Arrivals = &arrivalList{pods(rw)}
	return rw
}

// At 1 s a pod waits in PreBind for its volume, and a pod of higher priority needs its room: it loses its node and is tried
// again, or it is deleted and re-created.
func TestAVictimInPreBind(t *testing.T) {
	for value, want := range map[string]string{
		"true":  "rollback pod 0 at 1s preemption; bind pod 1 at 1s ; bind pod 0 at 10s ",
		"false": "rollback pod 0 at 1s preemption; gone pod 0 at 1s ; bind pod 1 at 1s ; bind pod 2 at 13s ",
	} {
		rw := worldUnder(t, "preBindVictimCanceled", value, func(rw *randomWorld) []workloads.Arrival {
			return []workloads.Arrival{
				{Name: "low", Class: rw.withVolume(rw.class(4000, 1000, 0), "made"), Lifetime: clock.Hour, Recreate: true},
				{Name: "high", At: clock.Second, Class: rw.class(4000, 1000, 1), Lifetime: 2 * clock.Second},
			}
		})
		rw.cfg.Latency = world.Latency{Provision: fixed(10 * clock.Second)}
		rw.end(t, context.Background())
		if got := strings.Join(rw.story(record.PodRolledBack, record.PodGone, record.PodBound), "; "); got != want {
			t.Errorf("preBindVictimCanceled=%s: %s\nwant %s", value, got, want)
		}
	}
}

// A pod preempts one that waits in Permit, while pods of lower priority are active. Activated, it is tried before them;
// else it is in backoff, and they come first. In its own attempt nothing activates it.
func TestACanceledVictimActivates(t *testing.T) {
	for _, tt := range []struct{ rule, value, want string }{
		{"canceledVictimActivates", "true", "high high second small-1 small-2"},
		{"canceledVictimActivates", "false", "high second small-1 small-2 high"},
		{"asyncPreemption", "false", "high second small-1 small-2 high"},
	} {
		gang := &workloads.Group{Name: "gang", MinMember: 2, Size: 2, ScheduleTimeout: clock.Hour}
		rw := worldUnder(t, tt.rule, tt.value, func(rw *randomWorld) []workloads.Arrival {
			large, small := rw.class(3500, 1000, 0), rw.class(100, 100, 0)
			return []workloads.Arrival{
				{Name: "first", Class: large, Group: gang, Lifetime: clock.Second},
				{Name: "second", Class: large, Group: gang, Lifetime: clock.Second},
				{Name: "high", At: 5 * clock.Second, Class: rw.class(3500, 1000, 1), Lifetime: clock.Hour},
				{Name: "small-1", At: 5 * clock.Second, Class: small, Lifetime: clock.Second},
				{Name: "small-2", At: 5 * clock.Second, Class: small, Lifetime: clock.Second},
			}
		})
		rw.cfg.Horizon, rw.cfg.Latency = 10*clock.Second, world.Latency{Cycle: fixed(100 * clock.Millisecond)}
		var tried []string
		rw.cfg.Attempted = func(a *scheduler.Attempt, now clock.Time) {
			if now >= 5*clock.Second {
				tried = append(tried, rw.cluster.Pod(a.Pod).Name)
			}
		}
		rw.end(t, context.Background())
		if got := strings.Join(tried[:5], " "); got != tt.want {
			t.Errorf("%s=%s: tried %s, want %s", tt.rule, tt.value, got, tt.want)
		}
	}
}

// A pod terminates until 10 s. At 1 s it is the victim of a pod of higher priority, which is tried again at 3 s. Deleted once
// more, it counts as preempted, and its preemptor waits for it.
func TestAVictimThatTerminatesAlready(t *testing.T) {
	for value, want := range map[string]string{"true": "1s: 1 victims; 3s: waits; 10s: 0 victims", "false": "1s: 0 victims; 3s: 0 victims; 10s: 0 victims"} {
		rw := worldUnder(t, "terminatingEvictedAgain", value, func(rw *randomWorld) []workloads.Arrival {
			return []workloads.Arrival{
				{Name: "old", Class: rw.class(3000, 1000, 0), Node: "only", Terminating: true, Lifetime: 10 * clock.Second},
				{Name: "brief", Class: rw.class(500, 1000, 1), Node: "only", Lifetime: 3 * clock.Second},
				{Name: "high", At: clock.Second, Class: rw.class(3500, 1000, 1), Lifetime: clock.Second},
			}
		})
		var got []string
		rw.cfg.Attempted = func(a *scheduler.Attempt, now clock.Time) {
			what := fmt.Sprintf("%d victims", len(a.Victims))
			if strings.Contains(a.Message(), "due to a terminating pod on the nominated node") {
				what = "waits"
			}
			got = append(got, fmt.Sprintf("%s: %s", now, what))
		}
		rw.end(t, context.Background())
		if strings.Join(got, "; ") != want {
			t.Errorf("terminatingEvictedAgain=%s: %q, want %q", value, got, want)
		}
	}
}

// A pod preempts one that waits in Permit and, as the last, one that runs. Held, it is not tried again until the last one is
// gone.
func TestAPreemptorIsHeld(t *testing.T) {
	for value, want := range map[string]string{
		"true":  "attempt pod 3 at 5s ; gate pod 3 at 5s ; ungate pod 3 at 8s ; attempt pod 3 at 8s ",
		"false": "attempt pod 3 at 5s ; attempt pod 3 at 5s ; attempt pod 3 at 8s ",
	} {
		gang := &workloads.Group{Name: "gang", MinMember: 2, Size: 2, ScheduleTimeout: clock.Hour}
		rw := worldUnder(t, "preemptorHeld", value, func(rw *randomWorld) []workloads.Arrival {
			never := *rw.class(2000, 1000, 1)
			never.NeverPreempt = true
			large := rw.cluster.AddClass("never preempts", never)
			return []workloads.Arrival{
				{Name: "runs", Class: rw.class(1500, 1000, 0), Node: "only", Lifetime: clock.Hour},
				{Name: "waits", Class: large, Group: gang, Lifetime: clock.Second},
				{Name: "waits-too", Class: large, Group: gang, Lifetime: clock.Second},
				{Name: "high", At: 5 * clock.Second, Class: rw.class(4000, 1000, 2), Lifetime: clock.Hour},
			}
		})
		rw.cfg.Horizon, rw.cfg.Latency = 10*clock.Second, world.Latency{Terminate: fixed(3 * clock.Second)}
		rw.end(t, context.Background())
		var got []string
		for _, line := range rw.story(record.PodAttempted, record.PodGated, record.PodUngated) {
			if strings.Contains(line, "pod 3") {
				got = append(got, line)
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("preemptorHeld=%s: %q, want %q", value, strings.Join(got, "; "), want)
		}
	}
}

// A pod is bound to a node of zone a. One that must be near a pod of that zone then fits, and the budget of the zone counts what
// runs there, a pod included that was created with its node.
func TestBoundPodsGetTopologyLabels(t *testing.T) {
	const key = "topology.kubernetes.io/zone"
	for value, want := range map[string]string{"true": "bind pod 0 at 0s ; bind pod 1 at 1s ; bind pod 2 at 2s ; budget 3", "false": "bind pod 0 at 0s ; bind pod 2 at 2s ; budget 0"} {
		rw := worldUnder(t, "topologyLabelsOnBind", value, func(rw *randomWorld) []workloads.Arrival {
			c := rw.cluster
			zone := cluster.LabelSelector{Requirements: []cluster.Requirement{{Key: c.Symbol(key), Op: cluster.In, Values: []cluster.Symbol{c.Symbol("a")}}}}
			c.NoteSelectorKey(c.Symbol(key))
			c.Budgets.Add(cluster.Budget{Name: "zone", Selector: zone, MinAvailable: &cluster.IntOrPercent{}})
			if _, err := c.AddNode(cluster.NodeSpec{Name: "zoned", Labels: c.NewLabelSet(map[string]string{key: "a", "kubernetes.io/hostname": "zoned"}), Allocatable: []cluster.Quantity{
				{Resource: cluster.CPU, Amount: 9000}, {Resource: cluster.Memory, Amount: 9000}, {Resource: cluster.Pods, Amount: 9},
			}}); err != nil {
				t.Fatal(err)
			}
			plain := rw.class(5000, 1000, 0)
			near := *rw.class(100, 100, 0)
			near.Affinity = []*cluster.PodTerm{c.AddPodTerm(cluster.PodTerm{
				TopologyKey: c.Hostname, Selector: zone, Namespaces: []cluster.Symbol{plain.Namespace}, NamespaceSelector: cluster.SelectsNothing(),
			})}
			fixed := *rw.class(100, 100, 0)
			fixed.NodeName = "zoned"
			return []workloads.Arrival{
				{Name: "plain", Class: plain, Lifetime: clock.Hour},
				{Name: "near", At: clock.Second, Class: c.AddClass("near", near), Lifetime: clock.Hour},
				{Name: "fixed", At: 2 * clock.Second, Class: c.AddClass("fixed", fixed), Node: "zoned", Started: 2 * clock.Second, Lifetime: clock.Hour},
			}
		})
		rw.cfg.Horizon = 10 * clock.Second
		rw.end(t, context.Background())
		got := strings.Join(append(rw.story(record.PodBound), fmt.Sprint("budget ", rw.cluster.Budgets.Budget(0).DisruptionsAllowed)), "; ")
		if got != want {
			t.Errorf("topologyLabelsOnBind=%s: %s\nwant %s", value, got, want)
		}
	}
}
