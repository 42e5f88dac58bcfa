package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/table"
)

// Sections are the tables of a summary, those of the headlines or all: those of the run by group of metrics, then one
// for workloads, priorities and pools each, where there is more than one of them.
func Sections(s *metric.Summary, all bool) []table.Section {
	var out []table.Section
	for _, group := range []string{"placement", "utilization", "fragmentation", "devices", "throughput"} {
		if tables := groupTables(s, group, all); len(tables) > 0 {
			out = append(out, table.Section{Title: strings.ToUpper(group[:1]) + group[1:], Tables: tables})
		}
	}
	for _, by := range []metric.Scopes{metric.ScopeWorkload, metric.ScopePriority, metric.ScopePool} {
		if scopes := s.ScopesOf(by); len(scopes) > 1 {
			out = append(out, table.Section{Title: "By " + by.String(), Tables: []table.Table{scopeTable(by, scopes, all)}})
		}
	}
	return out
}

// shown reports whether tables show a metric of a scope.
func shown(m *metric.Declaration, scope metric.Scopes, all bool) bool {
	return all || m.Headline&scope != 0
}

// groupTables are the tables of one group of metrics for the whole run: one of the
// metrics without label, and one for each kind of label.
func groupTables(s *metric.Summary, group string, all bool) []table.Table {
	var labels []metric.LabelKind
	byLabel := map[metric.LabelKind][]metric.Value{}
	for _, v := range s.Scopes[0].Values {
		if v.Metric.Group() != group || !shown(v.Metric, metric.ScopeRun, all) {
			continue
		}
		if _, seen := byLabel[v.Metric.Label]; !seen {
			labels = append(labels, v.Metric.Label)
		}
		if v.Metric.Relative && !all && s.Idle(v.Label) {
			v.Value = math.NaN()
		}
		byLabel[v.Metric.Label] = append(byLabel[v.Metric.Label], v)
	}
	var out []table.Table
	for _, label := range labels {
		var t table.Table
		switch label {
		case metric.NoLabel:
			t = plainTable(group, byLabel[label], all)
		case metric.ByStatistic:
			t = statisticTable(byLabel[label], all)
		default:
			t = labelTable(s, label, byLabel[label], all)
		}
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// plainTable has a row for each value.
func plainTable(group string, values []metric.Value, all bool) table.Table {
	t := table.Table{KeepTitles: true, Head: []string{map[string]string{
		"placement": "pods", "utilization": "nodes", "devices": "devices", "throughput": "scheduler",
	}[group], ""}}
	for _, v := range values {
		if all || !v.Metric.Rare || v.Value != 0 {
			t.Rows = append(t.Rows, []string{v.Metric.Title, v.Metric.Unit.Text("", v.Value)})
		}
	}
	return t
}

// statisticTable has a row for each distribution; those without a value are left out.
func statisticTable(values []metric.Value, all bool) table.Table {
	t := table.Table{KeepTitles: true, Head: append([]string{"distribution"}, metric.Statistics...)}
	for len(values) > 0 {
		row := []string{values[0].Metric.Title}
		empty := math.IsNaN(values[0].Value)
		for range metric.Statistics {
			row = append(row, values[0].Text())
			values = values[1:]
		}
		if all || !empty {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// labelTable has a row for each label and a column for each metric. It leaves out
// columns without any value, and the rows of resources that no pod requested.
func labelTable(s *metric.Summary, kind metric.LabelKind, values []metric.Value, all bool) table.Table {
	var labels []string
	var metrics []*metric.Declaration
	cells := map[*metric.Declaration]map[string]metric.Value{}
	for _, v := range values {
		if !slices.Contains(labels, v.Label) {
			labels = append(labels, v.Label)
		}
		if cells[v.Metric] == nil {
			metrics = append(metrics, v.Metric)
			cells[v.Metric] = map[string]metric.Value{}
		}
		cells[v.Metric][v.Label] = v
	}
	if !all {
		metrics = slices.DeleteFunc(metrics, func(m *metric.Declaration) bool { return idle(m, cells[m]) })
		labels = slices.DeleteFunc(labels, func(l string) bool { return kind == metric.ByResource && !s.Requested(l) })
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
				v.Value = math.NaN()
			}
			row = append(row, m.Unit.Text(label, v.Value))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// idle reports whether a column has nothing to show.
func idle(m *metric.Declaration, cells map[string]metric.Value) bool {
	for _, v := range cells {
		if !math.IsNaN(v.Value) && (v.Value != 0 || !m.Rare) {
			return false
		}
	}
	return true
}

// scopeTable has a row for each scope of a kind. Of distributions it shows the median
// and the 99th percentile.
func scopeTable(by metric.Scopes, scopes []metric.ScopeValues, all bool) table.Table {
	t := table.Table{KeepTitles: true, Head: []string{by.String()}}
	var columns []metric.Value
	for _, values := range scopes {
		for _, v := range values.Values {
			known := slices.ContainsFunc(columns, func(c metric.Value) bool { return c.Metric == v.Metric && c.Label == v.Label })
			if !known && inScopeTable(v, by, all) && worthColumn(v, scopes, all) {
				columns = append(columns, v)
			}
		}
	}
	for _, c := range columns {
		t.Head = append(t.Head, metric.Key{Metric: c.Metric, Label: c.Label}.Column())
	}
	for _, values := range scopes {
		name := values.Name
		if name == "" {
			name = "(none)"
		}
		row := []string{name}
		for _, c := range columns {
			row = append(row, values.Of(c.Metric, c.Label).Text())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func inScopeTable(v metric.Value, by metric.Scopes, all bool) bool {
	switch v.Metric.Label {
	case metric.NoLabel:
		return shown(v.Metric, by, all)
	case metric.ByStatistic:
		return shown(v.Metric, by, all) && (v.Label == "p50" || v.Label == "p99")
	case metric.ByResource:
		return v.Label != metric.PodsResource && shown(v.Metric, by, all)
	}
	return false
}

// worthColumn reports whether the column has something to show for any of the scopes.
func worthColumn(column metric.Value, scopes []metric.ScopeValues, all bool) bool {
	rare := all || column.Metric.Rare || column.Metric.Label == metric.ByResource
	for _, values := range scopes {
		if v := values.Of(column.Metric, column.Label).Value; !math.IsNaN(v) && (v != 0 || !rare) {
			return true
		}
	}
	return false
}
