package schedulerplugins

import (
	"flag"
	"reflect"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
)

var (
	cases = flag.Int("cases", 300, "how many cases to compare")
	seed  = flag.Uint64("seed", 1, "seed of the first case; each case has the next one")
)

// TestPluginsAgree: berth's plugins say what the real ones say, of every case.
func TestPluginsAgree(t *testing.T) {
	refused, scored, sorted := 0, 0, 0
	for i := range uint64(*cases) {
		c := Generate(*seed + i)
		real, ours := c.compare(t, plugins.Registry())
		if real.Refused {
			refused++
		}
		scored += len(real.Scores)
		sorted += len(real.Less) * len(real.Less)
		if !reflect.DeepEqual(real, ours) {
			t.Errorf("seed %d:\n%s%+v\nthe real plugin: %+v\nours:            %+v", *seed+i, c.Config, c, real, ours)
		}
	}
	t.Logf("%d configurations were refused, %d scores and %d orders of two pods compared", refused, scored, sorted)
	if *cases >= 300 && (refused == 0 || scored == 0 || sorted == 0) {
		t.Error("some of it was never compared")
	}
}

// compare asks both sides. What only one plugin of a case does is left out: PrioritySort is compared elsewhere.
func (c *Case) compare(t *testing.T, registry scheduler.Registry) (real, ours Answer) {
	t.Helper()
	real, err := c.Real()
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	if ours, err = c.Ours(registry); err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	if c.Plugin != "QOSSort" {
		real.Less = nil
	}
	return real, ours
}
