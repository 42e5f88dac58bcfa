package world

import (
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
	DropTaint   ChangeKind = "untaint"
)

// Change is a timed event of the scenario.
type Change struct {
	At    clock.Time
	Kind  ChangeKind
	Add   []cluster.NodeSpec // for AddNodes
	Taint cluster.Taint      // for AddTaint and DropTaint
	// Names, or Pool and Count, choose the nodes: those of a pool in order of being
	// added, as many as Count (0: all), leaving out those that the change would not
	// change.
	Names []string
	Pool  string
	Count int
}

// chosen are the nodes that a change is about, in order of being added.
func (w *World) chosen(c *Change) []cluster.NodeID {
	var out []cluster.NodeID
	for _, name := range c.Names {
		if id, exists := w.cluster.NodeByName(name); exists {
			out = append(out, id)
		}
	}
	if c.Names != nil {
		return out
	}
	for id := range cluster.NodeID(w.cluster.NodeIDs()) {
		n := w.cluster.Node(id)
		if !n.Alive || n.Pool != c.Pool || !changes(c, n) {
			continue
		}
		if out = append(out, id); len(out) == c.Count {
			break
		}
	}
	return out
}

// changes reports whether the node would be another one after the change.
func changes(c *Change, n *cluster.Node) bool {
	has := false
	for _, t := range n.Taints {
		has = has || t == c.Taint
	}
	switch c.Kind {
	case DrainNodes, Cordon:
		return !n.Unschedulable
	case Uncordon:
		return n.Unschedulable
	case AddTaint:
		return !has
	case DropTaint:
		return has
	}
	return true
}
