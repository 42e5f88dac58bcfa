package compare_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
)

// observed are the values of some metrics, by seed.
type observed map[string][]float64

// summaries has one summary for each seed.
func (o observed) summaries(t *testing.T) []*metric.Summary {
	t.Helper()
	var out []*metric.Summary
	for i := range o["placement.pending"] {
		values := []metric.Value{}
		for m := range metric.All {
			for key, of := range o {
				name, label, _ := strings.Cut(strings.TrimSuffix(key, "]"), "[")
				if metric.All[m].Name == name {
					values = append(values, metric.Value{Metric: &metric.All[m], Label: label, Value: of[i]})
				}
			}
		}
		run := metric.Run{Facts: metric.Facts{Seed: uint64(i)}, VirtualSeconds: 7200}
		out = append(out, &metric.Summary{Run: run, Scopes: []metric.ScopeValues{{Scope: metric.ScopeRun, Values: values}}})
	}
	return out
}

// row is the row of one value in the comparison of two policies.
func row(t *testing.T, c *compare.Comparison, metric, label string) *compare.Row {
	t.Helper()
	rows := c.Contrasts[0].Rows
	i := slices.IndexFunc(rows, func(r compare.Row) bool { return r.Metric.Name == metric && r.Label == label })
	if i < 0 {
		t.Fatalf("there is no row of %s[%s]", metric, label)
	}
	return &rows[i]
}

// compared compares two policies.
func (o observed) compared(t *testing.T, policy observed) *compare.Comparison {
	t.Helper()
	return compare.Policies([]string{"old", "new"}, [][]*metric.Summary{o.summaries(t), policy.summaries(t)}, 0)
}

// rendered is the comparison in a format.
func rendered(t *testing.T, c *compare.Comparison, view output.View) string {
	t.Helper()
	var out strings.Builder
	if err := c.Render(&out, view); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestVerdicts(t *testing.T) {
	nan := math.NaN()
	baseline := observed{
		"placement.pending":         {10, 12, 11, 13, 12},
		"placement.completed":       {100, 101, 102, 100.5, 99.5},
		"placement.waitToBind[p99]": {1, 9, 2, 7, 4},
		"placement.waitToBind[p90]": {1, 1, 1, 1, 1},
		"placement.gangTime[p99]":   {nan, nan, nan, nan, nan},
		"placement.victims":         {0, 0, 0, 0, 0},
		"placement.arrived":         {5, 5, 5, 5, 5},
		"placement.permitTimeouts":  {0, 0, 0, 0, 0},
	}
	policy := observed{
		"placement.pending":         {5, 7, 6.5, 8, 6.5},      // always about 5.3 less
		"placement.completed":       {90, 92, 92, 90.5, 89.5}, // always about 10 less
		"placement.waitToBind[p99]": {2, 5, 6, 3, 5},          // more or less
		"placement.waitToBind[p90]": {9, 9, 9, 9, 9},          // no figure that is judged
		"placement.gangTime[p99]":   {1, nan, nan, nan, nan},  // no pairs
		"placement.victims":         {0, 0, 0, 0, 0},          // nothing to judge
		"placement.arrived":         {6, 6, 6, 6, 6},          // neither good nor bad
		"placement.permitTimeouts":  {2, 2, 2, 2, 3},          // always more, from nothing
	}
	c := baseline.compared(t, policy)
	for _, want := range []struct {
		metric, label string
		verdict       metric.Verdict
		mean          float64
	}{
		{"placement.pending", "", metric.Better, -5},
		{"placement.completed", "", metric.Worse, -9.8},
		{"placement.waitToBind", "p99", metric.NoDifference, -0.4},
		{"placement.waitToBind", "p90", metric.Unjudged, 8},
		{"placement.gangTime", "p99", metric.Unjudged, nan},
		{"placement.victims", "", metric.Unjudged, 0},
		{"placement.arrived", "", metric.Unjudged, 1},
		{"placement.permitTimeouts", "", metric.Worse, 2.2},
	} {
		r := row(t, c, want.metric, want.label)
		if r.Verdict() != want.verdict {
			t.Errorf("%s[%s]: %q, want %q (%+v)", want.metric, want.label, r.Verdict(), want.verdict, r.Difference)
		}
		if got := r.Difference.Mean; math.Abs(got-want.mean) > 1e-9 || math.IsNaN(got) != math.IsNaN(want.mean) {
			t.Errorf("%s[%s]: differs by %v, want %v", want.metric, want.label, got, want.mean)
		}
	}
	if first := c.Contrasts[0].Rows[0].Metric.Name; first != "placement.pending" {
		t.Errorf("the table begins with %s, not with the largest effect that is shown", first)
	}
	turned := compare.Policies([]string{"old", "new"}, [][]*metric.Summary{baseline.summaries(t), policy.summaries(t)}, 1)
	if v := row(t, turned, "placement.pending", "").Verdict(); v != metric.Worse {
		t.Errorf("with the baselines exchanged what was better is %q", v)
	}
}

// What is small in its unit is written with the digits that it needs, and no more.
func TestWordsOfDifferences(t *testing.T) {
	baseline := observed{
		"placement.pending":          {0, 0, 0, 0, 0},
		"fragmentation.largest[cpu]": {1000, 1000, 1000, 1000, 1000},
		"throughput.attempts":        {0.010, 0.011, 0.012, 0.013, 0.0115},
		"utilization.allocated[cpu]": {0.50001, 0.50002, 0.50001, 0.50002, 0.50001},
	}
	policy := observed{
		"placement.pending":          {0, 0, 0, 0, 0},
		"fragmentation.largest[cpu]": {1333.4, 1333.2, 1333.1, 1333.5, 1333.3},
		"throughput.attempts":        {0.005, 0.0052, 0.006, 0.007, 0.0055},
		"utilization.allocated[cpu]": {0.50003, 0.50004, 0.500029, 0.50004, 0.50003},
	}
	out := rendered(t, baseline.compared(t, policy), output.View{Format: output.Table, Width: 120, All: true})
	for _, want := range []string{"+333m ± 0.2m", "−0.35 ± 0.03 /min", "+0.0020 ± "} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
}

// Of many pod classes one leads, that with the largest difference; all of them are there if they are asked for.
func TestManyClasses(t *testing.T) {
	baseline, policy := observed{"placement.pending": {1, 1, 1}}, observed{"placement.pending": {2, 2, 2}}
	const classes = 11
	for i := range classes {
		key, more := fmt.Sprintf("fragmentation.fits[class %d]", i), float64(i+6)
		baseline[key], policy[key] = []float64{100, 100, 100}, []float64{100 + more, 100 + more, 100 + more}
	}
	c := baseline.compared(t, policy)
	for _, of := range []struct {
		all  bool
		rows int
	}{{false, 1}, {true, classes}} {
		out := rendered(t, c, output.View{Format: output.Markdown, All: of.all})
		if rows := strings.Count(out, ", class "); rows != of.rows || !strings.Contains(out, "class 10 ") {
			t.Errorf("all %t: %d classes are shown, want %d, the largest difference among them:\n%s", of.all, rows, of.rows, out)
		}
	}
}

// Every wording has a place for the difference, and for the label where there is one.
func TestWordings(t *testing.T) {
	for i := range metric.All {
		m := &metric.All[i]
		if (m.More == "") != (m.Less == "") || m.More != "" && m.Better == metric.Neutral {
			t.Errorf("%s: has a wording for one side only, or none of its values is better", m.Name)
		}
		for _, text := range []string{m.More, m.Less} {
			if text != "" && (!strings.Contains(text, "{}") || strings.Contains(text, "{label}") != (m.Label != metric.NoLabel)) {
				t.Errorf("%s: %q lacks a part", m.Name, text)
			}
		}
	}
}
