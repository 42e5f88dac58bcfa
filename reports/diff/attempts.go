package diff

import (
	"slices"

	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// Attempt is an attempt to schedule a pod in one of the runs.
type Attempt struct {
	At      clock.Time
	Pod     int64 // number of arrival of the pod
	Number  int   // of the attempt, since the pod came
	Outcome string
	Node    string // that it took; empty: none
	// Nominated is the node that preemption frees; empty: none. Evicted are the pods that were
	// evicted for it, as far as they ran, of Info.Victims.
	Nominated string
	Evicted   []string
	Err       string
	Info      record.AttemptInfo
}

// Parting is the first attempt at which two runs part.
type Parting struct {
	Name     string // namespace/name of the pod
	Workload string
	// Attempts are the same attempt in both runs; nil: there is none in that run.
	Attempts [2]*Attempt
	// Explained are the attempts as the runs played again have them; nil: they were not.
	Explained [2]*explain.Explanation
	// Lacking is the node that the other run took, where there is no such node in this one.
	Lacking [2]string
	// Unplayed is why a run was not played again, or in vain; empty: it was.
	Unplayed [2]string
}

// Order is the first attempt that is of one pod in one run, and of another in the other.
type Order struct {
	Attempt int64      `json:"attempt"` // of the run, from 1
	Pods    [2]string  `json:"pods"`
	At      clock.Time `json:"-"`
}

// at is when the first of both attempts began.
func (p *Parting) at() clock.Time {
	switch {
	case p.Attempts[0] == nil:
		return p.Attempts[1].At
	case p.Attempts[1] == nil:
		return p.Attempts[0].At
	}
	return min(p.Attempts[0].At, p.Attempts[1].At)
}

// tries are the attempts of one pod that wait to be compared.
type tries struct {
	ahead []*Attempt // of the side that has made more of them
	side  int        // that one
	last  [2]*Attempt
	await *awaiting
}

// awaiting is a pair of attempts that are equal but for the victims, which are not all known
// yet: the next records of the pod, other than their evictions, settle it.
type awaiting struct {
	pair [2]*Attempt
	done [2]bool
}

// victim notes a pod that was evicted for the last attempt.
func (t *tries) victim(s int, name string) {
	if a := t.last[s]; a != nil {
		a.Evicted = append(a.Evicted, name)
	}
}

// search looks for the attempt at which the runs part: the earliest of those whose outcome differs. The attempts of one pod
// are compared in order, the first of one run with the first of the other.
//
// The states of pods come from the Lifecycle of each run (see side). The search compares attempts of two runs, which one
// Lifecycle cannot, and those of a pod and of its re-created successors as those of one pod.
type search struct {
	found   *Parting
	order   *Order
	inOrder [2][]string // attempts of pods, of the side that is ahead
	count   int64       // attempts in the same order
	// alone is the first attempt that there is in one run alone and that leads to something,
	// idle the first one that leads to nothing.
	alone, idle *Parting
}

// attemptOf is the attempt of a record.
func (s *side) attemptOf(r *record.Record) *Attempt {
	return &Attempt{
		At: r.Time, Pod: r.Pod, Number: r.Count, Outcome: r.Attempt.Outcome, Node: s.node(r.Attempt.Node),
		Nominated: s.node(r.Attempt.Nominated), Err: r.Text, Info: *r.Attempt,
	}
}

// attempt takes in an attempt of a pod. Once a pair that differs is known, only those count
// that were made before it in the other run.
func (p *search) attempt(s int, sub *subject, r *record.Record, run *side) {
	t := &sub.tries
	p.left(s, sub)
	matches := len(t.ahead) > 0 && t.side != s
	if p.found != nil && !matches {
		return
	}
	a := run.attemptOf(r)
	p.inTurn(s, sub, a)
	t.last[s] = a
	if !matches {
		t.ahead, t.side = append(t.ahead, a), s
		return
	}
	pair := [2]*Attempt{t.ahead[0], t.ahead[0]}
	pair[s] = a
	t.ahead = t.ahead[1:]
	p.compare(sub, pair)
}

// compare compares the same attempt of both runs.
func (p *search) compare(sub *subject, pair [2]*Attempt) {
	a, b := pair[0], pair[1]
	if a.Outcome != b.Outcome || a.Node != b.Node || a.Nominated != b.Nominated || a.Info.Victims != b.Info.Victims {
		p.differ(sub, pair)
		return
	}
	if a.Info.Victims > 0 {
		t := &sub.tries
		t.await = &awaiting{pair: pair, done: [2]bool{t.last[0] != a, t.last[1] != b}}
	}
}

// left is told that no more victims of the last attempt of a pod will come.
func (p *search) left(s int, sub *subject) {
	t := &sub.tries
	t.last[s] = nil
	if t.await == nil {
		return
	}
	t.await.done[s] = true
	if t.await.done[0] && t.await.done[1] {
		p.settle(sub)
	}
}

func (p *search) settle(sub *subject) {
	pair := sub.tries.await.pair
	sub.tries.await = nil
	if !slices.Equal(slices.Sorted(slices.Values(pair[0].Evicted)), slices.Sorted(slices.Values(pair[1].Evicted))) {
		p.differ(sub, pair)
	}
}

// differ notes a pair that differs, unless an earlier one is known.
func (p *search) differ(sub *subject, pair [2]*Attempt) {
	next := &Parting{Name: sub.name, Workload: sub.load.name, Attempts: pair}
	if p.found == nil || next.at() < p.found.at() {
		p.found = next
	}
}

// inTurn compares the order of attempts.
func (p *search) inTurn(s int, sub *subject, a *Attempt) {
	if p.order != nil || p.found != nil {
		p.inOrder = [2][]string{}
		return
	}
	if len(p.inOrder[1-s]) == 0 {
		p.inOrder[s] = append(p.inOrder[s], sub.name)
		return
	}
	other := p.inOrder[1-s][0]
	p.inOrder[1-s] = p.inOrder[1-s][1:]
	if p.count++; other != sub.name {
		p.order = &Order{Attempt: p.count, At: a.At}
		p.order.Pods[s], p.order.Pods[1-s] = sub.name, other
	}
}

// unmatched notes the first attempt of a pod that there is in one run alone, before the
// other run ended.
func (p *search) unmatched(sub *subject, ends [2]clock.Time) {
	t := &sub.tries
	if t.await != nil {
		p.settle(sub)
	}
	if len(t.ahead) == 0 || t.ahead[0].At >= ends[1-t.side] {
		return
	}
	a := t.ahead[0]
	l := &Parting{Name: sub.name, Workload: sub.load.name}
	l.Attempts[t.side] = a
	kind := &p.idle
	if a.Node != "" || a.Nominated != "" {
		kind = &p.alone
	}
	if *kind == nil || l.at() < (*kind).at() {
		*kind = l
	}
}

// finish is told that both logs have ended. An attempt that there is in one run alone and
// that leads to nothing counts only where there is nothing else.
func (p *search) finish() {
	switch {
	case p.alone != nil && (p.found == nil || p.alone.at() < p.found.at()):
		p.found = p.alone
	case p.found == nil:
		p.found = p.idle
	}
	if p.found != nil && p.order != nil && p.order.At > p.found.at() {
		p.order = nil
	}
}
