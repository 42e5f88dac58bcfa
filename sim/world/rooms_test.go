package world_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// kept counts the samples of which all, some and none of the classes of the mix were kept.
type kept struct{ all, some, none int }

// compareSamples runs a world and compares each of its samples with one for which all nodes are asked. After a sample,
// changes are missed if that is planted.
func compareSamples(rw *randomWorld, miss bool) (k kept, err error) {
	var w *world.World
	rw.cfg.Record = func(r *record.Record) {
		if r.Kind != record.Sampled || err != nil {
			return
		}
		f := *r.Sample.Fragmentation
		f.Inflated = nil
		if plain := w.PlainFragmentation(); !reflect.DeepEqual(&f, plain) {
			err = fmt.Errorf("at %s: sampled\n%+v, want\n%+v", r.Time, f, *plain)
		}
		switch w.KeptClasses() {
		case len(f.Mix):
			k.all++
		case 0:
			k.none++
		default:
			k.some++
		}
	}
	if miss {
		attempted := 0
		rw.cfg.Attempted = func(*scheduler.Attempt, clock.Time) {
			if attempted++; attempted%10 == 0 {
				w.MissChanges()
			}
		}
	}
	w = world.New(rw.cfg)
	if _, runErr := w.Run(context.Background()); runErr != nil {
		return k, runErr
	}
	return k, err
}

// TestSamplesAskOnlyAboutWhatChanged: samples say what they say when all nodes are asked, in worlds where nodes come and go and
// are tainted, where the mix changes, where filters look at volumes, and where inflation fills the nodes in between.
func TestSamplesAskOnlyAboutWhatChanged(t *testing.T) {
	var random, mixed kept
	sum := func(to *kept, k kept) { to.all, to.some, to.none = to.all+k.all, to.some+k.some, to.none+k.none }
	for seed := range uint64(12) {
		rw := newRandomWorld(t, seed, func(rw *randomWorld) {
			if seed%3 == 0 {
				inflating(rw)
			}
			rw.cfg.SampleEvery, rw.cfg.FragmentationMeter.MaxClasses = 3*clock.Second, 6
		})
		k, err := compareSamples(rw, false)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		sum(&random, k)
		m := newMixedWorld(t, seed)
		m.cfg.SampleEvery, m.cfg.FragmentationMeter = 5*clock.Second, world.DefaultFragmentationMeter()
		if k, err = compareSamples(m.randomWorld, false); err != nil {
			t.Fatalf("seed %d, mixed: %v", seed, err)
		}
		sum(&mixed, k)
	}
	if random.all < 100 || mixed.some < 100 {
		t.Errorf("random worlds: %+v, mixed ones: %+v", random, mixed)
	}
}

func TestMissedChangesAreFound(t *testing.T) {
	rw := newRandomWorld(t, 1, func(rw *randomWorld) { rw.cfg.SampleEvery = 3 * clock.Second })
	if _, err := compareSamples(rw, true); err == nil {
		t.Error("a sample that misses changes is not found")
	}
}
