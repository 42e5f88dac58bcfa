package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

const running = "running"

// event is something that happened to a pod. Attempts that failed for the same reasons
// are one event.
type event struct {
	kind     record.Kind
	at, last clock.Time // last: of several attempts
	node     int32
	other    bool // it happened to another pod, a victim of this one
	again    bool // the pod came in place of an evicted one of its name
	cause    record.Cause
	text     string
	by       string              // the pod that needed the room
	attempt  *record.AttemptInfo // of the first of several attempts
	from, to int                 // numbers of attempts
}

// story is what happened to a pod, in order. Of a long one the middle is left out.
type story struct {
	events []event
	left   int // how many are left out
}

// A long story keeps its beginning and its end.
const (
	storyHead = 30
	storyTail = 30
)

func (s *story) add(e event) {
	if len(s.events) == storyHead+storyTail {
		s.left++
		s.events = slices.Delete(s.events, storyHead, storyHead+1)
	}
	s.events = append(s.events, e)
}

// attempt adds an attempt, to the last event where it failed for the same reasons.
func (s *story) attempt(r *record.Record) {
	a := r.Attempt
	if n := len(s.events); n > 0 && a.Victims == 0 && a.Nominated < 0 && len(a.Reasons) > 0 {
		last := &s.events[n-1]
		if last.attempt != nil && last.attempt.Victims == 0 && sameReasons(last.attempt.Reasons, a.Reasons) {
			last.to, last.last = r.Count, r.Time
			return
		}
	}
	info := *a // that of the record is one of many in a block of memory
	s.add(event{kind: r.Kind, at: r.Time, last: r.Time, node: a.Node, text: r.Text, attempt: &info, from: r.Count, to: r.Count})
}

// sameReasons ignores the numbers of nodes.
func sameReasons(a, b []record.ReasonCount) bool {
	return slices.EqualFunc(a, b, func(x, y record.ReasonCount) bool { return x.Plugin == y.Plugin && x.Reason == y.Reason })
}

// chapter is an event in words.
type chapter struct{ When, What string }

// tell words a story.
func (c *collector) tell(p *pod) []chapter {
	var out []chapter
	for i := range p.story.events {
		if i == storyHead && p.story.left > 0 {
			out = append(out, chapter{"", fmt.Sprintf("… %d events are left out …", p.story.left)})
		}
		e := &p.story.events[i]
		if what := c.word(e); what != "" {
			out = append(out, chapter{human.Seconds(e.at.Seconds()), what})
		}
	}
	return out
}

func (c *collector) word(e *event) string {
	on := c.nodeName(e.node)
	switch e.kind {
	case record.PodArrived:
		if e.node >= 0 {
			return "was there when the run began, on " + on
		}
		if e.again {
			return "arrived, in place of the evicted one of its name"
		}
		return "arrived"
	case record.PodGated:
		return "gated: " + e.text
	case record.PodUngated:
		return "not gated any more"
	case record.PodAttempted:
		return c.wordAttempt(e, on)
	case record.PodAllowed:
		return "allowed: its gang is complete"
	case record.PodRolledBack:
		if e.other {
			return "its victim " + e.text + " loses its place on " + on
		}
		if e.by != "" {
			return "lost its place on " + on + " to make room for " + e.by
		}
		return withReason("lost its place on "+on+", "+causeWords(e.cause), e.text)
	case record.PodBound:
		return "bound to " + on
	case record.PodStarted:
		return "runs"
	case record.PodCompleted:
		return "completed"
	case record.PodHeld:
		return withReason("stays on "+on+", which is drained", e.text)
	case record.PodEvicted:
		if e.other {
			return "its victim " + e.text + " is evicted from " + on
		}
		if e.by != "" {
			return "evicted from " + on + " to make room for " + e.by
		}
		return "evicted from " + on + ": " + causeWords(e.cause)
	case record.PodGone:
		return "gone"
	}
	return ""
}

func withReason(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + why
}

func (c *collector) wordAttempt(e *event, on string) string {
	a := e.attempt
	what := fmt.Sprintf("attempt %d", e.from)
	if e.to > e.from {
		what = fmt.Sprintf("attempts %d to %d, until %s, end alike", e.from, e.to, human.Seconds(e.last.Seconds()))
	}
	switch a.Outcome {
	case record.Scheduled:
		if a.Feasible == 1 {
			return fmt.Sprintf("%s: takes %s, the one node that fits", what, on)
		}
		return fmt.Sprintf("%s: takes %s, one of %s that fit", what, on, human.Counted(a.Feasible, "node"))
	case record.Waiting:
		return fmt.Sprintf("%s: takes %s and waits in Permit", what, on)
	case record.Failed:
		return what + ": error: " + e.text
	}
	var why []string
	for _, r := range a.Reasons {
		why = append(why, fmt.Sprintf("%s × %s", metric.ReasonLabel(r), human.Counted(r.Nodes, "node")))
	}
	what += ": no node fits"
	if len(why) > 0 {
		what += " (" + strings.Join(why, "; ") + ")"
	}
	if a.Nominated >= 0 {
		what += fmt.Sprintf("; nominated to %s, which %s must leave", c.nodeName(a.Nominated), human.Counted(a.Victims, "victim"))
	}
	return what
}

// worstPods keeps the pods that fared worst, by three measures, and some of those that were
// not bound at the end, however short their wait.
type worstPods struct {
	byWait, byAttempts, byLost ranking
	unbound                    ranking
	unboundAll                 int // how many there were
}

// ranking keeps the pods with the highest score.
type ranking struct {
	size int
	pods []*pod
	of   []int64 // their scores
}

func (r *ranking) offer(p *pod, score int64) {
	if score <= 0 || len(r.pods) == r.size && (r.size == 0 || score <= r.of[r.size-1]) {
		return
	}
	at, _ := slices.BinarySearchFunc(r.of, score, func(a, b int64) int { return cmp.Compare(b, a) })
	for at < len(r.of) && r.of[at] == score {
		at++ // earlier pods stay before
	}
	r.of, r.pods = slices.Insert(r.of, at, score), slices.Insert(r.pods, at, p)
	if len(r.pods) > r.size {
		r.of, r.pods = r.of[:r.size], r.pods[:r.size]
	}
}

func newWorstPods(n int) worstPods {
	few := ranking{size: n / 2}
	return worstPods{byWait: ranking{size: n}, byAttempts: few, byLost: few, unbound: few}
}

// offerUnbound takes a pod that was not bound at the end.
func (w *worstPods) offerUnbound(p *pod, now clock.Time) {
	w.unboundAll++
	w.unbound.offer(p, 1+int64(p.wait(now)))
}

func (w *worstPods) offer(p *pod, now clock.Time) {
	w.byWait.offer(p, int64(p.wait(now)))
	if p.attempts > 1 {
		w.byAttempts.offer(p, int64(p.attempts))
	}
	w.byLost.offer(p, int64(p.lost))
}

// wait is how long a pod took to be bound, or has been waiting.
func (p *pod) wait(now clock.Time) clock.Time {
	if p.bound >= 0 {
		return p.bound - p.arrived
	}
	return now - p.arrived
}

// shown are all pods of the rankings: those that were not bound at the end first, and of
// both those that waited longest.
func (w *worstPods) shown(now clock.Time) []*pod {
	all := slices.Concat(w.unbound.pods, w.byWait.pods, w.byAttempts.pods, w.byLost.pods)
	slices.SortFunc(all, func(a, b *pod) int {
		if (a.bound < 0) != (b.bound < 0) {
			return cmp.Compare(a.bound, b.bound) // -1 before any time
		}
		return cmp.Or(cmp.Compare(b.wait(now), a.wait(now)), cmp.Compare(a.number, b.number))
	})
	return slices.Compact(all)
}
