package world

import (
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
)

// timerLog is a controller that notes when its timers fire.
type timerLog struct {
	rank int
	log  *[][2]int64
}

func (l *timerLog) observe(notice) {}

func (l *timerLog) fire(id int64) { *l.log = append(*l.log, [2]int64{int64(l.rank), id}) }

// Within one instant the timers of controllers fire in order of rank, then in the order in which
// they were set, after pods have started and before waits in Permit end.
func TestTimersFireInOrderOfRank(t *testing.T) {
	w := assemble(Config{Horizon: clock.Forever})
	var log [][2]int64
	for rank := range w.controllers {
		w.controllers[rank] = &timerLog{rank, &log}
	}
	for _, timer := range [][2]int64{{drainRank, 1}, {taintRank, 2}, {volumeRank, 3}, {taintRank, 1}} {
		w.setTimer(uint8(timer[0]), clock.Second, timer[1])
	}
	for e, ok := w.queue.Pop(); ok; e, ok = w.queue.Pop() {
		if e.Kind <= started || e.Kind >= permitTimer {
			t.Errorf("a timer has the kind %d, which is not between %d and %d", e.Kind, started, permitTimer)
		}
		w.handle(e)
	}
	want := [][2]int64{{volumeRank, 3}, {taintRank, 2}, {taintRank, 1}, {drainRank, 1}}
	if !slices.Equal(log, want) {
		t.Errorf("timers fired as %v, want %v", log, want)
	}
	if w.pendingChanges != 0 || w.now != clock.Second {
		t.Errorf("%d changes are pending at %s, want none at 1s", w.pendingChanges, w.now)
	}
}
