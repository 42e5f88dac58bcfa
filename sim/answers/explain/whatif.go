package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// proposals are the kinds of changes that are tried, each in a file of its own.
var proposals = []func(*analysis){
	lowerRequests, tolerateTaints, uncordon, dropSelectors, dropPorts, relaxSpread, dropPodTerms,
	dropVolumes, removePod, addNode,
}

// maxTries bounds how often a kind of change is tried where there are many of it.
const maxTries = 32

// Why changes are not tried.
const (
	tooMany  = "there were too many changes to try them all"
	hadNodes = "the attempt found feasible nodes: it was rejected later"
	passes   = "the filters let the pod pass: something other than a filter rejected it, so no change can be tried"
)

// changes tries every kind of single change, and lists those that let the pod fit.
func (x *analysis) changes() {
	if x.out.Search.Feasible > 0 {
		x.out.Untried = hadNodes
		return
	}
	if n, _ := x.fitting(x.class); n > 0 {
		x.out.Untried = passes
		return
	}
	for _, propose := range proposals {
		propose(x)
	}
	slices.SortStableFunc(x.out.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(b.Nodes, a.Nodes), strings.Compare(a.Text, b.Text))
	})
}

// variant is the pod's class except for a change. What the change touches must be replaced,
// not written to: the classes share it.
func (x *analysis) variant(change func(*cluster.Class)) *cluster.Class {
	class := *x.class
	change(&class)
	return x.cluster.AddTrialClass(class)
}

// fitting counts the nodes that a pod of the class would fit on, and names the first.
func (x *analysis) fitting(class *cluster.Class) (nodes int, first string) {
	x.eachFitting(class, func(node cluster.NodeID) {
		if nodes++; nodes == 1 {
			first = x.cluster.Node(node).Name
		}
	})
	return nodes, first
}

func (x *analysis) eachFitting(class *cluster.Class, f func(cluster.NodeID)) {
	in := x.scheduler.Inspect(x.attempt.Pod, class)
	for _, node := range x.cluster.Order() {
		if in.Fits(node) {
			f(node)
		}
	}
}

// try notes the change if a pod of that class fits on some node.
func (x *analysis) try(found Change, change func(*cluster.Class)) bool {
	return x.note(found, x.variant(change))
}

// note notes a change after which a pod of the class fits on some node.
func (x *analysis) note(found Change, class *cluster.Class) bool {
	found.Nodes, found.Node = x.fitting(class)
	if found.Nodes == 0 {
		return false
	}
	x.out.Changes = append(x.out.Changes, found)
	return true
}

// without is list without its i-th element, and shares nothing with it.
func without[T any](list []T, i int) []T {
	return slices.Delete(slices.Clone(list), i, i+1)
}

// rejectedNodesBy reports whether a plugin that checks one of these has something against any node, its PreFilter included.
func (x *analysis) rejectedNodesBy(checks scheduler.Checks) bool {
	has := func(plugins string) bool { return x.inspection.Checks(plugins)&checks != 0 }
	return slices.ContainsFunc(x.out.Plugins, func(p Plugin) bool { return has(p.Name) }) ||
		slices.ContainsFunc(x.out.Reasons, func(r Reason) bool { return has(r.Plugin) })
}
