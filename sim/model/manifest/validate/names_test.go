package validate_test

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/manifest/validate"
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
		key, value := validate.CheckTaint(c.key, c.value)
		if (key == nil) != c.goodKey || (value == nil) != c.goodValue {
			t.Errorf("%q=%q: %v, %v", c.key, c.value, key, value)
		}
	}
}
