package resources

import (
	"slices"
	"testing"
)

func TestAmounts(t *testing.T) {
	huge := Amounts{{"cpu", 1 << 62}}
	if got, _ := huge.add(huge).add(huge).Get("cpu"); got != 1<<63-1 {
		t.Errorf("a sum beyond int64 is %d, want the largest int64", got)
	}
	a := Amounts{{"a", 1}, {"c", 3}}
	got := slices.Clone(a).Max(Amounts{{"a", 2}, {"b", 0}, {"c", 1}})
	if want := (Amounts{{"a", 2}, {"b", 0}, {"c", 3}}); !slices.Equal(got, want) {
		t.Errorf("most = %v, want %v", got, want)
	}
	for milli, want := range map[int64]int64{0: 0, 1: 1, 1000: 1, 1001: 2, 1<<63 - 1: 9223372036854776} {
		if got := (Amount{"memory", milli}).Base(); got != want {
			t.Errorf("%d thousandths are %d, want %d", milli, got, want)
		}
	}
}
