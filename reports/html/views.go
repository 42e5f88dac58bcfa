package html

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
)

// heatView is the heat map of a resource over pools and zones.
type heatView struct {
	Run, Resource string
	Rows          []heatRow
	More          int // rows that are not shown
	Times         []string
}

// maxHeatRows is the most rows that a heat map shows.
const maxHeatRows = 60

// heatRow is the nodes of a pool in one zone.
type heatRow struct {
	Name, Nodes, Mean string
	Levels            []heatPath
	Columns           int
	Description       string // for those who do not see the map
}

// heatPath is an SVG path over all columns of one level.
type heatPath struct {
	Level int
	Path  template.HTMLAttr
}

// nodesView is the data of the nodes of a run.
type nodesView struct {
	Run  string
	Data template.HTML // base64, which HTML need not escape
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
		for _, run := range r.runs {
			if i := slices.Index(run.heat.resources, resource); i >= 0 {
				p.Heat = append(p.Heat, r.heatView(run, i))
			}
		}
	}
	for _, run := range r.runs {
		if len(run.nodes) == 0 || len(run.nodes) > maxNodes || len(run.heat.resources) == 0 {
			continue
		}
		data, err := run.nodeData()
		if err != nil {
			return err
		}
		p.Nodes = append(p.Nodes, nodesView{run.label, template.HTML(data)})
	}
	return nil
}

func (r *Report) heatView(run *run, resource int) heatView {
	v := heatView{Resource: run.heat.resources[resource]}
	if len(r.runs) > 1 {
		v.Run = run.label
	}
	for g := range run.heat.groups {
		row := run.heat.row(&run.heat.groups[g], resource)
		switch {
		case len(row.Levels) == 0: // none of its nodes has the resource
		case len(v.Rows) < maxHeatRows:
			v.Rows = append(v.Rows, row)
		default:
			v.More++
		}
	}
	const parts = 4
	v.Times = chart.ClockLabels(run.Seconds, parts)
	return v
}

func (h *heat) row(g *nodeGroup, resource int) heatRow {
	row := heatRow{Nodes: human.Counted(g.nodes, "node"), Columns: h.count, Name: poolName(g.pool, g.zone)}
	paths := make([]strings.Builder, levelOver+1)
	shares := g.shares(resource)
	used, whole, high := 0.0, 0.0, math.Inf(-1)
	for i := 0; i < len(shares); {
		end, at := i+1, level(g.used[resource][i], g.whole[resource][i])
		for end < len(shares) && level(g.used[resource][end], g.whole[resource][end]) == at {
			end++
		}
		fmt.Fprintf(&paths[at], "M%d 0h%dv1h-%dz", i, end-i, end-i)
		i = end
	}
	for i, share := range shares {
		used, whole = used+g.used[resource][i], whole+g.whole[resource][i]
		high = max(high, share)
	}
	row.Mean = "–"
	if whole > 0 {
		row.Mean = human.Share(used / whole)
		row.Description = fmt.Sprintf("%s: in the mean %s, at most %s, at last %s", row.Name, row.Mean, human.Share(high), human.Share(max(shares[len(shares)-1], 0)))
	}
	for at := range paths {
		if at != levelAbsent && paths[at].Len() > 0 {
			row.Levels = append(row.Levels, heatPath{at, template.HTMLAttr(`d="` + paths[at].String() + `"`)})
		}
	}
	return row
}

func poolName(pool, zone string) string {
	switch {
	case pool == "" && zone == "":
		return "all nodes"
	case zone == "":
		return pool
	case pool == "":
		return "zone " + zone
	}
	return pool + " / " + zone
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

// podView is one of the worst pods. The numbers are for sorting.
type podView struct {
	Run, Name, Workload, Class, Outcome, Kind, Node string
	Recreated                                       string // which of several pods of its name it is
	Priority                                        int32
	Attempts                                        int
	Wait, Lost                                      string
	WaitNumber, LostNumber                          int64
	Events                                          string // how many there are
	Story                                           []storyLine
}

func (r *Report) pods() []podView {
	var out []podView
	for _, run := range r.runs {
		for _, p := range run.worst.shown(run.end) {
			v := podView{
				Name: p.name, Class: run.describeClass(int(p.class)), Outcome: p.outcome, Kind: strings.Fields(p.outcome + " -")[0],
				Priority: run.classes[p.class].priority, Attempts: p.attempts, Node: "–",
				Wait: human.Seconds(p.waited(run.end).Seconds()), WaitNumber: int64(p.waited(run.end)),
				Lost: "–", LostNumber: int64(p.lost), Story: run.storyLines(p),
			}
			v.Kind = strings.TrimSuffix(v.Kind, ":")
			if int(p.workload) < len(run.loads) {
				v.Workload = run.loads[p.workload]
			}
			if p.node >= 0 {
				v.Node = run.nodeName(p.node)
			}
			if p.lost > 0 {
				v.Lost = human.Seconds(p.lost.Seconds())
			}
			if p.recreated > 0 {
				v.Recreated = fmt.Sprintf("no. %d of its name", p.recreated+1)
			}
			if len(r.runs) > 1 {
				v.Run = run.label
			}
			if n := len(v.Story); n > 0 {
				v.Events = human.Counted(n+p.story.omitted, "event")
			}
			out = append(out, v)
		}
	}
	return out
}

// podSelection says which pods the table has.
func (r *Report) podSelection() string {
	l := r.runs[0].limits
	of := ""
	if len(r.runs) > 1 {
		of = " of each run"
	}
	text := fmt.Sprintf("The %d pods%s that waited longest, the %d with most attempts and the %d that lost most work by an eviction",
		l.pods, of, l.pods/2, l.pods/2)
	some := false
	for _, run := range r.runs {
		w := &run.worst
		if w.unboundAll > len(w.unbound.pods) {
			return text + fmt.Sprintf("; and before them, of those that were not bound at the end, the %d%s that waited longest.", l.pods/2, of)
		}
		some = some || w.unboundAll > 0
	}
	if some {
		text += "; and before them all that were not bound at the end"
	}
	return text + "."
}
