package metric

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/record"
)

// deviceNode is what Devices knows of a node.
type deviceNode struct {
	alive    bool
	name     string
	kind     string
	sums     [2]*DeviceSums // that it counts in
	allotted int64          // cpu that is allocatable
	taken    int64          // cpu that is requested
	fragment.Node
	parts fragment.Parts // of what is free
	busy  bool           // cpu or devices are taken
}

// has reports whether the node has the devices that a pod of the class asks for.
func (n *deviceNode) has(c *deviceClass) bool {
	if n.kind != c.kind || !c.Accepts(n.Model) {
		return false
	}
	enough := 0
	for _, free := range n.Free {
		if free >= c.Milli {
			enough++
		}
	}
	return enough >= c.Count
}

// setNode takes in what a node is now, a new one or one that was there. Pods whose devices
// it no longer has hold none from now on.
func (d *Devices) setNode(number int32, info *record.NodeInfo) {
	n := at(&d.nodes, int(number))
	same := n.alive && n.kind == info.DeviceKind && len(n.Free) == info.Devices && n.Model == d.modelID(info.Model)
	if !same {
		was := *n
		d.countNode(&was, -1)
		*n = deviceNode{alive: true, name: info.Name, kind: info.DeviceKind, sums: d.sumsOf(info.Pool), taken: was.taken}
		n.Model, n.Free = d.modelID(info.Model), slices.Repeat([]int32{fragment.Whole}, info.Devices)
		if len(was.Free) > 0 {
			d.rehold(number)
		}
		d.countNode(n, 1)
	}
	n.allotted = 0
	for _, a := range info.Allocatable {
		if a.Resource == "cpu" {
			n.allotted = a.Value
		}
	}
	d.measure(n)
}

// rehold lets the pods of a node whose devices were made afresh take theirs again.
func (d *Devices) rehold(number int32) {
	n := &d.nodes[number]
	for pod, h := range d.held {
		c := &d.classes[h.class]
		switch {
		case h.node != number:
		case c.kind != n.kind || !c.Accepts(n.Model) || int(slices.Max(h.devices)) >= len(n.Free):
			d.drop(pod, h)
		default:
			for _, device := range h.devices {
				n.Free[device] -= c.Milli
			}
		}
	}
}

// drop forgets that a pod holds devices.
func (d *Devices) drop(pod int64, h *holding) {
	delete(d.held, pod)
	d.spare = append(d.spare, h)
}

// unused is a holding whose memory is not in use.
func (d *Devices) unused() *holding {
	last := len(d.spare) - 1
	if last < 0 {
		return &holding{}
	}
	h := d.spare[last]
	d.spare = d.spare[:last]
	return h
}

func (d *Devices) removeNode(number int32) {
	n := &d.nodes[number]
	d.countNode(n, -1)
	for pod, h := range d.held {
		if h.node == number {
			d.drop(pod, h)
		}
	}
	*n = deviceNode{}
}

// countNode adds a node to the sums, or takes it off with -1.
func (d *Devices) countNode(n *deviceNode, sign int64) {
	if len(n.Free) == 0 {
		return
	}
	whole, touched := int64(len(n.Free)), int64(0)
	for _, free := range n.Free {
		if free < fragment.Whole {
			touched++
		}
	}
	used := whole*fragment.Whole - n.Idle()
	for _, s := range n.sums {
		s.settle(d.now)
		s.known = true
		s.used.add(sign*used, sign*whole*fragment.Whole, d.now)
		s.touched.add(sign*touched, sign*whole, d.now)
		s.parts.Add(&n.parts, sign)
		if n.busy {
			s.busyNodes += sign
			s.busyDevices += sign * whole
		}
	}
}

// enter takes a pod onto its node, with the devices that it holds there. It says what is
// wrong with these; the pod then holds none.
func (d *Devices) enter(pod int64, p devicePod, held []int32) (bad string) {
	n, c := &d.nodes[p.node], &d.classes[p.class]
	n.taken += c.MilliCPU
	if bad = n.cannotHold(c, held); bad == "" && len(held) > 0 {
		h := d.unused()
		h.node, h.class, h.devices = p.node, p.class, append(h.devices[:0], held...)
		d.held[pod] = h
		d.take(n, h, 1)
	}
	d.measure(n)
	return bad
}

// leave takes a pod off its node, and gives back what it holds there.
func (d *Devices) leave(pod int64, p devicePod) {
	n, c := &d.nodes[p.node], &d.classes[p.class]
	n.taken -= c.MilliCPU
	if c.Count > 0 {
		if h, holds := d.held[pod]; holds {
			d.take(n, h, -1)
			d.drop(pod, h)
		}
	}
	d.measure(n)
}

// take takes devices of a node, or gives them back with -1.
func (d *Devices) take(n *deviceNode, h *holding, sign int32) {
	milli, touched := d.classes[h.class].Milli, int64(0)
	for _, device := range h.devices {
		before := n.Free[device]
		n.Free[device] -= sign * milli
		if before == fragment.Whole || n.Free[device] == fragment.Whole {
			touched += int64(sign)
		}
	}
	used := int64(sign) * int64(milli) * int64(len(h.devices))
	for _, s := range n.sums {
		s.used.add(used, 0, d.now)
		s.touched.add(touched, 0, d.now)
	}
}

// cannotHold says why a pod of the class cannot hold these devices of the node, or no
// devices at all; empty if it can.
func (n *deviceNode) cannotHold(c *deviceClass, held []int32) string {
	switch {
	case len(held) == 0 && c.Count > 0 && n.has(c):
		return fmt.Sprintf("it holds no devices, but node %s has the %d that it asks for", n.name, c.Count)
	case len(held) == 0:
		return ""
	case len(held) != c.Count:
		return fmt.Sprintf("it holds %d devices, but asks for %d", len(held), c.Count)
	case n.kind != c.kind || !c.Accepts(n.Model):
		return fmt.Sprintf("it holds devices of node %s, which are not what it asks for", n.name)
	}
	for i, device := range held {
		switch {
		case device < 0 || int(device) >= len(n.Free):
			return fmt.Sprintf("it holds device %d of node %s, which has %d", device, n.name, len(n.Free))
		case slices.Contains(held[:i], device):
			return fmt.Sprintf("it holds device %d of node %s twice", device, n.name)
		case n.Free[device] < c.Milli:
			return fmt.Sprintf("it takes %d thousandths of device %d of node %s, of which %d are free", c.Milli, device, n.name, n.Free[device])
		}
	}
	return ""
}

// measure brings the sums up to date with what is on a node.
func (d *Devices) measure(n *deviceNode) {
	if len(n.Free) == 0 {
		return
	}
	n.MilliCPU = n.allotted - n.taken
	change := d.target.Measure(&n.Node)
	change.Add(&n.parts, -1)
	n.parts.Add(&change, 1)
	busy := n.taken > 0 || n.Idle() < int64(len(n.Free))*fragment.Whole
	turned := int64(0)
	if busy != n.busy {
		n.busy, turned = busy, one(busy)
	}
	for _, s := range n.sums {
		s.settle(d.now)
		s.parts.Add(&change, 1)
		s.busyNodes += turned
		s.busyDevices += turned * int64(len(n.Free))
	}
}
