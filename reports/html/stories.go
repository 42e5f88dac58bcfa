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

// event is one thing that happened to a pod. Consecutive attempts that failed for the same reasons
// are one event.
type event struct {
	kind      record.Kind
	at, last  clock.Time // last: of several attempts
	node      int32
	ofVictim  bool // it happened to another pod, a victim of this one
	recreated bool // the pod replaces an evicted one of its name
	cause     record.Cause
	text      string
	by        string              // the pod that needed the room
	attempt   *record.AttemptInfo // of the first of several attempts
	from, to  int                 // numbers of attempts
}

// story is what happened to a pod, in order. Of a long one the middle is left out.
type story struct {
	events  []event
	omitted int // events that were left out
}

// A long story keeps its beginning and its end.
const (
	storyHead = 30
	storyTail = 30
)

func (s *story) add(e event) {
	if len(s.events) == storyHead+storyTail {
		s.omitted++
		s.events = slices.Delete(s.events, storyHead, storyHead+1)
	}
	s.events = append(s.events, e)
}

// attempt adds an attempt. One that failed for the same reasons as the last event is joined to it.
func (s *story) attempt(r *record.Record) {
	a := r.Attempt
	if n := len(s.events); n > 0 && a.Victims == 0 && a.Nominated < 0 && len(a.Reasons) > 0 {
		last := &s.events[n-1]
		if last.attempt != nil && last.attempt.Victims == 0 && sameReasons(last.attempt.Reasons, a.Reasons) {
			last.to, last.last = r.Count, r.Time
			return
		}
	}
	info := *a // the record's own would keep a whole block of records in memory
	s.add(event{kind: r.Kind, at: r.Time, last: r.Time, node: a.Node, text: r.Text, attempt: &info, from: r.Count, to: r.Count})
}

// sameReasons reports whether the reasons are the same, whatever the numbers of nodes.
func sameReasons(a, b []record.ReasonCount) bool {
	return slices.EqualFunc(a, b, func(x, y record.ReasonCount) bool { return x.Plugin == y.Plugin && x.Reason == y.Reason })
}

// storyLine is one line of a story, as the page shows it.
type storyLine struct{ When, What string }

// storyLines returns the story of a pod.
func (c *collector) storyLines(p *pod) []storyLine {
	var out []storyLine
	for i := range p.story.events {
		if i == storyHead && p.story.omitted > 0 {
			out = append(out, storyLine{"", fmt.Sprintf("… %d events are left out …", p.story.omitted)})
		}
		e := &p.story.events[i]
		if what := c.describeEvent(e); what != "" {
			out = append(out, storyLine{human.Seconds(e.at.Seconds()), what})
		}
	}
	return out
}

// describeEvent returns what happened as a sentence without subject; "" if it is not shown.
func (c *collector) describeEvent(e *event) string {
	on := c.nodeName(e.node)
	switch e.kind {
	case record.PodArrived:
		if e.node >= 0 {
			return "was there when the run began, on " + on
		}
		if e.recreated {
			return "arrived, in place of the evicted one of its name"
		}
		return "arrived"
	case record.PodGated:
		return "gated: " + e.text
	case record.PodUngated:
		return "not gated any more"
	case record.PodAttempted:
		return c.describeAttempt(e, on)
	case record.PodAllowed:
		return "allowed: its gang is complete"
	case record.PodRolledBack:
		if e.ofVictim {
			return "its victim " + e.text + " loses its place on " + on
		}
		if e.by != "" {
			return "lost its place on " + on + " to make room for " + e.by
		}
		return withReason("lost its place on "+on+", "+describeCause(e.cause), e.text)
	case record.PodBound:
		return "bound to " + on
	case record.PodStarted:
		return "runs"
	case record.PodCompleted:
		return "completed"
	case record.PodEvictionBlocked:
		return withReason("stays on "+on+", which is drained", e.text)
	case record.PodEvicted:
		if e.ofVictim {
			return "its victim " + e.text + " is evicted from " + on
		}
		if e.by != "" {
			return "evicted from " + on + " to make room for " + e.by
		}
		return "evicted from " + on + ": " + describeCause(e.cause)
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

func (c *collector) describeAttempt(e *event, on string) string {
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

// worstPods keeps the pods with the longest waits, the most attempts and the most lost work, and
// those not bound at the end of the run that waited longest.
type worstPods struct {
	byWait, byAttempts, byLost ranking
	unbound                    ranking
	unboundAll                 int // pods that were not bound at the end, those of unbound included
}

// ranking keeps the pods with the highest score.
type ranking struct {
	size   int
	pods   []*pod
	scores []int64 // of the pods
}

// offer adds the pod if its score is high enough.
func (r *ranking) offer(p *pod, score int64) {
	if score <= 0 || len(r.pods) == r.size && (r.size == 0 || score <= r.scores[r.size-1]) {
		return
	}
	at, _ := slices.BinarySearchFunc(r.scores, score, func(a, b int64) int { return cmp.Compare(b, a) })
	for at < len(r.scores) && r.scores[at] == score {
		at++ // earlier pods stay before
	}
	r.scores, r.pods = slices.Insert(r.scores, at, score), slices.Insert(r.pods, at, p)
	if len(r.pods) > r.size {
		r.scores, r.pods = r.scores[:r.size], r.pods[:r.size]
	}
}

func newWorstPods(n int) worstPods {
	few := ranking{size: n / 2}
	return worstPods{byWait: ranking{size: n}, byAttempts: few, byLost: few, unbound: few}
}

// offerUnbound considers a pod that was not bound at the end of the run.
func (w *worstPods) offerUnbound(p *pod, now clock.Time) {
	w.unboundAll++
	w.unbound.offer(p, 1+int64(p.waited(now)))
}

// offer considers a pod.
func (w *worstPods) offer(p *pod, now clock.Time) {
	w.byWait.offer(p, int64(p.waited(now)))
	if p.attempts > 1 {
		w.byAttempts.offer(p, int64(p.attempts))
	}
	w.byLost.offer(p, int64(p.lost))
}

// waited returns how long the pod took to be bound, or has been waiting.
func (p *pod) waited(now clock.Time) clock.Time {
	if p.bound >= 0 {
		return p.bound - p.arrived
	}
	return now - p.arrived
}

// all returns the pods of all rankings.
func (w *worstPods) all() []*pod {
	return slices.Concat(w.unbound.pods, w.byWait.pods, w.byAttempts.pods, w.byLost.pods)
}
