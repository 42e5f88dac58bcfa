package manifest_test

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/manifest"
)

func TestCheckTaint(t *testing.T) {
	for _, c := range []struct {
		key, value         string
		goodKey, goodValue bool
	}{
		{"dedicated", "", true, true},
		{"example.com/dedicated", "batch", true, true},
		{"", "batch", false, true},
		{"a key", "a value", false, false},
		{"a/b/c", "batch-", false, false},
	} {
		key, value := manifest.CheckTaint(c.key, c.value)
		if (key == nil) != c.goodKey || (value == nil) != c.goodValue {
			t.Errorf("%q=%q: %v, %v", c.key, c.value, key, value)
		}
	}
}

func TestAmountText(t *testing.T) {
	for want, a := range map[string]manifest.ResourceAmount{
		"1":    {Name: "cpu", Value: 1000},
		"500m": {Name: "cpu", Value: 500},
		"1Gi":  {Name: "memory", Value: 1 << 30},
		"1025": {Name: "memory", Value: 1025},
		"8":    {Name: "nvidia.com/gpu", Value: 8},
	} {
		if got := a.Text(); got != want {
			t.Errorf("%+v is %s, want %s", a, got, want)
		}
	}
}
