package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/reports/chart"
)

// figure is a chart with all that belongs to it.
type figure struct {
	name  string // of files, and of the element on the page
	title string
	note  string // what is shown, and how to read it
	chart chart.Chart
	kind  string // of its values, for the script: share, count, rate, cdf; empty: no hover
	whole bool   // it is as wide as the page
	table reports.Table
}

// times is how many rows the table of a figure over time has.
const times = 24

// line is one curve of a figure over time.
type line struct {
	name string
	x, y []float64
}

// overTime makes a figure of lines over virtual time.
func (r *Report) overTime(name, title, note, kind string, lines []line) figure {
	f := figure{name: name, title: title, note: note, kind: kind}
	f.chart = chart.Chart{Title: title, X: r.clockAxis(), Y: chart.Axis{Scale: chart.Count}}
	if kind == "share" {
		f.chart.Y.Scale = chart.Share
	}
	for i, l := range lines {
		x, y := chart.Thin(l.x, l.y, 150)
		f.chart.Marks = append(f.chart.Marks, chart.Mark{Name: l.name, Kind: chart.Line, Ink: chart.SeriesInk(i), X: x, Y: y})
	}
	f.table = r.timeTable(lines, kind)
	return f
}

// stacked makes a figure of areas on top of each other; all have the same edges.
func (r *Report) stacked(name, title, note string, edges []float64, rows []line) figure {
	f := figure{name: name, title: title, note: note, kind: "count"}
	f.chart = chart.Chart{Title: title, X: r.clockAxis(), Y: chart.Axis{Scale: chart.Count}}
	var values [][]float64
	for _, row := range rows {
		values = append(values, row.y)
	}
	bases, tops := chart.Stack(values)
	for i, row := range rows {
		x, top := chart.Steps(edges, tops[i])
		_, base := chart.Steps(edges, bases[i])
		f.chart.Marks = append(f.chart.Marks, chart.Mark{Name: row.name, Kind: chart.Area, Ink: chart.SeriesInk(i), X: x, Y: top, Base: base})
	}
	f.table = r.timeTable(rows, "count")
	return f
}

// clockAxis reaches from the start of the runs to the end of the longest.
func (r *Report) clockAxis() chart.Axis {
	end := 0.0
	for _, run := range r.runs {
		end = max(end, run.Seconds)
	}
	if end == 0 {
		end = 1
	}
	return chart.Axis{Scale: chart.Clock, Min: 0, Max: end}
}

// timeTable has a row for some of the instants, and for the last one.
func (r *Report) timeTable(lines []line, kind string) reports.Table {
	t := reports.Table{Head: []string{"time"}}
	for _, l := range lines {
		t.Head = append(t.Head, l.name)
	}
	axis := r.clockAxis()
	if len(lines) == 0 {
		return t
	}
	for i := range times {
		at := axis.Max * float64(i+1) / times
		row := []string{reports.HumanSeconds(at)}
		for _, l := range lines {
			row = append(row, worded(kind, valueAt(l.x, l.y, at)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// valueAt is the value of a line as of an instant; NaN before the first and after the
// last.
func valueAt(x, y []float64, at float64) float64 {
	i, exact := slices.BinarySearch(x, at)
	if !exact {
		i--
	}
	if i < 0 || i >= len(y) {
		return math.NaN()
	}
	return y[i]
}

// worded words a value of a figure.
func worded(kind string, v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case kind == "share":
		return fmt.Sprintf("%.1f %%", 100*v)
	case v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// column is a column of the time series of a run.
func (r *run) column(metric, label string) (line, bool) {
	seconds, columns := r.Ledger.Series()
	for _, c := range columns {
		if c.Metric.Name == metric && c.Label == label {
			return line{r.label, seconds, c.Values}, true
		}
	}
	return line{}, false
}

// labelled are the columns of a metric for each resource that is requested.
func (r *run) labelled(metric string) []line {
	var out []line
	seconds, columns := r.Ledger.Series()
	for _, c := range columns {
		if c.Metric.Name == metric && r.Summary.Requested(c.Label) {
			out = append(out, line{c.Label, seconds, c.Values})
		}
	}
	return out
}

// byResource makes one figure with a line for each resource, or, of several runs, one
// figure for each resource with a line for each run.
func (r *Report) byResource(name, title, note, metric string) []figure {
	if len(r.runs) == 1 {
		if lines := r.runs[0].labelled(metric); len(lines) > 0 {
			return []figure{r.overTime(name, title, note, "share", lines)}
		}
		return nil
	}
	var out []figure
	var resources []string
	for _, run := range r.runs {
		for _, l := range run.labelled(metric) {
			if !slices.Contains(resources, l.name) {
				resources = append(resources, l.name)
			}
		}
	}
	for _, resource := range resources {
		var lines []line
		for _, run := range r.runs {
			if l, ok := run.column(metric, resource); ok {
				lines = append(lines, l)
			}
		}
		out = append(out, r.overTime(name+"-"+fileName(resource), title+": "+resource, note, "share", lines))
	}
	return out
}

// fileName makes a text fit for the name of a file or an element.
func fileName(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' {
			return c
		}
		return '-'
	}, strings.ToLower(text))
}

// single makes a figure of a metric without label: one line for each run.
func (r *Report) single(name, title, note, metric string) []figure {
	var lines []line
	for _, run := range r.runs {
		if l, ok := run.column(metric, ""); ok {
			if len(r.runs) == 1 {
				l.name = strings.ToLower(title)
			}
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return []figure{r.overTime(name, title, note, "count", lines)}
}

// timeFigures are the figures over time: all together, or of several runs those that
// belong side by side in one group.
func (r *Report) timeFigures() [][]figure {
	used := r.byResource("utilisation", "Utilisation", "Requested of allocatable, over all nodes.", "utilisation.allocatedNow")
	pods := r.single("running", "Running pods", "Pods that have started and not ended.", "placement.running")
	rate := r.single("scheduled", "Pods scheduled per second", "Since the sampling instant before.", "throughput.scheduledNow")
	stranded := r.byResource("stranded", "Stranded", "Free on nodes on which no class of the workload's mix fits, of allocatable.", "fragmentation.stranded")
	unusable := r.byResource("unusable", "Free but of no use", "Fragmentation: free where a pod of the mix cannot use it, of allocatable.", "fragmentation.unusable")
	devices := r.deviceFigures()
	var queue, pending []figure
	for i, run := range r.runs {
		queue, pending = append(queue, r.queueFigure(i, run)), append(pending, r.pendingFigure(i, run))
	}
	r.alike(queue)
	r.alike(pending)
	if len(r.runs) == 1 {
		return [][]figure{slices.Concat(used, pods, queue, pending, stranded, unusable, devices, rate)}
	}
	return [][]figure{used, slices.Concat(pods, rate), queue, pending, stranded, unusable, devices}
}

func (r *Report) pendingFigure(i int, run *run) figure {
	var rows []line
	edges := run.pending.edges()
	for _, reason := range run.pending.most(6) {
		rows = append(rows, line{reason.label, edges[:len(edges)-1], reason.means})
	}
	name, title := r.perRun("pending", "Pending by reason", i)
	note := "Pods without a node by the main reason of the last attempt, that of the most nodes; means over spans of " +
		reports.HumanSeconds(run.Seconds/float64(run.pending.count)) + "."
	return r.stacked(name, title, note, edges, rows)
}

// perRun names a figure of one run.
func (r *Report) perRun(name, title string, i int) (string, string) {
	if len(r.runs) == 1 {
		return name, title
	}
	return fmt.Sprintf("%s-%d", name, i+1), title + ": " + r.runs[i].label
}

// alike gives figures of the same thing in several runs the same scale, and what has the
// same name in them the same ink.
func (r *Report) alike(figures []figure) {
	inks := map[string]chart.Ink{}
	for _, f := range figures {
		for i := range f.chart.Marks {
			m := &f.chart.Marks[i]
			if _, known := inks[m.Name]; !known {
				inks[m.Name] = chart.SeriesInk(len(inks))
			}
			m.Ink = inks[m.Name]
		}
	}
	top := 0.0
	for _, f := range figures {
		for _, m := range f.chart.Marks {
			for _, v := range m.Y {
				top = max(top, v)
			}
		}
	}
	for i := range figures {
		if len(figures) > 1 && top > 0 {
			figures[i].chart.Y.Max = chart.NiceTop(top)
		}
	}
}

func (r *Report) queueFigure(i int, run *run) figure {
	seconds, columns := run.Ledger.Series()
	edges := append([]float64{0}, seconds...)
	var rows []line
	for _, c := range columns {
		if c.Metric.Name == "throughput.queue" && slices.ContainsFunc(c.Values, func(v float64) bool { return v > 0 }) {
			rows = append(rows, line{c.Label, seconds, c.Values})
		}
	}
	edges, rows = coarser(edges, rows, run.limits.columns)
	name, title := r.perRun("queue", "Queue by part", i)
	return r.stacked(name, title, "Pods in each part of the scheduling queue, and waiting in Permit, at the sampling instants; of several in one span the highest.", edges, rows)
}

// coarser joins spans until there are few enough; of the values in one, the highest
// stays.
func coarser(edges []float64, rows []line, most int) ([]float64, []line) {
	spans := len(edges) - 1
	by := (spans + most - 1) / most
	if by <= 1 {
		return edges, rows
	}
	var few []float64
	for i := 0; i < spans; i += by {
		few = append(few, edges[i])
	}
	few = append(few, edges[spans])
	for k := range rows {
		var y []float64
		for i := 0; i < spans; i += by {
			y = append(y, slices.Max(rows[k].y[i:min(i+by, spans)]))
		}
		rows[k].x, rows[k].y = few[1:], y
	}
	return few, rows
}

// latencyFigures are the distributions of how long pods waited.
func (r *Report) latencyFigures() []figure {
	var out []figure
	for _, w := range []struct {
		wait                   reports.Wait
		name, title, from, end string
	}{
		{reports.WaitToBind, "wait-to-bind", "Wait to bind", "arrival", "binding"},
		{reports.WaitToRun, "wait-to-run", "Wait to run", "arrival", "start"},
	} {
		note := fmt.Sprintf("Share of the pods whose time from %s to %s was at most so long; pods still pending are not in it.", w.from, w.end)
		f := figure{name: w.name, title: w.title, note: note, kind: "cdf"}
		f.chart = chart.Chart{Title: w.title, X: chart.Axis{Scale: chart.LogTime}, Y: chart.Axis{Scale: chart.Share, Max: 1}}
		f.table.Head = []string{"share of pods"}
		var curves []reports.Curve
		for _, run := range r.runs {
			for _, c := range run.Ledger.Curves(w.wait) {
				if len(r.runs) > 1 && c.Scope == reports.ScopeRun {
					c.Name = run.label
					curves = append(curves, c)
				}
				if len(r.runs) == 1 && c.Scope != reports.ScopePriority && len(curves) < maxCurves {
					if c.Scope == reports.ScopeRun {
						c.Name = "all pods"
					}
					curves = append(curves, c)
				}
			}
		}
		if len(r.runs) == 1 && len(curves) == 2 {
			curves = curves[:1] // one workload, the same again
		}
		for i, c := range curves {
			x, y := rising(c.Seconds, c.Shares)
			f.chart.Marks = append(f.chart.Marks, chart.Mark{Name: c.Name, Kind: chart.Line, Ink: chart.SeriesInk(i), X: x, Y: y})
			f.table.Head = append(f.table.Head, c.Name)
		}
		for _, share := range []float64{0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1} {
			row := []string{fmt.Sprintf("%g %%", math.Round(1000*share)/10)}
			for _, c := range curves {
				row = append(row, reports.HumanSeconds(valueAt(c.Shares, c.Seconds, share)))
			}
			f.table.Rows = append(f.table.Rows, row)
		}
		if len(curves) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// rising turns a distribution into points that draw steps: at each value the share rises.
func rising(seconds, shares []float64) (x, y []float64) {
	from := 0.0
	for i, s := range seconds {
		if i+1 < len(seconds) && seconds[i+1] == s {
			continue // the next one rises there too
		}
		x, y = append(x, s, s), append(y, from, shares[i])
		from = shares[i]
	}
	return x, y
}

// maxCurves is how many distributions one figure shows.
const maxCurves = 6
