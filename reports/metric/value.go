package metric

import (
	"math"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
)

// Text writes the value for people, with its unit.
func (v Value) Text() string { return v.Metric.Unit.Text(v.Label, v.Value) }

// Number returns the value as CSV has it; "" for NaN.
func (v Value) Number() string {
	return output.Number(v.Value).String()
}

// Difference writes the difference to another value of the same metric and label, with its
// sign; "–" if one of them is NaN.
func (v Value) Difference(from Value) string {
	d := v.Value - from.Value
	switch {
	case math.IsNaN(d), v.Metric.Unit == UnitCost && (v.Value == 0) != (from.Value == 0):
		return human.None // one of them has no price
	case d == 0:
		return "="
	}
	return human.Signed(d, Key{Metric: v.Metric, Label: v.Label}.SizeBeside(d, max(v.Value, from.Value)))
}

// Of returns the value of a metric in a scope; NaN if there is none.
func (s *ScopeValues) Of(m *Declaration, label string) Value {
	for _, v := range s.Values {
		if v.Metric == m && v.Label == label {
			return v
		}
	}
	return Value{m, label, noValue}
}
