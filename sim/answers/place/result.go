package place

import "github.com/berth-sim/berth/sim/model/cluster"

// Result counts pods by where they ended.
type Result struct {
	Pods       int // to be placed
	Placed     int // have a node
	Waiting    int // have a node, but wait in Permit for the rest of their pod group
	Pending    int // have none
	Failed     int // have none, since their last attempt ended in an error
	Gated      int // were not tried
	Preempted  int // were evicted from their node, and are gone
	Gone       int // of the pods to be placed: had a node, and were preempted
	Misplaced  int // of those that have a node: it lacks the devices that they ask for
	Nodes      int
	OnNodes    int // pods that ran from the start
	StartIndex int // where the next search would begin
}

// End is how a pod that was to be placed ended.
type End string

// The ends.
const (
	Placed        End = "scheduled"     // has a node
	Waiting       End = "waiting"       // has a node, but waits in Permit for the rest of its pod group
	Unschedulable End = "unschedulable" // has none
	Failed        End = "error"         // has none, since its last attempt ended in an error
	Gated         End = "gated"         // was not tried
	Preempted     End = "preempted"     // had a node, and was preempted
)

// EachPod calls f with every pod that was to be placed, and how it ended, after Run. A pod that was preempted is gone
// from the cluster.
func (p *Placement) EachPod(f func(cluster.PodID, End)) {
	for _, pod := range p.pods {
		f(pod, p.end(pod))
	}
}

func (p *Placement) end(pod cluster.PodID) End {
	is := p.Cluster.Pod(pod)
	switch {
	case is.Class == nil:
		return Preempted
	case is.Phase == cluster.Bound:
		return Placed
	case is.Phase == cluster.Assumed:
		return Waiting
	case p.Scheduler.Gate(pod) != "":
		return Gated
	case p.failed[pod]:
		return Failed
	}
	return Unschedulable
}

func (p *Placement) count(r *Result) {
	r.Pods, r.Preempted, r.StartIndex = len(p.pods), p.evicted, p.Scheduler.StartIndex()
	counts := map[End]int{}
	p.EachPod(func(pod cluster.PodID, end End) {
		counts[end]++
		if end != Preempted && p.Cluster.Devices.Lacking(pod) {
			r.Misplaced++
		}
	})
	r.Placed, r.Waiting, r.Pending = counts[Placed], counts[Waiting], counts[Unschedulable]
	r.Failed, r.Gated, r.Gone = counts[Failed], counts[Gated], counts[Preempted]
}
