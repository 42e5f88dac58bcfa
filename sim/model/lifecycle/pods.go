package lifecycle

import (
	"fmt"

	"github.com/berth-sim/berth/sim/model/record"
)

// from lists the states in which a record of each kind can happen to a pod. observePod and attempt check more.
var from = map[record.Kind][]State{
	record.PodGated:           {Pending},
	record.PodUngated:         {Pending},
	record.PodAttempted:       {Pending},
	record.PodAllowed:         {Waiting},
	record.PodRolledBack:      {Waiting, Binding},
	record.PodBound:           {Binding},
	record.PodStarted:         {Starting},
	record.PodCompleted:       {Running, Terminating},
	record.PodEvictionBlocked: {Running},
	record.PodEvicted:         {Waiting, Binding, Starting, Running},
	record.PodGone:            {Pending, Terminating},
}

// allowed is from as a table.
var allowed = func() (table [256][NumStates]bool) {
	for kind, states := range from {
		for _, s := range states {
			table[kind][s] = true
		}
	}
	return table
}()

// arrive returns why the pod cannot arrive, or "".
func (l *Lifecycle[Data]) arrive(r *record.Record) string {
	if r.Pod < l.end {
		return fmt.Sprintf("pods up to %d have arrived already", l.end-1)
	}
	if bad := l.known.check(r); bad != "" {
		return bad
	}
	slot := int32(len(l.pods))
	if n := len(l.free); n > 0 {
		slot, l.free = l.free[n-1], l.free[:n-1]
	} else {
		l.pods = append(l.pods, Pod[Data]{})
	}
	p := &l.pods[slot]
	*p = Pod[Data]{
		Number: r.Pod, State: Pending, Daemon: r.Daemon, Class: r.Class, Workload: r.Workload, Node: -1, Group: r.Group,
		Arrived: r.Time, Entered: r.Time,
	}
	l.slots[r.Pod], l.end = slot, r.Pod+1
	l.change = Change[Data]{Before: *p, Pod: p}
	l.change.Before.State = Absent
	return ""
}

// observePod returns why the record cannot happen to its pod, or "".
func (l *Lifecycle[Data]) observePod(r *record.Record) string {
	if !r.Kind.HasPod() {
		return "there is no such kind of record"
	}
	slot, ok := l.slots[r.Pod]
	if !ok {
		return "the pod is not there"
	}
	p := &l.pods[slot]
	onNodeAtStart := r.Kind == record.PodBound && p.State == Pending && p.Attempts == 0
	switch {
	case r.Kind == record.PodBound && p.State == Pending && !l.fleet.has(r.Node):
		return fmt.Sprintf("there is no node %d", r.Node)
	case r.Kind.HasNode() && r.Node != p.Node && !(r.Kind == record.PodBound && p.State == Pending):
		return fmt.Sprintf("the pod is on node %d, not %d", p.Node, r.Node)
	case !allowed[r.Kind][p.State] && !onNodeAtStart:
		return "the pod is " + p.State.String()
	}
	l.change.Before, l.change.Pod = *p, p
	switch r.Kind {
	case record.PodGated:
		p.Gated = true
	case record.PodUngated:
		p.Gated = false
	case record.PodAttempted:
		return l.attempt(r, p)
	case record.PodAllowed:
		l.move(p, Binding, p.Node)
	case record.PodRolledBack:
		l.move(p, Pending, -1)
	case record.PodBound:
		l.move(p, Starting, r.Node)
	case record.PodStarted:
		l.move(p, Running, p.Node)
	case record.PodEvicted:
		l.move(p, Terminating, p.Node)
	case record.PodCompleted, record.PodGone:
		l.move(p, Absent, -1)
		delete(l.slots, p.Number)
		l.free = append(l.free, slot)
	}
	return ""
}

// attempt changes the pod as the outcome of an attempt says. It returns what is wrong with the attempt, or "".
func (l *Lifecycle[Data]) attempt(r *record.Record, p *Pod[Data]) string {
	if r.Count != p.Attempts+1 {
		l.Violate(r, "attempt %d follows attempt %d", r.Count, p.Attempts)
	}
	p.Attempts, p.Gated = r.Count, false
	to := Binding
	switch r.Attempt.Outcome {
	case record.Unschedulable, record.Failed:
		return ""
	case record.Scheduled:
	case record.Waiting:
		to = Waiting
	default:
		return fmt.Sprintf("there is no outcome %q", r.Attempt.Outcome)
	}
	if !l.fleet.has(r.Attempt.Node) {
		return fmt.Sprintf("there is no node %d", r.Attempt.Node)
	}
	l.move(p, to, r.Attempt.Node)
	return ""
}

// move takes a pod to another state, on the node that it has there.
func (l *Lifecycle[Data]) move(p *Pod[Data], to State, node int32) {
	if node != p.Node {
		l.fleet.removePod(p.Node)
		l.fleet.addPod(node)
	}
	p.State, p.Node, p.Entered, p.Gated = to, node, l.now, false
}
