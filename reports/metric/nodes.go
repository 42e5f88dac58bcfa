package metric

import (
	"github.com/berth-sim/berth/reports/gauge"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// node is a node of the fleet.
type node struct {
	alive         bool
	name, zone    string
	pool          *fleet
	price         float64 // per hour
	priceSince    clock.Time
	unschedulable bool
	allocatable   []int64 // by resource
	requested     []int64 // by resource
	nonDaemonPods int     // that are on it
}

func (n *node) free(resource int) int64 {
	return element(n.allocatable, resource) - element(n.requested, resource)
}

func element(column []int64, i int) int64 {
	if i < len(column) {
		return column[i]
	}
	return 0
}

// fleet is a set of nodes: all of them, or one pool.
type fleet struct {
	name         string
	nodes, empty gauge.Level
	shares       []gauge.Share // by resource: requested of allocatable
	cost         float64       // of its nodes, up to the last addCost of each
	pods         *totals
}

// fleets returns the whole fleet and the node's pool.
func (l *Ledger) fleets(n *node) [2]*fleet { return [2]*fleet{l.fleet, n.pool} }

func (l *Ledger) pool(name string) *fleet {
	for _, p := range l.pools {
		if p.name == name {
			return p
		}
	}
	p := &fleet{name: name, pods: newTotals()}
	l.pools = append(l.pools, p)
	return p
}

func (l *Ledger) addNode(r *record.Record) {
	n := grow(&l.nodes, int(r.Node))
	*n = node{alive: true, name: r.NodeInfo.Name, pool: l.pool(r.NodeInfo.Pool)}
	for _, f := range l.fleets(n) {
		f.nodes.Add(1, r.Time)
		f.empty.Add(1, r.Time)
	}
	l.setNode(n, r.NodeInfo, r.Time)
}

func (l *Ledger) changeNode(r *record.Record) {
	n := &l.nodes[r.Node]
	l.setNode(n, r.NodeInfo, r.Time)
	if !n.unschedulable && l.run.undrained > 0 {
		l.endDrain(r.Node)
	}
}

// endDrain ends the hold of the pods that a drain had to leave on a node.
func (l *Ledger) endDrain(node int32) {
	for p := range l.life.Pods() {
		if p.Data.held && p.Node == node {
			l.setHeld(p, false)
		}
	}
}

func (l *Ledger) setNode(n *node, info *record.NodeInfo, now clock.Time) {
	l.addCost(n, now)
	n.price, n.zone, n.unschedulable = info.PricePerHour, info.Zone, info.Unschedulable
	l.setAllocatable(n, l.resources.amounts(info.Allocatable), now)
}

func (l *Ledger) setAllocatable(n *node, allocatable []amount, now clock.Time) {
	before := n.allocatable
	n.allocatable = make([]int64, len(l.resources.names))
	for _, a := range allocatable {
		n.allocatable[a.resource] = a.value
	}
	for resource, value := range n.allocatable {
		delta := value - element(before, resource)
		if delta == 0 {
			continue
		}
		for _, f := range l.fleets(n) {
			grow(&f.shares, resource).Add(0, delta, now)
		}
	}
}

// addCost adds what the node has cost since its price was last booked.
func (l *Ledger) addCost(n *node, now clock.Time) {
	for _, f := range l.fleets(n) {
		f.cost += n.costAt(now)
	}
	n.priceSince = now
}

func (n *node) costAt(now clock.Time) float64 {
	return float64(n.price * ((now - n.priceSince).Seconds() / clock.Hour.Seconds()))
}

func (l *Ledger) removeNode(r *record.Record) {
	n := &l.nodes[r.Node]
	l.addCost(n, r.Time)
	l.setAllocatable(n, nil, r.Time)
	for _, f := range l.fleets(n) {
		f.nodes.Add(-1, r.Time)
		if n.nonDaemonPods == 0 {
			f.empty.Add(-1, r.Time)
		}
	}
	n.alive = false
}

// occupy puts a pod on its node, or takes it off with sign -1.
func (l *Ledger) occupy(p *pod, sign int64, now clock.Time) {
	n := &l.nodes[p.Node]
	wasEmpty := n.nonDaemonPods == 0
	if !p.Daemon {
		n.nonDaemonPods += int(sign)
	}
	emptied := int64(0)
	switch {
	case wasEmpty && n.nonDaemonPods != 0:
		emptied = -1
	case !wasEmpty && n.nonDaemonPods == 0:
		emptied = 1
	}
	for _, f := range l.fleets(n) {
		if n.alive && emptied != 0 {
			f.empty.Add(emptied, now)
		}
	}
	for _, q := range l.classes[p.Class].requests {
		*grow(&n.requested, q.resource) += sign * q.value
		for _, f := range l.fleets(n) {
			grow(&f.shares, q.resource).Add(sign*q.value, 0, now)
		}
	}
}

// checkDevices counts a pod that was just put on its node without the devices that it asks for.
func (l *Ledger) checkDevices(r *record.Record, p *pod, held []int32) {
	if len(held) > 0 || l.devices.Requested(p.Class) == 0 {
		return
	}
	for _, t := range l.scopes(p) {
		t.misplaced++
	}
	if l.devicesFit && r.Kind == record.PodAttempted {
		l.life.Violate(r, "node %s lacks the devices that it asks for", l.nodes[p.Node].name)
	}
}

// checkRoom checks that a pod that was just assumed on its node fits there.
func (l *Ledger) checkRoom(r *record.Record, p *pod) {
	if l.overcommit {
		return
	}
	n := &l.nodes[p.Node]
	for _, q := range l.classes[p.Class].requests {
		name := l.resources.names[q.resource]
		if name == PodsResource && element(n.allocatable, q.resource) == 0 {
			continue // a log may leave the number of pods out of what a node has
		}
		if free := n.free(q.resource); q.value > 0 && free < 0 {
			l.life.Violate(r, "node %s has %d of %s too little for the pod", n.name, -free, name)
		}
	}
}
