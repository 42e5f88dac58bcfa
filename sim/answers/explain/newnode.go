package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// newNodeName is of the node that is added for a trial; no node can have it.
const newNodeName = "<one more>"

// family is the nodes of a pool or, where nodes are in none, those that have the same
// amounts of everything. Its shapes differ in amounts, labels or taints.
type family struct {
	pool   string
	shapes []cluster.NodeSpec // the first node of each
	known  map[string]bool
	nodes  int
}

// maxShapes is how many shapes of a family are tried.
const maxShapes = 8

// addNode adds a node like those of a pool, empty except for the pods of DaemonSets.
func addNode(x *analysis) {
	for i, f := range x.families() {
		if i == maxTries {
			x.out.Untried = tooMany
			return
		}
		tried := f.shapes[:min(len(f.shapes), maxShapes)]
		first, fit, nodes := 0, 0, 0
		for k := range tried {
			if n := x.fittingWith(tried[k], fit == 0); n > 0 {
				if fit++; fit == 1 {
					first, nodes = k, n
				}
			}
		}
		text := "add one more node of pool " + f.pool
		if f.pool == "" || fit < len(tried) { // it matters which one
			text = "add one more node " + x.like(&tried[first])
		}
		if fit > 0 {
			x.out.Changes = append(x.out.Changes, Change{Kind: "addNode", Text: text, Size: 1, Nodes: nodes})
		} else if len(tried) < len(f.shapes) {
			x.out.Untried = tooMany
		}
	}
}

// families are the kinds of nodes that there are, the most frequent first.
func (x *analysis) families() []*family {
	var out []*family
	at := map[string]*family{}
	for _, id := range x.cluster.Order() {
		n := x.cluster.Node(id)
		amounts := fmt.Sprint(n.Allocatable)
		key := "pool " + n.Pool
		if n.Pool == "" {
			key = amounts
		}
		f := at[key]
		if f == nil {
			f = &family{pool: n.Pool, known: map[string]bool{}}
			at[key] = f
			out = append(out, f)
		}
		f.nodes++
		if shape := fmt.Sprint(n.TaintID, n.LabelClass, amounts); !f.known[shape] {
			f.known[shape] = true
			f.shapes = append(f.shapes, n.NodeSpec)
		}
	}
	slices.SortStableFunc(out, func(a, b *family) int { return cmp.Compare(b.nodes, a.nodes) })
	return out
}

// like says which node a new one is to be like.
func (x *analysis) like(n *cluster.NodeSpec) string {
	var parts []string
	for _, q := range n.Allocatable {
		if q.Resource <= cluster.Memory || x.class.Request(q.Resource) > 0 {
			name := x.cluster.ResourceName(q.Resource)
			parts = append(parts, RoundedQuantity(name, q.Amount)+" "+name)
		}
	}
	return fmt.Sprintf("like %s (%s)", n.Name, strings.Join(parts, ", "))
}

// fittingWith is 0 where the pod would not fit on a new node of that kind, else on how many
// nodes it would fit then; without all the new one alone counts.
func (x *analysis) fittingWith(spec cluster.NodeSpec, all bool) (nodes int) {
	spec = x.schedulable(spec)
	spec.Name = newNodeName
	spec.Labels = spec.Labels.With(x.cluster.Hostname, x.cluster.Symbol(newNodeName))
	mark := x.cluster.Mark()
	defer x.cluster.Rollback(mark)
	id, err := x.cluster.AddNode(spec)
	if err != nil {
		return 0 // no node has that name
	}
	if x.options.Daemons != nil {
		for _, a := range x.options.Daemons(id) {
			pod := x.cluster.AddPod(cluster.Pod{Serial: -1, Name: a.Name, Class: a.Class, Group: cluster.NoGroup})
			x.cluster.TryPlace(pod, id)
		}
	}
	in := x.scheduler.Inspect(x.attempt.Pod, x.class)
	if in.Fits(id) {
		nodes = 1
		if all {
			nodes, _ = x.fitting(x.class)
		}
	}
	return nodes
}
