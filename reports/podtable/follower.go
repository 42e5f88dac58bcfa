// Package podtable makes a table of the pods of a run: a row for each pod of the record log, written as it becomes known.
package podtable

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Row is what became of a pod. Times are Never where it did not happen.
type Row struct {
	Number     int64  // of arrival
	Name       string // namespace/name
	Workload   string
	State      string // "completed", "evicted by drain" and so on, "dropped", or the state at the end of the run
	Node       string // that it has, or had last; empty: none
	Arrival    clock.Time
	Bound      clock.Time // when it was bound the last time
	Running    clock.Time
	Ended      clock.Time // when it completed or was gone
	Attempts   int
	LastReason string // why it had no node when that was last the case; empty: it never was
	VictimOf   string // the pod for which it was preempted, as namespace/name; empty: it was not
}

// Never is the time of what did not happen.
const Never = clock.Time(-1)

// Follower follows the pods of a record log. Its memory grows with the pods that are present at one time.
type Follower struct {
	life      *lifecycle.Lifecycle[pod]
	workloads []string
	nodes     []string
	emit      func(*Row)
	row       Row
}

// pod is what a follower knows of a pod besides its state.
type pod struct {
	name           string
	bound, running clock.Time
	node           int32 // that it has or had last
	reasons        []record.ReasonCount
	reason         string // if there are no reasons
	cause          record.Cause
	victimOf       string
}

// New returns a follower that calls emit with a row for each pod: as soon as it has gone, and in Finish if it is present
// then. A row is valid until the next one.
func New(emit func(*Row)) *Follower { return &Follower{life: lifecycle.New[pod](), emit: emit} }

// Observe takes in the next record.
func (f *Follower) Observe(r *record.Record) {
	change, ok := f.life.Observe(r)
	switch {
	case !ok:
	case change != nil:
		f.observePod(r, change)
	case r.Kind == record.DeclareWorkload:
		set(&f.workloads, r.Workload, r.Text)
	case r.Kind == record.NodeAdded:
		set(&f.nodes, r.Node, r.NodeInfo.Name)
	}
}

// set puts a name into a list that is as long as need be.
func set(list *[]string, number int32, name string) {
	for int(number) >= len(*list) {
		*list = append(*list, "")
	}
	(*list)[number] = name
}

// nameAt returns a name of a list; "" where the log has declared none of that number.
func nameAt(list []string, number int32) string {
	if number < 0 || int(number) >= len(list) {
		return ""
	}
	return list[number]
}

func (f *Follower) observePod(r *record.Record, c *lifecycle.Change[pod]) {
	p := &c.Pod.Data
	if c.Pod.Node >= 0 {
		p.node = c.Pod.Node
	}
	switch r.Kind {
	case record.PodArrived:
		*p = pod{name: r.Text, bound: Never, running: Never, node: -1}
	case record.PodGated:
		p.reasons, p.reason = nil, "gated: "+r.Text
	case record.PodAttempted:
		p.attempted(r)
	case record.PodRolledBack:
		p.node, p.reasons, p.reason = -1, nil, "lost its node: "+cmp.Or(r.Text, string(r.Cause))
	case record.PodBound:
		p.bound = r.Time
	case record.PodStarted:
		p.running = r.Time
	case record.PodEvicted:
		if p.cause = r.Cause; r.Cause == record.ByPreemption {
			p.victimOf = f.name(r.By)
		}
	case record.PodCompleted, record.PodGone:
		f.write(c.Pod, f.end(r, p), r.Time)
	}
}

// attempted notes why an attempt found no node.
func (p *pod) attempted(r *record.Record) {
	switch r.Attempt.Outcome {
	case record.Unschedulable:
		p.reasons, p.reason = r.Attempt.Reasons, ""
	case record.Failed:
		p.reasons, p.reason = nil, cmp.Or(r.Text, "error")
	}
}

// name returns the name of a pod that is present; of any other pod, its number.
func (f *Follower) name(number int64) string {
	if p := f.life.Pod(number); p != nil {
		return p.Data.name
	}
	return "pod " + strconv.FormatInt(number, 10)
}

// end says how a pod ended.
func (f *Follower) end(r *record.Record, p *pod) string {
	switch {
	case r.Kind == record.PodCompleted:
		return "completed"
	case p.cause != "":
		return "evicted by " + string(p.cause)
	}
	return "dropped"
}

// Finish emits the rows of the pods that are present, by their number of arrival. It must be called once, after the last
// record.
func (f *Follower) Finish() {
	present := slices.Collect(f.life.Pods())
	slices.SortFunc(present, func(a, b *lifecycle.Pod[pod]) int { return cmp.Compare(a.Number, b.Number) })
	for _, p := range present {
		f.write(p, p.State.String(), Never)
	}
}

func (f *Follower) write(p *lifecycle.Pod[pod], state string, ended clock.Time) {
	d := &p.Data
	f.row = Row{
		Number: p.Number, Name: d.name, Workload: nameAt(f.workloads, p.Workload), State: state,
		Arrival: p.Arrived, Bound: d.bound, Running: d.running, Ended: ended, Attempts: p.Attempts, LastReason: d.reason, VictimOf: d.victimOf,
	}
	f.row.Node = nameAt(f.nodes, d.node)
	if len(d.reasons) > 0 {
		f.row.LastReason = countReasons(d.reasons)
	}
	f.emit(&f.row)
}

// countReasons says on how many nodes each reason is that of: those of most nodes come first.
func countReasons(reasons []record.ReasonCount) string {
	sorted := slices.SortedStableFunc(slices.Values(reasons), func(a, b record.ReasonCount) int { return cmp.Compare(b.Nodes, a.Nodes) })
	parts := make([]string, len(sorted))
	for i, r := range sorted {
		parts[i] = fmt.Sprintf("%d %s", r.Nodes, r.Reason)
	}
	return strings.Join(parts, ", ")
}
