package world_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// churningWorld is a mixed world whose nodes are removed and added every few seconds, while pods
// are spread over zones.
type churningWorld struct {
	*mixedWorld
	registry scheduler.Registry
	policy   config.Policy
}

func newChurningWorld(t testing.TB, seed uint64) *churningWorld {
	t.Helper()
	mixed := newMixedWorld(t, seed)
	w := &churningWorld{mixed, plugins.Registry(), defaultPolicy(t, mixed.rules)}
	w.cfg.Horizon, w.cfg.SampleEvery, w.cfg.Attempted = 45*clock.Second, 0, nil
	var names []string
	for _, id := range w.cluster.ByCreation() {
		names = append(names, w.cluster.Node(id).Name)
		w.cluster.UpdateNode(id, w.inZone(w.cluster.Node(id).NodeSpec))
	}
	w.cfg.Latency.Cycle = fixed(mixedCycle) // else pods that preempt each other may do so forever
	w.cfg.Changes = w.churn(names)
	w.spreadPods()
	return w
}

func (w *churningWorld) inZone(spec cluster.NodeSpec) cluster.NodeSpec {
	spec.Labels = spec.Labels.With(w.cluster.Symbol("zone"), w.cluster.Symbol(fmt.Sprint("zone-", w.rnd.IntN(4))))
	return spec
}

// churn removes, adds and drains nodes. The name of a removed node is used again, now and then.
func (w *churningWorld) churn(names []string) []world.Change {
	var out []world.Change
	var removed []string
	numbers := len(names)
	for at := clock.Second; at < w.cfg.Horizon; at += clock.Time(w.rnd.Int64N(int64(2 * clock.Second))) {
		switch n := w.rnd.IntN(5); {
		case n < 2 && len(names) > 3:
			i := w.rnd.IntN(len(names))
			out = append(out, world.Change{At: at, Kind: world.RemoveNodes, Names: names[i : i+1 : i+1]})
			removed = append(removed, names[i])
			names = slices.Delete(slices.Clone(names), i, i+1)
		case n < 4:
			spec := w.nodeSpec(numbers)
			numbers++
			if len(removed) > 0 && w.rnd.IntN(3) == 0 {
				spec.Name, removed = removed[0], removed[1:]
				spec.Labels = spec.Labels.With(w.cluster.Hostname, w.cluster.Symbol(spec.Name))
			}
			names = append(slices.Clone(names), spec.Name)
			out = append(out, world.Change{At: at, Kind: world.AddNodes, Add: []cluster.NodeSpec{w.inZone(spec)}})
		default:
			out = append(out, world.Change{At: at, Kind: world.DrainNodes, Pool: "p", Count: 1})
		}
	}
	return out
}

// spreadPods spreads a third of the pods over zones.
func (w *churningWorld) spreadPods() {
	app := []cluster.Requirement{{Key: w.cluster.Symbol("app"), Op: cluster.Exists}}
	for i := range w.cfg.Arrivals.(*arrivalList).left {
		a := &w.cfg.Arrivals.(*arrivalList).left[i]
		if w.rnd.IntN(3) > 0 {
			continue
		}
		class, hard := *a.Class, w.rnd.IntN(2) == 0
		class.Spread = []cluster.SpreadConstraint{{
			TopologyKey: w.cluster.Symbol("zone"), MaxSkew: 2, MinDomains: 1, Hard: hard, Selector: cluster.LabelSelector{Requirements: app},
		}}
		a.Class = w.cluster.AddClass(fmt.Sprint("spread ", a.Class.ID, hard), class)
	}
}

// churned runs the churning world of a seed, and returns how many ids nodes had.
func churned(t *testing.T, seed uint64, alter func(*churningWorld)) (w *churningWorld, ids int) {
	t.Helper()
	w = newChurningWorld(t, seed)
	if alter != nil {
		alter(w)
	}
	s, err := scheduler.New(w.cluster, scheduler.Config{
		Profiles: w.policy.Profiles, Registry: w.registry,
		Tie:            []scheduler.TieBreak{scheduler.TieRandom, scheduler.TieFirst, scheduler.TieRank}[seed%3],
		InitialBackoff: w.policy.InitialBackoff, MaxBackoff: w.policy.MaxBackoff, Streams: clock.NewStreams(seed),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.cfg.Scheduler = s
	if err := w.run(t, nil); err != nil {
		t.Fatal(err)
	}
	return w, w.cluster.NodeIDs()
}

func retireIDs(w *churningWorld) { w.cluster.RetireNodeIDs() }

// TestReuseOfNodeIDsChangesNothing: a run has the same records whether the ids of removed nodes are
// used again or not.
func TestReuseOfNodeIDsChangesNothing(t *testing.T) {
	bound, fewer := 0, 0
	for seed := range uint64(200) {
		reusing, ids := churned(t, seed, nil)
		retiring, all := churned(t, seed, retireIDs)
		if reusing.hash != retiring.hash {
			t.Errorf("seed %d: the records differ with node ids that are used again", seed)
		}
		fewer += all - ids
		for i := range reusing.records {
			if reusing.records[i].Kind == record.PodBound {
				bound++
			}
		}
	}
	t.Logf("%d pods were bound, %d ids of nodes were used again", bound, fewer)
	if bound < 5000 || fewer < 2000 {
		t.Error("the worlds have become too easy")
	}
}

// scoreByNodeID is a plugin that does what none may do: its scores depend on ids of nodes.
type scoreByNodeID struct{}

func (scoreByNodeID) Name() string                                        { return "NodeIDScore" }
func (scoreByNodeID) DependsOn() scheduler.Dependencies                   { return 0 }
func (scoreByNodeID) Score(_ *scheduler.Cycle, node cluster.NodeID) int64 { return int64(node) }

func TestAPluginThatReadsNodeIDsIsNoticed(t *testing.T) {
	violate := func(w *churningWorld) {
		w.registry["NodeIDScore"] = scheduler.WithoutArgs(func(*scheduler.Handle) (scheduler.Plugin, error) { return scoreByNodeID{}, nil })
		scores := &w.policy.Profiles[0].Points[scheduler.Score]
		*scores = append(slices.Clone(*scores), scheduler.PluginRef{Name: "NodeIDScore", Weight: 100})
	}
	reusing, _ := churned(t, 1, violate)
	retiring, _ := churned(t, 1, func(w *churningWorld) { violate(w); retireIDs(w) })
	if reusing.hash == retiring.hash {
		t.Error("scores depend on ids of nodes, and the records are the same")
	}
}
