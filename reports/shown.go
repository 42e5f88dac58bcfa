package reports

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// Text words the value for people, with its unit.
func (v Value) Text() string { return human(v.Metric.Unit, v.Label, v.Value) }

// Number is the value as JSON and CSV have it; empty where there is none.
func (v Value) Number() string {
	if math.IsNaN(v.Value) {
		return ""
	}
	return formatNumber(v.Value)
}

// Difference words the difference to another value of the same metric and label, with its
// sign; "–" where one of them is not there.
func (v Value) Difference(from Value) string {
	d := v.Value - from.Value
	switch {
	case math.IsNaN(d), v.Metric.Unit == UnitCost && (v.Value == 0) != (from.Value == 0):
		return none // one of them has no price
	case d == 0:
		return "="
	}
	return signed(d, sizeBeside(v.Metric, v.Label, d, max(v.Value, from.Value)))
}

func signed(d float64, text string) string {
	if d < 0 {
		return "−" + text
	}
	return "+" + text
}

// Requested reports whether any pod ever took some of the resource. The number of pods is no
// resource in this sense.
func (s *Summary) Requested(resource string) bool { return s.requested(resource) }

// Of is the value of a metric in a scope, which may have no value.
func (s *ScopeValues) Of(m *Metric, label string) Value { return Value{m, label, s.value(m, label)} }

// Answer is what ran and how it went: a title and two sentences.
func (s *Summary) Answer() []string { return s.answer(math.MaxInt) }

// Section is a group of tables under one heading.
type Section struct {
	Title  string
	Tables []Table
}

// Table is a table for people: the first column names the rows, the others hold numbers.
type Table struct {
	Head []string
	Rows [][]string
}

// Sections are the tables of a summary, those of the headlines or all.
func (s *Summary) Sections(all bool) []Section {
	var out []Section
	for _, section := range s.sections(all) {
		o := Section{Title: section.title}
		for _, g := range section.grids {
			o.Tables = append(o.Tables, Table{g.head, g.rows})
		}
		out = append(out, o)
	}
	return out
}

// Markdown is the table in GitHub's dialect.
func (t Table) Markdown() string { return grid{head: t.Head, rows: t.Rows}.markdown() }

// Draw is the table for a terminal of that width.
func (t Table) Draw(width int) (string, error) {
	var b strings.Builder
	for _, part := range (grid{head: t.Head, rows: t.Rows}).fit(width).split(width) {
		drawn, err := part.block()
		if err != nil {
			return "", err
		}
		b.WriteString(strings.Join(drawn.lines, "\n") + "\n")
	}
	return b.String(), nil
}

// Column is a column of the time series.
type Column struct {
	Metric *Metric
	Label  string
	Values []float64 // one for each sampling instant; NaN where there is none
}

// Series is the time series: the sampling instants in seconds, and the columns in order.
func (l *Ledger) Series() (seconds []float64, columns []Column) {
	for _, t := range l.series.times {
		seconds = append(seconds, t.Seconds())
	}
	for _, c := range l.series.ordered() {
		values := slices.Clone(c.values)
		for len(values) < len(seconds) {
			values = append(values, math.NaN())
		}
		columns = append(columns, Column{c.metric, c.label, values})
	}
	return seconds, columns
}

// Wait is a distribution of times.
type Wait int

// The distributions that are kept.
const (
	WaitToBind Wait = iota // of placement.waitToBind
	WaitToRun              // of placement.waitToRun
)

// Curve is a distribution of the pods of one scope: the seconds that each share of the
// pods does not exceed.
type Curve struct {
	Scope   Scopes
	Name    string // of the workload or priority
	Pods    int64
	Shares  []float64
	Seconds []float64
}

// Curves are the distributions of a wait that have values: that of the run, those of the
// workloads, and those of the priorities, from high to low.
func (l *Ledger) Curves(wait Wait) []Curve {
	of := func(t *totals) *distribution {
		if wait == WaitToRun {
			return &t.waitToRun
		}
		return &t.waitToBind
	}
	var out []Curve
	add := func(scope Scopes, name string, t *totals) {
		if d := of(t); d.n > 0 {
			c := Curve{Scope: scope, Name: name, Pods: d.n}
			for _, permille := range curvePoints() {
				c.Shares = append(c.Shares, float64(permille)/1000)
				c.Seconds = append(c.Seconds, d.quantile(permille)/float64(clock.Second))
			}
			out = append(out, c)
		}
	}
	add(ScopeRun, "", l.run)
	for _, w := range l.workloads {
		if w.declared {
			add(ScopeWorkload, w.name, w.totals)
		}
	}
	for _, priority := range slices.Backward(slices.Sorted(maps.Keys(l.priorities))) {
		add(ScopePriority, strconv.Itoa(int(priority)), l.priorities[priority])
	}
	return out
}

// curvePoints are the quantiles of a curve, in permille: close together at its ends.
func curvePoints() []int64 {
	points := []int64{0, 1, 2, 5}
	for p := int64(10); p < 980; p += 10 {
		points = append(points, p)
	}
	for p := int64(980); p <= 1000; p++ {
		points = append(points, p)
	}
	return points
}

// HumanSeconds words a time for people.
func HumanSeconds(v float64) string { return humanSeconds(v) }

// HumanShare words a share for people, in percent.
func HumanShare(v float64) string { return human(UnitShare, "", v) }

// HumanAmount words an amount of a resource for people.
func HumanAmount(resource string, v float64) string { return humanAmount(resource, v) }

// Counted writes a number with its thousands apart, and what is counted: "1,200 pods".
func Counted(n int64, what string) string { return counted(float64(n), what) }

// ReasonLabel is how reports name a reason: "plugin: reason".
func ReasonLabel(r record.ReasonCount) string { return reasonLabel(r) }
