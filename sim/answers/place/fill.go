package place

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// Fill puts pods of the class on the nodes as long as they fit, after Run, and returns how many
// there are. It returns false, and has done nothing, where More must be asked pod by pod: if the
// order in which pods take nodes matters for the class, or if there would be more than limit.
// Each call of name names one pod more.
func (p *Placement) Fill(serial int64, class *cluster.Class, limit int, name func() string) (int, bool) {
	nodes, ok := Room(p.Cluster, p.Scheduler, class, limit)
	if !ok {
		return 0, false
	}
	for i, node := range nodes {
		a := workloads.Arrival{Name: name(), Class: class, Node: p.Cluster.Node(node).Name, Started: p.steps.Now()}
		if _, err := p.steps.Add(serial+int64(i), a); err != nil {
			panic(err) // the node exists
		}
	}
	return len(nodes), true
}

// Room lists the nodes that pods of the class fit on, each as often as one more fits, by placing
// them in a trial, which leaves the cluster as it was; false as in Placement.Fill.
func Room(c *cluster.Cluster, s *scheduler.Scheduler, class *cluster.Class, limit int) ([]cluster.NodeID, bool) {
	in := s.Inspect(cluster.NoPod, class)
	if len(class.Volumes) > 0 || len(class.Gates) > 0 || !in.IsNodeLocal() {
		return nil, false
	}
	mark := c.Mark()
	defer c.Rollback(mark)
	var nodes []cluster.NodeID
	for _, node := range c.Order() {
		for len(nodes) <= limit && in.Fits(node) {
			pod := c.AddPod(cluster.Pod{Serial: -1, Class: class, Group: cluster.NoGroup})
			c.TryPlace(pod, node)
			nodes = append(nodes, node)
		}
	}
	return nodes, len(nodes) <= limit
}
