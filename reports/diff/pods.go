package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// load is a workload, which runs have in common if its name is the same.
type load struct {
	name  string
	names map[string]*namesakes
	tally Tally
}

// namesakes are the pods of one workload and name that are present in one of the runs, in order of
// arrival. A pod and the one re-created in its place count as one. A workload makes its pods in the same
// order whatever becomes of them, so the first pod of a name in one run is matched with the first in the other, the second
// with the second.
type namesakes struct {
	pods []*matchedPod
	next [2]int // index of the one that arrives next in each run
}

// matchedPod is the same pod in both runs.
type matchedPod struct {
	name     string // namespace/name
	load     *load
	outcomes [2]trackedOutcome
	attempts podAttempts
}

// trackedOutcome is what has become of a pod in one of the runs.
type trackedOutcome struct {
	PodOutcome
	finished bool       // nothing more will happen to it
	since    clock.Time // when its wait began
	waits    bool
}

// PodOutcome is what became of a pod in one of the runs.
type PodOutcome struct {
	Number    int64 // of arrival, the last time it arrived
	Arrived   clock.Time
	State     State
	Node      string // the last one that it had; "" if it had none
	Attempts  int
	Preempted int        // how often
	Evicted   int        // how often, for other causes
	Waited    clock.Time // how long it was present and not bound
}

// State is where a pod was at the end of a run.
type State string

// The states.
const (
	Absent      State = "" // the run does not have the pod
	Pending     State = "pending"
	Assumed     State = "assumed" // it has a node, and is not bound to it yet
	Starting    State = "starting"
	Running     State = "running"
	Completed   State = "completed"
	Terminating State = "terminating"
	Gone        State = "gone" // evicted, and not re-created
)

// states are the states of pods that are present, by their state in the Lifecycle.
var states = [lifecycle.NumStates]State{
	lifecycle.Pending: Pending, lifecycle.Waiting: Assumed, lifecycle.Binding: Assumed,
	lifecycle.Starting: Starting, lifecycle.Running: Running, lifecycle.Terminating: Terminating,
}

// arrive finds the matched pod of an arrival, or makes one.
func (m *merge) arrive(s int, r *record.Record, present *lifecycle.Pod[*matchedPod]) {
	run := &m.sides[s]
	l := run.loads[r.Workload]
	matched := run.recreated(l, r.Text)
	if matched == nil {
		matched = l.next(s, r.Text)
		matched.outcomes[s].Arrived = r.Time
	}
	present.Data = matched
	f := &matched.outcomes[s]
	f.Number, f.State, f.Node, f.finished, f.waits, f.since = r.Pod, Pending, "", false, true, r.Time
	if r.Node >= 0 {
		f.State, f.Node = Starting, run.node(r.Node)
	}
}

// recreated returns the pod of that name that has gone at this instant, or nil.
func (s *side) recreated(l *load, name string) *matchedPod {
	for i, matched := range s.gone {
		if matched.load == l && matched.name == name {
			s.gone = append(s.gone[:i], s.gone[i+1:]...)
			return matched
		}
	}
	return nil
}

// next returns the pod of that name that arrives next in a run.
func (l *load) next(s int, name string) *matchedPod {
	n := l.names[name]
	if n == nil {
		n = &namesakes{}
		l.names[name] = n
	}
	if n.next[s] == len(n.pods) {
		n.pods = append(n.pods, &matchedPod{name: name, load: l})
	}
	matched := n.pods[n.next[s]]
	n.next[s]++
	return matched
}

// observePod takes in a record of a pod.
func (m *merge) observePod(s int, r *record.Record, change *lifecycle.Change[*matchedPod]) {
	p := change.Pod
	matched := p.Data
	run, f := &m.sides[s], &matched.outcomes[s]
	if before := change.Before.State; p.State != before {
		f.State = states[p.State]
		if p.State != lifecycle.Absent {
			f.Node = run.node(p.Node) // a pod that has gone keeps its last node
		}
	}
	switch r.Kind {
	case record.PodAttempted:
		f.Attempts++
		m.divergence.attempt(s, matched, r, run)
	case record.PodBound:
		f.bound(r.Time)
	case record.PodCompleted:
		f.State = Completed
		m.divergence.endVictims(s, matched)
		m.end(s, matched)
	case record.PodEvicted:
		if r.Cause == record.ByPreemption {
			f.Preempted++
			if by := run.life.Pod(r.By); by != nil {
				by.Data.attempts.victim(s, matched.name)
			}
		} else {
			f.Evicted++
		}
	case record.PodGone:
		f.State = Gone
		f.bound(r.Time)
		m.divergence.endVictims(s, matched)
		run.gone = append(run.gone, matched)
	}
}

// bound ends the wait of a pod.
func (f *trackedOutcome) bound(now clock.Time) {
	if f.waits {
		f.Waited += now - f.since
		f.waits = false
	}
}

// endGone ends the pods that have gone and were not re-created.
func (m *merge) endGone(s int) {
	for _, matched := range m.sides[s].gone {
		m.end(s, matched)
	}
	m.sides[s].gone = m.sides[s].gone[:0]
}

// end records that a pod is finished in a run, and counts it once it is finished in both.
func (m *merge) end(s int, matched *matchedPod) {
	matched.outcomes[s].finished = true
	n := matched.load.names[matched.name]
	for len(n.pods) > 0 && n.pods[0].outcomes[0].finished && n.pods[0].outcomes[1].finished {
		m.divergence.unmatched(n.pods[0], [2]clock.Time{clock.Forever, clock.Forever})
		m.count(n.pods[0])
		n.pods = n.pods[1:]
		n.next[0]--
		n.next[1]--
	}
	if len(n.pods) == 0 {
		delete(matched.load.names, matched.name)
	}
}

// finish counts the pods that are present at the end of the runs.
func (m *merge) finish() {
	m.prefix.finish()
	ends := [2]clock.Time{m.sides[0].now, m.sides[1].now}
	for s := range m.sides {
		m.endGone(s)
	}
	var left []*matchedPod
	for _, l := range m.list {
		for _, n := range l.names {
			left = append(left, n.pods...)
		}
	}
	slices.SortFunc(left, func(a, b *matchedPod) int {
		return cmp.Or(
			cmp.Compare(a.outcomes[0].Number, b.outcomes[0].Number), cmp.Compare(a.outcomes[1].Number, b.outcomes[1].Number),
			strings.Compare(a.name, b.name), strings.Compare(a.load.name, b.load.name),
		)
	})
	for _, matched := range left {
		for s := range matched.outcomes {
			matched.outcomes[s].bound(ends[s])
		}
		m.divergence.unmatched(matched, ends)
		m.count(matched)
	}
	m.divergence.finish()
	m.worst.finish()
}

// count adds a pod to the tally of its workload, and to the list of those that had different outcomes.
func (m *merge) count(matched *matchedPod) {
	p := Pod{Name: matched.name, Workload: matched.load.name, Outcomes: [2]PodOutcome{matched.outcomes[0].PodOutcome, matched.outcomes[1].PodOutcome}}
	p.findDifferences()
	matched.load.tally.count(&p)
	if p.differs() {
		m.worst.offer(p)
	}
}
