package metric

import (
	"errors"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Devices folds what a record log says of the devices of nodes: what is taken of each, and
// how much of the rest the target workload cannot use. A record costs what it takes to
// measure the one node that it changes; only after a new target workload all are measured
// anew. Amounts are in thousandths of devices.
type Devices struct {
	DeviceSums // of all nodes

	now     clock.Time
	target  *fragment.Target
	models  map[string]int32 // by name, from 1; 0 is the model of nodes that do not say
	classes []deviceClass
	nodes   []deviceNode
	pools   []*DeviceSums
	arrived int64 // what all pods that came ask for

	held  map[int64]*holding // by pod, of those that hold devices
	spare []*holding

	pods   map[int64]devicePod // that Observe knows of; a Ledger has its own
	faults []error
}

// deviceClass is what pods of a class take of a node, as far as devices are concerned.
type deviceClass struct {
	fragment.Pod
	kind string
}

// total is what a pod of the class asks for, in thousandths.
func (c *deviceClass) total() int64 { return int64(c.Count) * int64(c.Milli) }

// holding is the devices that a pod holds.
type holding struct {
	node, class int32
	devices     []int32
}

// devicePod is where a pod is; node is -1 where it is on none.
type devicePod struct{ class, node int32 }

// NewDevices returns a fold that has seen no record.
func NewDevices() *Devices {
	target := &fragment.Target{}
	return &Devices{
		DeviceSums: DeviceSums{target: target}, target: target,
		models: map[string]int32{"": 0}, held: map[int64]*holding{}, pods: map[int64]devicePod{},
	}
}

// Observe takes in the next record. It keeps nothing of it. Only what is said of devices is
// checked, see Err; a Ledger checks all.
func (d *Devices) Observe(r *record.Record) {
	d.now = r.Time
	switch r.Kind {
	case record.DeclareClass:
		d.declareClass(r)
	case record.DeclareTarget:
		d.setTarget(r.Target)
	case record.NodeAdded, record.NodeChanged:
		d.setNode(r.Node, r.NodeInfo)
	case record.NodeRemoved:
		d.removeNode(r.Node)
	case record.PodArrived:
		d.arrive(r.Class)
		d.pods[r.Pod] = devicePod{class: r.Class, node: -1}
	case record.PodAttempted:
		if r.Attempt.Node >= 0 {
			d.place(r.Pod, r.Attempt.Node, r.Attempt.Held)
		}
	case record.PodBound:
		if d.pods[r.Pod].node < 0 {
			d.place(r.Pod, r.Node, r.Held)
		}
	case record.PodRolledBack:
		d.unplace(r.Pod)
	case record.PodCompleted, record.PodGone:
		d.unplace(r.Pod)
		delete(d.pods, r.Pod)
	}
}

func (d *Devices) place(pod int64, node int32, held []int32) {
	p := d.pods[pod]
	p.node = node
	d.pods[pod] = p
	if bad := d.enter(pod, p, held); bad != "" && len(d.faults) < lifecycle.MaxViolations {
		d.faults = append(d.faults, fmt.Errorf("%v: pod %d: %s", d.now, pod, bad))
	}
}

func (d *Devices) unplace(pod int64) {
	if p := d.pods[pod]; p.node >= 0 {
		d.leave(pod, p)
		d.pods[pod] = devicePod{class: p.class, node: -1}
	}
}

// Err joins an error for each of the first pods that hold what they cannot.
func (d *Devices) Err() error { return errors.Join(d.faults...) }

// declareClass notes what a class asks for.
func (d *Devices) declareClass(r *record.Record) {
	c := deviceClass{}
	for _, a := range r.Amounts {
		if a.Resource == "cpu" {
			c.MilliCPU = a.Value
		}
	}
	if q := r.Devices; q != nil {
		c.kind, c.Count, c.Milli, c.Models = q.Kind, q.Count, q.Milli, d.modelIDs(q.Models)
	}
	*at(&d.classes, int(r.Class)) = c
}

func (d *Devices) modelIDs(names []string) []int32 {
	var out []int32
	for _, name := range names {
		out = append(out, d.modelID(name))
	}
	return out
}

func (d *Devices) modelID(name string) int32 {
	id, known := d.models[name]
	if !known {
		id = int32(len(d.models))
		d.models[name] = id
	}
	return id
}

// arrive counts what a pod asks for that has come.
func (d *Devices) arrive(class int32) { d.arrived += d.classes[class].total() }

// setTarget takes another target workload, by which all nodes are measured anew.
func (d *Devices) setTarget(classes []record.TargetClass) {
	for _, s := range slices.Concat(d.pools, []*DeviceSums{&d.DeviceSums}) {
		s.settle(d.now)
		s.parts = fragment.Parts{}
	}
	*d.target = fragment.Target{}
	for i := range classes {
		c := &classes[i]
		d.target.Pods += c.Pods
		d.target.Classes = append(d.target.Classes, fragment.Class{Pods: c.Pods, Pod: fragment.Pod{
			MilliCPU: c.MilliCPU, Count: c.Count, Milli: c.Milli, Models: d.modelIDs(c.Models),
		}})
	}
	for i := range d.nodes {
		d.nodes[i].parts = fragment.Parts{}
		d.measure(&d.nodes[i])
	}
}

// Arrived is what the pods that have arrived ask for, whether or not they got it.
func (d *Devices) Arrived() int64 { return d.arrived }

// Pools are the sums of the pools that have had devices, in order of appearance.
func (d *Devices) Pools() []*DeviceSums {
	return slices.DeleteFunc(slices.Clone(d.pools), func(s *DeviceSums) bool { return !s.known })
}

// of are the sums of a pool, or nil where it has had no node.
func (d *Devices) of(pool string) *DeviceSums {
	for _, s := range d.pools {
		if s.pool == pool {
			return s
		}
	}
	return nil
}

// sumsOf are the sums that a node of the pool counts in.
func (d *Devices) sumsOf(pool string) [2]*DeviceSums {
	s := d.of(pool)
	if s == nil {
		s = &DeviceSums{pool: pool, target: d.target, since: d.now}
		d.pools = append(d.pools, s)
	}
	return [2]*DeviceSums{&d.DeviceSums, s}
}

// UsedOf is what pods hold of the devices of a node that is there.
func (d *Devices) UsedOf(node int32) int64 {
	n := &d.nodes[node]
	return int64(len(n.Free))*fragment.Whole - n.Idle()
}
