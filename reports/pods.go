package reports

import (
	"encoding/binary"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// podState is where a pod is in its life.
//
//	arrive ──▶ pending ──attempt──▶ binding ──bind──▶ starting ──start──▶ running ──complete──▶ (gone)
//	           │  ▲  └───attempt──▶ waiting ──allow──▶ binding      │        │
//	           │  └──rollback── waiting, binding                    └─evict──┴──▶ terminating ──gone──▶ (gone)
//	           └──gone──▶ (gone)
//
// A pod that runs may be held there, when its node is drained, until it leaves the node or
// the node accepts pods again.
//
// A pod that is on its node when the run begins goes from pending to starting, by a
// bind without attempts. Evicted may also be a pod that waits or is being bound, and a
// terminating pod may still complete.
type podState uint8

const (
	pending     podState = iota // without a node, gated or not
	waiting                     // assumed on a node, waiting in Permit
	binding                     // assumed on a node, on its way to it
	starting                    // bound, not yet running
	running                     //
	terminating                 // evicted, still on its node
	numStates
)

var stateNames = [numStates]string{"pending", "waiting", "binding", "starting", "running", "terminating"}

// pod is what the ledger knows of a pod that is present.
type pod struct {
	number   int64
	state    podState
	gated    bool
	held     bool // a drain must leave it where it is
	daemon   bool // it does not keep its node from being empty
	class    int32
	workload int32
	node     int32 // -1 while pending
	group    int64
	attempts int
	arrived  clock.Time
	entered  clock.Time // when it came into its state
	reasons  *reasonSet // why its last attempt failed; nil when none did
}

// podTable holds the pods that are present.
type podTable struct {
	slots map[int64]int32 // by number
	pods  []pod
	free  []int32
	end   int64 // all pods that have arrived have smaller numbers
}

func (t *podTable) add(p pod) *pod {
	slot := int32(len(t.pods))
	if n := len(t.free); n > 0 {
		slot, t.free = t.free[n-1], t.free[:n-1]
		t.pods[slot] = p
	} else {
		t.pods = append(t.pods, p)
	}
	t.slots[p.number] = slot
	t.end = p.number + 1
	return &t.pods[slot]
}

func (t *podTable) remove(p *pod) {
	slot := t.slots[p.number]
	delete(t.slots, p.number)
	t.pods[slot] = pod{number: -1}
	t.free = append(t.free, slot)
}

// scopes are the totals that a pod counts in: run, workload, priority and, where it
// has a node, its pool.
func (l *Ledger) scopes(p *pod) []*totals {
	l.scopeBuffer = append(l.scopeBuffer[:0], l.run, l.workloads[p.workload].totals, l.priorities[l.classes[p.class].priority])
	if p.node >= 0 {
		l.scopeBuffer = append(l.scopeBuffer, l.nodes[p.node].pool.pods)
	}
	return l.scopeBuffer
}

func (l *Ledger) arrive(r *record.Record) {
	switch {
	case r.Pod < l.pods.end:
		l.violate(r, "pods up to %d have arrived already", l.pods.end-1)
		return
	case r.Class < 0 || int(r.Class) >= len(l.classes) || !l.classes[r.Class].declared:
		l.violate(r, "class %d is not declared", r.Class)
		return
	case r.Group >= l.groupsEnd:
		l.violate(r, "group %d is not declared", r.Group)
		return
	}
	if bad := l.undeclaredWorkload(r.Workload); bad != "" {
		l.violate(r, "%s", bad)
		return
	}
	p := l.pods.add(pod{
		number: r.Pod, class: r.Class, workload: r.Workload, node: -1, group: r.Group,
		daemon: r.Daemon, arrived: r.Time, entered: r.Time,
	})
	for _, t := range l.scopes(p) {
		t.arrived++
		t.states[pending].add(1, r.Time)
	}
	l.joinGroup(p)
	l.devices.arrive(r.Class)
}

// move takes a pod to another state, on the node that it has there.
func (l *Ledger) move(p *pod, to podState, node int32) {
	wasOn := p.node
	for _, t := range l.scopes(p) {
		t.states[p.state].add(-1, l.now)
	}
	l.setGated(p, false)
	l.setHeld(p, false)
	if p.node = node; node != wasOn && node >= 0 {
		l.occupy(p, 1, l.now)
	}
	p.state, p.entered = to, l.now
	for _, t := range l.scopes(p) {
		t.states[to].add(1, l.now)
	}
}

// release takes a pod off its node and back to pending.
func (l *Ledger) release(p *pod) {
	l.occupy(p, -1, l.now)
	l.move(p, pending, -1)
}

// leave forgets a pod that is not there any more.
func (l *Ledger) leave(p *pod) {
	for _, t := range l.scopes(p) {
		t.states[p.state].add(-1, l.now)
	}
	l.setGated(p, false)
	l.setHeld(p, false)
	if p.node >= 0 {
		l.occupy(p, -1, l.now)
	}
	l.reasons.drop(p.reasons)
	l.leaveGroup(p)
	l.pods.remove(p)
}

func (l *Ledger) setGated(p *pod, gated bool) {
	if p.gated != gated {
		p.gated = gated
		for _, t := range l.scopes(p) {
			t.gated += one(gated)
		}
	}
}

func (l *Ledger) setHeld(p *pod, held bool) {
	if p.held != held {
		p.held = held
		for _, t := range l.scopes(p) {
			t.undrained += one(held)
		}
	}
}

// one is 1 for one more, -1 for one less.
func one(more bool) int64 {
	if more {
		return 1
	}
	return -1
}

// reasonSet is a set of reasons that pods share.
type reasonSet struct {
	key     string
	labels  []string
	holders int
}

// reasonTable holds the sets of reasons that present pods have.
type reasonTable struct {
	sets   map[string]*reasonSet
	buffer []byte
}

// take returns the set of the reasons, with one holder more.
func (t *reasonTable) take(reasons []record.ReasonCount) *reasonSet {
	t.buffer = t.buffer[:0]
	for _, r := range reasons {
		t.buffer = binary.AppendUvarint(t.buffer, uint64(len(r.Plugin)))
		t.buffer = append(t.buffer, r.Plugin...)
		t.buffer = binary.AppendUvarint(t.buffer, uint64(len(r.Reason)))
		t.buffer = append(t.buffer, r.Reason...)
	}
	set, ok := t.sets[string(t.buffer)]
	if !ok {
		set = &reasonSet{key: string(t.buffer)}
		for _, r := range reasons {
			set.labels = append(set.labels, reasonLabel(r))
		}
		slices.Sort(set.labels)
		set.labels = slices.Compact(set.labels)
		if t.sets == nil {
			t.sets = map[string]*reasonSet{}
		}
		t.sets[set.key] = set
	}
	set.holders++
	return set
}

func (t *reasonTable) drop(set *reasonSet) {
	if set == nil {
		return
	}
	if set.holders--; set.holders == 0 {
		delete(t.sets, set.key)
	}
}

func reasonLabel(r record.ReasonCount) string {
	switch {
	case r.Plugin == "":
		return r.Reason
	case r.Reason == "":
		return r.Plugin
	}
	return r.Plugin + ": " + r.Reason
}
