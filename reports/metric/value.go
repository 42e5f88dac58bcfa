package metric

import (
	"math"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
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
	return human.Signed(d, Key{Metric: v.Metric, Label: v.Label}.SizeBeside(d, max(v.Value, from.Value)))
}

// Of is the value of a metric in a scope; NaN where there is none.
func (s *ScopeValues) Of(m *Declaration, label string) Value {
	for _, v := range s.Values {
		if v.Metric == m && v.Label == label {
			return v
		}
	}
	return Value{m, label, noValue}
}
