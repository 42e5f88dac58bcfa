package metric

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// pod is a pod that is present.
type pod = lifecycle.Pod[podData]

// change is what a record did to a pod.
type change = lifecycle.Change[podData]

// podData is what the ledger keeps of a pod beside its Lifecycle.
type podData struct {
	held    bool       // a drain must leave it where it is
	reasons *reasonSet // why it is pending, or was when it was last; nil: it was not tried yet
}

// observePod takes in what a record did to a pod.
func (l *Ledger) observePod(r *record.Record, c *change) {
	was, p := &c.Before, c.Pod
	if was.State == lifecycle.Waiting && p.State != lifecycle.Waiting {
		l.endWait(was, r.Kind != record.PodAllowed)
	}
	l.updateLevels(c)
	if reasons, says := lifecycle.PendingReasons(r); says {
		l.setReasons(p, reasons)
	}
	switch r.Kind {
	case record.PodArrived:
		l.arrive(p)
	case record.PodAttempted:
		l.attempt(r, was, p)
	case record.PodRolledBack:
		l.rollBack(r, was)
	case record.PodBound:
		l.bind(r, was, p)
	case record.PodStarted:
		l.start(p)
	case record.PodEvictionBlocked:
		l.setHeld(p, true)
	case record.PodEvicted:
		l.evict(r, was)
	case record.PodCompleted:
		for _, t := range l.scopes(was) {
			t.completed++
		}
		l.forget(was)
	case record.PodGone:
		l.gone(was)
	}
}

// updateLevels updates the levels: pods by state, gated and held ones, and what is taken of nodes.
func (l *Ledger) updateLevels(c *change) {
	was, p := &c.Before, c.Pod
	if was.Gated != p.Gated {
		for _, t := range l.scopes(was) {
			t.gated += sign(p.Gated)
		}
	}
	if was.State == p.State {
		return
	}
	if was.State != lifecycle.Absent {
		for _, t := range l.scopes(was) {
			t.states[was.State].Add(-1, l.now)
		}
	}
	if was.Data.held {
		l.setHeld(was, false)
		p.Data.held = false
	}
	if was.Node != p.Node {
		if was.Node >= 0 {
			l.occupy(was, -1, l.now)
		}
		if p.Node >= 0 {
			l.occupy(p, 1, l.now)
		}
	}
	if p.State != lifecycle.Absent {
		for _, t := range l.scopes(p) {
			t.states[p.State].Add(1, l.now)
		}
	}
}

// setReasons records why a pod has no node. Without reasons it was not tried.
func (l *Ledger) setReasons(p *pod, reasons []record.ReasonCount) {
	l.reasons.drop(p.Data.reasons)
	p.Data.reasons = nil
	if len(reasons) > 0 {
		p.Data.reasons = l.reasons.take(reasons)
	}
}

func (l *Ledger) attempt(r *record.Record, was, p *pod) {
	a := r.Attempt
	l.attempts++
	l.busy += a.Busy
	l.busyEnd = r.Time + a.Busy
	if a.Victims > 0 {
		for _, t := range l.scopes(was) {
			t.preemptions++
		}
	}
	if a.Outcome == record.Scheduled || a.Outcome == record.Waiting {
		if p.State == lifecycle.Waiting {
			l.beginWait(p)
		}
		l.checkRoom(r, p)
		l.checkDevices(r, p, a.Held)
	}
}

func (l *Ledger) beginWait(p *pod) {
	for _, t := range l.scopes(p) {
		t.permitWaits++
		t.addHeld(l.classes[p.Class].requests, 1, l.now)
	}
}

// endWait ends the wait of a pod in Permit.
func (l *Ledger) endWait(p *pod, inVain bool) {
	span, requests := l.now-p.Entered, l.classes[p.Class].requests
	for _, t := range l.scopes(p) {
		t.permitWait.observe(int64(span))
		t.addHeld(requests, -1, l.now)
		if inVain {
			addSpan(&t.heldInVain, requests, span)
		}
	}
}

func (l *Ledger) rollBack(r *record.Record, was *pod) {
	for _, t := range l.scopes(was) {
		t.rollbacks[r.Cause]++
		if r.Cause == record.ByPreemption {
			t.victims++
		}
	}
}

func (l *Ledger) bind(r *record.Record, was, p *pod) {
	if was.State == lifecycle.Pending {
		l.checkDevices(r, p, r.Held)
		for _, t := range l.scopes(p) {
			t.boundAtStart++
		}
		l.bindInGroup(p)
		return
	}
	if len(r.Held) > 0 {
		l.life.Violate(r, "it takes devices, which it did when it was assumed")
	}
	for _, t := range l.scopes(p) {
		t.scheduled++
		t.attempts.observe(int64(p.Attempts))
		t.waitToBind.observe(int64(l.now - p.Arrived))
	}
	l.setReasons(p, nil)
	l.bindInGroup(p)
}

func (l *Ledger) start(p *pod) {
	if p.Attempts == 0 {
		return
	}
	for _, t := range l.scopes(p) {
		t.waitToRun.observe(int64(l.now - p.Arrived))
	}
}

func (l *Ledger) evict(r *record.Record, was *pod) {
	var worked clock.Time
	if was.State == lifecycle.Running {
		worked = l.now - was.Entered
	}
	l.unbindInGroup(was)
	for _, t := range l.scopes(was) {
		t.evictions[r.Cause]++
		if r.Cause == record.ByPreemption {
			t.victims++
			t.workLost += worked.Seconds()
			addSpan(&t.workLostOf, l.classes[was.Class].requests, worked)
		}
	}
}

func (l *Ledger) gone(was *pod) {
	for _, t := range l.scopes(was) {
		if was.State == lifecycle.Terminating {
			t.evicted++
		} else {
			t.dropped++
		}
	}
	l.forget(was)
}

// forget drops what the ledger keeps of a pod that has gone.
func (l *Ledger) forget(was *pod) {
	l.reasons.drop(was.Data.reasons)
	l.removeEmptyGroup(was)
}

// scopes returns the totals that a pod counts in: those of the run, its workload, its priority and, if it
// has a node, the node's pool. The result is valid until the next call.
func (l *Ledger) scopes(p *pod) []*totals {
	l.scopeBuffer = append(l.scopeBuffer[:0], l.run, l.workloads[p.Workload].totals, l.priorities[l.classes[p.Class].priority])
	if p.Node >= 0 {
		l.scopeBuffer = append(l.scopeBuffer, l.nodes[p.Node].pool.pods)
	}
	return l.scopeBuffer
}

func (l *Ledger) arrive(p *pod) {
	for _, t := range l.scopes(p) {
		t.arrived++
	}
	l.joinGroup(p)
}

func (l *Ledger) setHeld(p *pod, held bool) {
	if p.Data.held != held {
		p.Data.held = held
		for _, t := range l.scopes(p) {
			t.undrained += sign(held)
		}
	}
}

// sign returns 1 for true, -1 for false.
func sign(positive bool) int64 {
	if positive {
		return 1
	}
	return -1
}
