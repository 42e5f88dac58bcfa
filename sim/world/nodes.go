package world

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// apply carries out a timed event.
func (w *World) apply(c *Change) {
	if c.Kind == AddNodes {
		for _, spec := range c.Add {
			id, err := w.cluster.AddNode(spec)
			if err != nil {
				w.fault("event at %s: %w", c.At, err)
				return
			}
			w.nodeAdded(id)
			w.scheduler.Observe(scheduler.Event{Kind: scheduler.NodeAdded, Node: id}, w.now)
		}
		return
	}
	for _, id := range w.chosen(c) {
		w.changeNode(c, id)
	}
}

func (w *World) changeNode(c *Change, id cluster.NodeID) {
	spec := w.cluster.Node(id).NodeSpec
	switch c.Kind {
	case RemoveNodes:
		w.evictAll(id, record.ByNodeRemoval, func(cluster.PodID) bool { return true })
		w.removeNode(id)
	case DrainNodes:
		w.cordon(&spec, true)
		w.updateNode(id, spec)
		w.drain(id)
	case Cordon, Uncordon:
		w.cordon(&spec, c.Kind == Cordon)
		w.updateNode(id, spec)
		if c.Kind == Uncordon {
			w.giveUpDrains(id)
		}
	case AddTaint:
		spec.Taints = append(slices.Clone(spec.Taints), c.Taint)
		w.updateNode(id, spec)
		w.bearAll(id)
	case DropTaint:
		spec.Taints = slices.DeleteFunc(slices.Clone(spec.Taints), func(t cluster.Taint) bool { return t == c.Taint })
		w.updateNode(id, spec)
		w.bearAll(id)
	}
}

// cordon sets spec.unschedulable. The taint that stands for it goes with it, and comes
// with it where nodes are tainted by their conditions.
//
// Upstream: doNoScheduleTaintingPass,
// pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36.3.
func (w *World) cordon(spec *cluster.NodeSpec, is bool) {
	spec.Unschedulable = is
	taint := cluster.Taint{Key: w.cluster.Sym("node.kubernetes.io/unschedulable"), Effect: cluster.NoSchedule}
	same := func(t cluster.Taint) bool { return t.Key == taint.Key && t.Effect == taint.Effect }
	switch has := slices.ContainsFunc(spec.Taints, same); {
	case has && !is:
		spec.Taints = slices.DeleteFunc(slices.Clone(spec.Taints), same)
	case is && !has && w.cfg.TaintCordoned:
		spec.Taints = append(slices.Clone(spec.Taints), taint)
	}
}

// evictAll evicts the pods of a node that are chosen, in order of arrival.
func (w *World) evictAll(id cluster.NodeID, cause record.Cause, chosen func(cluster.PodID) bool) {
	pods := slices.Clone(w.cluster.PodsOn(id))
	slices.SortFunc(pods, func(a, b cluster.PodID) int {
		return int(w.cluster.Pod(a).Serial - w.cluster.Pod(b).Serial)
	})
	for _, pod := range pods {
		// An eviction can take others of a pod group along.
		if w.cluster.Pod(pod).Node == id && chosen(pod) {
			w.evict(pod, cause, -1)
		}
	}
}

// removeNode takes a node away; what still terminates on it is gone with it.
func (w *World) removeNode(id cluster.NodeID) {
	for len(w.cluster.PodsOn(id)) > 0 {
		w.leave(w.taskOf(w.cluster.PodsOn(id)[0]), true)
	}
	w.cluster.RemoveNode(id)
	w.emit(record.Record{Kind: record.NodeRemoved, Node: int32(id), Pod: -1, Group: -1})
	w.scheduler.Observe(scheduler.Event{Kind: scheduler.NodeRemoved, Node: id}, w.now)
}

func (w *World) updateNode(id cluster.NodeID, spec cluster.NodeSpec) {
	before := w.cluster.Node(id).NodeSpec
	w.cluster.UpdateNode(id, spec)
	w.emit(record.Record{Kind: record.NodeChanged, Node: int32(id), Pod: -1, Group: -1, NodeInfo: w.nodeInfo(id)})
	w.scheduler.Observe(scheduler.Event{Kind: scheduler.NodeUpdated, Changed: scheduler.NodeTaints, Node: id, Before: before}, w.now)
}

// nodeAdded writes down a new node and starts its daemons.
func (w *World) nodeAdded(id cluster.NodeID) {
	w.emit(record.Record{Kind: record.NodeAdded, Node: int32(id), Pod: -1, Group: -1, NodeInfo: w.nodeInfo(id)})
	if w.cfg.Daemons == nil {
		return
	}
	for _, a := range w.cfg.Daemons(id) {
		a.At = w.now
		w.arrive(a)
	}
}

func (w *World) nodeInfo(id cluster.NodeID) *record.NodeInfo {
	n := w.cluster.Node(id)
	info := &record.NodeInfo{
		Name: n.Name, Pool: n.Pool, Zone: w.cluster.Zone(id), PricePerHour: n.PricePerHour,
		Unschedulable: n.Unschedulable, Allocatable: w.amounts(n.Allocatable), Devices: n.Devices.Count,
	}
	if info.Devices > 0 {
		info.DeviceKind, info.Model = w.cluster.ResourceName(n.Devices.Kind), w.cluster.Text(n.Devices.Model)
	}
	return info
}
