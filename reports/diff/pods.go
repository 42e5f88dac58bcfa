package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// load is a workload in both runs.
type load struct {
	name  string
	names map[string]*namesakes
	tally Tally
}

// namesakes are the pods of one workload and name that are in one of the runs, in order of
// arrival. What is evicted and re-created is one pod. Workloads make pods of the same names in the same
// order whatever becomes of them: so the first of a name is the same in both runs, and the
// second.
type namesakes struct {
	pods []*subject
	next [2]int // which of them arrives next on each side
}

// subject is one pod in both runs.
type subject struct {
	name  string // namespace/name
	load  *load
	fates [2]fate
	tries tries
}

// fate is what has become of a pod in one of the runs.
type fate struct {
	Fate
	over  bool       // nothing more will
	since clock.Time // since when it waits
	waits bool
}

// Fate is what became of a pod in one of the runs.
type Fate struct {
	Number    int64 // of arrival, the last time it came
	Arrived   clock.Time
	State     State
	Node      string // the last one that it had; empty: none
	Attempts  int
	Preempted int        // how often
	Evicted   int        // how often, for other causes
	Waited    clock.Time // for how long it was there and not bound
}

// State is where a pod was at the end of a run.
type State string

// The states.
const (
	Absent      State = "" // there is no such pod
	Pending     State = "pending"
	Assumed     State = "assumed" // it has a node, and is not bound to it yet
	Starting    State = "starting"
	Running     State = "running"
	Completed   State = "completed"
	Terminating State = "terminating"
	Gone        State = "gone" // evicted, and not re-created
)

// states are the states of pods that are there.
var states = [lifecycle.NumStates]State{
	lifecycle.Pending: Pending, lifecycle.Waiting: Assumed, lifecycle.Binding: Assumed,
	lifecycle.Starting: Starting, lifecycle.Running: Running, lifecycle.Terminating: Terminating,
}

// arrive finds the pod that comes, or makes it.
func (m *merge) arrive(s int, r *record.Record, present *lifecycle.Pod[*subject]) {
	run := &m.sides[s]
	l := run.loads[r.Workload]
	sub := run.recreated(l, r.Text)
	if sub == nil {
		sub = l.next(s, r.Text)
		sub.fates[s].Arrived = r.Time
	}
	present.Data = sub
	f := &sub.fates[s]
	f.Number, f.State, f.Node, f.over, f.waits, f.since = r.Pod, Pending, "", false, true, r.Time
	if r.Node >= 0 {
		f.State, f.Node = Starting, run.node(r.Node)
	}
}

// recreated is the pod of that name that has gone at this instant, or nil.
func (s *side) recreated(l *load, name string) *subject {
	for i, sub := range s.gone {
		if sub.load == l && sub.name == name {
			s.gone = append(s.gone[:i], s.gone[i+1:]...)
			return sub
		}
	}
	return nil
}

// next is the pod of that name that comes next on a side.
func (l *load) next(s int, name string) *subject {
	n := l.names[name]
	if n == nil {
		n = &namesakes{}
		l.names[name] = n
	}
	if n.next[s] == len(n.pods) {
		n.pods = append(n.pods, &subject{name: name, load: l})
	}
	sub := n.pods[n.next[s]]
	n.next[s]++
	return sub
}

// happened takes in a record of a pod.
func (m *merge) happened(s int, r *record.Record, change *lifecycle.Change[*subject]) {
	p := change.Pod
	sub := p.Data
	run, f := &m.sides[s], &sub.fates[s]
	if before := change.Before.State; p.State != before {
		f.State = states[p.State]
		if p.State != lifecycle.Absent {
			f.Node = run.node(p.Node) // of a pod that has gone the last one stays
		}
	}
	switch r.Kind {
	case record.PodAttempted:
		f.Attempts++
		m.parting.attempt(s, sub, r, run)
	case record.PodBound:
		f.bound(r.Time)
	case record.PodCompleted:
		f.State = Completed
		m.parting.left(s, sub)
		m.end(s, sub)
	case record.PodEvicted:
		if r.Cause == record.ByPreemption {
			f.Preempted++
			if by := run.life.Pod(r.By); by != nil {
				by.Data.tries.victim(s, sub.name)
			}
		} else {
			f.Evicted++
		}
	case record.PodGone:
		f.State = Gone
		f.bound(r.Time)
		m.parting.left(s, sub)
		run.gone = append(run.gone, sub)
	}
}

// bound ends the wait of a pod.
func (f *fate) bound(now clock.Time) {
	if f.waits {
		f.Waited += now - f.since
		f.waits = false
	}
}

// forget ends the pods that have gone and were not re-created.
func (m *merge) forget(s int) {
	for _, sub := range m.sides[s].gone {
		m.end(s, sub)
	}
	m.sides[s].gone = m.sides[s].gone[:0]
}

// end notes that nothing more becomes of a pod on a side, and counts it when that is so on
// both.
func (m *merge) end(s int, sub *subject) {
	sub.fates[s].over = true
	n := sub.load.names[sub.name]
	for len(n.pods) > 0 && n.pods[0].fates[0].over && n.pods[0].fates[1].over {
		m.parting.unmatched(n.pods[0], [2]clock.Time{clock.Forever, clock.Forever})
		m.count(n.pods[0])
		n.pods = n.pods[1:]
		n.next[0]--
		n.next[1]--
	}
	if len(n.pods) == 0 {
		delete(sub.load.names, sub.name)
	}
}

// finish counts the pods that are there at the end of the runs.
func (m *merge) finish() {
	m.prefix.finish()
	ends := [2]clock.Time{m.sides[0].now, m.sides[1].now}
	for s := range m.sides {
		m.forget(s)
	}
	var left []*subject
	for _, l := range m.list {
		for _, n := range l.names {
			left = append(left, n.pods...)
		}
	}
	slices.SortFunc(left, func(a, b *subject) int {
		return cmp.Or(
			cmp.Compare(a.fates[0].Number, b.fates[0].Number), cmp.Compare(a.fates[1].Number, b.fates[1].Number),
			strings.Compare(a.name, b.name), strings.Compare(a.load.name, b.load.name),
		)
	})
	for _, sub := range left {
		for s := range sub.fates {
			sub.fates[s].bound(ends[s])
		}
		m.parting.unmatched(sub, ends)
		m.count(sub)
	}
	m.parting.finish()
	m.worst.finish()
}

// count adds a pod to what became of pods.
func (m *merge) count(sub *subject) {
	p := Pod{Name: sub.name, Workload: sub.load.name, Fates: [2]Fate{sub.fates[0].Fate, sub.fates[1].Fate}}
	p.judge()
	sub.load.tally.count(&p)
	if p.differs() {
		m.worst.offer(p)
	}
}
