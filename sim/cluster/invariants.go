package cluster

import "fmt"

// Verify recomputes from the pods everything that is kept up to date by changes,
// and reports the first difference: what is requested on a node is the sum over
// its pods, a pod is on the list of its node and on no other, counters agree.
// It is for tests: its time is that of the whole cluster.
func (c *Cluster) Verify() error {
	seen := map[PodID]NodeID{}
	for n := range c.nodes {
		if err := c.verifyNode(NodeID(n), seen); err != nil {
			return err
		}
	}
	live := 0
	for id := range c.table {
		p := &c.table[id]
		if !p.live {
			continue
		}
		live++
		if (p.Phase == Pending) != (p.Node == None) {
			return fmt.Errorf("pod %q is %s on node %d", p.Name, p.Phase, p.Node)
		}
		if on, placed := seen[PodID(id)]; placed != (p.Node != None) || placed && on != p.Node {
			return fmt.Errorf("pod %q says node %d, the nodes say %d (%v)", p.Name, p.Node, on, placed)
		}
	}
	if live != c.numPods {
		return fmt.Errorf("%d pods exist, counted %d", live, c.numPods)
	}
	if len(c.Order()) != c.alive {
		return fmt.Errorf("%d nodes exist, %d are visited", c.alive, len(c.Order()))
	}
	return nil
}

func (c *Cluster) verifyNode(n NodeID, seen map[PodID]NodeID) error {
	sum := make([]int64, c.NumResources())
	var nonZero [2]int64
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
	}
	name := c.nodes[n].Name
	for r := range c.requested {
		if c.requested[r][n] != sum[r] {
			return fmt.Errorf("node %q: %d of %s is requested, its pods ask for %d", name, c.requested[r][n], c.resources[r], sum[r])
		}
	}
	if c.nonZero[CPU][n] != nonZero[CPU] || c.nonZero[Memory][n] != nonZero[Memory] {
		return fmt.Errorf("node %q: non-zero requests differ from its pods'", name)
	}
	return nil
}
