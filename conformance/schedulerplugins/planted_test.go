package schedulerplugins

import (
	"reflect"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// TestMistakesAreNoticed makes berth's plugins err, one at a time: the comparison must say so within 60 cases. A plugin
// that is wrapped and does not err is not noticed.
func TestMistakesAreNoticed(t *testing.T) {
	tests := []struct {
		name, plugin string
		err          func(right scheduler.Factory) scheduler.Factory
		noticed      bool
	}{
		{"nothing", "PodState", scores(func(_ cluster.NodeID, s int64) int64 { return s }, scheduler.MinMaxIntegerZero), false},
		{"a score that is one off", "PodState", scores(func(n cluster.NodeID, s int64) int64 { return s + int64(n%2) }, scheduler.MinMaxIntegerZero), true},
		{"another normalization", "PodState", scores(func(_ cluster.NodeID, s int64) int64 { return s }, scheduler.MinMaxInteger), true},
		{"the sign", "NodeResourcesAllocatable", scores(func(_ cluster.NodeID, s int64) int64 { return -s }, scheduler.MinMaxIntegerZero), true},
		{"the default weights", "NodeResourcesAllocatable", func(right scheduler.Factory) scheduler.Factory {
			return func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
				if args == nil || reflect.DeepEqual(args, plugins.DefaultAllocatableArgs()) {
					args = plugins.AllocatableArgs{Mode: plugins.LeastAllocatable, Resources: plugins.DefaultResources()}
				}
				return right(h, args)
			}
		}, true},
		{"the quality of service", "QOSSort", func(scheduler.Factory) scheduler.Factory { return plugins.Registry()["PrioritySort"] }, true},
	}
	for _, tt := range tests {
		registry := plugins.Registry()
		registry[tt.plugin] = tt.err(registry[tt.plugin])
		noticed := false
		for i := uint64(0); i < 60 && !noticed; i++ {
			if c := Generate(i); c.Plugin == tt.plugin {
				real, ours := c.compare(t, registry)
				noticed = !reflect.DeepEqual(real, ours)
			}
		}
		if noticed != tt.noticed {
			t.Errorf("%s of %s: noticed %v, want %v", tt.name, tt.plugin, noticed, tt.noticed)
		}
	}
}

// scores makes a score plugin err in its raw scores or in their normalization.
func scores(change func(cluster.NodeID, int64) int64, n scheduler.Normalization) func(scheduler.Factory) scheduler.Factory {
	return func(right scheduler.Factory) scheduler.Factory {
		return func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
			p, err := right(h, args)
			if err != nil {
				return nil, err
			}
			return wrong{p.(scheduler.ScorePlugin), change, n}, nil
		}
	}
}

type wrong struct {
	scheduler.ScorePlugin
	change    func(cluster.NodeID, int64) int64
	normalize scheduler.Normalization
}

func (w wrong) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	return w.change(node, w.ScorePlugin.Score(c, node))
}

func (w wrong) Normalization() scheduler.Normalization { return w.normalize }
