package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/podtable"
	"github.com/berth-sim/berth/sim/model/clock"
)

// podView is one of the pods that the page shows, from its row in the table of pods of the run. The numbers are for sorting.
type podView struct {
	ID, Run, Name, Workload, Class string
	State, Kind                    string // kind: the first word of the state, to choose by
	Node                           link
	Reason                         link   // why it was pending last
	Recreated                      string // which of several pods of its name it is
	Priority                       int32
	Attempts                       int
	Wait, Lost                     string
	WaitNumber, LostNumber         int64
	Times                          string // from arrival to end
	Events                         string // how many there are
	Story                          []storyLine
}

// shownPods returns the pods that the page shows: those of the rankings and those of the reasons to be pending.
func (run *run) shownPods() []*pod {
	reasons, _ := run.shownReasons()
	all := run.worst.all()
	for i := range reasons {
		all = append(all, reasons[i].most.pods...)
	}
	return byBoundAndWait(all, run.end)
}

func (r *Report) pods() []podView {
	var out []podView
	for number, run := range r.runs {
		reasons := run.reasonLinks(number)
		for _, p := range run.shownPods() {
			v := run.podView(number, p)
			if to := reasons[run.pending.reasons[p.reason].label]; p.row.LastReason != "" {
				v.Reason = link{to, p.row.LastReason}
			}
			if len(r.runs) > 1 {
				v.Run = run.label
			}
			out = append(out, v)
		}
	}
	return out
}

func (run *run) podView(number int, p *pod) podView {
	v := podView{
		ID: podID(number, p), Name: p.row.Name, Workload: p.row.Workload, Class: run.describeClass(int(p.class)), State: p.row.State,
		Kind: strings.Fields(p.row.State)[0], Priority: run.classes[p.class].priority, Attempts: p.row.Attempts,
		Wait: human.Seconds(p.waited(run.end).Seconds()), WaitNumber: int64(p.waited(run.end)),
		Lost: human.None, LostNumber: int64(p.lost), Times: describeTimes(&p.row), Story: run.storyLines(p),
	}
	if p.node >= 0 {
		v.Node = link{nodeID(number, p.node), p.row.Node}
	}
	if p.lost > 0 {
		v.Lost = human.Seconds(p.lost.Seconds())
	}
	if p.recreated > 0 {
		v.Recreated = fmt.Sprintf("no. %d of its name", p.recreated+1)
	}
	if n := len(v.Story); n > 0 {
		v.Events = human.Counted(n+p.story.omitted, "event")
	}
	return v
}

// describeTimes says when what happened to a pod.
func describeTimes(row *podtable.Row) string {
	var parts []string
	for _, part := range []struct {
		what string
		at   clock.Time
	}{{"arrived", row.Arrival}, {"bound", row.Bound}, {"running", row.Running}, {"ended", row.Ended}} {
		if part.at != podtable.Never {
			parts = append(parts, part.what+" at "+human.Seconds(part.at.Seconds()))
		}
	}
	if row.VictimOf != "" {
		parts = append(parts, "made room for "+row.VictimOf)
	}
	return strings.Join(parts, ", ")
}

// byBoundAndWait returns the pods without repetition: first those that were not bound at the end, then the others, each by
// falling wait.
func byBoundAndWait(all []*pod, now clock.Time) []*pod {
	slices.SortFunc(all, func(a, b *pod) int {
		if (a.bound < 0) != (b.bound < 0) {
			return cmp.Compare(a.bound, b.bound) // -1 before any time
		}
		return cmp.Or(cmp.Compare(b.waited(now), a.waited(now)), cmp.Compare(a.number, b.number))
	})
	return slices.Compact(all)
}

// podSelection says which pods the table has.
func (r *Report) podSelection() string {
	l := r.runs[0].limits
	of := ""
	if len(r.runs) > 1 {
		of = " of each run"
	}
	text := fmt.Sprintf("The %d pods%s that waited longest, the %d with most attempts, the %d that lost most work by an eviction, and for each reason to be pending the %d that waited longest for it",
		l.pods, of, l.pods/2, l.pods/2, l.reasonPods)
	some := false
	for _, run := range r.runs {
		w := &run.worst
		if w.unboundAll > len(w.unbound.pods) {
			return text + fmt.Sprintf("; and before them, of those that were not bound at the end, the %d%s that waited longest.", l.pods/2, of)
		}
		some = some || w.unboundAll > 0
	}
	if some {
		text += "; and before them all that were not bound at the end"
	}
	return text + "."
}
