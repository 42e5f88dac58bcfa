package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// newNodeAffinity prefers nodes that the preferred terms of the pod's node affinity match,
// by the sum of their weights.
//
// Upstream: pkg/scheduler/algorithm/priorities/node_affinity.go, v1.16.15.
// Differs: terms that name nodes count, and a term without any requirement matches nothing;
// both as in the current plugin.
func newNodeAffinity(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapScore(h, "NodeAffinityPriority", "NodeAffinity", nil, scheduler.ByMaximum)
}

// newTaintToleration prefers nodes with few PreferNoSchedule taints that the pod does not
// tolerate.
//
// Upstream: pkg/scheduler/algorithm/priorities/taint_toleration.go, v1.16.15. Differs: none.
func newTaintToleration(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapScore(h, "TaintTolerationPriority", "TaintToleration", nil, scheduler.ByMaximumReversed)
}

// equal gives every node 1.
//
// Upstream: EqualPriorityMap, pkg/scheduler/core/generic_scheduler.go, v1.16.15. Differs: none.
type equal struct{ named }

func newEqual(*scheduler.Handle) (scheduler.Plugin, error) { return equal{EqualPriority}, nil }

func (equal) DependsOn() scheduler.Dependencies { return 0 }

func (equal) PrepareScore(*scheduler.Cycle) bool { return true }

func (equal) Score(*scheduler.Cycle, cluster.NodeID) int64 { return 1 }

// preferAvoidPods gives 0 to nodes that ask, by annotation, for no more pods of the
// ReplicationController or ReplicaSet that controls the pod, and 10 to all others.
//
// Upstream: pkg/scheduler/algorithm/priorities/node_prefer_avoid_pods.go, v1.16.15.
// Differs: an annotation that is not valid is an error where it is read.
type preferAvoidPods struct {
	named
	cluster *cluster.Cluster
}

func newPreferAvoidPods(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &preferAvoidPods{"NodePreferAvoidPodsPriority", h.Cluster()}, nil
}

func (p *preferAvoidPods) DependsOn() scheduler.Dependencies { return scheduler.NodeConditions }

// PrepareScore: Controller is 0 if no node names the pod's controller in the annotation preferAvoidPods; every node
// then has the same score.
func (p *preferAvoidPods) PrepareScore(c *scheduler.Cycle) bool { return c.Class.Controller == 0 }

func (p *preferAvoidPods) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	if c.Class.Controller != 0 && slices.Contains(p.cluster.Node(node).PreferAvoidPods, c.Class.Controller) {
		return 0
	}
	return scheduler.MaxLegacyScore
}
