package scheduler

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// keeper is a plugin that keeps at Reserve what it worked out in the cycle, and reads it at Unreserve.
type keeper struct {
	scriptedPlugin
	found Slot[string]
	kept  StateKey[string]
	read  map[string]string
}

func (k *keeper) Filter(c *Cycle, node cluster.NodeID) Verdict {
	*k.found.In(c) = "found for " + c.Cluster.Pod(c.Pod).Name
	return Fits
}

func (k *keeper) Reserve(state *CycleState, _ cluster.PodID, _ cluster.NodeID) Status {
	k.kept.Set(state, *k.found.In(state.Cycle()))
	return Status{}
}

func (k *keeper) Unreserve(state *CycleState, pod cluster.PodID, _ cluster.NodeID) {
	value, set := k.kept.Get(state)
	if state.Cycle() != nil {
		value = "the cycle is not over"
	} else if !set {
		value = "nothing"
	}
	k.read[k.h.Cluster().Pod(pod).Name] = value
}

// newKeeperScheduler is a scheduler with a keeper at every point, and one node.
func newKeeperScheduler(t *testing.T) (*cluster.Cluster, *Scheduler, *keeper) {
	cl, k := cluster.New(cluster.NewVocabulary()), &keeper{read: map[string]string{}}
	if _, err := cl.AddNode(cluster.NodeSpec{Name: "n"}); err != nil {
		t.Fatal(err)
	}
	registry := Registry{
		"Sort": WithoutArgs(func(*Handle) (Plugin, error) { return byPriority{}, nil }),
		"Keeper": WithoutArgs(func(h *Handle) (Plugin, error) {
			k.scriptedPlugin = scriptedPlugin{"Keeper", h, map[string]string{}, new([]string)}
			k.found, k.kept = NewSlot[string](h), NewStateKey[string](h)
			return k, nil
		}),
	}
	cfg := ProfileConfig{SchedulerName: "default-scheduler"}
	cfg.Points[QueueSort] = []PluginRef{{Name: "Sort"}}
	for _, point := range []ExtensionPoint{Filter, Reserve, Bind} {
		cfg.Points[point] = []PluginRef{{Name: "Keeper"}}
	}
	s, err := New(cl, Config{Profiles: []ProfileConfig{cfg}, Registry: registry, Tie: TieFirst, Streams: clock.NewStreams(1)})
	if err != nil {
		t.Fatal(err)
	}
	return cl, s, k
}

// Unreserve gets what Reserve kept for the pod, though other pods were scheduled meanwhile. After the pod is bound, nothing
// is kept.
func TestUnreserveGetsTheStateOfThePod(t *testing.T) {
	cl, s, k := newKeeperScheduler(t)
	class := cl.AddClass("", cluster.Class{SchedulerName: "default-scheduler"})
	var pods []cluster.PodID
	for _, name := range []string{"a", "b", "c"} {
		pod := cl.AddPod(cluster.Pod{Name: name, Class: class})
		s.Add(pod, 0)
		s.PopPod(pod, 0)
		s.EndAttempt(s.Schedule(pod, 0), 0)
		pods = append(pods, pod)
	}
	if ok, why := s.RunBindingCycle(pods[1], 0); !ok {
		t.Fatal(why)
	}
	s.RollBack(pods[0], 0)
	if k.read["a"] != "found for a" {
		t.Errorf("Unreserve of a got %q", k.read["a"])
	}
	if len(s.states) != 1 {
		t.Errorf("%d states are kept, want that of c", len(s.states))
	}
}
