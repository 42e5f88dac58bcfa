package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// rejectedNodes collects the reasons for each node that the attempt rejected, and
// groups the nodes by them.
func (x *analysis) rejectedNodes() {
	if x.out.State == Failed {
		return
	}
	x.judge()
	x.count()
	x.group()
	if x.options.Nodes {
		for i := range x.nodes {
			x.out.RejectedNodes = append(x.out.RejectedNodes, x.nodes[i].words(x.cluster))
		}
	}
}

// judge asks every filter about the nodes that the attempt rejected.
func (x *analysis) judge() {
	in := x.scheduler.Inspect(x.attempt.Pod, x.class)
	known := map[scheduler.Verdict]rejection{}
	var verdicts []scheduler.Verdict
	judge := func(node cluster.NodeID, plugin string, code scheduler.Code, reasons []string) {
		j := judged{id: node, first: plugin, reasons: reasons}
		verdicts = in.Verdicts(node, verdicts[:0])
		for _, v := range verdicts {
			r, seen := known[v]
			if !seen {
				r = rejection{in.Plugin(v), in.VerdictChecks(v), v.Code(), in.Reasons(v)}
				known[v] = r
			}
			j.all = append(j.all, r)
		}
		if !slices.ContainsFunc(j.all, func(r rejection) bool { return r.plugin == plugin }) { // only with nominated pods counted as there
			j.all = append(j.all, rejection{plugin, in.Checks(plugin), code, reasons})
		}
		x.nodes = append(x.nodes, j)
	}
	feasible := x.feasible()
	x.attempt.EachRejected(func(node cluster.NodeID, plugin string, code scheduler.Code, reasons []string) {
		if !feasible[node] { // extenders may name a node among those that pass and those that do not
			judge(node, plugin, code, reasons)
		}
	})
	x.attempt.EachLeftOut(judge)
}

// feasible are the nodes that the attempt had to choose from.
func (x *analysis) feasible() map[cluster.NodeID]bool {
	nodes := map[cluster.NodeID]bool{}
	if x.attempt.Node != cluster.None {
		nodes[x.attempt.Node] = true
	}
	x.attempt.EachScore(func(node cluster.NodeID, _ string, _ int64) { nodes[node] = true })
	return nodes
}

// count counts nodes by reason, as the message does, and by plugin.
func (x *analysis) count() {
	for _, r := range x.attempt.Reasons() {
		x.out.Reasons = append(x.out.Reasons, Reason(r))
	}
	if x.out.State != Unschedulable { // no message: what the nodes that did not pass have
		x.out.Reasons = x.countRejected()
	}
	at := map[string]int{}
	for i := range x.nodes {
		for _, r := range x.nodes[i].all {
			k, seen := at[r.plugin]
			if !seen {
				k = len(x.out.Plugins)
				at[r.plugin] = k
				x.out.Plugins = append(x.out.Plugins, Plugin{Name: r.plugin})
			}
			x.out.Plugins[k].Nodes++
			if len(x.nodes[i].all) == 1 {
				x.out.Plugins[k].Alone++
			}
		}
	}
	slices.SortFunc(x.out.Plugins, func(a, b Plugin) int {
		return cmp.Or(cmp.Compare(b.Alone, a.Alone), cmp.Compare(b.Nodes, a.Nodes), strings.Compare(a.Name, b.Name))
	})
}

func (x *analysis) countRejected() []Reason {
	out := []Reason{}
	at := map[[2]string]int{}
	for i := range x.nodes {
		for _, reason := range x.nodes[i].reasons {
			key := [2]string{x.nodes[i].first, reason}
			if _, seen := at[key]; !seen {
				at[key] = len(out)
				out = append(out, Reason{Plugin: key[0], Reason: reason})
			}
			out[at[key]].Nodes++
		}
	}
	slices.SortFunc(out, func(a, b Reason) int {
		return cmp.Or(strings.Compare(a.Plugin, b.Plugin), strings.Compare(a.Reason, b.Reason))
	})
	return out
}

// group puts nodes of one pool together against which the same speaks; the largest groups
// come first.
func (x *analysis) group() {
	at := map[string]int{}
	for i := range x.nodes {
		words, pool := x.nodes[i].words(x.cluster), x.cluster.Node(x.nodes[i].id).Pool
		key := strings.Join([]string{
			pool, words.Plugin, strings.Join(words.Reasons, "\x01"), strings.Join(words.Behind, "\x01"),
		}, "\x00")
		k, seen := at[key]
		if !seen {
			k = len(x.out.Groups)
			at[key] = k
			x.out.Groups = append(x.out.Groups, Group{Pool: pool, NodeReasons: words})
		}
		x.out.Groups[k].Nodes++
	}
	slices.SortStableFunc(x.out.Groups, func(a, b Group) int { return cmp.Compare(b.Nodes, a.Nodes) })
}

// words returns the reasons to reject a node as texts.
func (j *judged) words(c *cluster.Cluster) NodeReasons {
	out := NodeReasons{Node: c.Node(j.id).Name, Plugin: j.first, Reasons: j.reasons, Behind: []string{}}
	for _, r := range j.all {
		if r.plugin == j.first {
			continue
		}
		out.Behind = append(out.Behind, r.plugin+": "+strings.Join(r.reasons, ", "))
	}
	return out
}

// oneNode says what every filter has against one node, those behind the first included.
func (x *analysis) oneNode(name string) (*NodeDetail, error) {
	id, exists := x.cluster.NodeByName(name)
	if !exists {
		var known []string
		for _, node := range x.cluster.Order() {
			known = append(known, x.cluster.Node(node).Name)
		}
		return nil, fmt.Errorf("--node: there is no node %q at that time%s", name, document.Meant(name, known))
	}
	in := x.scheduler.Inspect(x.attempt.Pod, x.class)
	d := &NodeDetail{Node: name, Pool: x.cluster.Node(id).Pool, Fits: in.Fits(id), Devices: []int32{}}
	if plugins, st := in.Rejected(); st.Code != scheduler.Success {
		d.Note = fmt.Sprintf("no node is looked at: %s: %s", plugins, st.Message)
	} else if plugins, why, out := in.LeftOut(id); out {
		d.Note = fmt.Sprintf("left out of the search: %s: %s", plugins, why)
	}
	verdicts := in.Verdicts(id, nil)
	in.EachFilter(func(plugin string, asked bool) {
		answer := FilterAnswer{Plugin: plugin, Asked: asked, Reasons: []string{}}
		for _, v := range verdicts {
			if in.Plugin(v) == plugin {
				answer.Reasons = in.Reasons(v)
			}
		}
		d.Filters = append(d.Filters, answer)
	})
	if d.Note == "" && len(verdicts) == 0 {
		d.Note = x.besideFilters(id, d.Fits)
		d.Fits = d.Note == ""
	}
	for _, r := range x.wanted {
		d.Amounts = append(d.Amounts, NodeAmount{
			Resource: x.cluster.ResourceName(r.Resource), Request: r.Amount,
			Allocatable: x.cluster.Allocatable(r.Resource)[id], Taken: x.cluster.Requested(r.Resource)[id],
			Kept: x.kept(r.Resource, id),
		})
	}
	if x.out.Devices != nil {
		d.Devices = append(d.Devices, x.cluster.Devices.Free(id)...)
	}
	if x.out.Choice != nil {
		d.Score = x.rowOf(id)
	}
	return d, nil
}

// besideFilters returns what rejected a node that passes every filter.
func (x *analysis) besideFilters(id cluster.NodeID, fits bool) string {
	if !fits {
		return "its room is kept for pods that are nominated to it"
	}
	i := slices.IndexFunc(x.nodes, func(j judged) bool { return j.id == id })
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("the filters let the pod pass, but %s: %s", x.nodes[i].first, strings.Join(x.nodes[i].reasons, ", "))
}
