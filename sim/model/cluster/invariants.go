package cluster

import (
	"fmt"
	"slices"
)

// Verify recomputes from the nodes' specs and the pods everything that is kept up to date by
// changes, and reports the first difference: what is requested on a node is the sum over its pods,
// a pod is on the list of its node and on no other, counters of nodes, images and pod groups agree.
// It is for tests: its running time is proportional to the size of the cluster.
func (c *Cluster) Verify() error {
	if err := c.verifyPods(); err != nil {
		return err
	}
	if err := c.Devices.verify(); err != nil {
		return err
	}
	if err := c.verifyGroups(); err != nil {
		return err
	}
	if err := c.Topology.verifyPartitions(); err != nil {
		return err
	}
	if err := c.Topology.verifyCounts(); err != nil {
		return err
	}
	if err := c.Budgets.verify(); err != nil {
		return err
	}
	if err := c.Volumes.verify(); err != nil {
		return err
	}
	return c.verifySpecs()
}

func (c *Cluster) verifyPods() error {
	seen := map[PodID]NodeID{}
	for n := range c.nodes {
		if err := c.verifyNode(NodeID(n), seen); err != nil {
			return err
		}
	}
	live, placed := 0, placedPods{}
	for id := range c.table {
		p := &c.table[id]
		if !p.live {
			continue
		}
		live++
		if (p.Phase == Pending) != (p.Node == None) {
			return fmt.Errorf("pod %q is %s on node %d", p.Name, p.Phase, p.Node)
		}
		on, found := seen[PodID(id)]
		if found != (p.Node != None) || found && on != p.Node {
			return fmt.Errorf("pod %q says node %d, the nodes say %d (%v)", p.Name, p.Node, on, found)
		}
		if found {
			placed.add(p.Class.Priority)
		}
	}
	if !slices.Equal(placed, c.placed) {
		return fmt.Errorf("by priority %v pods have a node, counted %v", placed, c.placed)
	}
	if live != c.numPods {
		return fmt.Errorf("%d pods exist, counted %d", live, c.numPods)
	}
	return nil
}

func (c *Cluster) verifyNode(n NodeID, seen map[PodID]NodeID) error {
	sum := make([]int64, c.NumResources())
	var nonZero [2]int64
	taken := slices.Clone(c.ports[n])
	for slot, id := range c.pods[n] {
		p := &c.table[id]
		if other, twice := seen[id]; twice {
			return fmt.Errorf("pod %q is on nodes %d and %d", p.Name, other, n)
		}
		if int(p.slot) != slot {
			return fmt.Errorf("pod %q is at place %d of its node, says %d", p.Name, slot, p.slot)
		}
		seen[id] = n
		for _, q := range p.Class.Requests {
			sum[q.Resource] += q.Amount
		}
		sum[Pods]++
		nonZero[CPU] += p.Class.NonZero[CPU]
		nonZero[Memory] += p.Class.NonZero[Memory]
		for _, port := range p.Class.Ports {
			i := slices.Index(taken, port)
			if i < 0 {
				return fmt.Errorf("pod %q has the host port %d, its node does not know", p.Name, port.Port)
			}
			taken = slices.Delete(taken, i, i+1)
		}
	}
	name := c.nodes[n].Name
	for r := range c.requested {
		if c.requested[r][n] != sum[r] {
			return fmt.Errorf("node %q: %d of %s is requested, its pods ask for %d", name, c.requested[r][n], c.ResourceName(Resource(r)), sum[r])
		}
	}
	if c.nonZero[CPU][n] != nonZero[CPU] || c.nonZero[Memory][n] != nonZero[Memory] {
		return fmt.Errorf("node %q: non-zero requests differ from its pods'", name)
	}
	if len(taken) != 0 {
		return fmt.Errorf("node %q: no pod has the host port %d", name, taken[0].Port)
	}
	return nil
}

// verifyGroups counts the members of every pod group, and those that have a node.
func (c *Cluster) verifyGroups() error {
	members, reserved := map[GroupID]int{}, map[GroupID]int{}
	for id := range c.table {
		p := &c.table[id]
		if !p.live || p.Group == NoGroup {
			continue
		}
		members[p.Group]++
		if p.Phase != Pending {
			reserved[p.Group]++
		}
		if !slices.Contains(c.Groups.Group(p.Group).Members, PodID(id)) {
			return fmt.Errorf("pod %q is not among the members of its group", p.Name)
		}
	}
	for id := range c.Groups.groups {
		g := &c.Groups.groups[id]
		if m := members[GroupID(id)]; len(g.Members) != m || g.Arrived < m || g.Reserved != reserved[GroupID(id)] {
			return fmt.Errorf("pod group %q: %d members of %d ever, %d with a node; %d pods say it is theirs, %d with a node",
				g.Name, len(g.Members), g.Arrived, g.Reserved, m, reserved[GroupID(id)])
		}
	}
	return nil
}

// verifySpecs compares what is counted over nodes with their specs.
func (c *Cluster) verifySpecs() error {
	fresh := Cluster{Images: Images{}}
	for id := range c.nodes {
		n := &c.nodes[id]
		if !n.Exists {
			continue
		}
		if found, known := c.byName[n.Name]; !known || found != NodeID(id) {
			return fmt.Errorf("node %q is not found by its name", n.Name)
		}
		if !slices.Contains(c.Order(), NodeID(id)) {
			return fmt.Errorf("node %q is not visited", n.Name)
		}
		for r := range c.allocatable {
			if a := amount(n.Allocatable, Resource(r)); c.allocatable[r][id] != a {
				return fmt.Errorf("node %q: %d of %s is allocatable, its spec says %d", n.Name, c.allocatable[r][id], c.ResourceName(Resource(r)), a)
			}
		}
		fresh.byCreation = append(fresh.byCreation, NodeID(id))
		fresh.countSpec(n, 1)
		fresh.Images.add(n)
	}
	counts := func(c *Cluster) [5]int {
		return [5]int{len(c.byCreation), c.unschedulable, c.hardTainted, c.softTainted, c.Devices.total}
	}
	if counts(c) != counts(&fresh) || len(c.Order()) != len(c.byCreation) {
		return fmt.Errorf("nodes, unschedulable, hard and soft tainted ones, devices: counted %v, there are %v, %d are visited", counts(c), counts(&fresh), len(c.Order()))
	}
	for name, image := range c.Images {
		if f := fresh.Images[name]; f == nil || f.Nodes != image.Nodes {
			return fmt.Errorf("image %q is said to be on %d nodes", c.Text(name), image.Nodes)
		}
	}
	if len(fresh.Images) != len(c.Images) {
		return fmt.Errorf("%d images are known, the nodes have %d", len(c.Images), len(fresh.Images))
	}
	return nil
}
