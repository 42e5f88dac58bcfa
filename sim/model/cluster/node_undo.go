package cluster

// savedNode is what changing or removing a node in a trial changes.
type savedNode struct {
	treePlace
	node    Node
	images  []savedImage
	devices []int32 // free of each
	held    [][]int32
}

// saveNode notes what a node is, before it is removed or gets other images.
func (c *Cluster) saveNode(id NodeID, images []NodeImage) savedNode {
	s := savedNode{treePlace: c.tree.placeOf(id), node: c.nodes[id], devices: c.Devices.free[id]}
	s.images = c.Images.save(c.Images.save(nil, s.node.Images), images)
	for _, pod := range c.pods[id] {
		s.held = append(s.held, c.table[pod].devices)
	}
	return s
}

// restoreNode makes a node, whose spec has been dropped, again what it was.
func (c *Cluster) restoreNode(id NodeID, s *savedNode) {
	c.nodes[id] = s.node
	c.setAllocatable(id)
	c.countSpec(&c.nodes[id], 1)
	c.Images.restore(s.images)
	c.Devices.free[id] = s.devices
	for i, pod := range c.pods[id] {
		c.table[pod].devices = s.held[i]
	}
	c.touch(id)
	c.Topology.moveNode(id)
}
