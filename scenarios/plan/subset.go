package plan

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// maxCopies is the largest number of copies of a fleet that is too small for its workload. Numbers of copies are powers
// of two.
const maxCopies = 8

// subset is some of the nodes of a fleet, or of several copies of it.
type subset struct {
	copies int // including the fleet itself
	kept   int // number of nodes
}

// canCopy reports whether the nodes can be copied. Nodes that are sent to extenders as objects cannot.
func canCopy(c *cluster.Cluster) bool {
	for _, id := range c.ByCreation() {
		if c.Node(id).Object != nil {
			return false
		}
	}
	return true
}

// apply keeps the first nodes in the order that the seed draws and removes the others before the first pod arrives. Pods
// that run on a node already are scheduled again like all others, except pods that fit no node. Daemon pods are created
// and removed with their nodes.
func (s subset) apply(run *scenarios.Run, seed uint64) *unplaced {
	c := run.Config.Cluster
	fleet := c.NumNodes()
	stream := &unplaced{Stream: run.Config.Arrivals, gone: map[string]bool{}, never: run.NeverFit}
	if len(run.Config.Changes) > 0 {
		stream.never = nil // nodes that are added may fit them
	}
	removal, addition := world.Change{Kind: world.RemoveNodes}, world.Change{Kind: world.AddNodes}
	for i, drawn := range clock.NewStreams(seed).Rand("compaction").Perm(fleet * s.copies) {
		node, copied := c.Node(c.ByCreation()[drawn%fleet]), drawn/fleet
		switch {
		case i < s.kept && copied > 0:
			spec := copyOf(c, node, copied)
			addition.Add = append(addition.Add, spec)
			if run.Config.Daemons == nil {
				stream.copied(node.Name, spec.Name)
			}
		case i >= s.kept && copied == 0:
			removal.Names = append(removal.Names, node.Name)
			stream.gone[node.Name] = true
		}
	}
	var changes []world.Change
	if len(removal.Names) > 0 {
		changes = append(changes, removal)
	}
	if len(addition.Add) > 0 {
		changes = append(changes, addition)
	}
	run.Config.Changes = append(changes, run.Config.Changes...)
	run.Config.Arrivals = stream
	if daemons := run.Config.Daemons; daemons != nil {
		run.Config.Daemons = func(id cluster.NodeID) []workloads.Arrival {
			if stream.gone[c.Node(id).Name] {
				return nil
			}
			return daemons(id)
		}
	}
	return stream
}

// copyOf returns a copy of a node with a name of its own.
func copyOf(c *cluster.Cluster, node *cluster.Node, number int) cluster.NodeSpec {
	spec := node.NodeSpec
	for spec.Name = fmt.Sprintf("%s-copy-%d", node.Name, number); taken(c, spec.Name); {
		spec.Name += "-copy"
	}
	if host, has := spec.Labels.Get(c.Hostname); has && host == node.Symbol {
		spec.Labels = spec.Labels.With(c.Hostname, c.Symbol(spec.Name))
	}
	return spec
}

func taken(c *cluster.Cluster, name string) bool {
	_, is := c.NodeByName(name)
	return is
}

// unplaced is a stream of pods without nodes, and of daemon pods with nodes.
type unplaced struct {
	workloads.Stream
	gone   map[string]bool         // removed nodes
	copies map[string][]string     // names of the copies of a node, by its name
	due    []workloads.Arrival     // copies of daemon pods
	never  map[*cluster.Class]bool // classes that fit no node

	leftOut, placed int // pods of these classes, and all others except daemon pods
}

// copied registers a copy of a node, which gets copies of its daemon pods.
func (s *unplaced) copied(node, name string) {
	if s.copies == nil {
		s.copies = map[string][]string{}
	}
	s.copies[node] = append(s.copies[node], name)
}

// Next implements workloads.Stream.
func (s *unplaced) Next() (workloads.Arrival, bool, error) {
	for {
		if len(s.due) > 0 {
			a := s.due[0]
			s.due = slices.Delete(s.due, 0, 1)
			return a, true, nil
		}
		a, more, err := s.Stream.Next()
		if err != nil || !more {
			return a, more, err
		}
		if a.Daemon && !a.Terminating {
			for _, name := range s.copies[a.Node] {
				other := a
				other.Name, other.UID, other.Node, other.Devices = a.Name+"-"+name, "", name, nil
				s.due = append(s.due, other)
			}
		}
		switch {
		case a.Terminating, a.Daemon && s.gone[a.Node]:
			continue
		case a.Daemon:
			return a, true, nil
		case s.never[a.Class]:
			s.leftOut++
			continue
		case a.Node != "":
			a.Node, a.Started = "", a.At
		}
		s.placed++
		return a, true, nil
	}
}
