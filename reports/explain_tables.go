package reports

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/explain"
)

// parts are the tables of an explanation, the empty ones included.
func (e *explanation) parts() []part {
	return []part{e.scores(), e.rest(), e.victims(), e.reasons(), e.groups(), e.plugins(), e.misses(), e.changes(), e.eachNode(), e.amounts(), e.oneNode()}
}

// whole writes a number of nodes.
func whole(n int) string { return grouped(float64(n), 0) }

// scores has a row for each plugin and a column for each of the best nodes.
func (e *explanation) scores() part {
	c := e.Choice
	if c == nil {
		return part{}
	}
	p := part{title: "Scores", sentences: e.choice()}
	p.head = []string{"plugin", c.Winner.Node, c.RunnerUp.Node, "lead"}
	others := c.Top[min(2, len(c.Top)):]
	for _, r := range others {
		p.head = append(p.head, r.Node)
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	for k, plugin := range c.Plugins {
		winner, second := c.Winner.Scores[k], c.RunnerUp.Scores[k]
		row := []string{plugin, number(winner), number(second), fmt.Sprintf("%+d", winner-second)}
		for _, r := range others {
			row = append(row, number(r.Scores[k]))
		}
		p.rows = append(p.rows, row)
	}
	total := []string{"total", number(c.Winner.Total), number(c.RunnerUp.Total), fmt.Sprintf("%+d", c.Winner.Total-c.RunnerUp.Total)}
	for _, r := range others {
		total = append(total, number(r.Total))
	}
	p.rows = append(p.rows, total)
	return p
}

// choice says what decided, in sentences.
func (e *explanation) choice() []string {
	c := e.Choice
	var out []string
	if c.Ties > 1 {
		how := map[string]string{"random": "one of them is taken at random", "first": "the first by name is taken", "upstream": "the one is taken that kube-scheduler's heap has on top"}[c.TieBreak]
		out = append(out, fmt.Sprintf("%d nodes have the highest total, %d; %s.", c.Ties, c.Winner.Total, how))
	} else {
		out = append(out, fmt.Sprintf("%s has the highest total, %d; %s comes next with %d.", c.Winner.Node, c.Winner.Total, c.RunnerUp.Node, c.RunnerUp.Total))
	}
	if len(c.Decided) == 0 {
		return append(out, "No plugin decided alone: without any one of them no other node would have caught up.")
	}
	return append(out, fmt.Sprintf("Decided by %s: without it another node would have caught up.", strings.Join(c.Decided, ", or by ")))
}

// rest counts the feasible nodes that are not among the best.
func (e *explanation) rest() part {
	if e.Choice == nil || len(e.Choice.Rest) == 0 {
		return part{}
	}
	p := part{title: "Behind them", grid: grid{head: []string{"total", "nodes", "first"}, words: []int{2}}}
	for i, l := range e.Choice.Rest {
		if i == maxRows && len(e.Choice.Rest) > maxRows+1 {
			rest := 0
			for _, more := range e.Choice.Rest[i:] {
				rest += more.Nodes
			}
			p.rows = append(p.rows, []string{"lower", whole(rest), l.Node})
			break
		}
		p.rows = append(p.rows, []string{strconv.FormatInt(l.Total, 10), whole(l.Nodes), l.Node})
	}
	return p
}

// victims are the pods that must go.
func (e *explanation) victims() part {
	if e.Preemption == nil {
		return part{}
	}
	p := part{title: "Preemption", grid: grid{head: []string{"victim", "priority"}}}
	p.sentences = e.whyThere()
	for _, v := range e.Preemption.Victims {
		p.rows = append(p.rows, []string{v.Pod, strconv.Itoa(int(v.Priority))})
	}
	return p
}

// whyThere says why preemption took its node.
func (e *explanation) whyThere() []string {
	p := e.Preemption
	out := []string{fmt.Sprintf("Nominated to %s: the pod, of priority %d, would fit there without these pods.", p.Node, p.Priority)}
	if n := p.Next; n != nil {
		next := &explain.Preemption{Victims: n.Victims}
		text := fmt.Sprintf("Of %d nodes that could be freed, %s comes next, without %s", p.Candidates, n.Node, victims(next))
		if n.Ahead {
			return append(out, fmt.Sprintf("%s. It would have been better, as %s, but the search ended before it, or an extender had a say.", text, n.Rule))
		}
		return append(out, fmt.Sprintf("%s. %s is taken, as %s.", text, p.Node, n.Rule))
	}
	if p.Candidates == 1 {
		out = append(out, "No other node could be freed.")
	}
	return out
}

func (e *explanation) reasons() part {
	p := part{title: "Why not", notes: true, grid: grid{head: []string{"plugin", "nodes", "reason"}, words: []int{2}}}
	if e.State == explain.Placed || e.State == explain.Waiting {
		p.title = "Why not elsewhere"
	}
	for _, r := range e.Reasons {
		p.rows = append(p.rows, []string{r.Plugin, whole(r.Nodes), r.Reason})
	}
	return p
}

// groups has a row for nodes of a pool against which the same speaks.
func (e *explanation) groups() part {
	p := part{title: "Nodes turned down", notes: true, grid: grid{head: []string{"pool", "nodes", "such as", "why"}, words: []int{2, 3}}}
	for i, g := range e.Groups {
		if i == maxRows && len(e.Groups) > maxRows+1 {
			rest := 0
			for _, more := range e.Groups[i:] {
				rest += more.Nodes
			}
			p.rows = append(p.rows, []string{none, whole(rest), g.Node, fmt.Sprintf("and others, in %d more groups", len(e.Groups)-i)})
			break
		}
		p.rows = append(p.rows, []string{cmp.Or(g.Pool, none), whole(g.Nodes), g.Node, whyNot(&g.NodeReasons)})
	}
	return p
}

func whyNot(r *explain.NodeReasons) string {
	text := r.Plugin + ": " + strings.Join(r.Reasons, ", ")
	if len(r.Behind) > 0 {
		text += "; behind it " + strings.Join(r.Behind, "; ")
	}
	return text
}

func (e *explanation) plugins() part {
	p := part{title: "By plugin", grid: grid{head: []string{"plugin", "turns down", "it alone"}}}
	if len(e.Plugins) == 1 {
		return p // it says nothing new
	}
	for _, o := range e.Plugins {
		p.rows = append(p.rows, []string{o.Name, whole(o.Nodes), whole(o.Alone)})
	}
	return p
}

// misses says in sentences how far the nearest nodes are from having enough.
func (e *explanation) misses() part {
	p := part{title: "Nearest misses"}
	for _, l := range e.Lacks {
		amount, lack := explain.Rough(l.Resource, l.Least), "lack"
		if l.AtLeast == 1 {
			lack = "lacks"
		}
		text := fmt.Sprintf("%s %s %s %s", counted(float64(l.AtLeast), "node"), lack, amount, l.Resource)
		if l.Alone > 0 {
			text += fmt.Sprintf(" and nothing else: %s", firstOf(l.Nearest, l.AtLeast))
			if more := l.Lacking - l.AtLeast; more > 0 {
				text += fmt.Sprintf("; %s more lack some %s", whole(more), l.Resource)
			}
		} else {
			text += fmt.Sprintf(", the least of %s that lack some, but something else speaks against each of them: %s", whole(l.Lacking), firstOf(l.Nearest, l.AtLeast))
		}
		p.sentences = append(p.sentences, text+".")
	}
	return p
}

func firstOf(node string, nodes int) string {
	if nodes > 1 {
		return node + " for one"
	}
	return node
}

func (e *explanation) changes() part {
	p := part{title: "Smallest changes", notes: true, grid: grid{head: []string{"would fit on", "first node", "change"}, words: []int{0, 1, 2}}}
	if e.State != explain.Unschedulable {
		return p
	}
	for i, c := range e.Changes {
		if i == maxRows && len(e.Changes) > maxRows+1 {
			p.rows = append(p.rows, []string{"", "", fmt.Sprintf("and %d more changes", len(e.Changes)-i)})
			break
		}
		p.rows = append(p.rows, []string{counted(float64(c.Nodes), "node"), cmp.Or(c.Node, "the new one"), c.Text})
	}
	switch {
	case e.Untried != "":
		p.sentences = []string{"Not all was tried: " + e.Untried + "."}
	case len(e.Changes) == 0:
		p.sentences = []string{"No single change of those that are tried would let the pod fit."}
	}
	return p
}

func (e *explanation) eachNode() part {
	p := part{title: "Every node turned down", notes: true, grid: grid{head: []string{"node", "why"}, words: []int{1}}}
	for i := range e.EachNode {
		p.rows = append(p.rows, []string{e.EachNode[i].Node, whyNot(&e.EachNode[i])})
	}
	return p
}

// oneNode has a row for each filter.
func (e *explanation) oneNode() part {
	n := e.OneNode
	if n == nil {
		return part{}
	}
	p := part{title: "Filters on " + n.Node, notes: true, grid: grid{head: []string{"filter", "verdict", "reasons"}, words: []int{1, 2}}}
	switch {
	case n.Note != "":
		p.sentences = append(p.sentences, n.Node+": "+n.Note+".")
	case n.Fits && n.Score != nil:
		p.sentences = append(p.sentences, fmt.Sprintf("The pod fits on %s, which has a total of %d.", n.Node, n.Score.Total))
	case n.Fits:
		p.sentences = append(p.sentences, fmt.Sprintf("The pod fits on %s.", n.Node))
	}
	for _, f := range n.Filters {
		verdict := "passes"
		switch {
		case len(f.Reasons) > 0:
			verdict = "rejects"
		case !f.Asked:
			verdict = "not needed"
		}
		p.rows = append(p.rows, []string{f.Plugin, verdict, strings.Join(f.Reasons, ", ")})
	}
	return p
}

// amounts has a row for each resource that the pod asks for.
func (e *explanation) amounts() part {
	if e.OneNode == nil || len(e.OneNode.Amounts) == 0 {
		return part{}
	}
	p := part{title: "Amounts on " + e.OneNode.Node, grid: grid{head: []string{"resource", "request", "allocatable", "taken", "nominated", "free", "lacking"}}}
	for _, a := range e.OneNode.Amounts {
		amount := func(n int64) string { return explain.Rough(a.Resource, n) }
		lacking := max(0, a.Request-a.Free())
		p.rows = append(p.rows, []string{a.Resource, amount(a.Request), amount(a.Allocatable), amount(a.Taken), amount(a.Kept), amount(a.Free()), amount(lacking)})
	}
	return p
}
