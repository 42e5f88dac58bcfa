package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/berth-sim/berth/sim/files/parallel"
)

func TestEveryPieceOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 1000} {
		done := make([]int, n)
		parallel.Each(n, func(i int) { done[i]++ })
		for i, times := range done {
			if times != 1 {
				t.Fatalf("piece %d of %d is done %d times", i, n, times)
			}
		}
	}
}

// TestAsManyAsTheWorkers: the first three pieces wait for each other, so three run at a time, and never more.
func TestAsManyAsTheWorkers(t *testing.T) {
	var now, most atomic.Int64
	var together sync.WaitGroup
	together.Add(3)
	err := parallel.Do(context.Background(), 3, 50, func(i int) error {
		if v := now.Add(1); v > most.Load() {
			most.Store(v)
		}
		if i < 3 {
			together.Done()
			together.Wait()
		}
		now.Add(-1)
		return nil
	})
	if err != nil || most.Load() != 3 {
		t.Errorf("%d at a time, error %v", most.Load(), err)
	}
}

// TestErrorOfTheLowestNumber: a piece that fails late, but before another one in order, gives the error.
func TestErrorOfTheLowestNumber(t *testing.T) {
	for range 20 {
		failed := make(chan struct{})
		err := parallel.Do(context.Background(), 4, 100, func(i int) error {
			switch i {
			case 2:
				<-failed
				return fmt.Errorf("piece %d", i)
			case 3:
				defer close(failed)
				return fmt.Errorf("piece %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "piece 2" {
			t.Fatalf("the error is %v", err)
		}
	}
}

func TestNothingBeginsAfterAnError(t *testing.T) {
	begun := 0
	err := parallel.Do(context.Background(), 1, 100, func(i int) error {
		if begun++; i == 5 {
			return errors.New("fault")
		}
		return nil
	})
	if err == nil || begun != 6 {
		t.Errorf("%d begun, error %v", begun, err)
	}
}

func TestEndOfTheContext(t *testing.T) {
	cause := errors.New("enough")
	for _, at := range []int{4, 9} {
		ctx, stop := context.WithCancelCause(context.Background())
		err := parallel.Do(ctx, 1, 10, func(i int) error {
			if i == at {
				stop(cause)
			}
			return nil
		})
		if want := map[int]error{4: cause, 9: nil}[at]; err != want {
			t.Errorf("ended in piece %d of 10: %v, want %v", at, err, want)
		}
	}
}
