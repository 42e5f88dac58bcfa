package answers

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/capacity"
)

// stopSection says what stops the next replica: what little is lacking, and node by node.
func stopSection(f *capacity.Filling, view output.View) table.Section {
	c := table.Section{Title: "Node by node"}
	if f.Full() {
		c.Title = "What stops the next " + f.Parts[f.Stopped].Template
	} else if len(f.Parts) == 1 {
		c.Title += ": " + f.Parts[0].Template
	}
	if f.Stop != nil {
		e := explanation{Explanation: f.Stop}
		c.Sentences = e.misses().sentences
		if len(f.Stop.Changes) > 0 {
			c.Sentences = append(c.Sentences, "The smallest change that would let it fit: "+f.Stop.Changes[0].Text+".")
		}
	}
	c.Tables = []table.Table{nodeGroups(f, view)}
	if view.All {
		c.Tables = append(c.Tables, eachNode(f, view))
	}
	return c
}

// isRoomy reports whether there is the width for tables of nodes to say what is left: each
// template more takes some.
func isRoomy(f *capacity.Filling, view output.View) bool {
	const least, each = 75, 15
	return view.Format != output.Table || view.Width >= least+each*len(f.Parts)
}

// nodeGroup is nodes of one type that are rejected for the same reasons.
type nodeGroup struct {
	first       *capacity.Node
	nodes       int
	least, most []int // replicas on one of them, by part
	sum         []int // on all of them
	left        []capacity.Amount
}

func groupNodes(f *capacity.Filling) []*nodeGroup {
	var out []*nodeGroup
	at := map[string]*nodeGroup{}
	for i := range f.Nodes {
		n := &f.Nodes[i]
		key := strings.Join(append([]string{n.Type, n.Plugin}, n.Reasons...), "\x00")
		g := at[key]
		if g == nil {
			g = &nodeGroup{
				first: n, least: slices.Clone(n.Replicas), most: slices.Clone(n.Replicas), sum: make([]int, len(n.Replicas)),
				left: make([]capacity.Amount, len(n.Left)),
			}
			at[key] = g
			out = append(out, g)
		}
		g.nodes++
		for k, replicas := range n.Replicas {
			g.least[k], g.most[k] = min(g.least[k], replicas), max(g.most[k], replicas)
			g.sum[k] += replicas
		}
		for k, a := range n.Left {
			g.left[k].Resource = a.Resource
			g.left[k].Amount += max(0, a.Amount)
		}
	}
	slices.SortStableFunc(out, func(a, b *nodeGroup) int { return b.nodes - a.nodes })
	return out
}

// nodeGroups has a row for each group of nodes, the largest first.
func nodeGroups(f *capacity.Filling, view output.View) table.Table {
	t := table.Table{Head: []string{"nodes", "type", "each", "all"}, Notes: true, Words: []int{1}}
	if isRoomy(f, view) {
		t.Words = append(t.Words, len(t.Head))
		t.Head = append(t.Head, "still free")
	}
	t.Words = append(t.Words, len(t.Head))
	t.Head = append(t.Head, "why no more")
	groups := groupNodes(f)
	for i, g := range groups {
		if i == table.MaxRows && len(groups) > table.MaxRows+1 && !view.All {
			t.Rows = append(t.Rows, restOf(groups[i:], len(t.Head)))
			break
		}
		each := make([]string, len(g.sum))
		for k := range each {
			each[k] = span(g.least[k], g.most[k])
		}
		row := []string{human.Whole(g.nodes), g.first.Type, strings.Join(each, " + "), replicas(g.sum)}
		if isRoomy(f, view) {
			row = append(row, left(g.left))
		}
		t.Rows = append(t.Rows, append(row, strings.Join(g.first.Reasons, ", ")))
	}
	return t
}

// replicas are so many of each template.
func replicas(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = human.Whole(n)
	}
	return strings.Join(texts, " + ")
}

// restOf is a row for the groups that are not shown.
func restOf(groups []*nodeGroup, columns int) []string {
	nodes := 0
	for _, g := range groups {
		nodes += g.nodes
	}
	row := make([]string, columns)
	row[0], row[columns-1] = human.Whole(nodes), "in "+human.Counted(len(groups), "more group")+": --nodes shows them"
	return row
}

// span writes from the least to the most.
func span(least, most int) string {
	if least == most {
		return human.Whole(least)
	}
	return human.Whole(least) + "–" + human.Whole(most)
}

// left lists what is still free.
func left(list []capacity.Amount) string {
	var parts []string
	for _, a := range list {
		parts = append(parts, human.FreeAmount(a.Resource, a.Amount))
	}
	return strings.Join(parts, ", ")
}

// eachNode has a row for each node.
func eachNode(f *capacity.Filling, view output.View) table.Table {
	t := table.Table{Head: []string{"node", "replicas"}, Notes: true}
	if isRoomy(f, view) {
		t.Words = append(t.Words, len(t.Head))
		t.Head = append(t.Head, "still free")
	}
	t.Words = append(t.Words, len(t.Head))
	t.Head = append(t.Head, "why no more")
	for i := range f.Nodes {
		n := &f.Nodes[i]
		row := []string{n.Name, replicas(n.Replicas)}
		if isRoomy(f, view) {
			row = append(row, left(n.Left))
		}
		t.Rows = append(t.Rows, append(row, strings.Join(n.Reasons, ", ")))
	}
	return t
}
