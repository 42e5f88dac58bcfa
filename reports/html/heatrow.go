package html

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/human"
)

// rowSum is how full the nodes of a row were of one resource: integrals over each column.
type rowSum struct{ used, whole []float64 }

// sums adds up the groups of each row of a grouping, and counts their nodes.
func (h *heat) sums(g *grouping, resource int) (rows []rowSum, nodes []int) {
	rows, nodes = make([]rowSum, len(g.rows)), make([]int, len(g.rows))
	for i := range rows {
		rows[i] = rowSum{make([]float64, h.count), make([]float64, h.count)}
	}
	for i := range h.groups {
		row := &rows[g.of[i]]
		nodes[g.of[i]] += h.groups[i].nodes
		for column, used := range h.groups[i].used[resource] {
			row.used[column] += used
			row.whole[column] += h.groups[i].whole[resource][column]
		}
	}
	return rows, nodes
}

// levels returns how full the nodes of the row were in each column.
func (s *rowSum) levels() []byte {
	out := make([]byte, len(s.used))
	for i := range out {
		out[i] = level(s.used[i], s.whole[i])
	}
	return out
}

// figures returns the mean share, the highest one and the last one. They are empty for nodes that lack the resource.
func (s *rowSum) figures() [3]string {
	used, whole, high, last := 0.0, 0.0, math.Inf(-1), 0.0
	for i := range s.used {
		used, whole = used+s.used[i], whole+s.whole[i]
		if last = 0; s.whole[i] > 0 {
			last = s.used[i] / s.whole[i]
			high = max(high, last)
		}
	}
	if whole <= 0 {
		return [3]string{}
	}
	return [3]string{human.Share(used / whole), human.Share(high), human.Share(last)}
}

// heatRow is a row of a heat map.
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

// rows returns the rows of a heat map; nodes that lack the resource have none.
func (h *heat) rows(g *grouping, resource int) []heatRow {
	sums, nodes := h.sums(g, resource)
	var out []heatRow
	for i := range sums {
		figures := sums[i].figures()
		if figures[0] == "" {
			continue
		}
		out = append(out, heatRow{
			Name: g.rows[i], Nodes: human.Counted(nodes[i], "node"), Mean: figures[0], Columns: h.count, Levels: levelPaths(sums[i].levels()),
			Description: fmt.Sprintf("%s: in the mean %s, at most %s, at last %s", g.rows[i], figures[0], figures[1], figures[2]),
		})
	}
	return out
}

// levelPaths returns a path for each level but that of absent nodes.
func levelPaths(levels []byte) []heatPath {
	paths := make([]strings.Builder, levelOver+1)
	for i := 0; i < len(levels); {
		end := i + 1
		for end < len(levels) && levels[end] == levels[i] {
			end++
		}
		fmt.Fprintf(&paths[levels[i]], "M%d 0h%dv1h-%dz", i, end-i, end-i)
		i = end
	}
	var out []heatPath
	for at := range paths {
		if at != levelAbsent && paths[at].Len() > 0 {
			out = append(out, heatPath{at, template.HTMLAttr(`d="` + paths[at].String() + `"`)})
		}
	}
	return out
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

// heatView is the heat map of a resource, in the first grouping.
type heatView struct {
	Run, Resource string
	Number        int // of the run, from 0
	By            string
	Rows          []heatRow
	More          int // rows that are not shown
	Times         []string
}

func (r *Report) heatView(number, resource int) heatView {
	const parts = 4
	run := r.runs[number]
	g := run.heat.groupings()[0]
	v := heatView{
		Number: number, Resource: run.heat.resources[resource], By: g.name, Rows: run.heat.rows(&g, resource),
		Times: chart.ClockLabels(run.Seconds, parts),
	}
	if len(r.runs) > 1 {
		v.Run = run.label
	}
	if len(v.Rows) > maxHeatRows {
		v.More = len(v.Rows) - maxHeatRows
		v.Rows = v.Rows[:maxHeatRows]
	}
	return v
}
