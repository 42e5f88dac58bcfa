package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// podState prefers nodes on which pods terminate, and avoids those to which pods are nominated.
//
// Upstream: pkg/podstate/pod_state.go, sigs.k8s.io/scheduler-plugins v0.33.5.
// Differs: none.
type podState struct{ h *scheduler.Handle }

func newPodState(h *scheduler.Handle) (scheduler.Plugin, error) { return podState{h}, nil }

func (podState) Name() string { return "PodState" }

func (podState) DependsOn() scheduler.Dependencies { return scheduler.NodePods | scheduler.Nominations }

// Score is how many pods of the node terminate, less how many are nominated to it. The pod itself counts among these.
func (p podState) Score(_ *scheduler.Cycle, node cluster.NodeID) int64 {
	c := p.h.Cluster()
	score := -int64(p.h.NumNominated(node))
	for _, pod := range c.PodsOn(node) {
		if c.Pod(pod).Phase == cluster.Terminating {
			score++
		}
	}
	return score
}

func (podState) Normalization() scheduler.Normalization { return scheduler.MinMaxIntegerZero }
