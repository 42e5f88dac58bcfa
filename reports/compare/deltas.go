package compare

import (
	"encoding/json"
	"slices"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Delta is how one run differs from another in one value of a metric for the whole run. One pair of runs
// does not show which policy is better; Policies compares several seeds for that.
type Delta struct{ row Row }

// Deltas returns the differences of the second run from the first in all values that either
// has, the most important ones first.
func Deltas(first, second *metric.Summary) []Delta {
	rows := contrastRows([]*metric.Summary{first}, []*metric.Summary{second})
	slices.SortStableFunc(rows, byImportance)
	out := make([]Delta, len(rows))
	for i, row := range rows {
		out[i] = Delta{row}
	}
	return out
}

// Headline reports whether the metric is primary and its values differ by what matters.
func (d Delta) Headline() bool { return d.row.Metric.Primary() && d.Verdict() == metric.Differs }

// Verdict returns Differs if the values differ by the smallest difference of interest or more, of a metric that comparisons
// judge, and Unjudged otherwise. It is never Better or Worse: another seed may give the opposite.
func (d Delta) Verdict() metric.Verdict {
	if d.row.Judged && metric.Visible(d.row.difference()) && d.row.Metric.Matters.Met(d.row.Baseline, d.row.Mean) {
		return metric.Differs
	}
	return metric.Unjudged
}

// Sentence returns the difference as a part of a sentence about the second run; "" if it is no
// headline.
func (d Delta) Sentence() string {
	if !d.Headline() {
		return ""
	}
	return d.row.sentence()
}

// DeltaTable returns a table with a row for each headline, or for all deltas. Of all, a column says which ones matter.
func DeltaTable(names [2]string, deltas []Delta, all bool) table.Table {
	t := table.Table{Head: []string{"", names[0], names[1], "difference", "effect"}, WrapTitles: true}
	if all {
		t.Head, t.Words = append(t.Head, ""), []int{5}
	}
	for _, d := range deltas {
		switch {
		case all:
			t.Rows = append(t.Rows, append(d.row.cells(noSpread), string(d.Verdict())))
		case d.Headline():
			t.Rows = append(t.Rows, d.row.cells(noSpread))
		}
	}
	return t
}

// MarshalJSON writes the metric, its unit, both values, their difference, the smallest one of interest and the verdict.
func (d Delta) MarshalJSON() ([]byte, error) {
	r := &d.row
	var matters *output.Number
	if r.Metric.Better != metric.Neutral {
		matters = new(output.Number(r.Metric.Matters.Of(r.Baseline)))
	}
	return json.Marshal(struct {
		Metric     string         `json:"metric"`
		Unit       string         `json:"unit"`
		Run1       output.Number  `json:"run1"`
		Run2       output.Number  `json:"run2"`
		Difference output.Number  `json:"difference"`
		Matters    *output.Number `json:"matters"` // nil: the metric has no direction
		Verdict    metric.Verdict `json:"verdict,omitempty"`
	}{r.Metric.Key(r.Label), r.Metric.Unit.Of(r.Label), output.Number(r.Baseline), output.Number(r.Mean), output.Number(r.Difference.Mean), matters, d.Verdict()})
}
