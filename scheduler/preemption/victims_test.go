package preemption

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
)

func TestWholeSeconds(t *testing.T) {
	for at, want := range map[clock.Time]clock.Time{
		0: 0, 1: 0, clock.Second - 1: 0, clock.Second: clock.Second,
		-1: -clock.Second, -clock.Second: -clock.Second, -clock.Second - 1: -2 * clock.Second,
	} {
		if got := wholeSeconds(at); got != want {
			t.Errorf("%d is cut to %d, want %d", at, got, want)
		}
	}
}
