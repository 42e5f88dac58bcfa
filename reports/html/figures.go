package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/table"
)

// figure is a chart, its texts, and the table of its values.
type figure struct {
	name        string // of files, and of the element on the page
	title       string
	note        string // what is shown, and how to read it
	chart       chart.Chart
	kind        string      // of its values, for the script: share, count, rate, cdf; empty: no hover
	whole       bool        // as wide as the page
	aggregation aggregation // of the values in one row of its table
	table       table.Table
	none        string            // shown in place of the chart if it is empty
	links       map[string]string // elements that names of the legend lead to
}

// overTime returns the figure with lines over virtual time. Lines of several runs differ in their dashes
// too.
func (r *Report) overTime(f figure, lines []line) figure {
	f.chart = chart.Chart{Title: f.title, X: r.clockAxis(), Y: f.yAxis()}
	for i, l := range lines {
		m := chart.Mark{Name: l.name, Kind: chart.Line, Ink: chart.SeriesInk(i)}
		if l.to != nil {
			m.X, m.Y = chart.Steps(append(slices.Clip(l.x), l.to[len(l.to)-1]), l.y)
		} else {
			m.X, m.Y = chart.Thin(l.x, l.y, 150)
		}
		if len(r.runs) > 1 {
			m.Dash = chart.Dash(i)
		}
		f.chart.Marks = append(f.chart.Marks, m)
	}
	f.table = r.timeTable(lines, f.kind, f.aggregation)
	return f
}

// yAxis returns the axis of the values of a figure over time.
func (f *figure) yAxis() chart.Axis {
	if f.kind == "share" {
		return chart.Axis{Scale: chart.Share}
	}
	return chart.Axis{Scale: chart.Count}
}

// stacked returns the figure with areas on top of each other; all have the same edges.
func (r *Report) stacked(f figure, edges []float64, rows []line) figure {
	f.chart = chart.Chart{Title: f.title, X: r.clockAxis(), Y: f.yAxis()}
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
	f.table = r.timeTable(rows, f.kind, f.aggregation)
	return f
}

// clockAxis returns the axis of time, from the start of the runs to the end of the longest.
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

// column returns a column of the time series of a run, and whether there is one.
func (r *run) column(metric, label string) (line, bool) {
	seconds, columns := r.Ledger.Series()
	for _, c := range columns {
		if c.Metric.Name == metric && c.Label == label {
			return line{name: r.label, x: seconds, y: c.Values}, true
		}
	}
	return line{}, false
}

// labeled returns the columns of a metric for each resource that is requested.
func (r *run) labeled(metric string) []line {
	var out []line
	seconds, columns := r.Ledger.Series()
	for _, c := range columns {
		if c.Metric.Name == metric && r.Summary.Requested(c.Label) {
			out = append(out, line{name: c.Label, x: seconds, y: c.Values})
		}
	}
	return out
}

// byResource returns one figure with a line for each resource. For several runs it returns one
// figure for each resource, with a line for each run.
func (r *Report) byResource(name, title, note, metric string) []figure {
	if len(r.runs) == 1 {
		if lines := r.runs[0].labeled(metric); len(lines) > 0 {
			return []figure{r.overTime(figure{name: name, title: title, note: note, kind: "share"}, lines)}
		}
		return nil
	}
	var out []figure
	var resources []string
	for _, run := range r.runs {
		for _, l := range run.labeled(metric) {
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
		f := figure{name: name + "-" + fileName(resource), title: title + ": " + resource, note: note, kind: "share"}
		out = append(out, r.overTime(f, lines))
	}
	return out
}

// fileName replaces what the name of a file or an element cannot have.
func fileName(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' {
			return c
		}
		return '-'
	}, strings.ToLower(text))
}

// single returns a figure of a metric without label, or none if no run has it.
func (r *Report) single(f figure, metric string) []figure {
	var lines []line
	for _, run := range r.runs {
		if l, ok := run.column(metric, ""); ok {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return []figure{r.perRunLine(f, lines)}
}

// perRunLine returns the figure with one line for each run.
func (r *Report) perRunLine(f figure, lines []line) figure {
	if len(r.runs) == 1 {
		lines[0].name = strings.ToLower(f.title)
	}
	f.kind = "count"
	return r.overTime(f, lines)
}

// timeFigures returns the figures over time, in groups that the page shows side by side.
func (r *Report) timeFigures() [][]figure {
	used := r.byResource("utilization", "Utilization", "Requested of allocatable, over all nodes.", "utilization.allocatedNow")
	pods := r.single(figure{name: "running", title: "Running pods", note: "Pods that have started and not ended."}, "placement.running")
	rate := r.single(figure{name: "scheduled", title: "Pods scheduled per second", note: "Since the sampling instant before.", aggregation: highest}, "throughput.scheduledNow")
	peaks := r.peakFigure()
	stranded := r.byResource("stranded", "Stranded", "Free on nodes on which no class of the workload's mix fits, of allocatable.", "fragmentation.stranded")
	unusable := r.byResource("unusable", "Free but unusable", "Fragmentation: free where a pod of the mix cannot use it, of allocatable.", "fragmentation.unusable")
	devices := r.deviceFigures()
	var queue, pending []figure
	for i, run := range r.runs {
		queue, pending = append(queue, r.queueFigure(i, run)), append(pending, r.pendingFigure(i, run))
	}
	r.matchScales(queue)
	r.matchScales(pending)
	if len(r.runs) == 1 {
		return [][]figure{slices.Concat(used, pods, []figure{peaks}, pending, queue, rate, stranded, unusable, devices)}
	}
	return [][]figure{used, slices.Concat(pods, rate, []figure{peaks}), queue, pending, stranded, unusable, devices}
}

// spanLine returns a line of values over spans.
func spanLine(name string, edges, values []float64) line {
	return line{name: name, x: edges[:len(edges)-1], y: values, to: edges[1:]}
}

// spans says how long each of the spans of a run is.
func (run *run) spans(count int) string { return "spans of " + shortTime(run.Seconds/float64(count)) }

func (r *Report) pendingFigure(i int, run *run) figure {
	var rows []line
	edges := run.pending.edges()
	for _, reason := range run.pending.most(6) {
		rows = append(rows, spanLine(reason.label, edges, reason.means))
	}
	name, title := r.perRun("pending", "Pending by reason", i)
	note := "Pods without a node by the main reason of the last attempt, that of the most nodes; means over " + run.spans(run.pending.count) + "."
	f := r.stacked(figure{name: name, title: title, note: note, kind: "count", aggregation: mean, links: run.reasonLinks(i)}, edges, rows)
	if last := len(rows) - 1; last >= 0 && rows[last].name == others && slices.Max(rows[last].y) <= visible*run.pending.highest() {
		f.chart.Marks = f.chart.Marks[:last] // it is in the table
	}
	return f
}

// peakFigure shows the most pods that were pending at one time, which sampling instants and means miss.
func (r *Report) peakFigure() figure {
	var lines []line
	var spans []string
	for _, run := range r.runs {
		lines = append(lines, spanLine(run.label, run.pending.edges(), run.pending.peaks))
		if s := run.spans(run.pending.count); !slices.Contains(spans, s) {
			spans = append(spans, s)
		}
	}
	note := "The most pods without a node at any one time, however short, in " + strings.Join(spans, " and ") + "."
	return r.perRunLine(figure{name: "pending-most", title: "Most pending pods", note: note, aggregation: highest}, lines)
}

// perRun returns name and title of a figure of one run.
func (r *Report) perRun(name, title string, i int) (string, string) {
	if len(r.runs) == 1 {
		return name, title
	}
	return fmt.Sprintf("%s-%d", name, i+1), title + ": " + r.runs[i].label
}

// matchScales gives figures of several runs the same scale, and marks of the
// same name the same ink.
func (r *Report) matchScales(figures []figure) {
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
			rows = append(rows, line{name: c.Label, x: seconds, y: c.Values})
		}
	}
	edges, rows = coarser(edges, rows, run.limits.columns)
	name, title := r.perRun("queue", "Queue by part", i)
	return r.stacked(figure{
		name: name, title: title, kind: "count", aggregation: highest, none: "It was empty at each sampling instant.",
		note: "Pods in each part of the scheduling queue, and waiting in Permit, at the sampling instants; of several in one span the highest. Between them there may be more.",
	}, edges, rows)
}

// coarser joins spans until there are few enough. The value of a joined span is the highest of its
// values.
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

// latencyFigures returns the distributions of how long pods waited.
func (r *Report) latencyFigures() []figure {
	var out []figure
	for _, w := range []struct {
		wait                   metric.Wait
		name, title, from, end string
	}{
		{metric.WaitToBind, "wait-to-bind", "Wait to bind", "arrival", "binding"},
		{metric.WaitToRun, "wait-to-run", "Wait to run", "arrival", "start"},
	} {
		note := fmt.Sprintf("Share of the pods whose time from %s to %s was at most so long; pods still pending are not in it.", w.from, w.end)
		f := figure{name: w.name, title: w.title, note: note, kind: "cdf"}
		f.chart = chart.Chart{Title: w.title, X: chart.Axis{Scale: chart.LogTime}, Y: chart.Axis{Scale: chart.Share, Max: 1}}
		f.table.Head = []string{"share of pods"}
		var curves []metric.Curve
		for _, run := range r.runs {
			for _, c := range run.Ledger.Curves(w.wait) {
				if len(r.runs) > 1 && c.Scope == metric.ScopeRun {
					c.Name = run.label
					curves = append(curves, c)
				}
				if len(r.runs) == 1 && c.Scope != metric.ScopePriority && len(curves) < maxCurves {
					if c.Scope == metric.ScopeRun {
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
				row = append(row, human.Seconds(valueAt(c.Shares, c.Seconds, share)))
			}
			f.table.Rows = append(f.table.Rows, row)
		}
		if len(curves) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// rising returns the points of a step line of a distribution: at each value the share rises.
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

// maxCurves is the most distributions that one figure shows.
const maxCurves = 6
