package drain

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// atLeast returns a lower bound of the nodes that are needed: for each resource, so many of the largest nodes that what the
// pods request of it fits in sum. Nodes that cannot be drained stay in any case.
func (t *today) atLeast() Bound {
	need := map[cluster.Resource]int64{}
	for i := range t.pods {
		a := &t.pods[i]
		if !t.moves(a) {
			continue
		}
		need[cluster.Pods]++
		for _, q := range a.Class.Requests {
			if q.Resource != cluster.Pods {
				need[q.Resource] += q.Amount
			}
		}
	}
	out := Bound{}
	for r := range cluster.Resource(t.cluster.NumResources()) {
		if need[r] == 0 {
			continue
		}
		if n := t.nodesFor(r, need[r]); n > out.Nodes {
			out = Bound{n, t.cluster.ResourceName(r)}
		}
	}
	return out
}

// nodesFor returns how many nodes have so much of a resource for pods that move.
func (t *today) nodesFor(r cluster.Resource, need int64) int {
	var room []int64 // of nodes that can be drained
	nodes := 0
	for _, id := range t.cluster.ByCreation() {
		free := t.cluster.Allocatable(r)[id] - t.cluster.Requested(r)[id]
		for _, i := range t.moving(id) {
			free += t.pods[i].Class.Request(r)
			if r == cluster.Pods {
				free++
			}
		}
		if t.kept[t.cluster.Node(id).Name].rule {
			nodes++
			need -= free
			continue
		}
		room = append(room, free)
	}
	slices.Sort(room)
	for i := len(room) - 1; i >= 0 && need > 0; i-- {
		nodes++
		need -= max(room[i], 0)
	}
	return nodes
}

// result puts together what is to be said of an attempt.
func (t *today) result(a *attempt) *Result {
	out := &Result{Nodes: t.cluster.NumNodes(), Running: len(t.pods), Placed: t.placed, Pending: t.pending, Steps: a.steps, AtLeast: t.atLeast()}
	drained := map[string]bool{}
	for _, s := range a.steps {
		drained[s.Node] = true
	}
	for i := range t.pods {
		p := &t.pods[i]
		if !drained[p.Node] || !t.moves(p) {
			continue
		}
		if !p.Recreate {
			out.Unmanaged = append(out.Unmanaged, t.name(p))
		}
		if t.options.Traits[t.name(p)].LocalData {
			out.LocalData = append(out.LocalData, t.name(p))
		}
	}
	for _, id := range t.cluster.ByCreation() {
		name := t.cluster.Node(id).Name
		if drained[name] {
			continue
		}
		k := RemainingNode{Node: name, Why: t.kept[name].text, Rule: t.kept[name].rule}
		if text := a.kept[name]; text != "" {
			k.Why = text
		}
		if k.Why == "" {
			k.Why = "it takes pods of drained nodes"
		}
		out.Remaining = append(out.Remaining, k)
	}
	out.AtLeast.Nodes = min(out.AtLeast.Nodes, len(out.Remaining))
	return out
}
