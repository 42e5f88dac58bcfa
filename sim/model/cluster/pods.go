package cluster

import (
	"fmt"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Phase is the state of a pod.
//
//	         AddPod
//	           │
//	           ▼        Assume           Bind
//	┌────── Pending ───────────▶ Assumed ─────▶ Bound ──────┐
//	│          ▲                    │             │         │
//	│          └────── Forget ──────┘             │ Terminate
//	│                                             ▼         │
//	│                                        Terminating    │
//	│ RemovePod                RemovePod │                  │ RemovePod
//	└───────────────▶ (gone) ◀───────────┴──────────────────┘
//
// A pod that has a node (Assumed, Bound, Terminating) counts towards what is
// requested on it, until it is gone.
type Phase uint8

// The phases.
const (
	Pending Phase = iota
	Assumed
	Bound
	Terminating
)

// String is the name of the phase.
func (p Phase) String() string {
	return [...]string{"Pending", "Assumed", "Bound", "Terminating"}[p]
}

// Pod is a pod that exists.
type Pod struct {
	Serial int64 // number of arrival, unique over a run
	Name   string
	UID    string // metadata.uid; empty: it has none that somebody outside knows
	Class  *Class
	Group  GroupID
	Phase  Phase
	Node   NodeID     // None while pending
	Start  clock.Time // when it was bound; what "started earlier" compares
	// Preempted: it terminates because the scheduler chose it as a victim.
	Preempted bool

	claims  []ClaimID // by the volumes of the class that have one
	devices []int32   // that it holds, or would if it had a node
	slot    int32     // its place in the list of pods on its node
	live    bool
}

type podTable struct {
	placed   map[int32]int // pods that have a node, by priority
	placedOf []int32       // pods that have a node, by class
	table    []Pod
	freePods []PodID
	numPods  int
}

// AddPod adds a pending pod and returns its id.
func (c *Cluster) AddPod(p Pod) PodID {
	p.Phase, p.Node, p.live = Pending, None, true
	c.numPods++
	var id PodID
	if n := len(c.freePods); n > 0 {
		id = c.freePods[n-1]
		c.freePods = c.freePods[:n-1]
		c.table[id] = p
	} else {
		id = PodID(len(c.table))
		c.table = append(c.table, p)
	}
	c.groups.join(p.Group, id)
	c.counts.declare(p.Class, 1)
	if len(p.Class.Volumes) > 0 {
		c.nameClaims(&c.table[id])
	}
	return id
}

// Assume puts a pending pod on a node, as the scheduler does before binding.
func (c *Cluster) Assume(id PodID, node NodeID) {
	p := c.expect(id, Pending, "assumed")
	p.Phase = Assumed
	c.settleDevices(id, node)
	c.place(id, node, false)
	c.groups.reserved(p.Group, 1)
}

// Forget takes an assumed pod off its node again.
func (c *Cluster) Forget(id PodID) {
	p := c.expect(id, Assumed, "forgotten")
	c.lift(id, false)
	p.Phase, p.devices = Pending, nil
	c.groups.reserved(p.Group, -1)
}

// Bind makes an assumed pod run on its node from that instant on.
func (c *Cluster) Bind(id PodID, at clock.Time) {
	p := c.expect(id, Assumed, "bound")
	p.Phase, p.Start = Bound, at
	delete(c.storage.reservations, id)
}

// Terminate starts the end of a bound pod; it keeps its node until it is removed.
func (c *Cluster) Terminate(id PodID, preempted bool) {
	p := c.expect(id, Bound, "terminated")
	c.uncountTerminating(p)
	p.Phase, p.Preempted = Terminating, preempted
}

// CompletePod is RemovePod for a pod that has done its work.
func (c *Cluster) CompletePod(id PodID) {
	if g := c.Pod(id).Group; g != NoGroup {
		c.groups.groups[g].Done++
	}
	c.RemovePod(id)
}

// RemovePod takes a pod away for good. Its id may be used for another pod.
func (c *Cluster) RemovePod(id PodID) {
	p := c.Pod(id)
	if p.Phase != Pending {
		c.lift(id, false)
		c.groups.reserved(p.Group, -1)
	}
	c.groups.leave(p.Group, id)
	c.counts.declare(p.Class, -1)
	if p.claims != nil {
		c.RevertVolumes(id)
		c.unnameClaims(p)
	}
	*p = Pod{Node: None}
	c.freePods = append(c.freePods, id)
	c.numPods--
}

// Pod is the pod of an id. Callers read it only.
func (c *Cluster) Pod(id PodID) *Pod { return &c.table[id] }

// NumPods is how many pods exist.
func (c *Cluster) NumPods() int { return c.numPods }

// AnyPlacedBelow reports whether some pod of lower priority than that has a node.
func (c *Cluster) AnyPlacedBelow(priority int32) bool {
	for p := range c.placed {
		if p < priority {
			return true
		}
	}
	return false
}

// Alive reports whether the pod of that id and serial still exists.
func (c *Cluster) Alive(id PodID, serial int64) bool {
	return int(id) < len(c.table) && c.table[id].live && c.table[id].Serial == serial
}

func (c *Cluster) expect(id PodID, phase Phase, verb string) *Pod {
	c.journal.mustBeClosed()
	p := &c.table[id]
	if !p.live || p.Phase != phase {
		panic(fmt.Sprintf("cluster: pod %d (%q, %s) cannot be %s", id, p.Name, p.Phase, verb))
	}
	return p
}

// place accounts for a pod on a node, for good or for a trial.
func (c *Cluster) place(id PodID, node NodeID, trial bool) {
	p := &c.table[id]
	p.Node, p.slot = node, int32(len(c.pods[node]))
	c.pods[node] = append(c.pods[node], id)
	c.account(p.Class, node, 1)
	c.placed[p.Class.Priority]++
	c.ports[node] = append(c.ports[node], p.Class.Ports...)
	c.takeDevices(p, 1)
	c.countPod(p, node, 1, trial)
	if p.claims != nil {
		c.useClaims(p, 1)
	}
}

// lift undoes place.
func (c *Cluster) lift(id PodID, trial bool) {
	p := &c.table[id]
	on := c.pods[p.Node]
	last := on[len(on)-1]
	on[p.slot] = last
	c.table[last].slot = p.slot
	c.pods[p.Node] = on[:len(on)-1]
	c.account(p.Class, p.Node, -1)
	if c.placed[p.Class.Priority]--; c.placed[p.Class.Priority] == 0 {
		delete(c.placed, p.Class.Priority)
	}
	c.releasePorts(p)
	c.takeDevices(p, -1)
	c.countPod(p, p.Node, -1, trial)
	if p.claims != nil {
		c.useClaims(p, -1)
	}
	p.Node = None
}

func (c *Cluster) account(class *Class, node NodeID, sign int64) {
	if len(c.requested) < c.NumResources() {
		c.growColumns()
	}
	c.version[node]++
	for _, q := range class.Requests {
		c.requested[q.Resource][node] += sign * q.Amount
	}
	c.requested[Pods][node] += sign
	c.nonZero[CPU][node] += sign * class.NonZero[CPU]
	c.nonZero[Memory][node] += sign * class.NonZero[Memory]
}

func (c *Cluster) releasePorts(p *Pod) {
	ports := c.ports[p.Node]
	for _, port := range p.Class.Ports {
		for i := range ports {
			if ports[i] == port {
				ports = append(ports[:i], ports[i+1:]...)
				break
			}
		}
	}
	c.ports[p.Node] = ports
}
