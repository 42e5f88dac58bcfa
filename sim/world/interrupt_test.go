package world_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/berth-sim/berth/scheduler"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// acceptingExtender is an extender that agrees to everything, until a test interrupts a call.
type acceptingExtender struct {
	ignorable   bool
	calls       int
	interruptAt int // the number of a call
	interrupt   func()
}

func (x *acceptingExtender) Info() scheduler.ExtenderInfo {
	return scheduler.ExtenderInfo{Name: "x", Ignorable: x.ignorable, Filters: true, Prioritizes: true, Preempts: true, Binds: true, Weight: 1}
}

func (x *acceptingExtender) IsInterested(*cluster.Class) bool { return true }

func (x *acceptingExtender) call(ctx context.Context) error {
	if x.calls++; x.calls == x.interruptAt {
		x.interrupt()
	}
	return ctx.Err()
}

func (x *acceptingExtender) Filter(ctx context.Context, _ cluster.PodID, nodes []cluster.NodeID) (scheduler.Filtered, error) {
	return scheduler.Filtered{Nodes: nodes}, x.call(ctx)
}

func (x *acceptingExtender) Prioritize(ctx context.Context, _ cluster.PodID, nodes []cluster.NodeID) ([]scheduler.NodeScore, error) {
	return []scheduler.NodeScore{{Node: nodes[0], Score: 10}}, x.call(ctx)
}

func (x *acceptingExtender) Preempt(ctx context.Context, _ cluster.PodID, candidates []scheduler.Candidate) ([]scheduler.Candidate, error) {
	return candidates, x.call(ctx)
}

func (x *acceptingExtender) Bind(ctx context.Context, _ cluster.PodID, _ cluster.NodeID) error {
	return x.call(ctx)
}

// What an interrupted run has written down is how the whole run begins, except for its last
// sample and its end: a call that was cut short decides nothing.
func TestInterruptedRunBeginsAsTheWholeOne(t *testing.T) {
	run := func(interruptAt int, ignorable bool) ([]record.Record, *acceptingExtender) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		x := &acceptingExtender{ignorable: ignorable, interruptAt: interruptAt, interrupt: cancel}
		rw := newRandomWorld(t, 2, func(rw *randomWorld) { rw.extenders = []scheduler.Extender{x} })
		if err := rw.runContext(ctx, t, rw.conservation); err != nil {
			t.Fatal(err)
		}
		return rw.records, x
	}
	for _, ignorable := range []bool{false, true} {
		whole, x := run(0, ignorable)
		if x.calls < 200 {
			t.Fatalf("only %d calls", x.calls)
		}
		for n := 1; n <= x.calls; n += 7 {
			cut, _ := run(n, ignorable)
			if end := cut[len(cut)-1]; end.Text != "interrupted" {
				t.Fatalf("call %d: the run ends as %q", n, end.Text)
			}
			cut = cut[:len(cut)-1]
			if last := cut[len(cut)-1]; last.Kind == record.Sampled {
				cut = cut[:len(cut)-1]
			}
			for i := range cut {
				if a, b := text(t, &cut[i]), text(t, &whole[i]); a != b {
					t.Fatalf("call %d, record %d:\n%s\nthe whole run has\n%s", n, i, a, b)
				}
			}
		}
	}
}

func text(t *testing.T, r *record.Record) string {
	t.Helper()
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}
