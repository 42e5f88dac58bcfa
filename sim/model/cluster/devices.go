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
	Model Symbol // 0: it does not say
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
	Models []Symbol
	// Selector is what node selector and required affinity say of the labels that name models; nil:
	// nothing. It does not filter nodes, NodeAffinity does: see Devices.Models.
	Selector NodeSelector
}

// Shares reports whether the pod asks for a part of a device.
func (r *DeviceRequest) Shares() bool { return r.Count == 1 && r.Milli < WholeDevice }

// Accepts reports whether devices of that model will do.
func (r *DeviceRequest) Accepts(model Symbol) bool {
	return len(r.Models) == 0 || slices.Contains(r.Models, model)
}

// Total returns the sum of what the pod requests, in thousandths of a device.
func (r *DeviceRequest) Total() int64 { return int64(r.Count) * int64(r.Milli) }

// Devices holds what is free of each device.
type Devices struct {
	vocabulary *Vocabulary `hash:"part"`
	nodes      *NodeTable  `hash:"part"`
	pods       *PodTable   `hash:"part"`
	models     modelTable

	free [][]int32 // by node, then device, in thousandths

	total         int // devices of all nodes alive
	target        *fragment.Target
	targetVersion uint32 `hash:"stamp"`
}

func newDevices(c *Cluster) Devices {
	return Devices{
		vocabulary: c.Vocabulary, nodes: &c.NodeTable, pods: &c.PodTable,
		models: newModelTable(), target: &fragment.Target{},
	}
}

// SetTarget sets the expected pods, against which the fragmentation of devices is measured. The device models of its classes
// are values of Symbol.
func (t *Devices) SetTarget(target *fragment.Target) {
	before := t.target
	if t.pods.journal.isOpen() {
		t.pods.journal.note(func() {
			t.target = before
			t.targetVersion++
		})
	}
	t.target = target
	t.targetVersion++
}

// Target returns the target workload, and a number that changes with it. It is never nil.
func (t *Devices) Target() (*fragment.Target, uint32) { return t.target, t.targetVersion }

// Fragments returns what the fragmentation of the devices of a node is measured from; Free reuses
// buffer. The cpu of a node that is overcommitted is below 0.
func (t *Devices) Fragments(id NodeID, buffer []int32) fragment.Node {
	return fragment.Node{
		MilliCPU: t.nodes.allocatable[CPU][id] - t.nodes.requested[CPU][id],
		Free:     append(buffer[:0], t.free[id]...),
		Model:    int32(t.nodes.nodes[id].Devices.Model),
	}
}

// Fragment returns what a pod of the class takes of a node, as fragmentation of devices sees it.
func (c *Class) Fragment() fragment.Pod {
	r := &c.Devices
	return fragment.Pod{MilliCPU: c.Request(CPU), Count: r.Count, Milli: r.Milli}
}

// Any reports whether some node has devices.
func (t *Devices) Any() bool { return t.total > 0 }

// Free returns the free amount of each device of a node, in thousandths. It must not be changed,
// nor be read past the next change of the cluster.
func (t *Devices) Free(id NodeID) []int32 { return t.free[id] }

// Fit reports whether the node has devices of the kind and model that are asked for, and as many of
// them with that much free. It returns true for a pod that requests no devices.
func (t *Devices) Fit(r *DeviceRequest, id NodeID) bool {
	if r.Count == 0 {
		return true
	}
	spec := &t.nodes.nodes[id].Devices
	if spec.Count < r.Count || spec.Kind != r.Kind || !r.Accepts(spec.Model) {
		return false
	}
	found := 0
	for _, free := range t.free[id] {
		if free >= r.Milli {
			if found++; found == r.Count {
				return true
			}
		}
	}
	return false
}

// Room returns how many pods that ask for that, one or more devices, find them on the node. A part of a device must be
// free on one device: what is free of several does not add up.
func (t *Devices) Room(r *DeviceRequest, id NodeID) int64 {
	spec := &t.nodes.nodes[id].Devices
	if spec.Kind != r.Kind || !r.Accepts(spec.Model) {
		return 0
	}
	var parts int64
	for _, free := range t.free[id] {
		parts += int64(free / r.Milli)
	}
	return parts / int64(r.Count)
}

// Choose chooses the devices that a pending pod takes when it is given a node next. They
// count if they are as many as it asks for and have that much free there; else, and where
// no plugin chose, the pod takes what Pick does. For a pod that asks for none the choice is empty.
func (t *Devices) Choose(id PodID, devices []int32) {
	p := t.pods.expectPhase(id, Pending, "given devices")
	if p.Class.Devices.Count == 0 {
		return
	}
	before := p.devices
	if t.pods.journal.isOpen() {
		t.pods.journal.note(func() { t.pods.table[id].devices = before })
	}
	p.devices = slices.Clone(devices)
}

// Pick appends the devices that a pod takes on a node unless a plugin chooses others: the whole
// devices with the lowest numbers; for a part of a device, the device with the least sufficient
// free amount; ties go to the lowest number. It appends nothing where there are not enough: only a
// policy that does not look at devices puts pods there, and what they would take is left to the
// kubelet, which refuses them.
func (t *Devices) Pick(r *DeviceRequest, id NodeID, to []int32) []int32 {
	if r.Count == 0 || !t.Fit(r, id) {
		return to
	}
	free := t.free[id]
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

// chooseFor chooses the devices that a pod takes on a node before it is put there:
// those that were chosen, or that it had before a trial took it away, or its pick.
func (t *Devices) chooseFor(id PodID, node NodeID) {
	p := &t.pods.table[id]
	if r := &p.Class.Devices; r.Count > 0 && !t.holdable(p.devices, r, node) {
		p.devices = t.Pick(r, node, nil)
	}
}

// take takes the pod's devices on its node, or gives them back with -1.
func (t *Devices) take(p *Pod, sign int32) {
	for _, d := range p.devices {
		t.free[p.Node][d] -= sign * p.Class.Devices.Milli
	}
}

// holdable reports whether a pod that asks for that can have these devices of a node.
func (t *Devices) holdable(devices []int32, r *DeviceRequest, id NodeID) bool {
	spec := &t.nodes.nodes[id].Devices
	if len(devices) != r.Count || spec.Kind != r.Kind || !r.Accepts(spec.Model) {
		return false
	}
	for i, d := range devices {
		if d < 0 || int(d) >= spec.Count || t.free[id][d] < r.Milli || slices.Contains(devices[:i], d) {
			return false
		}
	}
	return true
}

// reset makes the devices of a node from scratch, whose pods take theirs again; a pod whose
// devices are no longer there has none from now on.
func (t *Devices) reset(id NodeID) {
	t.nodes.touch(id)
	t.models.add(&t.nodes.nodes[id], t.pods.journal)
	spec := &t.nodes.nodes[id].Devices
	if spec.Count > MaxDevices {
		panic(fmt.Sprintf("cluster: node %q has %d devices", t.nodes.nodes[id].Name, spec.Count))
	}
	free := make([]int32, spec.Count)
	for d := range free {
		free[d] = WholeDevice
	}
	t.free[id] = free
	for _, pod := range t.nodes.pods[id] {
		p := &t.pods.table[pod]
		if !t.holdable(p.devices, &p.Class.Devices, id) {
			p.devices = nil
		}
		for _, d := range p.devices {
			free[d] -= p.Class.Devices.Milli
		}
	}
}

// Of returns the devices that a pod holds on its node, in no meaningful order: none if it has no
// node, or if the devices of its node do not suffice.
func (t *Devices) Of(id PodID) []int32 {
	p := &t.pods.table[id]
	if p.Node == None {
		return nil
	}
	return p.devices
}

// Lacking reports whether a pod is on a node without the devices that it asks for.
func (t *Devices) Lacking(id PodID) bool {
	p := &t.pods.table[id]
	return p.Node != None && len(p.devices) < p.Class.Devices.Count
}

// verify compares what is free of each device with what the pods on it hold.
func (t *Devices) verify() error {
	for id := range t.nodes.nodes {
		n := &t.nodes.nodes[id]
		want := make([]int32, n.Devices.Count)
		for d := range want {
			want[d] = WholeDevice
		}
		for _, pod := range t.nodes.pods[id] {
			p := &t.pods.table[pod]
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
		if n.Exists && !slices.Equal(want, t.free[id]) {
			return fmt.Errorf("node %q: of its devices %d thousandths are free, its pods leave %d", n.Name, t.free[id], want)
		}
		if len(want) > 0 && slices.Min(want) < 0 {
			return fmt.Errorf("node %q: its pods hold more of a device than there is: %d thousandths are left", n.Name, want)
		}
	}
	return nil
}
