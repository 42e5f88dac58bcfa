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

// String returns the name of the phase.
func (p Phase) String() string {
	return [...]string{"Pending", "Assumed", "Bound", "Terminating"}[p]
}

// Pod is a pod that exists.
type Pod struct {
	Serial int64 // number of arrival, unique over a run
	Name   string
	UID    string // metadata.uid in the manifests; empty if not given
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

// PodTable holds the pods.
type PodTable struct {
	journal  *journal `hash:"part"`
	placed   placedPods
	placedOf []int32 // pods that have a node, by class
	table    []Pod
	freePods []PodID
	numPods  int
}

// AddPod adds a pending pod and returns its id.
func (c *Cluster) AddPod(p Pod) PodID {
	p.Phase, p.Node, p.live = Pending, None, true
	id := c.newPodID()
	c.table[id] = p
	c.numPods++
	c.Groups.join(p.Group, id)
	c.Topology.declare(p.Class, 1)
	if len(p.Class.Volumes) > 0 {
		c.Volumes.nameClaims(&c.table[id])
	}
	return id
}

// newPodID returns the id of a removed pod, or a new one.
func (c *Cluster) newPodID() PodID {
	if n := len(c.freePods); n > 0 {
		id := c.freePods[n-1]
		c.freePods = c.freePods[:n-1]
		if c.journal.isOpen() {
			c.journal.note(func() {
				c.table[id] = Pod{Node: None}
				c.freePods = append(c.freePods, id)
				c.numPods--
			})
		}
		return id
	}
	c.table = append(c.table, Pod{})
	if c.journal.isOpen() {
		c.journal.note(func() {
			c.table = c.table[:len(c.table)-1]
			c.numPods--
		})
	}
	return PodID(len(c.table) - 1)
}

// Assume puts a pending pod on a node, as the scheduler does before binding.
func (c *Cluster) Assume(id PodID, node NodeID) {
	p := c.expect(id, Pending, "assumed")
	p.Phase = Assumed
	c.Devices.chooseFor(id, node)
	c.place(id, node, false)
	c.Groups.reserved(p.Group, 1)
}

// Forget takes an assumed pod off its node again.
func (c *Cluster) Forget(id PodID) {
	p := c.expect(id, Assumed, "forgotten")
	c.lift(id, false)
	p.Phase, p.devices = Pending, nil
	c.Groups.reserved(p.Group, -1)
}

// Bind makes an assumed pod run on its node from that instant on.
func (c *Cluster) Bind(id PodID, at clock.Time) {
	p := c.expect(id, Assumed, "bound")
	p.Phase, p.Start = Bound, at
	c.changed(p.Node, PhasesChanged)
	delete(c.Volumes.reservations, id)
}

// Terminate starts the end of a bound pod; it keeps its node until it is removed.
func (c *Cluster) Terminate(id PodID, preempted bool) {
	p := c.expect(id, Bound, "terminated")
	c.Topology.uncountTerminating(p)
	p.Phase, p.Preempted = Terminating, preempted
	c.changed(p.Node, PhasesChanged)
}

// MarkPreempted notes that a pod that terminates is a victim of preemption too.
func (c *Cluster) MarkPreempted(id PodID) {
	c.expect(id, Terminating, "marked as preempted").Preempted = true
}

// CompletePod is like RemovePod, for a pod that has done its work.
func (c *Cluster) CompletePod(id PodID) {
	if g := c.Pod(id).Group; g != NoGroup {
		c.Groups.groups[g].Done++
		if c.journal.isOpen() {
			c.journal.note(func() { c.Groups.groups[g].Done-- })
		}
	}
	c.RemovePod(id)
}

// RemovePod takes a pod away. Its id may be used for another pod. A pod that the open trial has
// moved must not be removed in it.
func (c *Cluster) RemovePod(id PodID) {
	p := c.Pod(id)
	if (p.Phase == Pending) != (p.Node == None) {
		panic(fmt.Sprintf("cluster: pod %q is removed, which a trial has moved", p.Name))
	}
	if p.Phase != Pending {
		if c.journal.isOpen() {
			c.TryDelete(id)
		} else {
			c.lift(id, false)
		}
		c.Groups.reserved(p.Group, -1)
	}
	c.Groups.removeMember(p.Group, id)
	c.Topology.declare(p.Class, -1)
	claims := p.claims
	if p.claims != nil {
		c.Volumes.Revert(id)
		c.Volumes.unnameClaims(p)
	}
	if c.journal.isOpen() {
		before := *p
		before.claims = claims
		c.journal.note(func() {
			c.table[id] = before
			c.freePods = c.freePods[:len(c.freePods)-1]
			c.numPods++
		})
	}
	*p = Pod{Node: None}
	c.freePods = append(c.freePods, id)
	c.numPods--
}

// Pod returns the pod of an id. Callers read it only.
func (t *PodTable) Pod(id PodID) *Pod { return &t.table[id] }

// NumPods returns the number of pods that exist.
func (t *PodTable) NumPods() int { return t.numPods }

// AnyPlacedBelow reports whether some pod of lower priority than that has a node.
func (t *PodTable) AnyPlacedBelow(priority int32) bool {
	return t.placed.anyBelow(priority)
}

// Alive reports whether the pod of that id and serial still exists.
func (t *PodTable) Alive(id PodID, serial int64) bool {
	return int(id) < len(t.table) && t.table[id].live && t.table[id].Serial == serial
}

func (t *PodTable) expect(id PodID, phase Phase, verb string) *Pod {
	t.journal.mustBeClosed()
	return t.expectPhase(id, phase, verb)
}

func (t *PodTable) expectPhase(id PodID, phase Phase, verb string) *Pod {
	p := &t.table[id]
	if !p.live || p.Phase != phase {
		panic(fmt.Sprintf("cluster: pod %d (%q, %s) cannot be %s", id, p.Name, p.Phase, verb))
	}
	return p
}

// place accounts for a pod on a node, committed or in a trial.
func (c *Cluster) place(id PodID, node NodeID, trial bool) {
	p := &c.table[id]
	p.Node, p.slot = node, int32(len(c.pods[node]))
	c.pods[node] = append(c.pods[node], id)
	c.account(p.Class, node, 1)
	c.placed.add(p.Class.Priority)
	c.ports[node] = append(c.ports[node], p.Class.Ports...)
	c.Devices.take(p, 1)
	c.changed(node, p.changesNode())
	c.Topology.countPod(p, node, 1, trial)
	if p.claims != nil {
		c.Volumes.useClaims(p, 1)
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
	c.placed.remove(p.Class.Priority)
	c.releasePorts(p)
	c.Devices.take(p, -1)
	c.changed(p.Node, p.changesNode())
	c.Topology.countPod(p, p.Node, -1, trial)
	if p.claims != nil {
		c.Volumes.useClaims(p, -1)
	}
	p.Node, p.slot = None, 0
}

// changesNode is how a node changes that gets the pod or loses it.
func (p *Pod) changesNode() Changes {
	if len(p.devices) > 0 {
		return PodsChanged | DevicesChanged
	}
	return PodsChanged
}

func (c *Cluster) account(class *Class, node NodeID, sign int64) {
	if len(c.requested) < c.NumResources() {
		c.growColumns()
	}
	c.touch(node)
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
