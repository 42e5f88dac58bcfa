package explain

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// lacks works out for each resource how far the nodes are from having enough of it.
func (x *analysis) lacks() {
	for _, q := range x.wanted {
		l := Shortage{Resource: x.cluster.ResourceName(q.Resource), Request: q.Amount}
		for i := range x.nodes {
			j := &x.nodes[i]
			if !j.by(scheduler.CheckResources) {
				continue
			}
			if lack := x.lack(q, j.id); lack > 0 {
				l.Lacking++
				l.note(lack, len(x.besides(q.Resource, j)) == 0, i)
			}
		}
		if l.Lacking > 0 {
			j := &x.nodes[l.nearest]
			l.Nearest, l.OtherReasons = x.cluster.Node(j.id).Name, x.besides(q.Resource, j)
			x.out.Shortages = append(x.out.Shortages, l)
		}
	}
}

// lack is how much more of a resource the node would have to have free.
func (x *analysis) lack(q cluster.Quantity, node cluster.NodeID) int64 {
	return q.Amount - x.free(q.Resource, node)
}

// free is what the pod can have of a resource: what no pod on the node has, nor one that is
// nominated to it.
func (x *analysis) free(r cluster.Resource, node cluster.NodeID) int64 {
	return x.cluster.Allocatable(r)[node] - x.cluster.Requested(r)[node] - x.kept(r, node)
}

// kept is what is left alone on the node for pods that are nominated to it.
func (x *analysis) kept(r cluster.Resource, node cluster.NodeID) int64 {
	var sum int64
	x.inspection.EachNominatedPod(node, func(pod cluster.PodID) {
		if sum += x.cluster.Pod(pod).Class.Request(r); r == cluster.Pods {
			sum++
		}
	})
	return sum
}

// besides are the other resources that a node lacks and the other plugins that reject it.
func (x *analysis) besides(r cluster.Resource, j *judged) []string {
	out := []string{}
	for _, q := range x.wanted {
		if q.Resource != r && x.lack(q, j.id) > 0 {
			out = append(out, x.cluster.ResourceName(q.Resource))
		}
	}
	for _, r := range j.all {
		if r.checks&scheduler.CheckResources == 0 {
			out = append(out, r.plugin)
		}
	}
	return out
}

// note takes a node into account; one that lacks nothing else counts for more than one
// that does.
func (l *Shortage) note(lack int64, alone bool, node int) {
	if alone {
		l.Alone++
	}
	first := alone && l.Alone == 1 // what was noted of the others does not count any more
	switch {
	case l.Alone > 0 && !alone:
	case first || l.NodesAtLeast == 0 || lack < l.Least:
		l.Least, l.NodesAtLeast, l.nearest = lack, 1, node
	case lack == l.Least:
		l.NodesAtLeast++
	}
}
