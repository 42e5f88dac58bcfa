package scheduler

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// withoutMessage is the reason of a plugin that rejects a pod and does not say why.
const withoutMessage = "rejected without a message"

// Reasons returns why the pod got no node, sorted by plugin and reason. A node that one plugin
// rejects for two reasons counts under both. Nodes that an extender omitted without giving a reason
// also count, although kube-scheduler's message does not include them.
func (a *Attempt) Reasons() []record.ReasonCount {
	c := a.cycle
	var out []record.ReasonCount
	add := func(plugin, reason string, nodes int) {
		for i := range out {
			if out[i].Plugin == plugin && out[i].Reason == reason {
				out[i].Nodes += nodes
				return
			}
		}
		out = append(out, record.ReasonCount{Plugin: plugin, Reason: reason, Nodes: nodes})
	}
	switch {
	case a.Outcome == Failed || a.Outcome == Scheduled || a.Outcome == Waiting:
		return nil
	case c.rejected == atPermit:
		add(c.names(c.rejectors)[0], cmp.Or(c.permit, withoutMessage), 1)
	case c.rejected == atPreFilter:
		add(strings.Join(c.names(c.rejectors), ","), cmp.Or(c.preFilter, withoutMessage), c.Cluster.NumNodes())
	default:
		leftOut := 0
		a.EachLeftOut(func(_ cluster.NodeID, plugin string, _ Code, reasons []string) {
			add(plugin, reasons[0], 1)
			leftOut++
		})
		c.eachRejection(leftOut, add)
	}
	slices.SortFunc(out, func(x, y record.ReasonCount) int {
		return cmp.Or(strings.Compare(x.Plugin, y.Plugin), strings.Compare(x.Reason, y.Reason))
	})
	return out
}

// eachRejection calls f for every reason, with how many nodes it is that of. So many of the
// nodes without a verdict are not put down to those that limited the search.
func (c *Cycle) eachRejection(leftOut int, f func(plugin, reason string, nodes int)) {
	for _, t := range c.rejections.tallies {
		if t.nodes == 0 { // an extender overrode the reason of all of them
			continue
		}
		for _, reason := range c.ReasonsOf(t.verdict) {
			f(c.profile.plugins[t.verdict.plugin()].Name(), reason, t.nodes)
		}
	}
	for _, answer := range c.ext.answers {
		if answer.nodes > 0 {
			f(ExtenderName, answer.message, answer.nodes)
		}
	}
	for _, unknown := range c.ext.unknownNodes {
		f(ExtenderName, unknown.Message, 1)
	}
	if rest := c.Cluster.NumNodes() - c.rejections.nodes - len(c.ext.unknownNodes) - leftOut; rest > 0 && c.absent.Message != "" {
		f(strings.Join(c.names(c.restrict), ","), c.absent.Message, rest)
	}
}

// Message returns what kube-scheduler writes into the pod's condition: the empty string for a pod
// that got a node.
//
// Upstream: FitError.Error, pkg/scheduler/framework/types.go, v1.36.3.
func (a *Attempt) Message() string {
	c := a.cycle
	switch {
	case a.Outcome == Failed:
		return a.Err
	case a.Outcome != Rejected:
		return ""
	case c.rejected == atPermit && c.permit == "":
		return FormatFitError(1, nil, "")
	case c.rejected == atPermit:
		return FormatFitError(1, []string{"1 " + c.permit}, "")
	case c.preFilter != "":
		return FormatFitError(c.Cluster.NumNodes(), []string{c.preFilter}, c.post)
	}
	perReason := map[string]int{}
	c.eachRejection(0, func(_, reason string, nodes int) { perReason[reason] += nodes })
	return FormatFitError(c.Cluster.NumNodes(), CountReasons(perReason), c.post)
}

// FormatFitError returns the message of a pod that no node is feasible for: "0/3 nodes are available: 2
// Insufficient cpu, 1 Too many pods. preemption: …". Parts are sorted as upstream sorts them, count
// in front. It does not use fmt, since on a fleet that is too small it runs for most attempts.
func FormatFitError(nodes int, parts []string, post string) string {
	text := "0/" + strconv.Itoa(nodes) + " nodes are available:"
	if len(parts) != 0 {
		slices.Sort(parts)
		text += " " + strings.Join(parts, ", ") + "."
	}
	if post != "" {
		text += " " + post
	}
	return text
}

// CountReasons returns one text for each reason, sorted, with its number of nodes: "2 Insufficient cpu".
func CountReasons(perReason map[string]int) []string {
	parts := make([]string, 0, len(perReason))
	for reason, n := range perReason {
		parts = append(parts, strconv.Itoa(n)+" "+reason)
	}
	slices.Sort(parts)
	return parts
}

func (c *Cycle) names(set pluginSet) []string {
	var names []string
	set.each(func(i int) { names = append(names, c.profile.plugins[i].Name()) })
	slices.Sort(names)
	return names
}

// EachRejected calls f for every node that was visited and rejected, from StartIndex on in the order of nodes, with the
// plugin that did, how, and its reasons. The nodes of the cluster must be those of the attempt still.
func (a *Attempt) EachRejected(f func(node cluster.NodeID, plugin string, code Code, reasons []string)) {
	c, nodes := a.cycle, a.cycle.Cluster.Order()
	start := a.StartIndex % max(len(nodes), 1)
	for _, part := range [2][]cluster.NodeID{nodes[start:], nodes[:start]} {
		for _, node := range part {
			if v := c.rejections.of(node); v != Fits {
				f(node, c.profile.plugins[v.plugin()].Name(), v.Code(), c.ReasonsOf(v))
			}
		}
	}
}

// EachLeftOut calls f for every node that passed the filters and that an extender did not
// send back, nor gave a reason for, like EachRejected.
func (a *Attempt) EachLeftOut(f func(node cluster.NodeID, plugin string, code Code, reasons []string)) {
	c := a.cycle
	for _, l := range c.ext.leftOut {
		if c.rejections.of(l.node) == Fits {
			f(l.node, ExtenderName, c.absent.Code, []string{"left out by " + l.by + " without a reason"})
		}
	}
}
