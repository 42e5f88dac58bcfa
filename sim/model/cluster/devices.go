package cluster

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/sim/model/fragment"
)

// WholeDevice is all of a device, in thousandths.
const WholeDevice = 1000

// MaxDevices is how many devices a node has at most.
const MaxDevices = 1 << 16

// DeviceSpec is the devices of a node, GPUs and the like, which are all alike.
type DeviceSpec struct {
	// Kind is the resource that counts them; without a meaning where there are none.
	Kind  Resource
	Count int
	Model Sym // 0: it does not say
}

// DeviceRequest is what a pod asks of the devices of its node: Milli thousandths of each of
// Count different ones. The zero value asks for none.
type DeviceRequest struct {
	Kind  Resource
	Count int
	// Milli is 1 to WholeDevice, and below WholeDevice for one device only: a pod shares one
	// device or has all of several.
	Milli int32
	// Models are those that will do, in ascending order; none: any.
	Models []Sym
	// Selector is what node selector and required affinity say of the labels that name models;
	// nil: nothing. Nodes are not filtered by it, that is their affair: see Cluster.Models.
	Selector NodeSelector
}

// Shares reports whether the pod asks for a part of a device.
func (r *DeviceRequest) Shares() bool { return r.Count == 1 && r.Milli < WholeDevice }

// Accepts reports whether devices of that model will do.
func (r *DeviceRequest) Accepts(model Sym) bool {
	return len(r.Models) == 0 || slices.Contains(r.Models, model)
}

// Total is what the pod asks for in all, in thousandths of a device.
func (r *DeviceRequest) Total() int64 { return int64(r.Count) * int64(r.Milli) }

// deviceTable holds what is free of each device.
type deviceTable struct {
	models modelTable

	deviceFree [][]int32 // by node, then device, in thousandths
	version    []uint32  // by node

	devices       int // of all nodes alive
	target        *fragment.Target
	targetVersion uint32
}

// SetTarget says what pods are to be expected: what fragmentation of devices is measured by.
// The models of its classes are Syms.
func (c *Cluster) SetTarget(t *fragment.Target) {
	c.target = t
	c.targetVersion++
}

// Target is the target workload, and a number that changes with it. It is never nil.
func (c *Cluster) Target() (*fragment.Target, uint32) { return c.target, c.targetVersion }

// Fragments is what fragmentation of devices is measured of on a node; Free is copied to the
// end of buffer. The cpu of a node that is overcommitted is below 0.
func (c *Cluster) Fragments(id NodeID, buffer []int32) fragment.Node {
	return fragment.Node{
		MilliCPU: c.allocatable[CPU][id] - c.requested[CPU][id],
		Free:     append(buffer[:0], c.deviceFree[id]...),
		Model:    int32(c.nodes[id].Devices.Model),
	}
}

// Fragment is what a pod of the class takes of a node, as fragmentation of devices sees it.
func (c *Class) Fragment() fragment.Pod {
	r := &c.Devices
	return fragment.Pod{MilliCPU: c.Request(CPU), Count: r.Count, Milli: r.Milli}
}

// AnyDevices reports whether some node has devices.
func (c *Cluster) AnyDevices() bool { return c.devices > 0 }

// DevicesFree is what is free of each device of a node, in thousandths. It must not be
// changed, nor be read past the next change of the cluster.
func (c *Cluster) DevicesFree(id NodeID) []int32 { return c.deviceFree[id] }

// Version changes with every change of a node or of what is on it, for a trial too: whoever
// keeps an answer about one node alone keeps its version with it.
func (c *Cluster) Version(id NodeID) uint32 { return c.version[id] }

// HasDevices reports whether the node has devices of the kind and model that are asked for, and
// as many of them with that much free. Who asks for none always finds them.
func (c *Cluster) HasDevices(r *DeviceRequest, id NodeID) bool {
	if r.Count == 0 {
		return true
	}
	spec := &c.nodes[id].Devices
	if spec.Count < r.Count || spec.Kind != r.Kind || !r.Accepts(spec.Model) {
		return false
	}
	found := 0
	for _, free := range c.deviceFree[id] {
		if free >= r.Milli {
			if found++; found == r.Count {
				return true
			}
		}
	}
	return false
}

// SetDevices chooses the devices that a pending pod takes when it is given a node next. They
// count if they are as many as it asks for and have that much free there; else, and where
// nobody chose, the pod takes what PickDevices does.
func (c *Cluster) SetDevices(id PodID, devices []int32) {
	c.expect(id, Pending, "given devices").devices = slices.Clone(devices)
}

// PickDevices appends the devices that a pod takes on a node unless somebody chooses others:
// the whole devices with the lowest numbers; for a part of a device, that with the least free
// that suffices, and of several such the lowest number. It appends nothing where there are
// not enough: only a policy that does not look at devices puts pods there, and what they
// would take is left to the kubelet, which refuses them.
func (c *Cluster) PickDevices(r *DeviceRequest, id NodeID, to []int32) []int32 {
	if r.Count == 0 || !c.HasDevices(r, id) {
		return to
	}
	free := c.deviceFree[id]
	if r.Shares() {
		best := -1
		for d, f := range free {
			if f >= r.Milli && (best < 0 || f < free[best]) {
				best = d
			}
		}
		return append(to, int32(best))
	}
	n := 0
	for d, f := range free {
		if f >= r.Milli && n < r.Count {
			to = append(to, int32(d))
			n++
		}
	}
	return to
}

// chooseDevices settles which devices a pod takes on a node that it is about to be put on:
// those that were chosen, or that it had before a trial took it away, or its pick.
func (c *Cluster) settleDevices(id PodID, node NodeID) {
	p := &c.table[id]
	if r := &p.Class.Devices; r.Count > 0 && !c.holdable(p.devices, r, node) {
		p.devices = c.PickDevices(r, node, nil)
	}
}

// takeDevices takes the pod's devices on its node, or gives them back with -1.
func (c *Cluster) takeDevices(p *Pod, sign int32) {
	for _, d := range p.devices {
		c.deviceFree[p.Node][d] -= sign * p.Class.Devices.Milli
	}
}

// holdable reports whether a pod that asks for that can have these devices of a node.
func (c *Cluster) holdable(devices []int32, r *DeviceRequest, id NodeID) bool {
	spec := &c.nodes[id].Devices
	if len(devices) != r.Count || spec.Kind != r.Kind || !r.Accepts(spec.Model) {
		return false
	}
	for i, d := range devices {
		if d < 0 || int(d) >= spec.Count || c.deviceFree[id][d] < r.Milli || slices.Contains(devices[:i], d) {
			return false
		}
	}
	return true
}

// setDevices makes the devices of a node from scratch, whose pods take theirs again; a pod whose
// devices are no longer there has none from now on.
func (c *Cluster) resetDevices(id NodeID) {
	c.version[id]++
	c.models.add(&c.nodes[id])
	spec := &c.nodes[id].Devices
	if spec.Count > MaxDevices {
		panic(fmt.Sprintf("cluster: node %q has %d devices", c.nodes[id].Name, spec.Count))
	}
	free := make([]int32, spec.Count)
	for d := range free {
		free[d] = WholeDevice
	}
	c.deviceFree[id] = free
	for _, pod := range c.pods[id] {
		p := &c.table[pod]
		if !c.holdable(p.devices, &p.Class.Devices, id) {
			p.devices = nil
		}
		for _, d := range p.devices {
			free[d] -= p.Class.Devices.Milli
		}
	}
}

// DevicesOf are the devices that a pod holds on its node, in no meaningful order: none while
// it has no node, and none where the devices of its node do not suffice.
func (c *Cluster) DevicesOf(id PodID) []int32 {
	p := &c.table[id]
	if p.Node == None {
		return nil
	}
	return p.devices
}

// Misplaced reports whether a pod is on a node without the devices that it asks for.
func (c *Cluster) LacksDevices(id PodID) bool {
	p := &c.table[id]
	return p.Node != None && len(p.devices) < p.Class.Devices.Count
}

// verifyDevices compares what is free of each device with what the pods on it hold.
func (c *Cluster) verifyDevices() error {
	for id := range c.nodes {
		n := &c.nodes[id]
		want := make([]int32, n.Devices.Count)
		for d := range want {
			want[d] = WholeDevice
		}
		for _, pod := range c.pods[id] {
			p := &c.table[pod]
			if held := len(p.devices); held != 0 && held != p.Class.Devices.Count {
				return fmt.Errorf("pod %q holds %d devices, it asks for %d", p.Name, held, p.Class.Devices.Count)
			}
			for _, d := range p.devices {
				if int(d) >= len(want) {
					return fmt.Errorf("pod %q holds the device %d, node %q has %d", p.Name, d, n.Name, len(want))
				}
				want[d] -= p.Class.Devices.Milli
			}
		}
		if n.Alive && !slices.Equal(want, c.deviceFree[id]) {
			return fmt.Errorf("node %q: of its devices %d thousandths are free, its pods leave %d", n.Name, c.deviceFree[id], want)
		}
		if len(want) > 0 && slices.Min(want) < 0 {
			return fmt.Errorf("node %q: its pods hold more of a device than there is: %d thousandths are left", n.Name, want)
		}
	}
	return nil
}
