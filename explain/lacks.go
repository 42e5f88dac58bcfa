package explain

import (
	"slices"

	"github.com/berth-sim/berth/sim/cluster"
)

// lacks works out for each resource how far the nodes are from having enough of it.
func (x *analysis) lacks() {
	for _, q := range x.wanted() {
		l := Lack{Resource: x.cluster.ResourceName(q.Resource), Request: q.Amount}
		for i := range x.nodes {
			j := &x.nodes[i]
			if !j.by(amountFilters) {
				continue
			}
			if lack := x.lack(q, j.id); lack > 0 {
				l.Lacking++
				l.note(lack, j.aloneBy(amountFilters) && !x.lacksOther(q.Resource, j.id), x.cluster.Node(j.id).Name)
			}
		}
		if l.Lacking > 0 {
			x.out.Lacks = append(x.out.Lacks, l)
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
	x.inspection.KeptFor(node, func(pod cluster.PodID) {
		if sum += x.cluster.Pod(pod).Class.Request(r); r == cluster.Pods {
			sum++
		}
	})
	return sum
}

// lacksOther says whether the node lacks another resource than r.
func (x *analysis) lacksOther(r cluster.Resource, node cluster.NodeID) bool {
	return slices.ContainsFunc(x.wanted(), func(q cluster.Quantity) bool {
		return q.Resource != r && x.lack(q, node) > 0
	})
}

// note takes a node into account; one that lacks nothing else counts for more than one
// that does.
func (l *Lack) note(lack int64, alone bool, node string) {
	if alone {
		l.Alone++
	}
	first := alone && l.Alone == 1 // what was noted of the others does not count any more
	switch {
	case l.Alone > 0 && !alone:
	case first || l.AtLeast == 0 || lack < l.Least:
		l.Least, l.AtLeast, l.Nearest = lack, 1, node
	case lack == l.Least:
		l.AtLeast++
	}
}
