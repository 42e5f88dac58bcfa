package html

import (
	"fmt"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
)

// gangFigures returns the time lines of the slowest gangs, one figure for each run with gangs.
func (r *Report) gangFigures() []figure {
	var out []figure
	for i, run := range r.runs {
		gangs, all := run.gangs.slowest(run.limits.gangs, run.end)
		if all == 0 {
			continue
		}
		out = append(out, r.gangFigure(i, run, gangs, all))
	}
	return out
}

func (r *Report) gangFigure(i int, run *run, gangs []gang, all int) figure {
	name, title := r.perRun("gangs", "Gangs", i)
	note := "From the arrival of a gang's first pod until enough members were bound at the same time."
	if all > len(gangs) {
		note += fmt.Sprintf(" Shown are %d of %s: first chosen are those that did not become whole, then the slowest.", len(gangs), human.Counted(all, "gang"))
	}
	f := figure{name: name, title: title, note: note, whole: true}
	whole := chart.Mark{Name: "until whole", Kind: chart.Spans, Ink: chart.Series1}
	never := chart.Mark{Name: "not whole by the end", Kind: chart.Spans, Ink: chart.Series2}
	late := chart.Mark{Name: "timeout in Permit", Kind: chart.Ticks, Ink: chart.Text}
	f.chart = chart.Chart{Title: title, X: r.clockAxis(), Y: chart.Axis{Scale: chart.Rows}}
	f.table.Head = []string{"gang", "members", "needed", "first arrival", "until whole", "timeouts", "members rejected"}
	for row, g := range gangs {
		f.chart.Y.Names = append(f.chart.Y.Names, g.name)
		m, took := &never, "not whole"
		if g.whole >= 0 {
			m, took = &whole, human.Seconds(g.took(run.end).Seconds())
		}
		m.X, m.Y, m.To = append(m.X, g.first.Seconds()), append(m.Y, float64(row)), append(m.To, (g.first+g.took(run.end)).Seconds())
		for _, t := range g.timeouts {
			late.X, late.Y = append(late.X, t.Seconds()), append(late.Y, float64(row))
		}
		f.table.Rows = append(f.table.Rows, []string{
			g.name, fmt.Sprint(g.members), fmt.Sprint(g.minMember), human.Seconds(g.first.Seconds()), took,
			fmt.Sprint(len(g.timeouts)), fmt.Sprint(g.rejects),
		})
	}
	for _, m := range []chart.Mark{whole, never, late} {
		if len(m.X) > 0 {
			f.chart.Marks = append(f.chart.Marks, m)
		}
	}
	return f
}

// lossFigures shows when pods lost their nodes, one figure for each run in which any did.
func (r *Report) lossFigures() []figure {
	var out []figure
	for i, run := range r.runs {
		var rows []line
		edges := run.losses.edges()
		for _, c := range run.losses.ordered() {
			rows = append(rows, spanLine(c.label, edges, c.counts))
		}
		if len(rows) == 0 {
			continue
		}
		name, title := r.perRun("losses", "Pods that lost their node", i)
		note := "Pods evicted, or taken off a node before they were bound, in " + run.spans(run.losses.count) + "."
		out = append(out, r.stacked(figure{name: name, title: title, note: note, kind: "count", aggregation: total, whole: true}, edges, rows))
	}
	r.matchScales(out)
	return out
}

// preemptionTable returns the preemptions that lost most work.
func (run *run) preemptionTable() table.Table {
	t := table.Table{Head: []string{"time", "pod", "priority", "node", "victims", "work lost", "who"}}
	for _, p := range run.losses.shown() {
		names := ""
		for i, v := range p.victims {
			if i > 0 {
				names += ", "
			}
			names += v
		}
		if p.chosen > len(p.victims) && len(p.victims) > 0 {
			names += fmt.Sprintf(" and %d more", p.chosen-len(p.victims))
		}
		t.Rows = append(t.Rows, []string{
			human.Seconds(p.at.Seconds()), p.pod, fmt.Sprint(p.priority), run.nodeName(p.node),
			fmt.Sprint(p.chosen), human.Seconds(p.lost.Seconds()), names,
		})
	}
	return t
}
