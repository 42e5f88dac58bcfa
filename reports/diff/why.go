package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/record"
)

// maxReasons is how many reasons a sentence names.
const maxReasons = 3

// sentence says which attempt it is and what its outcomes are.
func (p *Divergence) sentence() string {
	a, b := p.Attempts[0], p.Attempts[1]
	for s, only := range p.Attempts {
		if other := p.Attempts[1-s]; other == nil {
			return fmt.Sprintf("The runs diverge at %s, when %s tries %s for the %s time and %s, which the other run never does.",
				only.At, runNames[s], p.Name, ordinal(only.Number), only.result())
		}
	}
	when := "at " + a.At.String()
	if a.At != b.At {
		when = fmt.Sprintf("at %s in run 1 and %s in run 2", a.At, b.At)
	}
	return fmt.Sprintf("The runs diverge %s, with attempt %s for %s: in run 1 it %s, in run 2 it %s.", when, p.number(), p.Name, a.result(), b.result())
}

// number returns the number of the attempt in both runs.
func (p *Divergence) number() string {
	a, b := strconv.Itoa(p.Attempts[0].Number), strconv.Itoa(p.Attempts[1].Number)
	if a == b {
		return a
	}
	return a + " or " + b
}

func ordinal(n int) string {
	switch n {
	case 1:
		return "first"
	case 2:
		return "second"
	case 3:
		return "third"
	}
	return fmt.Sprintf("%dth", n)
}

// result says what came of an attempt.
func (a *Attempt) result() string {
	switch {
	case a.Node != "" && a.Outcome == record.Waiting:
		return "takes " + a.Node + " and waits in Permit"
	case a.Node != "":
		return "takes " + a.Node
	case a.Nominated != "" && a.Info.Victims > 0:
		return fmt.Sprintf("preempts %s on %s", a.victims(), a.Nominated)
	case a.Nominated != "":
		return "is nominated to " + a.Nominated
	case a.Err != "":
		return "fails: " + a.Err
	}
	return "finds no node"
}

// victims names the victims of preemption, as far as they are known; "" if there are none.
func (a *Attempt) victims() string {
	names := a.Evicted
	switch more := a.Info.Victims - len(names); {
	case more > 0 && len(names) == 0:
		return human.Counted(more, "pod")
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}

// why says what made the difference, as far as the explanations show; "" if they do not.
func (p *Divergence) why() string {
	e, f := p.Explained[0], p.Explained[1]
	a, b := p.ScoreRows(0), p.ScoreRows(1)
	if len(a) == 2 && len(b) == 2 && a[0].Node == b[1].Node && a[1].Node == b[0].Node {
		return explainScores(e.Choice, f.Choice, a, b)
	}
	for s := range p.Explained {
		if text := p.describeOtherNode(s); text != "" {
			return fmt.Sprintf("In run %d %s.", s+1, text)
		}
	}
	return ""
}

// explainScores says which plugin made the difference between two nodes: rows are their scores in each run,
// first those of the node that the run took.
func explainScores(e, f *explain.Choice, a, b []explain.Row) string {
	plugin, most := "", int64(0)
	var leads [2]int64
	for _, name := range union(e.Plugins, f.Plugins) {
		first := scoreOf(e, &a[0], name) - scoreOf(e, &a[1], name)
		second := scoreOf(f, &b[1], name) - scoreOf(f, &b[0], name)
		if by := max(first-second, second-first); by > most {
			plugin, most, leads = name, by, [2]int64{first, second}
		}
	}
	if plugin == "" {
		return fmt.Sprintf("Both runs score %s and %s alike: the choice among equals made the difference.", a[0].Node, b[0].Node)
	}
	return fmt.Sprintf("%s makes the difference: it puts %s %s %s in run 1, and %s in run 2.", plugin, a[0].Node, describeLead(leads[0]), b[0].Node, describeLead(leads[1]))
}

func describeLead(by int64) string {
	switch {
	case by > 0:
		return fmt.Sprintf("%d ahead of", by)
	case by < 0:
		return fmt.Sprintf("%d behind", -by)
	}
	return "level with"
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// scoreOf is what a plugin gives a node; 0 if it does not score in this run.
func scoreOf(c *explain.Choice, row *explain.Row, plugin string) int64 {
	if i := slices.Index(c.Plugins, plugin); i >= 0 {
		return row.Scores[i]
	}
	return 0
}

// ScoreRows returns the scores of the node that a run took, and of the one that the other run took
// or, where that one was not scored, of the runner-up.
func (p *Divergence) ScoreRows(s int) []explain.Row {
	e := p.Explained[s]
	if e == nil || e.Choice == nil {
		return nil
	}
	rows := []explain.Row{e.Choice.Winner}
	switch {
	case e.NodeDetail != nil && e.NodeDetail.Score != nil:
		rows = append(rows, *e.NodeDetail.Score)
	case e.Choice.RunnerUp != nil:
		rows = append(rows, *e.Choice.RunnerUp)
	}
	return rows
}

// whereSection has the attempt as both runs have it, and says why.
func (d *Diff) whereSection() table.Section {
	c := table.Section{Title: "Where they diverge"}
	p := d.Divergence
	if p == nil {
		if d.First != nil {
			c.Title = fmt.Sprintf("Line %d of the logs", d.First.Line)
			for s, text := range d.First.Records {
				c.Sentences = append(c.Sentences, runNames[s]+": "+cmp.Or(text, "the log has ended"))
			}
		}
		return c
	}
	c.Tables = []table.Table{p.sideBySide()}
	for s := range runNames {
		c.Sentences = append(c.Sentences, p.reasons(s)...)
	}
	if o := d.Order; o != nil {
		c.Sentences = append(c.Sentences, fmt.Sprintf("Before that, at %s, attempt %d of all is for %s in run 1 and for %s in run 2: from there on they try pods in another order.",
			o.At, o.Attempt, o.Pods[0], o.Pods[1]))
	}
	return c
}

// sideBySide returns a table with both attempts as columns.
func (p *Divergence) sideBySide() table.Table {
	t := newTable([]int{1, 2}, p.Name, runNames[0], runNames[1])
	row := func(name string, of func(a *Attempt) string) {
		cells := []string{name, human.None, human.None}
		for s, a := range p.Attempts {
			if a != nil {
				cells[s+1] = cmp.Or(of(a), human.None)
			}
		}
		if cells[1] != human.None || cells[2] != human.None {
			t.Rows = append(t.Rows, cells)
		}
	}
	row("at", func(a *Attempt) string { return a.At.String() })
	row("outcome", func(a *Attempt) string { return a.Outcome })
	row("node", func(a *Attempt) string { return a.Node })
	row("nodes feasible", func(a *Attempt) string {
		return fmt.Sprintf("%d of %d looked at", a.Info.Feasible, a.Info.Evaluated)
	})
	row("nominated to", func(a *Attempt) string { return a.Nominated })
	row("victims", func(a *Attempt) string {
		return a.victims()
	})
	row("error", func(a *Attempt) string { return a.Err })
	return t
}

// reasons returns sentences about why an attempt of a run had its outcome.
func (p *Divergence) reasons(s int) []string {
	a := p.Attempts[s]
	if a == nil {
		return nil
	}
	var out []string
	if len(a.Info.Reasons) > 0 {
		var parts []string
		for i, r := range a.Info.Reasons {
			if i == maxReasons {
				parts = append(parts, fmt.Sprintf("and %d more reasons", len(a.Info.Reasons)-i))
				break
			}
			parts = append(parts, fmt.Sprintf("%s, on %s", metric.ReasonLabel(r), human.Counted(r.Nodes, "node")))
		}
		out = append(out, fmt.Sprintf("Run %d: no node is feasible: %s.", s+1, strings.Join(parts, "; ")))
	}
	if why := p.NotRerun[s]; why != "" {
		return append(out, fmt.Sprintf("Run %d was not rerun for its scores: %s.", s+1, why))
	}
	if e := p.Explained[s]; e != nil {
		if text := describeChoice(e); text != "" {
			out = append(out, fmt.Sprintf("Run %d: %s.", s+1, text))
		}
	}
	if text := p.describeOtherNode(s); text != "" {
		out = append(out, fmt.Sprintf("Run %d: %s.", s+1, text))
	}
	return out
}

// describeChoice says how the node was chosen.
func describeChoice(e *explain.Explanation) string {
	c := e.Choice
	switch {
	case e.Node == "":
		return ""
	case c == nil:
		return e.Node + " is the only node feasible, so nothing was scored"
	case c.Ties > 1:
		how := map[string]string{"random": "one of them is drawn", "first": "the first by name is taken"}[c.TieBreak]
		return fmt.Sprintf("%s have the highest total, %d; %s", human.Counted(c.Ties, "node"), c.Winner.Total, cmp.Or(how, "one is taken as kube-scheduler does"))
	}
	return fmt.Sprintf("%s has the highest total, %d", e.Node, c.Winner.Total)
}

// describeOtherNode describes why the node that the other run took was not selected.
func (p *Divergence) describeOtherNode(s int) string {
	if node := p.Lacking[s]; node != "" {
		return "there is no node " + node
	}
	e := p.Explained[s]
	if e == nil || e.NodeDetail == nil || e.NodeDetail.Score != nil {
		return ""
	}
	n := e.NodeDetail
	switch {
	case p.Attempts[1-s].Node == "":
		return "" // both find no node, and one of them frees this one
	case n.Note != "":
		return n.Node + ": " + n.Note
	}
	for _, f := range n.Filters {
		if len(f.Reasons) > 0 {
			return fmt.Sprintf("%s is rejected by %s: %s", n.Node, f.Plugin, strings.Join(f.Reasons, ", "))
		}
	}
	if e.Choice != nil {
		return n.Node + " would do, but the search ended before it"
	}
	return n.Node + " passes all filters"
}

// scoresSection has a table for each run.
func (d *Diff) scoresSection() table.Section {
	c := table.Section{Title: "Scores"}
	if d.Divergence == nil {
		return c
	}
	for s := range runNames {
		rows := d.Divergence.ScoreRows(s)
		if len(rows) == 0 {
			continue
		}
		t := newTable(nil, runNames[s])
		for _, r := range rows {
			t.Head = append(t.Head, r.Node)
		}
		if len(rows) == 2 {
			t.Head = append(t.Head, "lead")
		}
		line := func(name string, of func(r *explain.Row) int64) {
			cells := []string{name}
			for i := range rows {
				cells = append(cells, strconv.FormatInt(of(&rows[i]), 10))
			}
			if len(rows) == 2 {
				cells = append(cells, fmt.Sprintf("%+d", of(&rows[0])-of(&rows[1])))
			}
			t.Rows = append(t.Rows, cells)
		}
		for i, plugin := range d.Divergence.Explained[s].Choice.Plugins {
			line(plugin, func(r *explain.Row) int64 { return r.Scores[i] })
		}
		line("total", func(r *explain.Row) int64 { return r.Total })
		c.Tables = append(c.Tables, t)
	}
	return c
}
