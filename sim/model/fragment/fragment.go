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

// Accepts reports whether devices of that model will do.
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

// found is what a pod finds on a node.
type found struct {
	fitting int   // devices with as much free as it asks of each
	lacking int64 // thousandths free of the others
}

// find looks at every device.
func (p *Pod) find(n *Node) found {
	var f found
	for _, free := range n.Free {
		if free >= p.Milli {
			f.fitting++
		} else {
			f.lacking += int64(free)
		}
	}
	return f
}

// part is what becomes of all that is idle on a node of a model with so much cpu where the pod
// finds so many fitting devices; but where it is Usable, what the others lack is not.
func (p *Pod) part(milliCPU int64, model int32, fitting int) Part {
	enough := milliCPU >= p.MilliCPU
	switch {
	case p.Count == 0 && enough:
		return NoDevices
	case p.Count == 0:
		return NoDevicesCPU
	case !p.Accepts(model):
		return NoAccess
	case fitting >= p.Count && enough:
		return Usable
	case fitting >= p.Count:
		return LacksCPU
	case enough:
		return LacksDevices
	default:
		return LacksBoth
	}
}

// split divides what is idle on a node by what a pod can make of it: whole of it belongs to
// one part, except for a pod that fits, which cannot use the devices that have less free than it
// asks for.
func (p *Pod) split(n *Node) (part Part, lacking int64) {
	f := p.find(n)
	if part = p.part(n.MilliCPU, n.Model, f.fitting); part != Usable {
		return part, 0
	}
	return part, f.lacking
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
		part, lacking := c.split(n)
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
	var parts roundedParts
	idle := n.Idle()
	for i := range t.Classes {
		c := &t.Classes[i]
		part, lacking := c.split(n)
		parts.add(c, part, idle, lacking)
	}
	return parts.lost()
}

// roundedParts are parts in thousandths of devices, except for what is usable.
type roundedParts [NumParts]float64

func (p *roundedParts) add(c *Class, part Part, idle, lacking int64) {
	if part == Usable {
		part, idle = LacksDevices, lacking
	}
	p[part] += float64(c.Share * float64(idle)) // the conversion forbids a fused multiply-add
}

func (p *roundedParts) lost() float64 {
	sum := 0.0
	for _, amount := range p {
		sum += amount
	}
	return sum
}
