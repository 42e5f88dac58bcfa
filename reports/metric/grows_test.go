package metric_test

import (
	"testing"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// Values that are said to grow never fall while a run goes on. All others of which there is more than one do at some time,
// or the test would see nothing.
func TestValuesThatGrowNeverFall(t *testing.T) {
	grows := map[string]bool{}
	fell := map[string]bool{}
	for seed := range uint64(3) {
		l := metric.NewLedger()
		before, records := map[metric.Key]float64{}, 0
		recordtest.Random(seed, 400, 6, func(r *record.Record) {
			l.Observe(r)
			if records++; records%50 != 0 {
				return
			}
			for _, v := range l.Summary(metric.Facts{}).Scopes[0].Values {
				k := metric.Key{Metric: v.Metric, Label: v.Label}
				grows[k.Metric.Name] = grows[k.Metric.Name] || k.Grows()
				if v.Value < before[k] {
					fell[k.String()] = true
					if k.Grows() {
						t.Fatalf("seed %d, %v: %s falls from %g to %g", seed, r.Time, k, before[k], v.Value)
					}
				}
				before[k] = v.Value
			}
		})
	}
	for _, name := range []string{"placement.pending", "placement.waitToBind[p50]"} {
		if !fell[name] {
			t.Errorf("%s never fell: the test sees nothing", name)
		}
	}
	if !grows["placement.victims"] || !grows["placement.waitToBind"] {
		t.Errorf("%v grow", grows)
	}
}
