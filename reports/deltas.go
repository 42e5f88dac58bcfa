package reports

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Delta is how one run differs from another in one value of a metric for the whole run. It
// says what happened, not which run's policy is better: for that there is Compare.
type Delta struct{ row ContrastRow }

// Deltas are the differences of the second run from the first in all values that either
// has, what matters most first.
func Deltas(first, second *Summary) []Delta {
	rows := contrastRows([]*Summary{first}, []*Summary{second})
	slices.SortStableFunc(rows, byImportance)
	out := make([]Delta, len(rows))
	for i, row := range rows {
		out[i] = Delta{row}
	}
	return out
}

// Headline reports whether the values differ by more than is lost in rounding, and the metric is
// one of those to look at first.
func (d Delta) Headline() bool {
	return d.row.Judged && d.row.Metric.first() && visible(d.row.difference())
}

// Verdict is whether the second run's value is the better one; empty if it is not known, or
// there is no difference.
func (d Delta) Verdict() Verdict { return d.row.Metric.direction(d.row.Difference.Mean) }

// direction is whether a difference of that size is one for the better.
func (m *Metric) direction(difference float64) Verdict {
	switch {
	case difference == 0 || math.IsNaN(difference) || m.Better == Neutral:
		return Unjudged
	case (difference > 0) == (m.Better == Higher):
		return Better
	}
	return Worse
}

// Direction is whether the value is better than another of the same metric and label, or
// worse; empty if it is not known, or they differ by no more than is lost in rounding.
func (v Value) Direction(from Value) Verdict {
	if !visible(v.Difference(from)) {
		return Unjudged
	}
	return v.Metric.direction(v.Value - from.Value)
}

// visible reports whether a difference in words is more than is lost in rounding.
func visible(difference string) bool { return strings.ContainsAny(difference, "123456789") }

// Sentence is the difference as a part of a sentence about the second run; empty if it is no
// headline.
func (d Delta) Sentence() string {
	if !d.Headline() {
		return ""
	}
	return d.row.sentence()
}

// DeltaTable has a row for each headline, or for all.
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
		Metric     string        `json:"metric"`
		Unit       string        `json:"unit"`
		Run1       output.Number `json:"run1"`
		Run2       output.Number `json:"run2"`
		Difference output.Number `json:"difference"`
		Verdict    Verdict       `json:"verdict,omitempty"`
	}{r.Metric.Key(r.Label), r.Metric.Unit.Of(r.Label), output.Number(r.Baseline), output.Number(r.Mean), output.Number(r.Difference.Mean), d.Verdict()})
}
