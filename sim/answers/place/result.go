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

func (p *Placement) count(r *Result) {
	r.Pods, r.Preempted, r.StartIndex = len(p.pods), p.evicted, p.Scheduler.StartIndex()
	for _, pod := range p.pods {
		if p.Cluster.Pod(pod).Class == nil {
			r.Gone++
			continue
		}
		if p.Cluster.Devices.Lacking(pod) {
			r.Misplaced++
		}
		switch {
		case p.Cluster.Pod(pod).Phase == cluster.Bound:
			r.Placed++
		case p.Cluster.Pod(pod).Phase == cluster.Assumed:
			r.Waiting++
		case p.Scheduler.Gate(pod) != "":
			r.Gated++
		case p.failed[pod]:
			r.Failed++
		default:
			r.Pending++
		}
	}
}
