package human

import (
	"math"
	"testing"
)

// What is not all never reads as all, and what is not nothing never as nothing.
func TestShare(t *testing.T) {
	for _, of := range []struct {
		share float64
		want  string
	}{
		{0, "0.0 %"}, {1, "100.0 %"}, {0.5, "50.0 %"}, {0.9994, "99.9 %"}, {1.5, "150.0 %"},
		{58_409.0 / 58_417, "99.99 %"}, {57_999_992.0 / 58_000_000, "99.99999 %"}, {0.99996, "99.996 %"},
		{0.0004, "0.04 %"}, {1.0 / 58_417, "0.002 %"}, {-0.0004, "-0.04 %"},
		{1e-14, "0.0 %"}, {1 - 1e-14, "100.0 %"}, // lost in sums
	} {
		if got := Share(of.share); got != of.want {
			t.Errorf("%v is %q, want %q", of.share, got, of.want)
		}
	}
}

func TestNumbersOfAnySize(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1234567: "1,234,567", -1e14: "-100,000,000,000,000", 9e99: "9e+99", -2.5e200: "-2.5e+200",
		math.Inf(1): "+Inf", math.MaxFloat64: "1.8e+308", math.SmallestNonzeroFloat64: "0.0",
	} {
		if got := Number(v, 1); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
	if got := Number(math.NaN(), 1); got != None {
		t.Errorf("a missing number is %q", got)
	}
}
