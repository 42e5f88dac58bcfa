// Package fragment measures how much of what is free of the devices of nodes a target
// workload cannot use, and what placing a pod changes about that.
//
// Source: Weng et al., "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with
// Fragmentation Gradient Descent", USENIX ATC 2023, sections 3 and 4, and the simulator of
// its authors, hkust-adsl/kubernetes-scheduler-simulator, pkg/utils/frag.go.
package fragment

import "slices"

// Whole is all of a device, in thousandths.
const Whole = 1000

// Pod is what the measure sees of a pod.
type Pod struct {
	MilliCPU int64
	Count    int     // devices; 0: it asks for none
	Milli    int32   // thousandths of each of them
	Models   []int32 // that will do; none: any
}

// Accepts says whether devices of that model will do.
func (p *Pod) Accepts(model int32) bool {
	return len(p.Models) == 0 || slices.Contains(p.Models, model)
}

// Class is a class of pods of the target workload.
type Class struct {
	Pod
	Pods int64 // how many there are
	// Share is their share of the target workload, as its authors round it: Pods over all
	// pods, over the share of all pods that the target workload has.
	Share float64
}

// Target is a target workload, the most frequent classes first. Shares sum to 1.
type Target struct {
	Classes []Class
	Pods    int64 // of all classes
}

// Node is what the measure sees of a node.
type Node struct {
	MilliCPU int64   // that is free
	Free     []int32 // of each device, in thousandths
	Model    int32   // of its devices
}

// Idle is what is free of all devices of the node, in thousandths.
func (n *Node) Idle() int64 {
	var sum int64
	for _, free := range n.Free {
		sum += int64(free)
	}
	return sum
}

// Part is why a pod cannot use what is free of a device.
type Part int

// The parts of what is free, in the order in which the paper's authors add them. All but
// Usable are fragments.
const (
	LacksBoth    Part = iota // Q1: neither cpu nor devices suffice
	LacksDevices             // Q2: devices do not suffice, or this one does not
	Usable                   // Q3
	LacksCPU                 // Q4
	NoDevices                // XL: the pod asks for no devices, and fits
	NoDevicesCPU             // XR: it asks for none, and the cpu does not suffice
	NoAccess                 // the pod does not accept the model
	NumParts
)

// String is the part's name in reports.
func (p Part) String() string {
	return [...]string{"lacksBoth", "lacksDevices", "usable", "lacksCPU", "noDevices", "noDevicesLacksCPU", "noAccess"}[p]
}

// split divides what is idle on a node by what a pod can make of it: whole of it belongs to
// one part, but for a pod that fits, which cannot use the devices that have less free than it
// asks for.
func (p *Pod) split(n *Node, idle int64) (part Part, lacking int64) {
	enough := n.MilliCPU >= p.MilliCPU
	switch {
	case p.Count == 0 && enough:
		return NoDevices, 0
	case p.Count == 0:
		return NoDevicesCPU, 0
	case !p.Accepts(n.Model):
		return NoAccess, 0
	}
	fitting := 0
	for _, free := range n.Free {
		if free >= p.Milli {
			fitting++
		} else {
			lacking += int64(free)
		}
	}
	switch {
	case fitting >= p.Count && enough:
		return Usable, lacking
	case fitting >= p.Count:
		return LacksCPU, 0
	case enough:
		return LacksDevices, 0
	default:
		return LacksBoth, 0
	}
}

// Parts are amounts by part, each the sum over the classes of a target workload of the pods
// of the class times the thousandths of devices that are in that part for one of them. They
// are exact: the parts of a cluster can be kept up to date by adding and subtracting nodes.
type Parts [NumParts]int64

// Add adds the parts of others, times sign.
func (p *Parts) Add(others *Parts, sign int64) {
	for i := range p {
		p[i] += sign * others[i]
	}
}

// Lost is the sum of all parts that are fragments.
func (p *Parts) Lost() int64 {
	var sum int64
	for i, amount := range p {
		if Part(i) != Usable {
			sum += amount
		}
	}
	return sum
}

// Measure is the parts of one node.
func (t *Target) Measure(n *Node) Parts {
	var parts Parts
	idle := n.Idle()
	if idle == 0 {
		return parts
	}
	for i := range t.Classes {
		c := &t.Classes[i]
		part, lacking := c.split(n, idle)
		parts[part] += c.Pods * (idle - lacking)
		parts[LacksDevices] += c.Pods * lacking
	}
	return parts
}

// Thousandths is an amount of parts in thousandths of devices: F of the paper where it is
// Lost of all nodes.
func (t *Target) Thousandths(amount int64) float64 {
	if t.Pods == 0 {
		return 0
	}
	return float64(amount) / float64(t.Pods)
}

// Rounded is F of one node as the paper's authors compute it, in floating point: what it is
// exactly differs in the last digits, which decide between scores that are nearly equal.
func (t *Target) Rounded(n *Node) float64 {
	var parts [NumParts]float64
	idle := n.Idle()
	for i := range t.Classes {
		c := &t.Classes[i]
		part, lacking := c.split(n, idle)
		if part == Usable {
			parts[LacksDevices] += float64(c.Share * float64(lacking))
		}
		parts[part] += float64(c.Share * float64(idle-lacking))
	}
	sum := 0.0
	for i, amount := range parts {
		if Part(i) != Usable {
			sum += amount
		}
	}
	return sum
}
