package html

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/reports/human"
)

// nodeView is a node, with links to those of its pods that the page shows.
type nodeView struct {
	ID, Name, Group string
	Pods, Evicted   string
	Shares          []string // of each resource, in the mean
	On              []link
	More            int // pods of the page that are not named
}

// nodeTable is the table of the nodes of a run that the page names.
type nodeTable struct {
	Run       string
	By        string // what Group is
	Resources []string
	Rows      []nodeView
	All       string // how many nodes there were
}

// maxPodsOfNode is how many pods of a node its row links to.
const maxPodsOfNode = 5

func (r *Report) nodeTables() []nodeTable {
	var out []nodeTable
	for number, run := range r.runs {
		if len(run.nodes) == 0 {
			continue
		}
		g := run.heat.groupings()[0]
		t := nodeTable{By: g.name, Resources: run.heat.resources, All: human.Counted(len(run.nodes), "node")}
		if len(r.runs) > 1 {
			t.Run = run.label
		}
		on := map[int32][]link{}
		for _, p := range run.shownPods() {
			if p.node >= 0 {
				on[p.node] = append(on[p.node], link{podID(number, p), p.name})
			}
		}
		pods, lost := run.podsByNode()
		for _, i := range run.shownNodes(on) {
			n := &run.nodes[i]
			v := nodeView{ID: nodeID(number, i), Name: n.name, Group: g.rows[g.of[n.group]], Pods: human.Whole(pods[i]), Evicted: human.Whole(lost[i])}
			for k, whole := range n.total.whole {
				share := human.None
				if whole > 0 {
					share = human.Share(n.total.used[k] / whole)
				}
				v.Shares = append(v.Shares, share)
			}
			v.On = on[i][:min(len(on[i]), maxPodsOfNode)]
			v.More = len(on[i]) - len(v.On)
			t.Rows = append(t.Rows, v)
		}
		out = append(out, t)
	}
	return out
}

// podsByNode counts the pods that were on each node, and those of them that were evicted.
func (run *run) podsByNode() (pods, lost []int) {
	pods, lost = make([]int, len(run.nodes)), make([]int, len(run.nodes))
	for i := range run.occupancies {
		o := &run.occupancies[i]
		pods[o.node]++
		if o.ending == evicted {
			lost[o.node]++
		}
	}
	return pods, lost
}

// shownNodes returns the nodes of pods that the page shows, in the order in which they were added, and the fullest of the others.
func (run *run) shownNodes(on map[int32][]link) []int32 {
	var out, others []int32
	for i := range run.nodes {
		if _, linked := on[int32(i)]; linked {
			out = append(out, int32(i))
		} else {
			others = append(others, int32(i))
		}
	}
	slices.SortStableFunc(others, func(a, b int32) int { return cmp.Compare(run.nodes[b].fullness(), run.nodes[a].fullness()) })
	return append(out, others[:min(len(others), run.limits.nodes)]...)
}

// fullness returns the mean share of the first resource that was requested.
func (n *node) fullness() float64 {
	if len(n.total.whole) == 0 || n.total.whole[0] <= 0 {
		return 0
	}
	return n.total.used[0] / n.total.whole[0]
}
