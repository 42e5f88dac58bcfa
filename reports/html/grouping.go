package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/model/record"
)

// grouping divides the nodes of a run into the rows of a heat map.
type grouping struct {
	name string   // as the page offers it
	rows []string // their names
	of   []int    // the row of each group of nodes
}

const (
	// maxHeatRows is the most rows that a heat map shows.
	maxHeatRows = 60
	// maxGroupings is the most groupings that a page offers.
	maxGroupings = 20
)

// The labels of the type of a node, the current one first.
var typeLabels = []string{"node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"}

// shapeLabels are the labels besides the type that distinguish nodes of one capacity: those by which providers and autoscalers name
// pools, and the architecture.
var shapeLabels = []string{
	"karpenter.sh/nodepool", "eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool", "kubernetes.azure.com/agentpool", "agentpool",
	"kubernetes.io/arch",
}

// knownLabels are the labels that have a grouping with a name of its own.
var knownLabels = append([]string{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"}, typeLabels...)

// groupings returns the groupings that the page offers. The first one is what it shows at first: pools and zones, or
// shapes where no node is of a pool. Of the others those are left out that have one row, too many rows, or the rows of
// an earlier one; and of labels those that have another value on every node.
func (h *heat) groupings() []grouping {
	shapes := h.groupBy("shape", shapeOf)
	var all []grouping
	if h.some(func(n *record.NodeInfo) bool { return n.Pool != "" }) {
		all = append(all, h.groupBy("pool and zone", func(n *record.NodeInfo) string { return poolName(n.Pool, n.Zone) }),
			h.groupBy("pool", func(n *record.NodeInfo) string { return cmp.Or(n.Pool, "no pool") }))
	} else {
		all = append(all, shapes)
	}
	all = append(all, h.groupBy("zone", func(n *record.NodeInfo) string { return cmp.Or(n.Zone, "no zone") }),
		h.groupBy("instance type", func(n *record.NodeInfo) string { return cmp.Or(labelOf(n, typeLabels...), "no instance type") }), shapes)
	for _, key := range h.labelKeys() {
		g := h.groupBy("label "+key, func(n *record.NodeInfo) string { return cmp.Or(labelOf(n, key), "without "+key) })
		if len(g.rows) < h.size() {
			all = append(all, g)
		}
	}
	out := []grouping{all[0]}
	for _, g := range all[1:] {
		same := slices.ContainsFunc(out, func(other grouping) bool { return slices.Equal(g.rows, other.rows) && slices.Equal(g.of, other.of) })
		if len(g.rows) > 1 && len(g.rows) <= maxHeatRows && !same && len(out) < maxGroupings {
			out = append(out, g)
		}
	}
	return out
}

// some reports whether that is true of the nodes of some group.
func (h *heat) some(is func(*record.NodeInfo) bool) bool {
	return slices.ContainsFunc(h.groups, func(g nodeGroup) bool { return is(&g.info) })
}

// groupBy returns the grouping by a name. Rows are in the order in which the nodes were added.
func (h *heat) groupBy(name string, of func(*record.NodeInfo) string) grouping {
	g := grouping{name: name}
	known := map[string]int{}
	for i := range h.groups {
		row := of(&h.groups[i].info)
		at, ok := known[row]
		if !ok {
			at = len(g.rows)
			known[row] = at
			g.rows = append(g.rows, row)
		}
		g.of = append(g.of, at)
	}
	return g
}

// size returns how many nodes there were.
func (h *heat) size() int {
	sum := 0
	for i := range h.groups {
		sum += h.groups[i].nodes
	}
	return sum
}

// labelKeys returns the keys of all labels but the known ones, in their order.
func (h *heat) labelKeys() []string {
	known := map[string]bool{}
	var keys []string
	for i := range h.groups {
		for _, l := range h.groups[i].info.Labels {
			if !known[l.Key] && !slices.Contains(knownLabels, l.Key) {
				known[l.Key] = true
				keys = append(keys, l.Key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// labelOf returns the value of the first of the keys that a node has; "" if it has none.
func labelOf(n *record.NodeInfo, keys ...string) string {
	for _, key := range keys {
		for _, l := range n.Labels {
			if l.Key == key {
				return l.Value
			}
		}
	}
	return ""
}

// shapeOf describes what pods can distinguish a node by, without its zone, such as "m5.large, amd64: 8 cores, 32 GiB". Memory is in
// whole GiB, for nodes of one type often differ by some KiB.
func shapeOf(n *record.NodeInfo) string {
	var names, amounts []string
	for _, name := range []string{labelOf(n, typeLabels...), n.Model} {
		names = appendNew(names, name)
	}
	for _, key := range shapeLabels {
		names = appendNew(names, labelOf(n, key))
	}
	for _, a := range n.Allocatable {
		switch {
		case a.Resource == "memory":
			amounts = append(amounts, fmt.Sprintf("%.0f GiB", float64(a.Value)/(1<<30)))
		case a.Resource == "pods" || a.Value == 0 || human.InBytes(a.Resource):
		default:
			amounts = append(amounts, human.FreeAmount(a.Resource, a.Value))
		}
	}
	switch {
	case len(names) == 0 && len(amounts) == 0:
		return "no capacity"
	case len(names) == 0:
		return strings.Join(amounts, ", ")
	case len(amounts) == 0:
		return strings.Join(names, ", ")
	}
	return strings.Join(names, ", ") + ": " + strings.Join(amounts, ", ")
}

// appendNew appends a name that is not empty and not in the list.
func appendNew(names []string, name string) []string {
	if name == "" || slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// groupKey returns what distinguishes groups: nodes of one key are in one row of every grouping.
func groupKey(n *record.NodeInfo) string {
	var b strings.Builder
	for _, part := range []string{n.Pool, n.Zone, shapeOf(n)} {
		b.WriteString(part)
		b.WriteByte(0)
	}
	for _, l := range n.Labels {
		b.WriteString(l.Key)
		b.WriteByte(0)
		b.WriteString(l.Value)
		b.WriteByte(0)
	}
	return b.String()
}
