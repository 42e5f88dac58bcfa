package metric

import (
	"math"
	"testing"
)

func TestEffect(t *testing.T) {
	for _, c := range []struct {
		effect         Effect
		baseline, want float64
	}{
		{Effect{1, 0.05}, 10, 1}, {Effect{1, 0.05}, 100, 5}, {Effect{1, 0.05}, -100, 5}, {Effect{1, 0.05}, 0, 1}, {Effect{1, 0.05}, math.NaN(), 1},
		{Effect{Absolute: 0.005}, 0.9, 0.005}, {Effect{Relative: 0.01}, 30, 0.3}, {Effect{}, 30, 0},
	} {
		if got := c.effect.Of(c.baseline); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v of %v is %v, want %v", c.effect, c.baseline, got, c.want)
		}
	}
}

// Every metric that can be better or worse says which differences matter, and no other one does.
func TestWhatMattersIsDeclared(t *testing.T) {
	for i := range All {
		if m := &All[i]; (m.Better == Neutral) != (m.Matters == Effect{}) {
			t.Errorf("%s: direction %d, matters %+v", m.Name, m.Better, m.Matters)
		}
	}
}

func TestEffectText(t *testing.T) {
	key := func(name string) Key { return Key{Metric: Named(name)} }
	for _, c := range []struct {
		key    Key
		effect Effect
		want   string
	}{
		{key("placement.victims"), Effect{1, 0.2}, "1 pod and 20 %"}, {key("utilization.cost"), Effect{Relative: 0.01}, "1 %"},
		{key("fragmentation.strandedMean"), Effect{Absolute: 0.005}, "0.50 points"}, {key("placement.pending"), Effect{}, "none"},
		{key("placement.waitToBind"), Effect{1, 0.1}, "1.00 s and 10 %"},
	} {
		if got := c.key.EffectText(c.effect); got != c.want {
			t.Errorf("%s: %q, want %q", c.key, got, c.want)
		}
	}
}
