package overview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// zoneLabels are the labels of the zone of a node, the current one first.
var zoneLabels = []string{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"}

// NodeGroups are how many pods the parts of a cluster got.
type NodeGroups struct {
	By   string      // "pool" or "zone": what the parts are; empty: nodes have neither
	List []NodeGroup // by name; the nodes in none come last
}

// NodeGroup is the nodes of a pool or of a zone.
type NodeGroup struct {
	Name          string // empty: nodes in none
	Nodes         int
	Placed        int // pods that were placed on them
	RunningBefore int // pods that ran on them before
}

// poolsOf counts pods by pool, or by zone where no node is in a pool.
func poolsOf(c *cluster.Cluster, arrivals []workloads.Arrival, pods []Pod) NodeGroups {
	by, name := naming(c)
	if by == "" {
		return NodeGroups{}
	}
	at := map[string]*NodeGroup{}
	on := map[string]*NodeGroup{} // by node
	for _, id := range c.Order() {
		n := c.Node(id)
		part := name(n)
		if at[part] == nil {
			at[part] = &NodeGroup{Name: part}
		}
		at[part].Nodes++
		on[n.Name] = at[part]
	}
	for i := range arrivals {
		if p := on[arrivals[i].Node]; p != nil {
			p.RunningBefore++
		}
	}
	for i := range pods {
		if p := on[pods[i].Node]; p != nil && pods[i].Placed() {
			p.Placed++
		}
	}
	out := NodeGroups{By: by}
	for _, p := range at {
		out.List = append(out.List, *p)
	}
	slices.SortFunc(out.List, func(a, b NodeGroup) int {
		return cmp.Or(boolOrder(a.Name == "", b.Name == ""), strings.Compare(a.Name, b.Name))
	})
	return out
}

// boolOrder puts false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// naming returns what the parts of the cluster are, and which one a node is in; "" if nodes are in none.
func naming(c *cluster.Cluster) (by string, of func(*cluster.Node) string) {
	has := func(of func(*cluster.Node) string) bool {
		return slices.ContainsFunc(c.Order(), func(id cluster.NodeID) bool { return of(c.Node(id)) != "" })
	}
	label := func(keys []string) func(*cluster.Node) string {
		symbols := make([]cluster.Symbol, len(keys))
		for i, key := range keys {
			symbols[i] = c.Symbol(key)
		}
		return func(n *cluster.Node) string {
			for _, key := range symbols {
				if value, ok := n.Labels.Get(key); ok {
					return c.Text(value)
				}
			}
			return ""
		}
	}
	for _, part := range []struct {
		by string
		of func(*cluster.Node) string
	}{
		{"pool", func(n *cluster.Node) string { return n.Pool }},
		{"zone", label(zoneLabels)},
	} {
		if has(part.of) {
			return part.by, part.of
		}
	}
	return "", nil
}
