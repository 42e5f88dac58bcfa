package devices

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// node is the devices and the cpu of a node.
type node struct {
	alive    bool
	name     string
	kind     string
	sums     [2]*Sums // that it counts in
	allotted int64    // cpu that is allocatable
	taken    int64    // cpu that is requested
	fragment.Node
	parts fragment.Parts // of what is free
	busy  bool           // cpu or devices are taken
}

// has reports whether the node has the devices that a pod of the class asks for.
func (n *node) has(c *class) bool {
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

// setNode adds a node, or changes it. Pods whose devices it no longer has hold none from now on.
func (u *Usage) setNode(number int32, info *record.NodeInfo) {
	n := grow(&u.nodes, int(number))
	same := n.alive && n.kind == info.DeviceKind && len(n.Free) == info.Devices && n.Model == u.modelID(info.Model)
	if !same {
		was := *n
		u.countNode(&was, -1)
		*n = node{alive: true, name: info.Name, kind: info.DeviceKind, sums: u.sumsOf(info.Pool), taken: was.taken}
		n.Model, n.Free = u.modelID(info.Model), slices.Repeat([]int32{fragment.Whole}, info.Devices)
		if len(was.Free) > 0 {
			u.rehold(number)
		}
		u.countNode(n, 1)
	}
	n.allotted = 0
	for _, a := range info.Allocatable {
		if a.Resource == "cpu" {
			n.allotted = a.Value
		}
	}
	u.measure(n)
}

// rehold gives the pods of a node, whose devices were reset to free, what they held before.
func (u *Usage) rehold(number int32) {
	n := &u.nodes[number]
	for pod, h := range u.held {
		c := &u.classes[h.class]
		switch {
		case h.node != number:
		case c.kind != n.kind || !c.Accepts(n.Model) || int(slices.Max(h.devices)) >= len(n.Free):
			u.drop(pod, h)
		default:
			for _, device := range h.devices {
				n.Free[device] -= c.Milli
			}
		}
	}
}

// drop forgets that a pod holds devices.
func (u *Usage) drop(pod int64, h *holding) {
	delete(u.held, pod)
	u.spare = append(u.spare, h)
}

// unused is a holding whose memory is not in use.
func (u *Usage) unused() *holding {
	last := len(u.spare) - 1
	if last < 0 {
		return &holding{}
	}
	h := u.spare[last]
	u.spare = u.spare[:last]
	return h
}

func (u *Usage) removeNode(number int32) {
	n := &u.nodes[number]
	u.countNode(n, -1)
	for pod, h := range u.held {
		if h.node == number {
			u.drop(pod, h)
		}
	}
	*n = node{}
}

// countNode adds a node to the sums, or takes it off with -1.
func (u *Usage) countNode(n *node, sign int64) {
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
		s.advance(u.now)
		s.known = true
		s.used.Add(sign*used, sign*whole*fragment.Whole, u.now)
		s.touched.Add(sign*touched, sign*whole, u.now)
		s.parts.Add(&n.parts, sign)
		if n.busy {
			s.busyNodes += sign
			s.busyDevices += sign * whole
		}
	}
}

// enter puts a pod on its node, with the devices that it holds there. It returns what is wrong with these; the pod then
// holds none.
func (u *Usage) enter(m *lifecycle.Move) (bad string) {
	n, c := &u.nodes[m.To], &u.classes[m.Class]
	n.taken += c.MilliCPU
	if bad = n.cannotHold(c, m.Held); bad == "" && len(m.Held) > 0 {
		h := u.unused()
		h.node, h.class, h.devices = m.To, m.Class, append(h.devices[:0], m.Held...)
		u.held[m.Pod] = h
		u.take(n, h, 1)
	}
	u.measure(n)
	return bad
}

// removePod removes a pod from its node, and frees what it holds there.
func (u *Usage) removePod(m *lifecycle.Move) {
	n, c := &u.nodes[m.From], &u.classes[m.Class]
	n.taken -= c.MilliCPU
	if c.Count > 0 {
		if h, holds := u.held[m.Pod]; holds {
			u.take(n, h, -1)
			u.drop(m.Pod, h)
		}
	}
	u.measure(n)
}

// take takes devices of a node, or gives them back with -1.
func (u *Usage) take(n *node, h *holding, sign int32) {
	milli, touched := u.classes[h.class].Milli, int64(0)
	for _, device := range h.devices {
		before := n.Free[device]
		n.Free[device] -= sign * milli
		if before == fragment.Whole || n.Free[device] == fragment.Whole {
			touched += int64(sign)
		}
	}
	used := int64(sign) * int64(milli) * int64(len(h.devices))
	for _, s := range n.sums {
		s.used.Add(used, 0, u.now)
		s.touched.Add(touched, 0, u.now)
	}
}

// cannotHold returns why a pod of the class cannot hold these devices of the node, or no
// devices at all; empty if it can.
func (n *node) cannotHold(c *class, held []int32) string {
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
func (u *Usage) measure(n *node) {
	if len(n.Free) == 0 {
		return
	}
	n.MilliCPU = n.allotted - n.taken
	change := u.target.Measure(&n.Node)
	change.Add(&n.parts, -1)
	n.parts.Add(&change, 1)
	busy := n.taken > 0 || n.Idle() < int64(len(n.Free))*fragment.Whole
	delta := int64(0)
	if busy != n.busy {
		n.busy, delta = busy, sign(busy)
	}
	for _, s := range n.sums {
		s.advance(u.now)
		s.parts.Add(&change, 1)
		s.busyNodes += delta
		s.busyDevices += delta * int64(len(n.Free))
	}
}

// sign returns 1 for true, -1 for false.
func sign(positive bool) int64 {
	if positive {
		return 1
	}
	return -1
}
