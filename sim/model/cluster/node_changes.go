package cluster

import (
	"fmt"
	"slices"
)

// AddNode adds a node without pods. It fails when a node of that name exists.
func (c *Cluster) AddNode(spec NodeSpec) (NodeID, error) {
	if _, exists := c.byName[spec.Name]; exists {
		return None, fmt.Errorf("node %q exists already", spec.Name)
	}
	id := c.newNodeID()
	c.byName[spec.Name] = id
	c.nodes[id].Sym, c.nodes[id].Serial = c.Sym(spec.Name), c.added
	c.byCreation = append(c.byCreation, id)
	c.added++
	c.setSpec(id, spec)
	c.tree.add(id, c.zoneKey(spec.Labels))
	c.Topology.moveNode(id)
	return id, nil
}

// UpdateNode replaces what a node is, pods stay. The name must not change.
func (c *Cluster) UpdateNode(id NodeID, spec NodeSpec) {
	if spec.Name != c.nodes[id].Name {
		panic(fmt.Sprintf("cluster: node %q cannot be renamed to %q", c.nodes[id].Name, spec.Name))
	}
	c.dropSpec(id)
	c.setSpec(id, spec)
	c.tree.move(id, c.zoneKey(spec.Labels))
	c.Topology.moveNode(id)
}

// RemoveNode takes a node away. Its pods must be gone before.
func (c *Cluster) RemoveNode(id NodeID) {
	if len(c.pods[id]) != 0 {
		panic(fmt.Sprintf("cluster: node %q is removed with %d pods on it", c.nodes[id].Name, len(c.pods[id])))
	}
	c.dropSpec(id)
	for r := range c.allocatable {
		c.allocatable[r][id] = 0
	}
	delete(c.byName, c.nodes[id].Name)
	i, _ := c.creationIndex(c.nodes[id].Serial)
	c.byCreation = slices.Delete(c.byCreation, i, i+1)
	c.free = append(c.free, id)
	c.tree.remove(id)
	c.Topology.moveNode(id)
}

// newNodeID returns the id of a removed node, or a new one with an entry in every column.
func (c *Cluster) newNodeID() NodeID {
	if n := len(c.free); n > 0 {
		id := c.free[n-1]
		c.free = c.free[:n-1]
		return id
	}
	c.nodes = append(c.nodes, Node{})
	c.pods = append(c.pods, nil)
	c.ports = append(c.ports, nil)
	c.Devices.free = append(c.Devices.free, nil)
	c.version = append(c.version, 0)
	for r := range c.nonZero {
		c.nonZero[r] = append(c.nonZero[r], 0)
	}
	c.growColumns()
	return NodeID(len(c.nodes) - 1)
}

func (c *Cluster) setSpec(id NodeID, spec NodeSpec) {
	n := &c.nodes[id]
	n.NodeSpec, n.Alive = spec, true
	n.TaintID = c.internTaints(spec.Taints)
	n.LabelClass = c.internLabels(spec.Labels.Without(c.Hostname))
	for r := range c.allocatable {
		c.allocatable[r][id] = 0
	}
	for _, q := range spec.Allocatable {
		c.growColumns()
		c.allocatable[q.Resource][id] = q.Amount
	}
	c.Devices.reset(id)
	c.countSpec(n, 1)
	c.Images.add(n)
}

func (c *Cluster) dropSpec(id NodeID) {
	n := &c.nodes[id]
	c.countSpec(n, -1)
	c.Images.remove(n)
	n.Alive = false
}

func (c *Cluster) countSpec(n *Node, by int) {
	c.Devices.total += by * n.Devices.Count
	if n.Unschedulable {
		c.unschedulable += by
	}
	if slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Effect != PreferNoSchedule }) {
		c.hardTainted += by
	}
	if slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Effect == PreferNoSchedule }) {
		c.softTainted += by
	}
}
