package compare

import (
	"math"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
)

func TestDeltas(t *testing.T) {
	of := func(pending, victims, arrived float64) *metric.Summary {
		s := &metric.Summary{Scopes: []metric.ScopeValues{{Scope: metric.ScopeRun}}}
		for name, v := range map[string]float64{"placement.pending": pending, "placement.victims": victims, "placement.arrived": arrived} {
			s.Scopes[0].Values = append(s.Scopes[0].Values, metric.Value{Metric: metric.Named(name), Value: v})
		}
		return s
	}
	for name, tt := range map[string]struct {
		a, b     *metric.Summary
		metric   string // the first one
		verdict  metric.Verdict
		headline bool
		sentence string
	}{
		"better":            {of(8, 3, 10), of(2, 3, 10), "placement.pending", metric.Differs, true, "6"},
		"worse":             {of(2, 3, 10), of(8, 3, 10), "placement.pending", metric.Differs, true, "leaves 6 more pods pending"},
		"same":              {of(2, 3, 10), of(2, 3, 10), "", metric.Unjudged, false, ""},
		"no direction":      {of(2, 3, 10), of(2, 3, 11), "placement.arrived", metric.Unjudged, false, ""},
		"lost in digits":    {of(2, 3, 10), of(2.0001, 3, 10), "placement.pending", metric.Unjudged, false, ""},
		"less than matters": {of(200, 3, 900), of(203, 3, 900), "placement.pending", metric.Unjudged, false, ""}, // 1.5 %
		"one more":          {of(4, 3, 900), of(5, 3, 900), "placement.pending", metric.Differs, true, "leaves 1 more pod pending"},
		"no value":          {of(math.NaN(), 3, 10), of(2, 3, 10), "placement.pending", metric.Unjudged, false, ""},
	} {
		deltas := Deltas(tt.a, tt.b)
		if len(deltas) != 3 {
			t.Fatalf("%s: %d deltas", name, len(deltas))
		}
		for _, d := range deltas {
			if d.row.Metric.Name != tt.metric {
				continue
			}
			if d.Verdict() != tt.verdict || d.Headline() != tt.headline || (d.Sentence() != "") != tt.headline || !strings.Contains(d.Sentence(), tt.sentence) {
				t.Errorf("%s: %q, headline %v, %q", name, d.Verdict(), d.Headline(), d.Sentence())
			}
		}
		if rows := DeltaTable([2]string{"a", "b"}, deltas, false).Rows; len(rows) != map[bool]int{true: 1}[tt.headline] {
			t.Errorf("%s: the table is %q", name, rows)
		}
	}
}
