package clock_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
)

func TestEventsOfOneInstantComeByKindThenInOrderOfPush(t *testing.T) {
	var q clock.Queue[string]
	q.Push(5, 2, "late kind")
	q.Push(5, 1, "first pushed")
	q.Push(7, 0, "later instant")
	q.Push(5, 1, "second pushed")
	var got []string
	for e, ok := q.Pop(); ok; e, ok = q.Pop() {
		got = append(got, e.Payload)
	}
	want := []string{"first pushed", "second pushed", "late kind", "later instant"}
	if !slices.Equal(got, want) {
		t.Errorf("order is %q, want %q", got, want)
	}
}

// The plain twin of the heap: a stable sort by (time, kind).
func TestQueueEqualsStableSort(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var q clock.Queue[int]
		var plain []clock.Event[int]
		var got, want []int
		for id := range rnd.IntN(300) {
			at, kind := clock.Time(rnd.IntN(20)), uint8(rnd.IntN(4))
			q.Push(at, kind, id)
			plain = append(plain, clock.Event[int]{At: at, Kind: kind, Payload: id})
		}
		slices.SortStableFunc(plain, func(a, b clock.Event[int]) int {
			if a.At != b.At {
				return int(a.At - b.At)
			}
			return int(a.Kind) - int(b.Kind)
		})
		for _, e := range plain {
			want = append(want, e.Payload)
		}
		for e, ok := q.Pop(); ok; e, ok = q.Pop() {
			got = append(got, e.Payload)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("heap gives %v, a stable sort %v", got, want)
		}
	}
}

func TestQueueAllocatesNothingPerEvent(t *testing.T) {
	var q clock.Queue[int]
	for i := range 1000 {
		q.Push(clock.Time(i), 0, i)
	}
	if n := testing.AllocsPerRun(1000, func() {
		e, _ := q.Pop()
		q.Push(e.At+1000, 0, e.Payload)
	}); n != 0 {
		t.Errorf("%v allocations per event, want 0", n)
	}
}

func TestStreamsDependOnSeedAndNameAlone(t *testing.T) {
	draw := func(seed uint64, name string) uint64 { return clock.NewStreams(seed).Rand(name).Uint64() }
	if first, second := draw(7, "a"), draw(7, "a"); first != second {
		t.Error("the same seed and name gave different numbers")
	}
	if draw(7, "a") == draw(7, "b") || draw(7, "a") == draw(8, "a") {
		t.Error("another name or seed gave the same number")
	}
}

func TestAddSaturates(t *testing.T) {
	for _, c := range []struct{ t, d, want clock.Time }{
		{1, 2, 3}, {clock.Forever, 1, clock.Forever}, {1, clock.Forever, clock.Forever},
		{clock.Forever - 1, 2, clock.Forever}, {5, -3, 2},
	} {
		if got := c.t.Add(c.d); got != c.want {
			t.Errorf("%d.Add(%d) = %d, want %d", c.t, c.d, got, c.want)
		}
	}
}

func BenchmarkQueue(b *testing.B) {
	for _, depth := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			var q clock.Queue[int64]
			rnd := rand.New(rand.NewPCG(1, 2))
			for i := range depth {
				q.Push(clock.Time(rnd.Int64N(1<<40)), 0, int64(i))
			}
			b.ReportAllocs()
			for b.Loop() {
				e, _ := q.Pop()
				q.Push(e.At+clock.Time(rnd.Int64N(1<<40)), 0, e.Payload)
			}
			if q.Len() != depth {
				b.Fatal("events were lost")
			}
		})
	}
}
