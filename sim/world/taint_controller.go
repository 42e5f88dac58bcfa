package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// taintController evicts bound pods from nodes with NoExecute taints that they do not tolerate, or
// tolerate for a time only. Pods that are not bound yet are left alone until they are.
//
//	                       scheduleEviction            fire
//	bound, tolerates all ──────────────────▶ due at a time ─────▶ evicted
//	         ▲                                    │
//	         └────── the taint is removed ────────┘
//
// Upstream: pkg/controller/tainteviction/taint_eviction.go, v1.36.3.
type taintController struct {
	*core
	pods      *podLifecycle
	evictions map[int64]taintEviction // that are due, by serial of the pod
}

// taintEviction is when a pod can no longer tolerate a taint of its node.
type taintEviction struct {
	podRef
	at clock.Time
}

func (c *taintController) observe(n notice) {
	switch n.kind {
	case nodeTainted:
		c.syncNode(n.node)
	case podBound:
		if c.toleration(n.pod) == 0 { // the taint was added after the pod was assumed
			c.pods.evict(n.pod, record.ByTaint, -1)
			return
		}
		c.scheduleEviction(n.pod)
	case podFound:
		c.scheduleEviction(n.pod)
	case podRemoved:
		if len(c.evictions) > 0 {
			delete(c.evictions, c.cluster.Pod(n.pod).Serial)
		}
	}
}

// fire evicts a pod whose toleration is over, unless its taints have changed meanwhile.
func (c *taintController) fire(serial int64) {
	e, exists := c.evictions[serial]
	if exists && e.at == c.now && c.pods.isCurrent(e.podRef) {
		c.pods.evict(e.pod, record.ByTaint, -1)
	}
}

// syncNode evicts the pods of a node, or schedules their eviction, when its taints have changed.
func (c *taintController) syncNode(node cluster.NodeID) {
	c.pods.evictFrom(node, record.ByTaint, func(pod cluster.PodID) bool {
		return c.cluster.Pod(pod).Phase == cluster.Bound && c.toleration(pod) == 0
	})
	for _, pod := range c.cluster.PodsOn(node) {
		c.scheduleEviction(pod)
	}
}

// scheduleEviction sets the timer for the eviction of a bound pod that does not tolerate the
// taints of its node forever, or cancels its eviction.
func (c *taintController) scheduleEviction(pod cluster.PodID) {
	if c.cluster.Pod(pod).Phase != cluster.Bound {
		return
	}
	r, toleration := c.pods.ref(pod), c.toleration(pod)
	_, due := c.evictions[r.serial]
	switch {
	case toleration == clock.Forever:
		delete(c.evictions, r.serial)
	case !due:
		at := max(c.now.Add(toleration), 1) // after the instant at which the run begins
		c.evictions[r.serial] = taintEviction{r, at}
		c.setTimer(taintRank, at, r.serial)
	}
}

// toleration is how long a pod tolerates the taints of its node.
func (c *taintController) toleration(pod cluster.PodID) clock.Time {
	p := c.cluster.Pod(pod)
	return cluster.MinTolerationTime(p.Class.Tolerations, c.cluster.Node(p.Node).Taints)
}
