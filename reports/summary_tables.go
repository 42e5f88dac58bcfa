package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/table"
)

// Sections are the tables of a summary, those of the headlines or all: those of the run by group of metrics, then one
// for workloads, priorities and pools each, where there is more than one of them.
func (s *Summary) Sections(all bool) []table.Chapter {
	var out []table.Chapter
	for _, group := range []string{"placement", "utilisation", "fragmentation", "devices", "throughput"} {
		if tables := s.groupTables(group, all); len(tables) > 0 {
			out = append(out, table.Chapter{Title: strings.ToUpper(group[:1]) + group[1:], Tables: tables})
		}
	}
	for _, by := range []Scopes{ScopeWorkload, ScopePriority, ScopePool} {
		if scopes := s.of(by); len(scopes) > 1 {
			out = append(out, table.Chapter{Title: "By " + by.String(), Tables: []table.Table{scopeTable(by, scopes, all)}})
		}
	}
	return out
}

// shown reports whether tables show a metric of a scope.
func (m *Metric) shown(scope Scopes, all bool) bool { return all || m.Headline&scope != 0 }

// groupTables are the tables of one group of metrics for the whole run: one of the
// metrics without label, and one for each kind of label.
func (s *Summary) groupTables(group string, all bool) []table.Table {
	var labels []LabelKind
	byLabel := map[LabelKind][]Value{}
	for _, v := range s.Scopes[0].Values {
		if v.Metric.Group() != group || !v.Metric.shown(ScopeRun, all) {
			continue
		}
		if _, seen := byLabel[v.Metric.Label]; !seen {
			labels = append(labels, v.Metric.Label)
		}
		if v.Metric.Relative && !all && s.idleResource(v.Label) {
			v.Value = noValue
		}
		byLabel[v.Metric.Label] = append(byLabel[v.Metric.Label], v)
	}
	var out []table.Table
	for _, label := range labels {
		var t table.Table
		switch label {
		case NoLabel:
			t = plainTable(group, byLabel[label], all)
		case ByStatistic:
			t = statisticTable(byLabel[label], all)
		default:
			t = s.labelTable(label, byLabel[label], all)
		}
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// plainTable has a row for each value.
func plainTable(group string, values []Value, all bool) table.Table {
	t := table.Table{KeepTitles: true, Head: []string{map[string]string{
		"placement": "pods", "utilisation": "nodes", "devices": "devices", "throughput": "scheduler",
	}[group], ""}}
	for _, v := range values {
		if all || !v.Metric.Rare || v.Value != 0 {
			t.Rows = append(t.Rows, []string{v.Metric.Title, v.Metric.Unit.Text("", v.Value)})
		}
	}
	return t
}

// statisticTable has a row for each distribution; those without a value are left out.
func statisticTable(values []Value, all bool) table.Table {
	t := table.Table{KeepTitles: true, Head: append([]string{"distribution"}, statistics...)}
	for len(values) > 0 {
		m, row := values[0].Metric, []string{values[0].Metric.Title}
		empty := math.IsNaN(values[0].Value)
		for range statistics {
			row = append(row, m.Unit.Text("", values[0].Value))
			values = values[1:]
		}
		if all || !empty {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// labelTable has a row for each label and a column for each metric. It leaves out
// columns without any value, and the rows of resources that nobody requested.
func (s *Summary) labelTable(kind LabelKind, values []Value, all bool) table.Table {
	var labels []string
	var metrics []*Metric
	cells := map[*Metric]map[string]Value{}
	for _, v := range values {
		if !slices.Contains(labels, v.Label) {
			labels = append(labels, v.Label)
		}
		if cells[v.Metric] == nil {
			metrics = append(metrics, v.Metric)
			cells[v.Metric] = map[string]Value{}
		}
		cells[v.Metric][v.Label] = v
	}
	if !all {
		metrics = slices.DeleteFunc(metrics, func(m *Metric) bool { return idle(m, cells[m]) })
		labels = slices.DeleteFunc(labels, func(l string) bool { return kind == ByResource && !s.Requested(l) })
	}
	if len(metrics) == 0 {
		return table.Table{}
	}
	t := table.Table{KeepTitles: true, Head: []string{string(kind)}}
	for _, m := range metrics {
		t.Head = append(t.Head, m.Column)
	}
	for i, label := range labels {
		if i == table.MaxRows && len(labels) > table.MaxRows+1 && !all {
			t.Rows = append(t.Rows, []string{fmt.Sprintf("and %d more", len(labels)-table.MaxRows)})
			break
		}
		row := []string{label}
		for _, m := range metrics {
			v, ok := cells[m][label]
			if !ok {
				v.Value = noValue
			}
			row = append(row, m.Unit.Text(label, v.Value))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// idle reports whether a column has nothing to show.
func idle(m *Metric, cells map[string]Value) bool {
	for _, v := range cells {
		if !math.IsNaN(v.Value) && (v.Value != 0 || !m.Rare) {
			return false
		}
	}
	return true
}

// Requested reports whether any pod ever took some of the resource. The number of pods is no resource in this sense.
func (s *Summary) Requested(resource string) bool {
	peak, known := s.Value("utilisation.allocatedPeak", resource)
	mean, _ := s.Value("utilisation.allocated", resource)
	return resource != podsResource && (!known || peak > 0 || mean > 0)
}

// leastAllocated is the mean allocated share below which what is relative to it says
// nothing.
const leastAllocated = 0.01

// idleResource reports whether about nothing of the resource is allocated in the mean.
func (s *Summary) idleResource(resource string) bool {
	mean, known := s.Value("utilisation.allocated", resource)
	return known && mean < leastAllocated
}

// scopeTable has a row for each scope of a kind. Of distributions it shows the median
// and the 99th percentile.
func scopeTable(by Scopes, scopes []ScopeValues, all bool) table.Table {
	t := table.Table{KeepTitles: true, Head: []string{by.String()}}
	var columns []Value
	for _, values := range scopes {
		for _, v := range values.Values {
			known := slices.ContainsFunc(columns, func(c Value) bool { return c.Metric == v.Metric && c.Label == v.Label })
			if !known && inScopeTable(v, by, all) && worthColumn(v, scopes, all) {
				columns = append(columns, v)
			}
		}
	}
	for _, c := range columns {
		t.Head = append(t.Head, strings.TrimSpace(columnHead(c)))
	}
	for _, values := range scopes {
		name := values.Name
		if name == "" {
			name = "(none)"
		}
		row := []string{name}
		for _, c := range columns {
			row = append(row, c.Metric.Unit.Text(c.Label, values.value(c.Metric, c.Label)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func inScopeTable(v Value, by Scopes, all bool) bool {
	switch v.Metric.Label {
	case NoLabel:
		return v.Metric.shown(by, all)
	case ByStatistic:
		return v.Metric.shown(by, all) && (v.Label == "p50" || v.Label == "p99")
	case ByResource:
		return v.Label != podsResource && v.Metric.shown(by, all)
	}
	return false
}

// worthColumn reports whether the column has something to show for any of the scopes.
func worthColumn(column Value, scopes []ScopeValues, all bool) bool {
	rare := all || column.Metric.Rare || column.Metric.Label == ByResource
	for _, values := range scopes {
		if v := values.value(column.Metric, column.Label); !math.IsNaN(v) && (v != 0 || !rare) {
			return true
		}
	}
	return false
}

func columnHead(c Value) string {
	switch {
	case c.Metric.Label == ByResource && c.Metric.Name == "utilisation.allocated":
		return c.Label
	case c.Metric.Label == ByResource:
		return c.Label + " " + c.Metric.Column
	}
	return c.Metric.Column + " " + c.Label
}

// value is the value of a metric of the scope; NaN when it has none.
func (s *ScopeValues) value(m *Metric, label string) float64 {
	for _, v := range s.Values {
		if v.Metric == m && v.Label == label {
			return v.Value
		}
	}
	return noValue
}
