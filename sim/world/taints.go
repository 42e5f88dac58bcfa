package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// bearAll sees to the pods of a node whose taints have changed. Those that are not bound
// yet are left alone until they are.
func (w *World) bearAll(id cluster.NodeID) {
	w.evictAll(id, record.ByTaint, func(pod cluster.PodID) bool {
		return w.cluster.Pod(pod).Phase == cluster.Bound && w.stay(pod) == 0
	})
	for _, pod := range w.cluster.PodsOn(id) {
		w.bear(pod)
	}
}

// bear sees to it that a bound pod leaves when it cannot bear a NoExecute taint of its
// node any longer.
//
// Upstream: pkg/controller/tainteviction/taint_eviction.go, v1.36.3.
func (w *World) bear(pod cluster.PodID) {
	l := &w.lives[pod]
	if w.cluster.Pod(pod).Phase != cluster.Bound {
		return
	}
	switch stay := w.stay(pod); {
	case stay == clock.Forever:
		l.evictAt = 0
	case l.evictAt == 0:
		l.evictAt = max(w.now.Add(stay), 1)
		w.push(l.evictAt, taintTimer, w.taskOf(pod))
	}
}

func (w *World) stay(pod cluster.PodID) clock.Time {
	p := w.cluster.Pod(pod)
	return cluster.MinTolerationTime(p.Class.Tolerations, w.cluster.Node(p.Node).Taints)
}

// endBearing evicts a pod whose time on a tainted node is over.
func (w *World) endBearing(t task) {
	if w.same(t) && w.lives[t.pod].evictAt == w.now {
		w.evict(t.pod, record.ByTaint, -1)
	}
}
