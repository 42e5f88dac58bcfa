package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/explain"
)

// parts are the tables of an explanation, the empty ones included.
func (e *explanation) parts() []part {
	parts := []part{e.claims(), e.scores(), e.rest(), e.victims(), e.reasons(), e.groups(), e.plugins()}
	parts = append(parts, e.rules()...)
	return append(parts, e.devices(), e.misses(), e.changes(), e.eachNode(), e.amounts(), e.oneNode())
}

// scores has a row for each plugin and a column for each of the best nodes.
func (e *explanation) scores() part {
	c := e.Choice
	if c == nil {
		return part{}
	}
	p := part{title: "Scores", sentences: e.choice()}
	p.Head = []string{"plugin"}
	p.Rows = make([][]string, len(c.Plugins)+1)
	for k, plugin := range append(slices.Clone(c.Plugins), "total") {
		p.Rows[k] = []string{plugin}
	}
	column := func(head string, cell func(plugin int) string) {
		p.Head = append(p.Head, head)
		for k := range p.Rows {
			p.Rows[k] = append(p.Rows[k], cell(k))
		}
	}
	scores := func(r *explain.Row) []int64 { return append(slices.Clone(r.Scores), r.Total) }
	of := func(r *explain.Row) {
		column(r.Node, func(k int) string { return strconv.FormatInt(scores(r)[k], 10) })
	}
	of(&c.Winner)
	if second := c.RunnerUp; second != nil {
		of(second)
		column("lead", func(k int) string { return fmt.Sprintf("%+d", scores(&c.Winner)[k]-scores(second)[k]) })
	}
	for i := range c.Top {
		if node := c.Top[i].Node; node != c.Winner.Node && (c.RunnerUp == nil || node != c.RunnerUp.Node) {
			of(&c.Top[i])
		}
	}
	return p
}

// choice says what decided, in sentences.
func (e *explanation) choice() []string {
	c := e.Choice
	next := ""
	if c.RunnerUp != nil {
		next = fmt.Sprintf("; %s comes next with %d", c.RunnerUp.Node, c.RunnerUp.Total)
	}
	scored := ""
	if c.ByExtender {
		scored = ", of the nodes that an extender scored"
	}
	first := fmt.Sprintf("%s has the highest total%s, %d%s.", c.Winner.Node, scored, c.Winner.Total, next)
	if c.Ties > 1 {
		how := map[string]string{"random": "one of them is taken at random", "first": "the first by name is taken", "upstream": "kube-scheduler's heap order selects one"}[c.TieBreak]
		first = fmt.Sprintf("%d nodes have the highest total%s, %d; %s%s.", c.Ties, scored, c.Winner.Total, how, next)
	}
	switch {
	case c.RunnerUp == nil:
		return []string{first}
	case len(c.Decided) == 0:
		return []string{first, "No single plugin was decisive: without any one of them the same node would have won."}
	}
	return []string{first, fmt.Sprintf("Decided by %s: without it a node with a lower total would have caught up.", strings.Join(c.Decided, ", or by "))}
}

// rest counts the feasible nodes that are not among the best.
func (e *explanation) rest() part {
	if e.Choice == nil || len(e.Choice.Rest) == 0 {
		return part{}
	}
	p := part{title: "Behind them", Table: table.Table{Head: []string{"total", "nodes", "first"}, Words: []int{2}}}
	for i, l := range e.Choice.Rest {
		if i == table.MaxRows && len(e.Choice.Rest) > table.MaxRows+1 {
			rest := 0
			for _, more := range e.Choice.Rest[i:] {
				rest += more.Nodes
			}
			p.Rows = append(p.Rows, []string{"lower", human.Whole(rest), l.Node})
			break
		}
		p.Rows = append(p.Rows, []string{strconv.FormatInt(l.Total, 10), human.Whole(l.Nodes), l.Node})
	}
	return p
}

// victims are the pods that must go.
func (e *explanation) victims() part {
	if e.Preemption == nil {
		return part{}
	}
	p := part{title: "Preemption", Table: table.Table{Head: []string{"victim", "priority"}}}
	p.sentences = e.whyThere()
	for _, v := range e.Preemption.Victims {
		p.Rows = append(p.Rows, []string{v.Pod, strconv.Itoa(int(v.Priority))})
	}
	return p
}

// whyThere says why preemption took its node.
func (e *explanation) whyThere() []string {
	p := e.Preemption
	without := "without these pods"
	if len(p.Victims) == 0 {
		without = "once the pods that terminate there have left"
	}
	out := []string{fmt.Sprintf("Nominated to %s: the pod, of priority %d, would fit there %s.", p.Node, p.Priority, without)}
	if n := p.Next; n != nil {
		next := &explain.Preemption{Victims: n.Victims}
		text := fmt.Sprintf("Of %d nodes that could be freed, the next candidate is %s (victims: %s)", p.Candidates, n.Node, victims(next))
		if n.Ahead {
			return append(out, fmt.Sprintf("%s. It was preferable (%s), but the search ended before it, or an extender removed it.", text, n.Rule))
		}
		return append(out, fmt.Sprintf("%s. %s is taken, as %s.", text, p.Node, n.Rule))
	}
	if p.Candidates == 1 {
		out = append(out, "No other node could be freed.")
	}
	return out
}

func (e *explanation) reasons() part {
	p := part{title: "Why not", Table: table.Table{Head: []string{"plugin", "nodes", "reason"}, Words: []int{2}, Notes: true}}
	if e.Node != "" {
		p.title = "Why not elsewhere"
	}
	for _, r := range e.Reasons {
		p.Rows = append(p.Rows, []string{r.Plugin, human.Whole(r.Nodes), r.Reason})
	}
	return p
}

// groups has a row for the nodes of a pool that are rejected for the same reasons. Nodes of manifests have no pools.
func (e *explanation) groups() part {
	p := part{title: "Nodes rejected", Table: table.Table{Head: []string{"such as", "nodes", "why"}, Words: []int{2}, Notes: true}}
	row := func(_ string, nodes int, node, why string) {
		p.Rows = append(p.Rows, []string{node, human.Whole(nodes), why})
	}
	if slices.ContainsFunc(e.Groups, func(g explain.Group) bool { return g.Pool != "" }) {
		p.Head, p.Words = []string{"pool", "nodes", "such as", "why"}, []int{2, 3}
		row = func(pool string, nodes int, node, why string) {
			p.Rows = append(p.Rows, []string{cmp.Or(pool, human.None), human.Whole(nodes), node, why})
		}
	}
	for i, g := range e.Groups {
		if i == table.MaxRows && len(e.Groups) > table.MaxRows+1 {
			rest := 0
			for _, more := range e.Groups[i:] {
				rest += more.Nodes
			}
			row("", rest, g.Node, fmt.Sprintf("and others, in %d more groups", len(e.Groups)-i))
			break
		}
		row(g.Pool, g.Nodes, g.Node, whyNot(&g.NodeReasons))
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
	p := part{title: "By plugin", Table: table.Table{Head: []string{"plugin", "rejects", "it alone"}}}
	if len(e.Plugins) == 1 {
		return p // it says nothing new
	}
	for _, o := range e.Plugins {
		p.Rows = append(p.Rows, []string{o.Name, human.Whole(o.Nodes), human.Whole(o.Alone)})
	}
	return p
}

// rules has a table for each rule about topology domains that rejects nodes.
func (e *explanation) rules() []part {
	var parts []part
	for i, r := range e.Rules {
		if i == table.MaxRows && len(e.Rules) > table.MaxRows+1 {
			more := fmt.Sprintf("%d more rules reject nodes.", len(e.Rules)-i)
			return append(parts, part{title: "More domains", sentences: []string{more}})
		}
		p := part{
			title: "Domains of " + r.Topology, sentences: []string{r.Plugin + ": " + r.Text + "."},
			Table: table.Table{Head: []string{"such as", "domains", "nodes", "pods", "verdict"}, Words: []int{0, 4}, Notes: true},
		}
		for k := range r.Domains {
			if k == table.MaxRows && len(r.Domains) > table.MaxRows+1 {
				p.Rows = append(p.Rows, []string{human.None, "", "", "", fmt.Sprintf("and %d more rows", len(r.Domains)-k)})
				break
			}
			d := &r.Domains[k]
			p.Rows = append(p.Rows, []string{cmp.Or(d.Domain, human.None), human.Whole(d.Domains), human.Whole(d.Nodes), human.Whole(int(d.Pods)), verdict(&r, d)})
		}
		parts = append(parts, p)
	}
	return parts
}

// verdict is what a rule says of a domain.
func verdict(r *explain.Rule, d *explain.Domain) string {
	var parts []string
	switch {
	case d.Domain == "" && d.Rejected:
		parts = append(parts, "rejected: no label "+r.Topology)
	case d.Rejected:
		parts = append(parts, "rejected")
	default:
		parts = append(parts, "passes")
	}
	if d.Pod != "" {
		parts = append(parts, "there is "+d.Pod)
	}
	if d.Uncounted && d.Domain != "" {
		parts = append(parts, "its nodes do not count")
	}
	if len(d.Others) > 0 {
		parts = append(parts, fmt.Sprintf("%s %s all its nodes", human.List(d.Others), human.Verb(len(d.Others), "reject")))
	}
	return strings.Join(parts, "; ")
}

// misses says in sentences how far the nearest nodes are from having enough. What a single
// node lacks is one sentence.
func (e *explanation) misses() part {
	p := part{title: "Nearest misses"}
	for i := 0; i < len(e.Shortages); i++ {
		l := &e.Shortages[i]
		amounts, besides := []string{lacking(l)}, l.OtherReasons
		if l.Lacking == 1 {
			for ; i+1 < len(e.Shortages) && e.Shortages[i+1].Lacking == 1 && e.Shortages[i+1].Nearest == l.Nearest; i++ {
				amounts = append(amounts, lacking(&e.Shortages[i+1]))
			}
			named := e.Shortages[i+1-len(amounts) : i+1]
			besides = slices.DeleteFunc(slices.Clone(besides), func(other string) bool {
				return slices.ContainsFunc(named, func(l explain.Shortage) bool { return l.Resource == other })
			})
		}
		text := fmt.Sprintf("%s %s %s", human.Counted(l.NodesAtLeast, "node"), human.Verb(l.NodesAtLeast, "lack"), human.List(amounts))
		more := l.Lacking - l.NodesAtLeast
		switch {
		case len(besides) == 0:
			text += fmt.Sprintf(" and nothing else: %s", firstOf(l.Nearest, l.NodesAtLeast))
			if more > 0 {
				text += fmt.Sprintf("; %s more lack some %s", human.Whole(more), l.Resource)
			}
		case more > 0:
			text += fmt.Sprintf(", the least of %s: %s, where %s too %s in the way", human.Whole(l.Lacking), firstOf(l.Nearest, l.NodesAtLeast), human.List(besides), human.Verb(len(besides), "stand"))
		default:
			text += fmt.Sprintf(": %s, where %s too %s in the way", firstOf(l.Nearest, l.NodesAtLeast), human.List(besides), human.Verb(len(besides), "stand"))
		}
		p.sentences = append(p.sentences, text+".")
	}
	return p
}

// lacking is how much of a resource the nearest node lacks.
func lacking(l *explain.Shortage) string {
	if l.Resource == "pods" {
		return "room for " + human.Counted(l.Least, "more pod")
	}
	return explain.RoundedQuantity(l.Resource, l.Least) + " " + l.Resource
}

func firstOf(node string, nodes int) string {
	if nodes > 1 {
		return node + " for one"
	}
	return node
}

func (e *explanation) changes() part {
	p := part{title: "Smallest changes", Table: table.Table{Head: []string{"would fit on", "first node", "change"}, Words: []int{0, 1, 2}, Notes: true}}
	if e.State != explain.Unschedulable {
		return p
	}
	for i, c := range e.Changes {
		if i == table.MaxRows && len(e.Changes) > table.MaxRows+1 {
			p.Rows = append(p.Rows, []string{"", "", fmt.Sprintf("and %d more changes", len(e.Changes)-i)})
			break
		}
		p.Rows = append(p.Rows, []string{human.Counted(c.Nodes, "node"), cmp.Or(c.Node, "the new one"), c.Text})
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
	p := part{title: "Every node rejected", Table: table.Table{Head: []string{"node", "why"}, Words: []int{1}, Notes: true}}
	for i := range e.RejectedNodes {
		p.Rows = append(p.Rows, []string{e.RejectedNodes[i].Node, whyNot(&e.RejectedNodes[i])})
	}
	return p
}

// oneNode has a row for each filter.
func (e *explanation) oneNode() part {
	n := e.NodeDetail
	if n == nil {
		return part{}
	}
	p := part{title: "Filters on " + n.Node, Table: table.Table{Head: []string{"filter", "verdict", "reasons"}, Words: []int{1, 2}, Notes: true}}
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
		p.Rows = append(p.Rows, []string{f.Plugin, verdict, strings.Join(f.Reasons, ", ")})
	}
	return p
}

// amounts has a row for each resource that the pod asks for.
func (e *explanation) amounts() part {
	if e.NodeDetail == nil || len(e.NodeDetail.Amounts) == 0 {
		return part{}
	}
	p := part{title: "Amounts on " + e.NodeDetail.Node, Table: table.Table{Head: []string{"resource", "request", "allocatable", "taken", "nominated", "free", "lacking"}}}
	if free := e.NodeDetail.Devices; len(free) > 0 {
		p.sentences = []string{"Thousandths free, by device: " + thousandths(free) + "."}
	}
	for _, a := range e.NodeDetail.Amounts {
		amounts := explain.Quantities(a.Resource, a.Request, a.Allocatable, a.Taken, a.Kept, a.Free(), max(0, a.Request-a.Free()))
		p.Rows = append(p.Rows, append([]string{a.Resource}, amounts...))
	}
	return p
}
