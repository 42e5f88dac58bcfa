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

// Pods spread over two zones, one of which has no room. The second pod must wait, until that
// zone is gone with its only node.
func TestARemovedNodeHelpsPodsThatSpread(t *testing.T) {
	rw := newRandomWorld(t, 1, nil)
	zone := rw.cluster.Symbol("zone")
	for _, name := range []string{"a", "b"} {
		spec := rw.cluster.Node(0).NodeSpec
		spec.Name, spec.Labels, spec.Unschedulable = name, cluster.LabelSet{{Key: zone, Value: rw.cluster.Symbol(name)}}, name == "b"
		if _, err := rw.cluster.AddNode(spec); err != nil {
			t.Fatal(err)
		}
	}
	class := *rw.class(100, 100, 0)
	class.Spread = []cluster.SpreadConstraint{{TopologyKey: zone, MaxSkew: 1, MinDomains: 1, Hard: true}}
	class.Labels = cluster.LabelSet{{Key: rw.cluster.Symbol("app"), Value: rw.cluster.Symbol("web")}}
	class.Spread[0].Selector.Requirements = []cluster.Requirement{{Key: rw.cluster.Symbol("app"), Op: cluster.Exists}}
	spreading := rw.cluster.AddClass("spreading", class)
	rw.cfg.Latency, rw.cfg.SampleEvery = world.Latency{}, 0
	rw.cfg.Arrivals = &arrivalList{[]workloads.Arrival{
		{Name: "first", Class: spreading, Lifetime: clock.Forever}, {Name: "second", At: clock.Second, Class: spreading, Lifetime: clock.Forever},
	}}
	rw.cfg.Changes = []world.Change{{At: 10 * clock.Second, Kind: world.RemoveNodes, Names: []string{"b"}}}
	rw.end(t, context.Background())
	var bound []string
	for _, r := range rw.records {
		if r.Kind == record.PodBound {
			bound = append(bound, fmt.Sprintf("pod %d at %s", r.Pod, r.Time))
		}
	}
	if want := []string{"pod 0 at 0s", "pod 1 at 10s"}; !slices.Equal(bound, want) {
		t.Errorf("bound are %q, want %q", bound, want)
	}
}
