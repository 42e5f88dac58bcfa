package reports_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports"
)

// observed are the values of some metrics, by seed.
type observed map[string][]float64

// summaries has one summary for each seed.
func (o observed) summaries(t *testing.T) []*reports.Summary {
	t.Helper()
	var out []*reports.Summary
	for i := range o["placement.pending"] {
		values := []reports.Value{}
		for m := range reports.Metrics {
			for key, of := range o {
				name, label, _ := strings.Cut(strings.TrimSuffix(key, "]"), "[")
				if reports.Metrics[m].Name == name {
					values = append(values, reports.Value{Metric: &reports.Metrics[m], Label: label, Value: of[i]})
				}
			}
		}
		out = append(out, &reports.Summary{Run: reports.Run{Facts: reports.Facts{Seed: uint64(i)}}, Scopes: []reports.ScopeValues{{Scope: reports.ScopeRun, Values: values}}})
	}
	return out
}

// row is the row of one value in the comparison of two policies.
func row(t *testing.T, c *reports.Comparison, metric, label string) *reports.ContrastRow {
	t.Helper()
	rows := c.Contrasts[0].Rows
	i := slices.IndexFunc(rows, func(r reports.ContrastRow) bool { return r.Metric.Name == metric && r.Label == label })
	if i < 0 {
		t.Fatalf("there is no row of %s[%s]", metric, label)
	}
	return &rows[i]
}

func TestVerdicts(t *testing.T) {
	nan := math.NaN()
	baseline := observed{
		"placement.pending":         {10, 12, 11, 13, 12},
		"placement.completed":       {100, 110, 120, 105, 95},
		"placement.waitToBind[p99]": {1, 9, 2, 7, 4},
		"placement.waitToBind[p90]": {1, 1, 1, 1, 1},
		"placement.gangTime[p99]":   {nan, nan, nan, nan, nan},
		"placement.victims":         {0, 0, 0, 0, 0},
		"placement.arrived":         {5, 5, 5, 5, 5},
		"placement.permitTimeouts":  {0, 0, 0, 0, 0},
	}
	policy := observed{
		"placement.pending":         {5, 7, 6.5, 8, 6.5},     // always about 5.3 less
		"placement.completed":       {90, 101, 110, 95, 85},  // always about 10 less
		"placement.waitToBind[p99]": {2, 5, 6, 3, 5},         // more or less
		"placement.waitToBind[p90]": {9, 9, 9, 9, 9},         // no figure that is judged
		"placement.gangTime[p99]":   {1, nan, nan, nan, nan}, // no pairs
		"placement.victims":         {0, 0, 0, 0, 0},         // nothing to judge
		"placement.arrived":         {6, 6, 6, 6, 6},         // neither good nor bad
		"placement.permitTimeouts":  {1, 1, 1, 1, 1},         // always one more, from nothing
	}
	c := reports.Compare([]string{"old", "new"}, [][]*reports.Summary{baseline.summaries(t), policy.summaries(t)}, 0)
	for _, want := range []struct {
		metric, label string
		verdict       reports.Verdict
		mean          float64
	}{
		{"placement.pending", "", reports.Better, -5},
		{"placement.completed", "", reports.Worse, -9.8},
		{"placement.waitToBind", "p99", reports.NoDifference, -0.4},
		{"placement.waitToBind", "p90", reports.Unjudged, 8},
		{"placement.gangTime", "p99", reports.Unjudged, nan},
		{"placement.victims", "", reports.Unjudged, 0},
		{"placement.arrived", "", reports.Unjudged, 1},
		{"placement.permitTimeouts", "", reports.Worse, 1},
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
	turned := reports.Compare([]string{"old", "new"}, [][]*reports.Summary{baseline.summaries(t), policy.summaries(t)}, 1)
	if v := row(t, turned, "placement.pending", "").Verdict(); v != reports.Worse {
		t.Errorf("with the baselines exchanged what was better is %q", v)
	}
}

// Every wording has a place for the difference, and for the label where there is one.
func TestWordings(t *testing.T) {
	for i := range reports.Metrics {
		m := &reports.Metrics[i]
		if (m.More == "") != (m.Less == "") || m.More != "" && m.Better == reports.Neutral {
			t.Errorf("%s: has a wording for one side only, or none of its values is better", m.Name)
		}
		for _, text := range []string{m.More, m.Less} {
			if text != "" && (!strings.Contains(text, "{}") || strings.Contains(text, "{label}") != (m.Label != reports.NoLabel)) {
				t.Errorf("%s: %q lacks a part", m.Name, text)
			}
		}
	}
}
