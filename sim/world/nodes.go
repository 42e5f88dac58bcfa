package world

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// nodeChanges carries out the timed events of the scenario, all of which are about nodes.
type nodeChanges struct {
	*core
	pods *podLifecycle
}

// begin announces the nodes of the beginning, and schedules the timed events.
func (n *nodeChanges) begin() {
	for _, id := range n.cluster.ByCreation() {
		n.added(id)
	}
	for i, c := range n.cfg.Changes {
		n.push(c.At, change, task{id: int64(i)})
	}
}

// apply carries out a timed event.
func (n *nodeChanges) apply(c *Change) {
	n.progress = n.now
	if c.Kind == AddNodes {
		n.add(c)
		return
	}
	for _, id := range n.selected(c) {
		n.change(c, id)
	}
}

func (n *nodeChanges) add(c *Change) {
	for _, spec := range c.Add {
		id, err := n.cluster.AddNode(spec)
		if err != nil {
			n.fault("event at %s: %w", c.At, err)
			return
		}
		n.added(id)
		n.scheduler.Observe(scheduler.ClusterEvent{Kind: scheduler.NodeAdded, Node: id}, n.now)
	}
}

func (n *nodeChanges) change(c *Change, id cluster.NodeID) {
	spec := n.cluster.Node(id).NodeSpec
	switch c.Kind {
	case RemoveNodes:
		n.remove(id)
	case DrainNodes:
		n.cordon(id, true)
		n.notify(notice{kind: nodeDrained, node: id})
	case Cordon:
		n.cordon(id, true)
	case Uncordon:
		n.cordon(id, false)
		n.notify(notice{kind: nodeUncordoned, node: id})
	case AddTaint:
		spec.Taints = append(slices.Clone(spec.Taints), c.Taint)
		n.update(id, spec)
		n.notify(notice{kind: nodeTainted, node: id})
	case RemoveTaint:
		spec.Taints = slices.DeleteFunc(slices.Clone(spec.Taints), func(t cluster.Taint) bool { return t == c.Taint })
		n.update(id, spec)
		n.notify(notice{kind: nodeTainted, node: id})
	}
}

// cordon sets spec.unschedulable. The taint that stands for it is removed with it, and added
// with it where nodes are tainted by their conditions.
//
// Upstream: doNoScheduleTaintingPass,
// pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36.3.
func (n *nodeChanges) cordon(id cluster.NodeID, is bool) {
	spec := n.cluster.Node(id).NodeSpec
	spec.Unschedulable = is
	taint := cluster.Taint{Key: n.cluster.Symbol(cluster.UnschedulableTaint), Effect: cluster.NoSchedule}
	matches := func(t cluster.Taint) bool { return t.Key == taint.Key && t.Effect == taint.Effect }
	switch has := slices.ContainsFunc(spec.Taints, matches); {
	case has && !is:
		spec.Taints = slices.DeleteFunc(slices.Clone(spec.Taints), matches)
	case is && !has && n.cfg.TaintCordoned:
		spec.Taints = append(slices.Clone(spec.Taints), taint)
	}
	n.update(id, spec)
}

// remove takes a node away with its pods; those that still terminate are gone with it.
func (n *nodeChanges) remove(id cluster.NodeID) {
	n.pods.evictFrom(id, record.ByNodeRemoval, func(cluster.PodID) bool { return true })
	for len(n.cluster.PodsOn(id)) > 0 {
		n.pods.finishTermination(n.pods.ref(n.cluster.PodsOn(id)[0]), true)
	}
	n.cluster.RemoveNode(id)
	n.emit(record.Record{Kind: record.NodeRemoved, Node: n.nodeSerial(id), Pod: -1, Group: -1})
	n.scheduler.Observe(scheduler.ClusterEvent{Kind: scheduler.NodeRemoved, Node: id}, n.now)
}

func (n *nodeChanges) update(id cluster.NodeID, spec cluster.NodeSpec) {
	before := n.cluster.Node(id).NodeSpec
	n.cluster.UpdateNode(id, spec)
	n.emit(record.Record{Kind: record.NodeChanged, Node: n.nodeSerial(id), Pod: -1, Group: -1, NodeInfo: n.info(id)})
	n.scheduler.Observe(scheduler.ClusterEvent{Kind: scheduler.NodeUpdated, Changed: scheduler.NodeTaints, Node: id, Before: before}, n.now)
}

// added announces a node.
func (n *nodeChanges) added(id cluster.NodeID) {
	n.emit(record.Record{Kind: record.NodeAdded, Node: n.nodeSerial(id), Pod: -1, Group: -1, NodeInfo: n.info(id)})
	n.notify(notice{kind: nodeAdded, node: id})
}

func (n *nodeChanges) info(id cluster.NodeID) *record.NodeInfo {
	node := n.cluster.Node(id)
	info := &record.NodeInfo{
		Name: node.Name, Pool: node.Pool, Zone: n.cluster.Zone(id), PricePerHour: node.PricePerHour,
		Unschedulable: node.Unschedulable, Allocatable: n.amounts(node.Allocatable), Labels: n.labels(node.Labels), Devices: node.Devices.Count,
	}
	if info.Devices > 0 {
		info.DeviceKind, info.Model = n.cluster.ResourceName(node.Devices.Kind), n.cluster.Text(node.Devices.Model)
	}
	return info
}

// labels returns the labels of a node by key, without that of its host name.
func (n *nodeChanges) labels(set cluster.LabelSet) []record.Label {
	var out []record.Label
	for _, l := range set {
		if l.Key != n.cluster.Hostname {
			out = append(out, record.Label{Key: n.cluster.Text(l.Key), Value: n.cluster.Text(l.Value)})
		}
	}
	slices.SortFunc(out, func(a, b record.Label) int { return strings.Compare(a.Key, b.Key) })
	return out
}
