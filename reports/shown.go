package reports

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// Text words the value for people, with its unit.
func (v Value) Text() string { return v.Metric.Unit.Text(v.Label, v.Value) }

// Number is the value as JSON and CSV have it; empty where there is none.
func (v Value) Number() string {
	return output.Number(v.Value).String()
}

// Difference words the difference to another value of the same metric and label, with its
// sign; "–" where one of them is not there.
func (v Value) Difference(from Value) string {
	d := v.Value - from.Value
	switch {
	case math.IsNaN(d), v.Metric.Unit == UnitCost && (v.Value == 0) != (from.Value == 0):
		return human.None // one of them has no price
	case d == 0:
		return "="
	}
	return human.Signed(d, sizeBeside(v.Metric, v.Label, d, max(v.Value, from.Value)))
}

// Of is the value of a metric in a scope, which may have no value.
func (s *ScopeValues) Of(m *Metric, label string) Value { return Value{m, label, s.value(m, label)} }

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

// ReasonLabel is how reports name a reason: "plugin: reason".
func ReasonLabel(r record.ReasonCount) string { return reasonLabel(r) }
