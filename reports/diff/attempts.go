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
	Number  int   // of the attempt, from 1, since the pod arrived
	Outcome string
	Node    string // that it took; "" for none
	// Nominated is the node that preemption frees; "" for none. Evicted names the pods that were
	// evicted for it. They are fewer than Info.Victims if some victims were not bound yet.
	Nominated string
	Evicted   []string
	Err       string
	Info      record.AttemptInfo
}

// Divergence is the first attempt with different outcomes in two runs.
type Divergence struct {
	Name     string // namespace/name of the pod
	Workload string
	// Attempts is the same attempt in both runs; nil if a run does not have it.
	Attempts [2]*Attempt
	// Explained explains the attempt in each run; nil if it is not explained.
	Explained [2]*explain.Explanation
	// Lacking is the node that the other run took, if this run has no such node.
	Lacking [2]string
	// NotRerun is why a run was not run again for an explanation; "" if it was.
	NotRerun [2]string
}

// Order is the first attempt that is for different pods in the two runs.
type Order struct {
	Attempt int64      `json:"attempt"` // of the run, from 1
	Pods    [2]string  `json:"pods"`
	At      clock.Time `json:"-"`
}

// at returns when the earlier of the two attempts began.
func (p *Divergence) at() clock.Time {
	switch {
	case p.Attempts[0] == nil:
		return p.Attempts[1].At
	case p.Attempts[1] == nil:
		return p.Attempts[0].At
	}
	return min(p.Attempts[0].At, p.Attempts[1].At)
}

// podAttempts are the attempts of one pod that are not compared yet.
type podAttempts struct {
	ahead   []*Attempt  // of the run that has made more of them
	side    int         // that run
	last    [2]*Attempt // in each run, if victims may follow
	pending *pendingPair
}

// pendingPair is a pair of attempts that are equal except perhaps for their victims, which are not all known
// yet. The next record of the pod in a run, after the evictions, says that no more will follow there.
type pendingPair struct {
	pair [2]*Attempt
	done [2]bool
}

// victim adds a pod that was evicted for the last attempt.
func (t *podAttempts) victim(s int, name string) {
	if a := t.last[s]; a != nil {
		a.Evicted = append(a.Evicted, name)
	}
}

// search looks for the attempt at which the runs diverge: the earliest of those whose outcome differs. The attempts of one pod
// are compared in order, the first of one run with the first of the other.
//
// The states of pods come from the Lifecycle of each run (see side). The search compares attempts of two runs, which one
// Lifecycle cannot, and those of a pod and of its re-created successors as those of one pod.
type search struct {
	found   *Divergence
	order   *Order
	inOrder [2][]string // names of the pods tried by the run that is ahead, for Order
	count   int64       // attempts for the same pod in both runs, from the first on
	// Of the attempts that exist in one run only: placed is the first that has or is nominated to a node, idle the first of
	// the others.
	placed, idle *Divergence
}

// attemptOf returns the attempt of a record.
func (s *side) attemptOf(r *record.Record) *Attempt {
	return &Attempt{
		At: r.Time, Pod: r.Pod, Number: r.Count, Outcome: r.Attempt.Outcome, Node: s.node(r.Attempt.Node),
		Nominated: s.node(r.Attempt.Nominated), Err: r.Text, Info: *r.Attempt,
	}
}

// attempt takes in an attempt of a pod. Once a pair that differs is known, an attempt counts only if the other run
// made it already.
func (p *search) attempt(s int, matched *matchedPod, r *record.Record, run *side) {
	t := &matched.attempts
	p.endVictims(s, matched)
	matches := len(t.ahead) > 0 && t.side != s
	if p.found != nil && !matches {
		return
	}
	a := run.attemptOf(r)
	p.compareOrder(s, matched, a)
	t.last[s] = a
	if !matches {
		t.ahead, t.side = append(t.ahead, a), s
		return
	}
	pair := [2]*Attempt{t.ahead[0], t.ahead[0]}
	pair[s] = a
	t.ahead = t.ahead[1:]
	p.compare(matched, pair)
}

// compare compares the same attempt of both runs.
func (p *search) compare(matched *matchedPod, pair [2]*Attempt) {
	a, b := pair[0], pair[1]
	if a.Outcome != b.Outcome || a.Node != b.Node || a.Nominated != b.Nominated || a.Info.Victims != b.Info.Victims {
		p.differ(matched, pair)
		return
	}
	if a.Info.Victims > 0 {
		t := &matched.attempts
		t.pending = &pendingPair{pair: pair, done: [2]bool{t.last[0] != a, t.last[1] != b}}
	}
}

// endVictims is called when no more victims of the last attempt of a pod can follow.
func (p *search) endVictims(s int, matched *matchedPod) {
	t := &matched.attempts
	t.last[s] = nil
	if t.pending == nil {
		return
	}
	t.pending.done[s] = true
	if t.pending.done[0] && t.pending.done[1] {
		p.compareVictims(matched)
	}
}

// compareVictims compares the pending pair of a pod, of which all victims are known.
func (p *search) compareVictims(matched *matchedPod) {
	pair := matched.attempts.pending.pair
	matched.attempts.pending = nil
	if !slices.Equal(slices.Sorted(slices.Values(pair[0].Evicted)), slices.Sorted(slices.Values(pair[1].Evicted))) {
		p.differ(matched, pair)
	}
}

// differ keeps a pair that differs, unless an earlier one is known.
func (p *search) differ(matched *matchedPod, pair [2]*Attempt) {
	next := &Divergence{Name: matched.name, Workload: matched.load.name, Attempts: pair}
	if p.found == nil || next.at() < p.found.at() {
		p.found = next
	}
}

// compareOrder compares the order in which the runs try pods.
func (p *search) compareOrder(s int, matched *matchedPod, a *Attempt) {
	if p.order != nil || p.found != nil {
		p.inOrder = [2][]string{}
		return
	}
	if len(p.inOrder[1-s]) == 0 {
		p.inOrder[s] = append(p.inOrder[s], matched.name)
		return
	}
	other := p.inOrder[1-s][0]
	p.inOrder[1-s] = p.inOrder[1-s][1:]
	if p.count++; other != matched.name {
		p.order = &Order{Attempt: p.count, At: a.At}
		p.order.Pods[s], p.order.Pods[1-s] = matched.name, other
	}
}

// unmatched keeps the first attempt of a pod that only one run made, before the end of the
// other run.
func (p *search) unmatched(matched *matchedPod, ends [2]clock.Time) {
	t := &matched.attempts
	if t.pending != nil {
		p.compareVictims(matched)
	}
	if len(t.ahead) == 0 || t.ahead[0].At >= ends[1-t.side] {
		return
	}
	a := t.ahead[0]
	l := &Divergence{Name: matched.name, Workload: matched.load.name}
	l.Attempts[t.side] = a
	kind := &p.idle
	if a.Node != "" || a.Nominated != "" {
		kind = &p.placed
	}
	if *kind == nil || l.at() < (*kind).at() {
		*kind = l
	}
}

// finish is called at the end of both logs. An idle attempt that only one run made
// counts only if there is no other difference.
func (p *search) finish() {
	switch {
	case p.placed != nil && (p.found == nil || p.placed.at() < p.found.at()):
		p.found = p.placed
	case p.found == nil:
		p.found = p.idle
	}
	if p.found != nil && p.order != nil && p.order.At > p.found.at() {
		p.order = nil
	}
}
