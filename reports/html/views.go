package html

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
)

// nodesView is the data of the nodes of a run.
type nodesView struct {
	Number int // of the run, from 0
	Run    string
	Data   template.HTML // base64, which HTML need not escape
}

// heatViews adds the heat maps to the page, and the data of nodes that the script shows below them.
func (r *Report) heatViews(p *page) error {
	for _, run := range r.runs {
		for _, resource := range run.heat.resources {
			if !slices.Contains(p.Resource, resource) {
				p.Resource = append(p.Resource, resource)
			}
		}
	}
	for _, resource := range p.Resource {
		for number, run := range r.runs {
			if i := slices.Index(run.heat.resources, resource); i >= 0 && len(run.heat.groups) > 0 {
				p.Heat = append(p.Heat, r.heatView(number, i))
			}
		}
	}
	for number, run := range r.runs {
		if len(run.nodes) == 0 || len(run.nodes) > maxNodes || len(run.heat.resources) == 0 {
			continue
		}
		for _, g := range run.heat.groupings() {
			p.Groupings = appendNew(p.Groupings, g.name)
		}
		data, err := run.nodeData()
		if err != nil {
			return err
		}
		p.Nodes = append(p.Nodes, nodesView{number, run.label, template.HTML(data)})
	}
	return nil
}

// preemptionView is the table of the preemptions of a run.
type preemptionView struct {
	Run   string
	Note  string
	Table table.Table
}

func (r *Report) preemptionViews() []preemptionView {
	var out []preemptionView
	for _, run := range r.runs {
		t := run.preemptionTable()
		if len(t.Rows) == 0 {
			continue
		}
		v := preemptionView{Table: t, Note: human.Counted(run.losses.attempts, "attempt") + " chose victims."}
		if int64(len(t.Rows)) < run.losses.attempts {
			v.Note += fmt.Sprintf(" Shown are the %d that cost most work.", len(t.Rows))
		}
		if len(r.runs) > 1 {
			v.Run = run.label
		}
		out = append(out, v)
	}
	return out
}
