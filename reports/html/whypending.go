package html

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/model/clock"
)

// reasonWait is how long a pod was pending for one reason.
type reasonWait struct {
	reason int // see pendingLog
	wait   clock.Time
}

func (p *pod) addWait(reason int, wait clock.Time) {
	at := slices.IndexFunc(p.waits, func(w reasonWait) bool { return w.reason == reason })
	if at < 0 {
		at = len(p.waits)
		p.waits = append(p.waits, reasonWait{reason: reason})
	}
	p.waits[at].wait += wait
}

// offer considers a pod that waits no more, or the run has ended, for each reason that it was pending for.
func (l *pendingLog) offer(p *pod) {
	for _, w := range p.waits {
		if w.wait > 0 {
			r := &l.reasons[w.reason]
			r.waited++
			r.total += w.wait
			r.most.offer(p, int64(w.wait))
		}
	}
	p.waits = nil
}

// link leads to a place on the page.
type link struct{ To, Name string }

// reasonView is a reason to be pending, and the pods that waited longest for it.
type reasonView struct {
	ID, Label     string
	AtEnd, Waited string
	Longest, Mean string
	Pods          []link
	More          string // pods that are not named
}

// reasonsView is why the pods of a run were pending.
type reasonsView struct {
	Run  string
	Rows []reasonView
	More int // reasons that are not shown
}

// shownReasons returns the reasons that pods waited for, from most to least, as many as the page shows, and the number of
// the others.
func (run *run) shownReasons() (shown []pendingReason, more int) {
	for _, r := range run.pending.reasons {
		switch {
		case r.waited == 0:
		case len(shown) < run.limits.reasons:
			shown = append(shown, r)
		default:
			more++
		}
	}
	return shown, more
}

func (r *Report) reasonViews() []reasonsView {
	var out []reasonsView
	for number, run := range r.runs {
		shown, more := run.shownReasons()
		if len(shown) == 0 {
			continue
		}
		v := reasonsView{More: more}
		if len(r.runs) > 1 {
			v.Run = run.label
		}
		for i, reason := range shown {
			v.Rows = append(v.Rows, reason.view(number, i))
		}
		out = append(out, v)
	}
	return out
}

func (reason *pendingReason) view(run, number int) reasonView {
	v := reasonView{
		ID: reasonID(run, number), Label: reason.label, AtEnd: human.Whole(reason.level), Waited: human.Whole(reason.waited),
		Longest: human.Seconds(clock.Time(reason.most.scores[0]).Seconds()),
		Mean:    human.Seconds(reason.total.Seconds() / float64(reason.waited)),
	}
	for _, p := range reason.most.pods {
		v.Pods = append(v.Pods, link{podID(run, p), p.name})
	}
	if more := reason.waited - int64(len(v.Pods)); more > 0 {
		v.More = human.Whole(more) + " more"
	}
	return v
}

// reasonLinks returns where the names in the legend of pods by reason lead to.
func (run *run) reasonLinks(number int) map[string]string {
	out := map[string]string{}
	shown, _ := run.shownReasons()
	for i, reason := range shown {
		out[reason.label] = reasonID(number, i)
	}
	return out
}

// The identifiers of elements that links lead to. The script reads them too.
func reasonID(run, number int) string     { return fmt.Sprintf("reason-%d-%d", run, number) }
func podID(run int, p *pod) string        { return fmt.Sprintf("pod-%d-%d", run, p.number) }
func nodeID(run int, number int32) string { return fmt.Sprintf("node-%d-%d", run, number) }
