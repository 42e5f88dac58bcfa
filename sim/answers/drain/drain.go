// Package drain answers how few of the nodes of a cluster hold its pods: which nodes can be drained, one after the other, so
// that every pod that runs today runs again, by the scheduler's own decisions and without breaking a PodDisruptionBudget.
package drain

import (
	"context"

	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/workloads"
)

// Cluster is a state of a cluster to ask about: its pods, and a placement of them that has not been run.
type Cluster struct {
	Placement *place.Placement
	Pods      []workloads.Arrival
}

// Trait is what the arrival of a pod does not say.
type Trait struct {
	Static    bool // the kubelet of its node made it: it goes with the node
	LocalData bool // it has an emptyDir volume, whose content is lost when the pod moves
}

// Options say how to ask.
type Options struct {
	Traits   map[string]Trait // by namespace/name; pods without an entry have none of them
	Progress func(drained int)
}

// Result is which nodes can be drained, and what stays.
type Result struct {
	Nodes     int             // of the cluster
	Running   int             // pods that have a node, those of DaemonSets and static pods included
	Placed    int             // of these, pods that were pending in the manifests and that the scheduler can place now
	Pending   []string        // pods without a node: they may stay pending
	Steps     []Step          // in order
	Remaining []RemainingNode // nodes that are not drained, in the order of the cluster
	AtLeast   Bound
	// Unmanaged are the pods of drained nodes that no controller re-creates, LocalData those whose emptyDir volumes are lost.
	Unmanaged, LocalData []string
}

// Step is the draining of one node.
type Step struct {
	Node string
	Pool string // empty: the node is in no pool
	// Waves are the evictions: those of a wave may be made at once, and the pods of one wave run again before the next.
	Waves      [][]Move
	NotEvicted int // pods that are not evicted: of DaemonSets, static or terminating
}

// Move is a pod that is evicted, and the node on which it runs again.
type Move struct{ Pod, Node string }

// RemainingNode is a node that stays, and why.
type RemainingNode struct {
	Node string
	Why  string
	// Rule: the node cannot be drained whatever room there is.
	Rule bool
}

// Bound is the fewest nodes that the sum of one resource allows.
type Bound struct {
	Nodes    int
	Resource string
}

// Plan finds nodes to drain. Each call of fresh must make the same cluster. It fails where the cluster cannot be made, and when
// ctx is canceled.
//
// The search is a heuristic: nodes are chosen in trials, in three orders, and each choice is then carried out with the
// scheduler. What cannot be carried out is left out, and the choice is carried out again from the beginning.
func Plan(ctx context.Context, fresh func() (Cluster, error), o Options) (*Result, error) {
	c, err := fresh()
	if err != nil {
		return nil, err
	}
	t, err := newToday(c, o)
	if err != nil {
		return nil, err
	}
	chosen, err := t.choose(ctx)
	if err != nil {
		return nil, err
	}
	var best *attempt
	for _, nodes := range chosen {
		if best != nil && len(nodes) <= len(best.steps) {
			continue
		}
		done, err := t.carryOut(ctx, fresh, nodes)
		if err != nil {
			return nil, err
		}
		if best == nil || len(done.steps) > len(best.steps) {
			best = done
		}
	}
	return t.result(best), nil
}
