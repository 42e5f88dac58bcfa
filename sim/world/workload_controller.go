package world

import (
	"github.com/berth-sim/berth/sim/model/cluster"
)

// workloadController stands for the controllers that own pods: it re-creates pods that were
// evicted (ReplicaSet, StatefulSet, Job), makes the successor of a pod that has completed (Job),
// and starts the daemons of a new node (DaemonSet). It does so at once, and has no state.
type workloadController struct {
	*core
	arrivals *arrivals
	pods     *podLifecycle
}

func (c *workloadController) observe(n notice) {
	switch n.kind {
	case nodeAdded:
		c.startDaemons(n.node)
	case podEnding:
		if n.evicted {
			c.recreate(n.pod, n.nodeRemoved)
		}
	case podSucceeded:
		if next, more := n.successor(); more {
			next.At = c.now
			c.arrivals.arriveNew(next)
		}
	}
}

func (c *workloadController) fire(int64) {} // it sets no timers

func (c *workloadController) startDaemons(node cluster.NodeID) {
	if c.cfg.Daemons == nil {
		return
	}
	for _, a := range c.cfg.Daemons(node) {
		a.At = c.now
		c.pods.create(a)
	}
}

// recreate makes a pod again that has terminated. A daemon of a node that is removed is not
// re-created.
func (c *workloadController) recreate(pod cluster.PodID, nodeRemoved bool) {
	a := c.pods.states[pod].Arrival
	if !a.Recreate || a.Daemon && nodeRemoved {
		return
	}
	a.Node, a.UID, a.Started, a.At = "", "", 0, c.now
	if a.RecreatedClass != nil {
		a.Class, a.RecreatedClass = a.RecreatedClass, nil
	}
	c.pods.create(a)
}
