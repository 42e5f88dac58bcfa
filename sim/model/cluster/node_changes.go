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
	if c.journal.isOpen() {
		c.journal.note(func() { c.undoAdd(id) })
	}
	c.byName[spec.Name] = id
	c.nodes[id].Symbol, c.nodes[id].Serial = c.Symbol(spec.Name), c.added
	c.byCreation = append(c.byCreation, id)
	c.added++
	c.setSpec(id, spec)
	c.tree.add(id, c.zoneKey(spec.Labels))
	c.Topology.moveNode(id)
	c.changed(id, ExistenceChanged)
	return id, nil
}

func (c *Cluster) undoAdd(id NodeID) {
	c.dropSpec(id)
	c.clearAllocatable(id)
	delete(c.byName, c.nodes[id].Name)
	c.byCreation = c.byCreation[:len(c.byCreation)-1]
	c.added--
	c.tree.remove(id)
	c.Topology.moveNode(id)
}

// UpdateNode replaces what a node is, pods stay. The name must not change.
func (c *Cluster) UpdateNode(id NodeID, spec NodeSpec) {
	if spec.Name != c.nodes[id].Name {
		panic(fmt.Sprintf("cluster: node %q cannot be renamed to %q", c.nodes[id].Name, spec.Name))
	}
	if c.journal.isOpen() {
		before := c.saveNode(id, spec.Images)
		c.journal.note(func() {
			c.dropSpec(id)
			if c.tree.zoneOf[id] != before.zone {
				c.tree.remove(id)
				c.tree.insert(id, before.treePlace)
			}
			c.restoreNode(id, &before)
		})
	}
	c.changed(id, c.nodes[id].changesTo(&spec))
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
	i, _ := c.creationIndex(c.nodes[id].Serial)
	if c.journal.isOpen() {
		before := c.saveNode(id, nil)
		c.journal.note(func() {
			c.byName[before.node.Name] = id
			c.byCreation = slices.Insert(c.byCreation, i, id)
			c.free = c.free[:len(c.free)-1]
			c.tree.insert(id, before.treePlace)
			c.restoreNode(id, &before)
		})
	}
	c.dropSpec(id)
	c.clearAllocatable(id)
	delete(c.byName, c.nodes[id].Name)
	c.byCreation = slices.Delete(c.byCreation, i, i+1)
	c.free = append(c.free, id)
	c.tree.remove(id)
	c.Topology.moveNode(id)
	c.changed(id, ExistenceChanged)
}

// newNodeID returns the id of a removed node, or a new one with an entry in every column.
func (c *Cluster) newNodeID() NodeID {
	if n := len(c.free); n > 0 && !c.retireIDs {
		id := c.free[n-1]
		c.free = c.free[:n-1]
		before, devices := c.nodes[id], c.Devices.free[id]
		if c.journal.isOpen() {
			c.journal.note(func() {
				c.nodes[id], c.Devices.free[id] = before, devices
				c.free = append(c.free, id)
			})
		}
		return id
	}
	if c.journal.isOpen() {
		c.journal.note(c.dropLastNodeID)
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

// dropLastNodeID takes the largest id out of every column.
func (c *Cluster) dropLastNodeID() {
	n := len(c.nodes) - 1
	c.nodes, c.pods, c.ports, c.version = c.nodes[:n], c.pods[:n], c.ports[:n], c.version[:n]
	c.Devices.free = c.Devices.free[:n]
	for r := range c.nonZero {
		c.nonZero[r] = c.nonZero[r][:n]
	}
	for r := range c.allocatable {
		c.allocatable[r], c.requested[r] = c.allocatable[r][:n], c.requested[r][:n]
	}
}

func (c *Cluster) clearAllocatable(id NodeID) {
	for r := range c.allocatable {
		c.allocatable[r][id] = 0
	}
}

func (c *Cluster) setSpec(id NodeID, spec NodeSpec) {
	n := &c.nodes[id]
	n.NodeSpec, n.Exists = spec, true
	n.TaintID = c.internTaints(spec.Taints)
	n.LabelClass = c.internLabels(spec.Labels.Without(c.Hostname))
	c.setAllocatable(id)
	c.Devices.reset(id)
	c.countSpec(n, 1)
	c.Images.add(n)
}

func (c *Cluster) setAllocatable(id NodeID) {
	c.clearAllocatable(id)
	for _, q := range c.nodes[id].Allocatable {
		c.growColumns()
		c.allocatable[q.Resource][id] = q.Amount
	}
}

func (c *Cluster) dropSpec(id NodeID) {
	n := &c.nodes[id]
	c.countSpec(n, -1)
	c.Images.remove(n)
	n.Exists = false
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
