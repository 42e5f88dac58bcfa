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

// Headline reports whether the metric is primary and its values differ as far as they are shown.
func (d Delta) Headline() bool {
	return d.row.Judged && d.row.Metric.Primary() && metric.Visible(d.row.difference())
}

// Verdict returns whether the second run's value is better or worse; Unjudged if the metric has no direction, or
// there is no difference.
func (d Delta) Verdict() metric.Verdict { return d.row.Metric.Judge(d.row.Difference.Mean) }

// Sentence returns the difference as a part of a sentence about the second run; "" if it is no
// headline.
func (d Delta) Sentence() string {
	if !d.Headline() {
		return ""
	}
	return d.row.sentence()
}

// DeltaTable returns a table with a row for each headline, or for all deltas.
func DeltaTable(names [2]string, deltas []Delta, all bool) table.Table {
	t := table.Table{Head: []string{"", names[0], names[1], "difference", "effect", ""}, Words: []int{5}}
	for _, d := range deltas {
		if all || d.Headline() {
			t.Rows = append(t.Rows, append(d.row.cells(false, noSpread), string(d.Verdict())))
		}
	}
	return t
}

// MarshalJSON writes the metric, its unit, both values, their difference and the verdict.
func (d Delta) MarshalJSON() ([]byte, error) {
	r := &d.row
	return json.Marshal(struct {
		Metric     string         `json:"metric"`
		Unit       string         `json:"unit"`
		Run1       output.Number  `json:"run1"`
		Run2       output.Number  `json:"run2"`
		Difference output.Number  `json:"difference"`
		Verdict    metric.Verdict `json:"verdict,omitempty"`
	}{r.Metric.Key(r.Label), r.Metric.Unit.Of(r.Label), output.Number(r.Baseline), output.Number(r.Mean), output.Number(r.Difference.Mean), d.Verdict()})
}
