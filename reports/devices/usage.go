// Package devices keeps account of the devices of nodes, such as GPUs, over a record log: what pods hold of each, and how much
// of the rest the target workload cannot use.
package devices

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Usage is what pods hold of the devices of all nodes, and what is free of them. A record costs what it takes to measure the
// one node that it changes; only after a new target workload all nodes are measured again. Amounts are in thousandths of
// devices.
//
// Its memory does not grow with pods that have gone.
type Usage struct {
	Sums // of all nodes

	now     clock.Time
	target  *fragment.Target
	models  map[string]int32 // by name, from 1; 0 is the model of nodes that do not say
	classes []class
	nodes   []node
	pools   []*Sums
	arrived int64 // what all pods that arrived ask for

	held  map[int64]*holding // by pod, of those that hold devices
	spare []*holding
}

// class is what pods of a class request, as far as it matters for devices.
type class struct {
	fragment.Pod
	kind string
}

// total is what a pod of the class asks for, in thousandths.
func (c *class) total() int64 { return int64(c.Count) * int64(c.Milli) }

// holding is the devices that a pod holds.
type holding struct {
	node, class int32
	devices     []int32
}

// NewUsage returns the usage of a log of which no record was read.
func NewUsage() *Usage {
	target := &fragment.Target{}
	return &Usage{
		Sums: Sums{target: target}, target: target, models: map[string]int32{"": 0}, held: map[int64]*holding{},
	}
}

// Observe takes in the next record that a lifecycle.Lifecycle has accepted, and the move that it made. It keeps nothing of
// it. It returns what is wrong with the devices that the pod of the move is said to hold, which then holds none; or "".
func (u *Usage) Observe(r *record.Record, m lifecycle.Move) string {
	u.now = r.Time
	switch r.Kind {
	case record.DeclareClass:
		u.declareClass(r)
	case record.DeclareTarget:
		u.setTarget(r.Target)
	case record.NodeAdded, record.NodeChanged:
		u.setNode(r.Node, r.NodeInfo)
	case record.NodeRemoved:
		u.removeNode(r.Node)
	case record.PodArrived:
		u.arrived += u.classes[r.Class].total()
	}
	if m.From >= 0 {
		u.removePod(&m)
	}
	if m.To >= 0 {
		return u.enter(&m)
	}
	return ""
}

// declareClass keeps what pods of a class ask for.
func (u *Usage) declareClass(r *record.Record) {
	c := class{}
	for _, a := range r.Amounts {
		if a.Resource == "cpu" {
			c.MilliCPU = a.Value
		}
	}
	if q := r.Devices; q != nil {
		c.kind, c.Count, c.Milli, c.Models = q.Kind, q.Count, q.Milli, u.modelIDs(q.Models)
	}
	*grow(&u.classes, int(r.Class)) = c
}

func (u *Usage) modelIDs(names []string) []int32 {
	var out []int32
	for _, name := range names {
		out = append(out, u.modelID(name))
	}
	return out
}

func (u *Usage) modelID(name string) int32 {
	id, known := u.models[name]
	if !known {
		id = int32(len(u.models))
		u.models[name] = id
	}
	return id
}

// setTarget takes another target workload, by which all nodes are measured again.
func (u *Usage) setTarget(classes []record.TargetClass) {
	for _, s := range slices.Concat(u.pools, []*Sums{&u.Sums}) {
		s.advance(u.now)
		s.parts = fragment.Parts{}
	}
	*u.target = fragment.Target{}
	for i := range classes {
		c := &classes[i]
		u.target.Pods += c.Pods
		u.target.Classes = append(u.target.Classes, fragment.Class{Pods: c.Pods, Pod: fragment.Pod{
			MilliCPU: c.MilliCPU, Count: c.Count, Milli: c.Milli, Models: u.modelIDs(c.Models),
		}})
	}
	for i := range u.nodes {
		u.nodes[i].parts = fragment.Parts{}
		u.measure(&u.nodes[i])
	}
}

// Arrived returns what the pods that have arrived ask for, whether or not they got it.
func (u *Usage) Arrived() int64 { return u.arrived }

// Pools returns the sums of the pools that have had devices, in order of appearance.
func (u *Usage) Pools() []*Sums {
	return slices.DeleteFunc(slices.Clone(u.pools), func(s *Sums) bool { return !s.known })
}

// PoolNamed returns the sums of a pool, or nil if no node of it was added.
func (u *Usage) PoolNamed(pool string) *Sums {
	for _, s := range u.pools {
		if s.pool == pool {
			return s
		}
	}
	return nil
}

// sumsOf are the sums that a node of the pool counts in.
func (u *Usage) sumsOf(pool string) [2]*Sums {
	s := u.PoolNamed(pool)
	if s == nil {
		s = &Sums{pool: pool, target: u.target, since: u.now}
		u.pools = append(u.pools, s)
	}
	return [2]*Sums{&u.Sums, s}
}

// UsedOf returns what pods hold of the devices of a node that exists.
func (u *Usage) UsedOf(node int32) int64 {
	n := &u.nodes[node]
	return int64(len(n.Free))*fragment.Whole - n.Idle()
}

// Requested returns how many devices a pod of the class asks for.
func (u *Usage) Requested(class int32) int { return u.classes[class].Count }

// grow returns the element of a list that grows as numbers become known.
func grow[T any](list *[]T, i int) *T {
	for i >= len(*list) {
		var zero T
		*list = append(*list, zero)
	}
	return &(*list)[i]
}
