package reports

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// observePod takes in a record of a pod that is present.
func (l *Ledger) observePod(r *record.Record) {
	slot, ok := l.pods.slots[r.Pod]
	if !ok {
		l.violate(r, "the pod is not there")
		return
	}
	p := &l.pods.pods[slot]
	if r.Kind.HasNode() && !l.onItsNode(r, p) {
		return
	}
	switch r.Kind {
	case record.PodUngated:
		if l.expect(r, p, pending) {
			l.setGated(p, false)
			l.reasons.drop(p.reasons)
			p.reasons = nil
		}
	case record.PodGated:
		if l.expect(r, p, pending) {
			l.setGated(p, true)
			l.fail(p, []record.ReasonCount{{Plugin: "gated", Reason: r.Text}})
		}
	case record.PodAttempted:
		l.attempt(r, p)
	case record.PodAllowed:
		if l.expect(r, p, waiting) {
			l.endWait(p, false)
			l.move(p, binding, p.node)
		}
	case record.PodRolledBack:
		if l.expect(r, p, waiting, binding) {
			l.rollBack(r, p)
		}
	case record.PodBound:
		l.bind(r, p)
	case record.PodStarted:
		if l.expect(r, p, starting) {
			l.start(p)
		}
	case record.PodCompleted:
		if l.expect(r, p, running, terminating) {
			for _, t := range l.scopes(p) {
				t.completed++
			}
			l.leave(p)
		}
	case record.PodHeld:
		if l.expect(r, p, running) {
			l.setHeld(p, true)
		}
	case record.PodEvicted:
		if l.expect(r, p, waiting, binding, starting, running) {
			l.evict(r, p)
		}
	case record.PodGone:
		if l.expect(r, p, pending, terminating) {
			l.gone(p)
		}
	default:
		l.violate(r, "there is no such kind of record")
	}
}

// expect reports whether the pod is in one of the states, and records a violation if not.
func (l *Ledger) expect(r *record.Record, p *pod, states ...podState) bool {
	for _, s := range states {
		if p.state == s {
			return true
		}
	}
	l.violate(r, "the pod is %s", stateNames[p.state])
	return false
}

// onItsNode checks that a record names the node that the pod is on. A pod that is bound
// without attempts comes onto its node by that record.
func (l *Ledger) onItsNode(r *record.Record, p *pod) bool {
	if r.Kind == record.PodBound && p.state == pending {
		return l.liveNode(r) != nil
	}
	if r.Node != p.node {
		l.violate(r, "the pod is on node %d, not %d", p.node, r.Node)
		return false
	}
	return true
}

// fail notes why a pod has no node.
func (l *Ledger) fail(p *pod, reasons []record.ReasonCount) {
	l.reasons.drop(p.reasons)
	p.reasons = l.reasons.take(reasons)
}

func (l *Ledger) attempt(r *record.Record, p *pod) {
	a := r.Attempt
	if !l.expect(r, p, pending) {
		return
	}
	if r.Count != p.attempts+1 {
		l.violate(r, "attempt %d follows attempt %d", r.Count, p.attempts)
	}
	p.attempts = r.Count
	l.setGated(p, false)
	l.attempts++
	l.busy += a.Busy
	l.busyEnd = r.Time + a.Busy
	if a.Victims > 0 {
		for _, t := range l.scopes(p) {
			t.preemptions++
		}
	}
	switch a.Outcome {
	case record.Scheduled, record.Waiting:
		if l.nodeNumber(r, a.Node) == nil {
			return
		}
		if a.Outcome == record.Waiting {
			l.move(p, waiting, a.Node)
			l.beginWait(p)
		} else {
			l.move(p, binding, a.Node)
		}
		l.checkRoom(r, p)
		l.hold(r, p, a.Held)
	case record.Unschedulable:
		l.fail(p, a.Reasons)
	case record.Failed:
		l.fail(p, []record.ReasonCount{{Plugin: a.Outcome, Reason: r.Text}})
	default:
		l.violate(r, "there is no outcome %q", a.Outcome)
	}
}

func (l *Ledger) beginWait(p *pod) {
	for _, t := range l.scopes(p) {
		t.permitWaits++
		t.hold(l.classes[p.class].requests, 1, l.now)
	}
}

// endWait ends the stay of a pod in Permit.
func (l *Ledger) endWait(p *pod, inVain bool) {
	span, requests := l.now-p.entered, l.classes[p.class].requests
	for _, t := range l.scopes(p) {
		t.permitWait.observe(int64(span))
		t.hold(requests, -1, l.now)
		if inVain {
			addSpan(&t.heldInVain, requests, span)
		}
	}
}

func (l *Ledger) rollBack(r *record.Record, p *pod) {
	if p.state == waiting {
		l.endWait(p, true)
	}
	for _, t := range l.scopes(p) {
		t.rollbacks[r.Cause]++
		if r.Cause == record.ByPreemption {
			t.victims++
		}
	}
	why := record.ReasonCount{Plugin: "rolled back", Reason: string(r.Cause)}
	if r.Cause == record.ByBindFailure && r.Text != "" {
		why = record.ReasonCount{Plugin: record.Failed, Reason: r.Text}
	}
	l.fail(p, []record.ReasonCount{why})
	l.release(p)
}

func (l *Ledger) bind(r *record.Record, p *pod) {
	if p.state == pending && p.attempts == 0 {
		l.move(p, starting, r.Node)
		l.hold(r, p, r.Held)
		for _, t := range l.scopes(p) {
			t.found++
		}
		l.bindInGroup(p)
		return
	}
	if !l.expect(r, p, binding) {
		return
	}
	if len(r.Held) > 0 {
		l.violate(r, "it takes devices, which it did when it was assumed")
	}
	l.move(p, starting, p.node)
	for _, t := range l.scopes(p) {
		t.scheduled++
		t.attempts.observe(int64(p.attempts))
		t.waitToBind.observe(int64(l.now - p.arrived))
	}
	l.reasons.drop(p.reasons)
	p.reasons = nil
	l.bindInGroup(p)
}

func (l *Ledger) start(p *pod) {
	l.move(p, running, p.node)
	if p.attempts == 0 {
		return
	}
	for _, t := range l.scopes(p) {
		t.waitToRun.observe(int64(l.now - p.arrived))
	}
}

func (l *Ledger) evict(r *record.Record, p *pod) {
	var worked clock.Time
	switch p.state {
	case running:
		worked = l.now - p.entered
	case waiting:
		l.endWait(p, true)
	}
	l.unbindInGroup(p)
	for _, t := range l.scopes(p) {
		t.evictions[r.Cause]++
		if r.Cause == record.ByPreemption {
			t.victims++
			t.workLost += worked.Seconds()
			addSpan(&t.workLostOf, l.classes[p.class].requests, worked)
		}
	}
	l.move(p, terminating, p.node)
}

func (l *Ledger) gone(p *pod) {
	for _, t := range l.scopes(p) {
		if p.state == terminating {
			t.evicted++
		} else {
			t.dropped++
		}
	}
	l.leave(p)
}
