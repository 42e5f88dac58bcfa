package record_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// oneOfEach has a record of every kind, with every field that has a meaning for it.
func oneOfEach() []record.Record {
	amounts := []record.Amount{{Resource: "memory", Value: 1 << 40}, {Resource: "cpu", Value: 250}}
	node := &record.NodeInfo{Name: "a", Pool: "p|q", Zone: "z", PricePerHour: 0.38, Unschedulable: true, Allocatable: amounts,
		Labels: []record.Label{{Key: "a/b", Value: ""}, {Key: "c", Value: "é\"|"}}}
	log := []record.Record{
		{Kind: record.RunStarted, Text: "a \"name\" <é>\n"},
		{Kind: record.DeclareClass, Class: 3, Priority: -5, Text: "ns", Amounts: amounts},
		{Kind: record.DeclareClass, Class: 4, Amounts: amounts, Devices: &record.DeviceRequest{Kind: "nvidia.com/gpu", Count: 1, Milli: 300, Models: []string{"T4", "é"}}},
		{Kind: record.DeclareTarget, Target: []record.TargetClass{{Pods: 5, MilliCPU: 2000, Count: 1, Milli: 300, Models: []string{"T4"}}, {Pods: 1}}},
		{Kind: record.DeclareWorkload, Workload: 2, Text: "web"},
		{Kind: record.DeclareGroup, Group: 4, Workload: 2, Text: "ns/g", Count: 8},
		{Kind: record.NodeAdded, Node: 7, NodeInfo: node},
		{Kind: record.NodeAdded, Node: 8, NodeInfo: &record.NodeInfo{Name: "b", Allocatable: amounts, Devices: 8, DeviceKind: "nvidia.com/gpu", Model: "T4"}},
		{Kind: record.NodeChanged, Node: 7, NodeInfo: node},
		{Kind: record.NodeRemoved, Node: 7},
		{Kind: record.PodArrived, Pod: 9, Node: 7, Class: 3, Workload: 2, Group: 4, Text: "ns/pod", Daemon: true},
		{Kind: record.PodArrived, Pod: 10, Node: -1, Class: 3, Workload: 2, Group: -1},
		{Kind: record.PodGated, Pod: 9, Text: "why"},
		{Kind: record.PodUngated, Pod: 9},
		{Kind: record.PodAttempted, Pod: 9, Count: 2, Text: "oops", Attempt: &record.AttemptInfo{
			Outcome: "unschedulable", Node: -1, Feasible: 1, Evaluated: 2, Busy: 3, Nominated: 7, Victims: 5,
			Reasons: []record.ReasonCount{{Plugin: "P", Reason: "no room", Nodes: 6}, {Plugin: "Q", Nodes: 1}},
		}},
		{Kind: record.PodAttempted, Pod: 9, Count: 3, Attempt: &record.AttemptInfo{Outcome: "scheduled", Node: 7, Held: []int32{0, 12}, Nominated: -1}},
		{Kind: record.PodAllowed, Pod: 9, Node: 7},
		{Kind: record.PodRolledBack, Pod: 9, Node: 7, Cause: record.ByPermitTimeout, Text: "late"},
		{Kind: record.PodBound, Pod: 9, Node: 7},
		{Kind: record.PodBound, Pod: 9, Node: 7, Held: []int32{3}},
		{Kind: record.PodStarted, Pod: 9, Node: 7},
		{Kind: record.PodCompleted, Pod: 9, Node: 7},
		{Kind: record.PodEvictionBlocked, Pod: 9, Node: 7, Text: "budget ns/b"},
		{Kind: record.PodEvicted, Pod: 9, Node: 7, Cause: record.ByPreemption, By: 10},
		{Kind: record.PodEvicted, Pod: 9, Node: 7, Cause: record.ByDrain, By: -1},
		{Kind: record.PodGone, Pod: 9, Node: -1},
		{Kind: record.Sampled, Sample: &record.Sample{Queue: record.Depth{Active: 1, Backoff: 2, Unschedulable: 3, Gated: 4, Waiting: 5}}},
		{Kind: record.Sampled, Sample: &record.Sample{Fragmentation: &record.Fragmentation{
			Resources: []string{"cpu", "memory"}, Free: []int64{1, 2}, Stranded: []int64{3, 4}, Inflated: []int64{5, 6},
			Mix: []record.MixShare{{Class: 3, Weight: 0.1, Fits: 7, Unusable: []int64{8, 9}}},
		}}},
		{Kind: record.RunEnded, Text: "done"},
	}
	for i := range log {
		r := &log[i]
		r.Time = 1_500_000_000
		for key, number := range map[string]func(){
			"pod": func() { r.Pod = -1 }, "node": func() { r.Node = -1 },
			"group": func() { r.Group = -1 }, "by": func() { r.By = -1 },
		} {
			if !record.HasKey(r.Kind, key) {
				number()
			}
		}
	}
	return log
}

func TestRecordsReadBackAsWritten(t *testing.T) {
	var file bytes.Buffer
	w, log := record.NewWriter(&file), oneOfEach()
	kinds := map[record.Kind]bool{}
	for i := range log {
		kinds[log[i].Kind] = true
		if err := w.Write(&log[i]); err != nil {
			t.Fatal(err)
		}
	}
	if len(kinds) != record.Kinds {
		t.Errorf("%d kinds are tested, there are %d", len(kinds), record.Kinds)
	}
	text := file.String()
	i := 0
	for r, err := range record.Read("f", &file) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !reflect.DeepEqual(*r, log[i]) {
			t.Errorf("record %d is\n%+v, want\n%+v", i, *r, log[i])
		}
		i++
	}
	if i != len(log) {
		t.Errorf("%d records were read, want %d", i, len(log))
	}
}

func TestRecordIsCompact(t *testing.T) {
	var file bytes.Buffer
	if err := record.NewWriter(&file).Write(&record.Record{Time: 5, Kind: record.PodBound, Pod: 1, Node: 2, Text: "not said"}); err != nil {
		t.Fatal(err)
	}
	if got, want := file.String(), `{"t":5,"kind":"bind","pod":1,"node":2}`+"\n"; got != want {
		t.Errorf("record is %s, want %s", got, want)
	}
	if err := record.NewWriter(io.Discard).Write(&record.Record{Kind: 99}); err == nil {
		t.Error("a record of an unknown kind was written")
	}
}

func TestBadRecords(t *testing.T) {
	const sound = `{"t":0,"kind":"run"}`
	for _, c := range []struct{ line, want string }{
		{`{"t":0,"kind":"hop"}`, `f:2:1: kind: "hop" is not a kind of record`},
		{`{"kind":"run"}`, "f:2:1: t is missing"},
		{`{"t":0,"kind":"bind","pod":1}`, `f:2:1: node is missing in a record of kind "bind"`},
		{`{"t":0,"kind":"bind","pod":1,"node":1,"priority":0}`, `f:2:1: priority has no meaning in a record of kind "bind"`},
		{`{"t":0,"kind":"bind","pod":1,"node":1,"extra":0}`, `f:2:1: extra has no meaning in a record of kind "bind"`},
		{`{"t":0,"kind":"run"`, "f:2:1: the record is truncated"},
		{``, "f:2:1: the record is truncated"},
		{sound + sound, "f:2:1: there is more than one record on the line"},
		{`{"t":0.5,"kind":"run"}`, "f:2:1: t: 0.5 is not a whole number"},
		{`{"t":0,"kind":"class","class":0,"priority":0,"amounts":[1]}`, "f:2:1: amounts: amounts must be an object"},
		{`{"t":0,"kind":"class","class":0,"priority":0,"amounts":{"cpu":"1"}}`, `f:2:1: amounts: cpu: "1" is not a whole number`},
		{`{"t":0,"kind":"attempt","pod":0,"count":1,"attempt":{"outcome":"error","node":-1,"feasible":0,"evaluated":0,"busy":0,"nominated":-1,"victims":0,"reasons":[["a","b"]]}}`, "f:2:1: attempt: reasons: a reason must be"},
		{`{"t":0,"kind":"sample","sample":{"queue":{"idle":1}}}`, `f:2:1: sample: queue: unknown key idle`},
		{`{"t":0,"kind":"attempt","pod":0,"count":1,"attempt":{"outcome":"error"}}`, "f:2:1: attempt: node is missing"},
		{`{"t":0,"kind":"gate","pod":0,"text":3}`, "f:2:1: text: 3 is not a text"},
		{`[]`, "f:2:1: [] is not an object"},
	} {
		var err error
		for _, err = range record.Read("f", strings.NewReader(sound+"\n"+c.line+"\n"+sound)) {
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %s", c.line, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	w := record.NewWriter(&file)
	for _, r := range oneOfEach() {
		file.Reset()
		if err := w.Write(&r); err != nil {
			f.Fatal(err)
		}
		f.Add(file.String())
	}
	// What can be read can be written, and reads back the same.
	f.Fuzz(func(t *testing.T, text string) {
		for r, err := range record.Read("f", strings.NewReader(text)) {
			if err != nil {
				return
			}
			var again bytes.Buffer
			if err := record.NewWriter(&again).Write(r); err != nil {
				t.Fatal(err)
			}
			first := again.String()
			for r, err := range record.Read("f", strings.NewReader(first)) {
				again.Reset()
				if err != nil || record.NewWriter(&again).Write(r) != nil || again.String() != first {
					t.Fatalf("%s reads back as %s (%v)", first, again.String(), err)
				}
			}
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	var log []record.Record
	recordtest.Random(1, 20_000, 200, func(r *record.Record) { log = append(log, *r) })
	b.Run(fmt.Sprintf("records=%d", len(log)), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w := record.NewWriter(io.Discard)
			for i := range log {
				if err := w.Write(&log[i]); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(len(log)*b.N)/b.Elapsed().Seconds(), "records/s")
	})
}
