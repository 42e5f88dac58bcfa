package metric_test

import (
	"math"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
)

// What a run says of its parts is found by the names that are read, and by no others.
func TestKeysOfParts(t *testing.T) {
	pending, evictions := metric.Named("placement.pending"), metric.Named("placement.evictions")
	values := func(n float64) []metric.Value { return []metric.Value{{Metric: pending, Value: n}} }
	s := &metric.Summary{Scopes: []metric.ScopeValues{
		{Scope: metric.ScopeRun, Values: values(7)},
		{Scope: metric.ScopeWorkload, Name: "100", Values: values(3)},
		{Scope: metric.ScopePriority, Name: "100", Values: values(4)},
		{Scope: metric.ScopePool, Name: "n", Values: []metric.Value{{Metric: evictions, Label: "drain", Value: 2}}},
	}}
	for name, want := range map[string]float64{
		"placement.pending": 7, "placement.pending{workload=100}": 3, "placement.pending{ priority = 100 }": 4,
		"placement.pending{workload=other}": math.NaN(), "placement.evictions[drain]{pool=n}": 2,
		"placement.evictions[taint]{pool=n}": 0, "placement.evictions[taint]{pool=m}": math.NaN(),
	} {
		key, err := metric.ParseKey(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := key.In(s); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
		unknown := key.Unknown([]*metric.Summary{s})
		if (unknown != nil) != math.IsNaN(want) {
			t.Errorf("%s: %v", name, unknown)
		}
	}
}

// FuzzParseKey: the name of what was read is read as the same.
func FuzzParseKey(f *testing.F) {
	for _, name := range []string{
		"placement.pending", "placement.waitToBind[p99]{workload=web}", "placement.pendingReason[a: {b}]{priority=-1}",
		"placement.pendingReason[a]{b]{workload=x]{y}", "placement.pending{}", "placement.pending{pool=a}", "[{", "}{", "placement.pending{workload=a=b}",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		key, err := metric.ParseKey(name)
		if err != nil {
			return
		}
		again, err := metric.ParseKey(key.String())
		if err != nil || again != key {
			t.Errorf("%q is %+v, and then %+v, %v", name, key, again, err)
		}
		if key.Name != strings.TrimSpace(key.Name) {
			t.Errorf("%q has spaces around the name %q", name, key.Name)
		}
	})
}
