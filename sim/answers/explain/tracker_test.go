package explain

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// TestWhatComesLaterDoesNotCount: a run goes on for a little after its context is canceled. What
// it records then changes nothing, but the arrival of a pod that was not there before does.
func TestWhatComesLaterDoesNotCount(t *testing.T) {
	arrival := func(at clock.Time, serial int64, pod string) *record.Record {
		return &record.Record{Time: at, Kind: record.PodArrived, Pod: serial, Node: -1, Group: -1, Text: pod}
	}
	declared := func(t *Tracker) *Tracker {
		t.Record(&record.Record{Kind: record.DeclareWorkload, Pod: -1})
		t.Record(&record.Record{Kind: record.DeclareClass, Pod: -1})
		return t
	}
	w, err := ParsePod("web")
	if err != nil {
		t.Fatal(err)
	}
	early := declared(NewTracker(w, 10*clock.Minute, Options{}))
	for _, step := range []struct {
		record *record.Record
		more   bool
	}{
		{arrival(clock.Minute, 0, "shop/web"), true},
		{&record.Record{Time: 2 * clock.Minute, Kind: record.PodGated, Pod: 0, Text: "a gate"}, true},
		{&record.Record{Time: 10 * clock.Minute, Kind: record.Sampled, Pod: -1}, true},
		{arrival(11*clock.Minute, 1, "default/web"), false},
		{&record.Record{Time: 12 * clock.Minute, Kind: record.PodUngated, Pod: 0}, false},
		{&record.Record{Time: 12 * clock.Minute, Kind: record.RunEnded, Text: "interrupted"}, false},
	} {
		if more := early.Record(step.record); more != step.more {
			t.Errorf("after the %s at %s: more is %v", step.record.Kind, step.record.Time, more)
		}
	}
	if e, err := early.Result(); err != nil || e.Pod != "shop/web" || e.State != Gated || e.Message != "a gate" || e.At != 2*clock.Minute {
		t.Errorf("%+v, %v", e, err)
	}
	late := declared(NewTracker(w, 10*clock.Minute, Options{}))
	if !late.Record(arrival(11*clock.Minute, 0, "default/other")) || !late.Record(arrival(12*clock.Minute, 1, "default/web")) {
		t.Error("it does not wait for the pod")
	}
	if late.Record(arrival(13*clock.Minute, 2, "shop/web")) {
		t.Error("it goes on when the pod has come")
	}
	if _, err := late.Result(); err == nil || err.Error() != "pod default/web arrives at 12m0s, which is after 10m0s" {
		t.Error(err)
	}
}
