package world

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// ChangeKind is what a timed event of the scenario does to nodes.
type ChangeKind string

// The kinds of timed events.
const (
	AddNodes    ChangeKind = "add"
	RemoveNodes ChangeKind = "remove" // at once, their pods are lost
	DrainNodes  ChangeKind = "drain"  // cordon, and evict all pods but those of daemons
	Cordon      ChangeKind = "cordon"
	Uncordon    ChangeKind = "uncordon"
	AddTaint    ChangeKind = "taint" // NoExecute evicts what does not tolerate it
	RemoveTaint ChangeKind = "untaint"
)

// Change is a timed event of the scenario.
type Change struct {
	At    clock.Time
	Kind  ChangeKind
	Add   []cluster.NodeSpec // for AddNodes
	Taint cluster.Taint      // for AddTaint and RemoveTaint
	// Names, or Pool and Count, choose the nodes: those of a pool in order of being
	// added, as many as Count (0: all), without those to which the change makes no
	// difference.
	Names []string
	Pool  string
	Count int
}

// selected returns the nodes that a change is about, in order of being added.
func (n *nodeChanges) selected(c *Change) []cluster.NodeID {
	var out []cluster.NodeID
	for _, name := range c.Names {
		if id, exists := n.cluster.NodeByName(name); exists {
			out = append(out, id)
		}
	}
	if c.Names != nil {
		return out
	}
	for _, id := range n.cluster.ByCreation() {
		node := n.cluster.Node(id)
		if node.Pool != c.Pool || !wouldChange(c, node) {
			continue
		}
		if out = append(out, id); len(out) == c.Count {
			break
		}
	}
	return out
}

// wouldChange reports whether the change makes a difference to the node.
func wouldChange(c *Change, node *cluster.Node) bool {
	switch c.Kind {
	case DrainNodes, Cordon:
		return !node.Unschedulable
	case Uncordon:
		return node.Unschedulable
	case AddTaint:
		return !slices.Contains(node.Taints, c.Taint)
	case RemoveTaint:
		return slices.Contains(node.Taints, c.Taint)
	}
	return true
}
