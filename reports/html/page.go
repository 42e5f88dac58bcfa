package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/reports/summary"
	"github.com/berth-sim/berth/reports/table"
)

//go:embed page.tmpl style.css script/*.js
var sources embed.FS

// Mark is in the first lines of every report: a file that has it may be replaced by
// another report.
const Mark = `<meta name="generator" content="berth report">`

// page is what the template shows.
type page struct {
	Mark   template.HTML
	Style  template.CSS
	Script template.JS
	// ScriptHash lets the browser run that script and no other.
	ScriptHash   string
	Incomparable string // why the runs cannot be compared; "" if they can
	Title        string
	Several      bool
	Runs         []runView
	Tiles        []tile
	Sections     []sectionView // of one run
	Compared     []comparison  // of several
	Metrics      []metricRow
	More         int // metricRows that are not shown
	Defined      []definition
	Time         [][]figureView
	Latency      []figureView
	Gangs        []figureView
	Losses       []figureView
	Heat         []heatView
	Groupings    []string // names of those that runs have
	Nodes        []nodesView
	Resource     []string // of the heat map of any run
	Preemptions  []preemptionView
	Reasons      []reasonsView
	NodeTables   []nodeTable
	Pods         []podView
	PodSelection string // what the table of pods leaves out
}

// runView is the description of a run.
type runView struct {
	Number  int
	Label   string
	Title   string
	Answer  []string
	Partial bool
	Facts   [][2]string
	Inputs  []rundir.Input
}

// sectionView is a section of tables.
type sectionView struct {
	Title  string
	Tables []namedTable
}

// namedTable is a table with a name for screen readers.
type namedTable struct {
	Name string
	table.Table
}

func named(name string, t table.Table) namedTable { return namedTable{name, t} }

// Wide reports whether the table needs more than half of the page, estimated from its letters.
func (t namedTable) Wide() bool {
	const half, letter, gap = 522, 7.4, 12 // pixels
	width := 0.0
	for column := range t.Head {
		longest := utf8.RuneCountInString(t.Head[column])
		for _, row := range t.Rows {
			if column < len(row) {
				longest = max(longest, utf8.RuneCountInString(row[column]))
			}
		}
		width += float64(letter*float64(longest)) + gap
	}
	return width > half
}

// tile is one of the figures at the top.
type tile struct {
	Title, Key string
	Cells      []cell
}

// cell is a value of a metric.
type cell struct {
	Run    string
	Number string // as summary.json has it
	Text   string
	Change string // the difference to the first run; "" for the first
	// Verdict reports whether the difference to the first run matters.
	Verdict metric.Verdict
}

// metricRow is a value in all runs.
type metricRow struct {
	Scope, Name, Key string
	Cells            []cell
}

// comparison is a group of metrics in all runs.
type comparison struct {
	Title string
	Rows  []comparedRow
}

type comparedRow struct {
	Title, Label string
	Cells        []cell
	Differs      bool
}

// definition is what a metric means.
type definition struct{ Name, Title, Unit, Formula string }

// Write writes the page. Its errors are those of the writer.
func (r *Report) Write(w io.Writer) error {
	p, err := r.page()
	if err != nil {
		return err
	}
	t, err := template.New("page.tmpl").Funcs(template.FuncMap{"add": func(a, b int) int { return a + b }, "named": named}).ParseFS(sources, "page.tmpl")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return err
	}
	_, err = out.WriteTo(w)
	return err
}

// scriptParts are the files of the script in their order. They are one function, of which later parts use what earlier ones
// declare.
var scriptParts = []string{"page", "charts", "tables", "unpack", "links", "map", "node", "pointer", "group"}

func joinScript() ([]byte, error) {
	script := []byte("'use strict';\n(() => {\n")
	for _, name := range scriptParts {
		part, err := sources.ReadFile("script/" + name + ".js")
		if err != nil {
			return nil, err
		}
		script = append(script, part...)
	}
	return append(script, "})();\n"...), nil
}

func (r *Report) page() (*page, error) {
	style, err := sources.ReadFile("style.css")
	if err != nil {
		return nil, err
	}
	script, err := joinScript()
	if err != nil {
		return nil, err
	}
	p := &page{
		Mark: template.HTML(Mark), Style: template.CSS(style), Script: template.JS(script),
		Several: len(r.runs) > 1, Tiles: r.tiles(), Defined: definitions(),
	}
	hash := sha256.Sum256(script)
	p.ScriptHash = "sha256-" + base64.StdEncoding.EncodeToString(hash[:])
	p.Metrics, p.More = r.metricRows()
	var titles []string
	for i, run := range r.runs {
		p.Runs = append(p.Runs, run.view(i))
		if title := p.Runs[i].Title; len(titles) == 0 || titles[0] != title {
			titles = append(titles, title)
		}
	}
	p.Title = strings.Join(titles, " · ")
	if p.Several {
		p.Compared, p.Incomparable = r.compared(), r.whyIncomparable()
	} else {
		for _, s := range summary.Sections(r.runs[0].Summary, false) {
			v := sectionView{Title: s.Title}
			for _, t := range s.Tables {
				v.Tables = append(v.Tables, named(s.Title+", "+t.Head[0], t))
			}
			p.Sections = append(p.Sections, v)
		}
	}
	for _, group := range r.timeFigures() {
		p.Time = append(p.Time, figureViews(group))
	}
	p.Latency = figureViews(r.latencyFigures())
	p.Gangs, p.Losses = figureViews(r.gangFigures()), figureViews(r.lossFigures())
	p.Preemptions, p.Pods = r.preemptionViews(), r.pods()
	p.PodSelection, p.Reasons, p.NodeTables = r.podSelection(), r.reasonViews(), r.nodeTables()
	return p, r.heatViews(p)
}

func (run *run) view(i int) runView {
	m := run.Manifest
	answer := summary.Answer(run.Summary)
	v := runView{
		Number: i + 1, Label: run.label, Title: answer[0], Answer: answer[1:], Partial: m.Partial, Inputs: m.Inputs,
		Facts: [][2]string{
			{"Scenario", m.Scenario}, {"Policy", m.Policy}, {"Kubernetes", m.Kubernetes}, {"Seed", fmt.Sprint(*m.Seed)}, {"Tie-break", m.TieBreak},
			{"Horizon", describeHorizon(*m.Horizon)}, {"Ended", m.Ended}, {"Records", human.Counted(run.Records, "record")}, {"Berth", m.Version},
		},
	}
	for _, setting := range [][2]string{{"Feature gates", m.Release().Gates()}, {"Rules", m.Release().SingleRules()}} {
		if setting[1] != "" {
			v.Facts = append(v.Facts, setting)
		}
	}
	if len(m.Ignore) > 0 {
		v.Facts = append(v.Facts, [2]string{"Ignored kinds", strings.Join(m.Ignore, ", ")})
	}
	if len(m.SkipPods) > 0 {
		v.Facts = append(v.Facts, [2]string{"Skipped pods", strings.Join(m.SkipPods, ", ")})
	}
	if len(m.DropPlugins) > 0 {
		v.Facts = append(v.Facts, [2]string{"Plugins left out", strings.Join(m.DropPlugins, ", ")})
	}
	if m.SkippedLines > 0 {
		v.Facts = append(v.Facts, [2]string{"Skipped", human.Counted(m.SkippedLines, "broken line")})
	}
	return v
}

// tileValues are the figures at the top of the page: their titles, metrics and labels.
var tileValues = [][3]string{
	{"Scheduled", "placement.scheduled", ""}, {"Pending at the end", "placement.pending", ""},
	{"Wait to bind, median", "placement.waitToBind", "p50"}, {"Wait to bind, 99 %", "placement.waitToBind", "p99"},
	{"CPU allocated", "utilization.allocated", "cpu"}, {"Memory allocated", "utilization.allocated", "memory"},
	{"GPUs allocated", "utilization.allocated", "nvidia.com/gpu"},
	{"Unusable CPU", "fragmentation.unusableMean", "cpu"}, {"Unusable devices", "devices.fragmentedMean", ""}, {"Evicted", "placement.evicted", ""}, {"Cost", "utilization.cost", ""},
}

func (r *Report) tiles() []tile {
	var out []tile
	for _, want := range tileValues {
		m, label := metric.Named(want[1]), want[2]
		t := tile{Title: want[0], Key: m.Key(label)}
		t.Cells = r.cells(func(s *metric.Summary) metric.Value { return s.Scopes[0].Of(m, label) })
		for _, c := range t.Cells {
			if c.Number != "" && !(c.Number == "0" && m.Unit == metric.UnitCost) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// cells returns the same value of each run.
func (r *Report) cells(of func(s *metric.Summary) metric.Value) []cell {
	var out []cell
	first := of(r.runs[0].Summary)
	for i, run := range r.runs {
		v := of(run.Summary)
		c := cell{Run: run.label, Number: v.Number(), Text: v.Text()}
		if i > 0 {
			c.Change = v.Difference(first)
			if run.comparableTo(r.runs[0]) {
				c.Verdict = v.Differs(first)
			}
		}
		out = append(out, c)
	}
	return out
}

// scope returns the values that a summary has for the scope of other values; no values if it lacks that scope.
func scope(s *metric.Summary, other metric.ScopeValues) *metric.ScopeValues {
	for i := range s.Scopes {
		if s.Scopes[i].Scope == other.Scope && s.Scopes[i].Name == other.Name {
			return &s.Scopes[i]
		}
	}
	return &metric.ScopeValues{}
}

// valueID identifies a value among all of a summary.
type valueID struct {
	scope       metric.Scopes
	name, label string
	metric      *metric.Declaration
}

// maxMetricRows is how many values of a run are shown. Only very many workloads or pools
// have more.
const maxMetricRows = 6000

// metricRows returns all values of all runs, in the order of the first run that has them, and
// the number of rows that are not shown.
func (r *Report) metricRows() (rows []metricRow, more int) {
	known := map[valueID]bool{}
	for _, run := range r.runs {
		for _, values := range run.Summary.Scopes {
			for _, v := range values.Values {
				id := valueID{values.Scope, values.Name, v.Label, v.Metric}
				if known[id] {
					continue
				}
				known[id] = true
				if len(rows) == maxMetricRows {
					more++
					continue
				}
				rows = append(rows, metricRow{
					Scope: values.Scope.String(), Name: values.Name, Key: v.Metric.Key(v.Label),
					Cells: r.cells(func(s *metric.Summary) metric.Value { return scope(s, values).Of(v.Metric, v.Label) }),
				})
			}
		}
	}
	return rows, more
}

// compared returns the headline metrics of the runs side by side.
func (r *Report) compared() []comparison {
	var out []comparison
	known := map[valueID]bool{}
	for _, run := range r.runs {
		for _, v := range run.Summary.Scopes[0].Values {
			id := valueID{label: v.Label, metric: v.Metric}
			if known[id] || v.Metric.Headline&metric.ScopeRun == 0 || v.Metric.Label == metric.ByResource && !r.requested(v.Label) {
				continue
			}
			known[id] = true
			row := comparedRow{Title: v.Metric.Title, Label: v.Label}
			row.Cells = r.cells(func(s *metric.Summary) metric.Value { return s.Scopes[0].Of(v.Metric, v.Label) })
			if v.Metric.Rare && allZero(row.Cells) {
				continue
			}
			for _, c := range row.Cells {
				row.Differs = row.Differs || c.Number != row.Cells[0].Number
			}
			title := v.Metric.Group()
			title = strings.ToUpper(title[:1]) + title[1:]
			at := -1
			for i := range out {
				if out[i].Title == title {
					at = i
				}
			}
			if at < 0 {
				at = len(out)
				out = append(out, comparison{Title: title})
			}
			out[at].Rows = append(out[at].Rows, row)
		}
	}
	return out
}

// allZero reports whether a value is zero or missing in all runs.
func allZero(cells []cell) bool {
	for _, c := range cells {
		if c.Number != "" && c.Number != "0" {
			return false
		}
	}
	return true
}

func (r *Report) requested(resource string) bool {
	for _, run := range r.runs {
		if run.Summary.Requested(resource) {
			return true
		}
	}
	return false
}

func definitions() []definition {
	var out []definition
	for _, m := range metric.All {
		out = append(out, definition{m.Key(string(m.Label)), m.Title, string(m.Unit), m.Formula})
	}
	return out
}
