package cluster

import (
	"reflect"
	"testing"
)

// FuzzRollback makes trial moves, nested once, and rolls them back: the state must be
// as before, the order of the pods on every node included.
func FuzzRollback(f *testing.F) {
	f.Add(uint64(1), []byte{0, 1, 2, 3}, []byte{8, 9, 10})
	f.Add(uint64(2), []byte{0, 0, 0, 0, 0, 0, 0}, []byte{1, 1, 1, 1, 1, 1})
	f.Add(uint64(3), []byte{}, []byte{255, 254, 16, 40, 41, 17, 100, 101})
	f.Add(uint64(4), []byte{6, 14, 22, 30, 38, 7, 15}, []byte{})
	f.Fuzz(func(t *testing.T, seed uint64, first, second []byte) {
		tr := newTrial(t, seed)
		checkRollback(t, tr, first, second)
	})
}

func TestRollbackOfRandomMoves(t *testing.T) {
	for seed := range uint64(300) {
		tr := newTrial(t, seed)
		moves := func() []byte {
			out := make([]byte, tr.rnd.IntN(40))
			for i := range out {
				out[i] = byte(tr.rnd.Uint32())
			}
			return out
		}
		checkRollback(t, tr, moves(), moves())
	}
}

func checkRollback(t *testing.T, tr *trial, first, second []byte) {
	t.Helper()
	before, hash := tr.picture(), tr.Hash()
	outer := tr.Mark()
	tr.tryMoves(first)
	between, inner := tr.picture(), tr.Mark()
	tr.tryMoves(second)
	tr.Rollback(inner)
	if after := tr.picture(); !reflect.DeepEqual(after, between) {
		t.Fatalf("the inner rollback left\n%+v\nwant\n%+v", after, between)
	}
	tr.Rollback(outer)
	if after := tr.picture(); !reflect.DeepEqual(after, before) {
		t.Fatalf("the outer rollback left\n%+v\nwant\n%+v", after, before)
	}
	if tr.Hash() != hash {
		t.Fatal("the outer rollback left a trace")
	}
	if err := tr.Verify(); err != nil {
		t.Fatal(err)
	}
}

func TestNothingChangesWhileATrialIsOpen(t *testing.T) {
	tr := newTrial(t, 1)
	tr.Mark()
	tr.TryPlace(tr.pending[0], tr.ids[0])
	mustPanic(t, "cluster: change committed while a trial is open", func() { tr.Assume(tr.pending[1], tr.ids[0]) })
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := recover(); got != want {
			t.Errorf("panic %v, want %q", got, want)
		}
	}()
	f()
}
