package fleetplan

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Schema names the form of a plan's JSON.
const Schema = "berth/plan/v1"

// Render writes the plan in the view's format.
func (p *Plan) Render(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{
		Table:    func(width int) (string, error) { return p.text(width, view.All) },
		Markdown: func() string { return p.markdown(view.All) },
		JSON:     func() any { return p.object() },
		CSV:      p.csv,
	})
}

func (p *Plan) head() string {
	ranges := make([]string, len(p.Pools))
	for i, pool := range p.Pools {
		ranges[i] = fmt.Sprintf("%d to %d of %s", pool.Low, pool.High, pool.Name)
	}
	title := p.Scenario
	if p.Partial {
		title += " (partial)"
	}
	text := fmt.Sprintf("%s: %s", title, human.List(ranges))
	if p.Policy != "" {
		text += ", policy " + p.Policy
	}
	return text + ", with " + human.Counted(len(p.Seeds), "seed") + " each"
}

// line is the goal as it is told; text stands between two of the marks.
func (g Goal) line(mark string) string {
	text := "goal: "
	if g.Name != "" {
		text = "goal " + g.Name + ": "
	}
	text += mark + g.Text + mark
	if g.Quantile != 0 {
		text += fmt.Sprintf(", in %d %% of the seeds", g.Quantile)
	}
	if g.Why != "" {
		text += " (" + g.Why + ")"
	}
	return text
}

func (p *Plan) text(width int, all bool) (string, error) {
	var b strings.Builder
	b.WriteString(table.Paragraph(p.head(), width))
	for _, g := range p.Goals {
		b.WriteString(table.Paragraph(g.line(""), width))
	}
	for _, line := range p.Answer() {
		b.WriteString("\n" + table.Paragraph(line, width))
	}
	fleets := table.Section{Title: p.title(all), Tables: []table.Table{p.table(all)}}
	text, err := fleets.Text(width)
	if err != nil {
		return "", err
	}
	b.WriteString(text + "\n" + table.Paragraph(p.method(), width))
	return b.String(), nil
}

func (p *Plan) markdown(all bool) string {
	var b strings.Builder
	b.WriteString("# " + p.head() + "\n\n")
	for i, g := range p.Goals {
		line := g.line("`")
		b.WriteString(strings.Repeat("\n", min(i, 1)) + strings.ToUpper(line[:1]) + line[1:] + "\n")
	}
	for _, line := range p.Answer() {
		b.WriteString("\n" + line + "\n")
	}
	title := p.title(all)
	b.WriteString("\n## " + strings.ToUpper(title[:1]) + title[1:] + "\n\n" + p.table(all).Markdown() + "\n" + p.method() + "\n")
	return b.String()
}

// shownProbes are those of the table: all of one pool; of several the frontier, unless all
// are wanted.
func (p *Plan) shownProbes(all bool) []int {
	var out []int
	for i := range p.Probes {
		if len(p.Pools) == 1 || all || len(p.Frontier) == 0 || slices.Contains(p.Frontier, i) {
			out = append(out, i)
		}
	}
	return out
}

func (p *Plan) title(all bool) string {
	if len(p.Pools) > 1 && !all && len(p.Frontier) > 0 {
		return "the frontier, as far as it is known"
	}
	return "fleets tried"
}

// table has a row for each fleet.
func (p *Plan) table(all bool) table.Table {
	var names []string
	for _, pool := range p.Pools {
		names = append(names, pool.Name)
	}
	t := table.Table{KeepTitles: true, Head: []string{strings.Join(names, " + "), "goal"}}
	if p.Priced {
		t.Head = append(t.Head, "an hour")
	} else if len(p.Pools) > 1 {
		t.Head = append(t.Head, "nodes")
	}
	t.Head = append(t.Head, "seeds")
	for _, v := range p.Probes[0].Values {
		t.Head = append(t.Head, v.Column())
	}
	for _, i := range p.shownProbes(all) {
		probe := &p.Probes[i]
		verdict := "fails"
		switch {
		case i == p.Best:
			verdict = "best"
		case probe.Holds:
			verdict = "holds"
		}
		var sizes []string
		for _, n := range probe.Counts {
			sizes = append(sizes, human.Whole(n))
		}
		row := []string{strings.Join(sizes, " + "), verdict}
		if p.Priced {
			row = append(row, human.Number(probe.Cost, 2))
		} else if len(p.Pools) > 1 {
			row = append(row, human.Number(probe.Cost, 0))
		}
		row = append(row, fmt.Sprintf("%d of %d", probe.Held, len(p.Seeds)))
		for _, v := range probe.Values {
			row = append(row, v.Text(v.Value))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// method says what the answer rests on.
func (p *Plan) method() string {
	text := fmt.Sprintf("A fleet holds the goal when it does in %d %% of the seeds", p.Quantile)
	if slices.ContainsFunc(p.Goals, func(g Goal) bool { return g.Quantile != 0 }) {
		text += ", or in as many as it says"
	}
	text += "; figures are means over the seeds. "
	runs := fmt.Sprintf("%s of %s. ", human.Counted(float64(len(p.Probes)*len(p.Seeds)), "run"), human.Counted(len(p.Probes), "fleet"))
	if n := p.stoppedEarly(); n > 0 {
		runs += fmt.Sprintf("%s of them ended early, when the goal could not be met any more; their figures are as of then. ", human.Whole(n))
	}
	rest := "The search assumes that more nodes do not break the goal"
	switch {
	case len(p.Contradictions)+len(p.Broken) > 0:
		rest += ", except as stated above."
	case p.confirmed():
		rest += "; what was tried confirms this."
	case p.Reached():
		rest += "."
	default:
		rest += "; if they do, a fleet between those that were tried may hold it."
	}
	return text + runs + rest
}

// stoppedEarly counts the runs that ended early.
func (p *Plan) stoppedEarly() int {
	n := 0
	for i := range p.Probes {
		n += p.Probes[i].StoppedEarly
	}
	return n
}

type planObject struct {
	Schema         string              `json:"schema"`
	Scenario       string              `json:"scenario"`
	Policy         string              `json:"policy"`
	Goal           string              `json:"goal"`
	Goals          []planGoalObject    `json:"goals"`
	Seeds          []uint64            `json:"seeds"`
	Quantile       int                 `json:"quantile"`
	Partial        bool                `json:"partial"`
	Reached        bool                `json:"reached"`
	Answer         []string            `json:"answer"`
	Pools          []planPoolObject    `json:"pools"`
	CostUnit       string              `json:"costUnit"` // "price/h" or "nodes"
	Best           map[string]int      `json:"best"`     // nodes by pool; null: none
	Exact          bool                `json:"exact"`
	Bound          *float64            `json:"bound,omitempty"`
	Broken         []string            `json:"broken"`
	Contradictions []planContradictory `json:"contradictions"`
	Probes         []planProbeObject   `json:"probes"`
}

type planGoalObject struct {
	Name     string `json:"name,omitempty"`
	Goal     string `json:"goal"`
	Why      string `json:"why,omitempty"`
	Quantile int    `json:"quantile"`
}

type planPoolObject struct {
	Pool         string  `json:"pool"`
	Low          int     `json:"low"`
	High         int     `json:"high"`
	PricePerHour float64 `json:"pricePerHour"`
}

type planContradictory struct {
	Seed  *uint64        `json:"seed"` // null: over all seeds
	Fewer map[string]int `json:"fewer"`
	More  map[string]int `json:"more"`
}

type planProbeObject struct {
	Nodes        map[string]int           `json:"nodes"`
	Cost         float64                  `json:"cost"`
	Holds        bool                     `json:"holds"`
	Seeds        int                      `json:"seeds"`        // in which the goal holds
	StoppedEarly int                      `json:"stoppedEarly"` // seeds whose runs ended early
	Frontier     bool                     `json:"frontier"`
	Metrics      map[string]output.Number `json:"metrics"`
	Failing      []planTermObject         `json:"failing"`
	Pending      []planReasonObject       `json:"pending"`
}

type planTermObject struct {
	Term  string `json:"term"`
	Why   string `json:"why"`
	Seeds int    `json:"seeds"`
}

type planReasonObject struct {
	Reason string        `json:"reason"`
	Pods   output.Number `json:"pods"`
}

// nodes are counts by the name of the pool.
func (p *Plan) nodes(counts []int) map[string]int {
	out := map[string]int{}
	for i, n := range counts {
		out[p.Pools[i].Name] = n
	}
	return out
}

func (p *Plan) costUnit() string {
	if p.Priced {
		return "price/h"
	}
	return "nodes"
}

func (p *Plan) object() planObject {
	out := planObject{
		Schema: Schema, Scenario: p.Scenario, Policy: p.Policy, Goal: p.Goal, Seeds: p.Seeds, Quantile: p.Quantile,
		Partial: p.Partial, Reached: p.Reached(), Answer: p.Answer(), CostUnit: p.costUnit(), Exact: p.Exact,
		Broken: []string{}, Contradictions: []planContradictory{}, Probes: []planProbeObject{},
	}
	for _, g := range p.Goals {
		out.Goals = append(out.Goals, planGoalObject{g.Name, g.Text, g.Why, cmp.Or(g.Quantile, p.Quantile)})
	}
	for _, b := range p.Broken {
		out.Broken = append(out.Broken, b.Text)
	}
	for _, pool := range p.Pools {
		out.Pools = append(out.Pools, planPoolObject{pool.Name, pool.Low, pool.High, pool.PricePerHour})
	}
	if p.Best >= 0 {
		out.Best = p.nodes(p.Probes[p.Best].Counts)
	}
	if len(p.Pools) > 1 && !p.Exact && !p.Contradicted() {
		out.Bound = &p.Bound
	}
	for _, c := range p.Contradictions {
		object := planContradictory{Fewer: p.nodes(c.Fewer), More: p.nodes(c.More)}
		if !c.All {
			object.Seed = &c.Seed
		}
		out.Contradictions = append(out.Contradictions, object)
	}
	for i := range p.Probes {
		out.Probes = append(out.Probes, p.probeObject(i))
	}
	return out
}

func (p *Plan) probeObject(i int) planProbeObject {
	probe := &p.Probes[i]
	out := planProbeObject{
		Nodes: p.nodes(probe.Counts), Cost: probe.Cost, Holds: probe.Holds, Seeds: probe.Held, StoppedEarly: probe.StoppedEarly,
		Frontier: slices.Contains(p.Frontier, i), Metrics: map[string]output.Number{},
		Failing: []planTermObject{}, Pending: []planReasonObject{},
	}
	for _, v := range probe.Values {
		out.Metrics[v.Key.String()] = output.Number(v.Value)
	}
	for _, t := range probe.Failing {
		out.Failing = append(out.Failing, planTermObject{t.Text, t.Why, t.Seeds})
	}
	for _, r := range probe.Reasons {
		out.Pending = append(out.Pending, planReasonObject{r.Reason, output.Number(r.Pods)})
	}
	return out
}

// csv has a row for each fleet.
func (p *Plan) csv() [][]string {
	head := []string{}
	for _, pool := range p.Pools {
		head = append(head, pool.Name)
	}
	head = append(head, "cost", "holds", "seeds", "stoppedEarly", "frontier", "best")
	for _, v := range p.Probes[0].Values {
		head = append(head, v.Key.String())
	}
	rows := [][]string{head}
	for i := range p.Probes {
		probe := &p.Probes[i]
		var row []string
		for _, n := range probe.Counts {
			row = append(row, strconv.Itoa(n))
		}
		row = append(row, output.FormatNumber(probe.Cost), strconv.FormatBool(probe.Holds), strconv.Itoa(probe.Held), strconv.Itoa(probe.StoppedEarly),
			strconv.FormatBool(slices.Contains(p.Frontier, i)), strconv.FormatBool(i == p.Best))
		for _, v := range probe.Values {
			row = append(row, output.Number(v.Value).String())
		}
		rows = append(rows, row)
	}
	return rows
}
