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
	tr := newTrial(t, 1, nil)
	zone := tr.cluster.Sym("zone")
	for _, name := range []string{"a", "b"} {
		spec := tr.cluster.Node(0).NodeSpec
		spec.Name, spec.Labels, spec.Unschedulable = name, cluster.LabelSet{{Key: zone, Value: tr.cluster.Sym(name)}}, name == "b"
		if _, err := tr.cluster.AddNode(spec); err != nil {
			t.Fatal(err)
		}
	}
	class := *tr.class(100, 100, 0)
	class.Spread = []cluster.SpreadConstraint{{TopologyKey: zone, MaxSkew: 1, MinDomains: 1, Hard: true}}
	class.Labels = cluster.LabelSet{{Key: tr.cluster.Sym("app"), Value: tr.cluster.Sym("web")}}
	class.Spread[0].Selector.Requirements = []cluster.Requirement{{Key: tr.cluster.Sym("app"), Op: cluster.Exists}}
	spreading := tr.cluster.AddClass("spreading", class)
	tr.cfg.Latency, tr.cfg.SampleEvery = world.Latency{}, 0
	tr.cfg.Arrivals = &list{[]workloads.Arrival{
		{Name: "first", Class: spreading, Lifetime: clock.Forever}, {Name: "second", At: clock.Second, Class: spreading, Lifetime: clock.Forever},
	}}
	tr.cfg.Changes = []world.Change{{At: 10 * clock.Second, Kind: world.RemoveNodes, Names: []string{"b"}}}
	tr.end(t, context.Background())
	var bound []string
	for _, r := range tr.records {
		if r.Kind == record.PodBound {
			bound = append(bound, fmt.Sprintf("pod %d at %s", r.Pod, r.Time))
		}
	}
	if want := []string{"pod 0 at 0s", "pod 1 at 10s"}; !slices.Equal(bound, want) {
		t.Errorf("bound are %q, want %q", bound, want)
	}
}
