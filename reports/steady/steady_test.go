package steady

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

const gpus = "alibabacloud.com/gpu-count"

// play shows a follower of the window from 10 s to 30 s a fleet of four GPUs, and then records.
func play(records ...record.Record) *Follower {
	f := NewFollower(10*clock.Second, 30*clock.Second)
	ask := func(class int32, count int, milli int32) record.Record {
		return record.Record{Kind: record.DeclareClass, Class: class, Devices: &record.DeviceRequest{Kind: gpus, Count: count, Milli: milli}}
	}
	begin := []record.Record{
		{Kind: record.NodeAdded, Node: 0, NodeInfo: &record.NodeInfo{
			Name: "n", Devices: 4, DeviceKind: gpus, Allocatable: []record.Amount{{Resource: "cpu", Value: 8000}},
		}},
		{Kind: record.DeclareTarget, Target: []record.TargetClass{{Pods: 1, Count: 4, Milli: 1000}}},
		{Kind: record.DeclareWorkload}, {Kind: record.DeclareClass, Class: 0}, ask(1, 1, 500), ask(2, 1, 1000), ask(3, 2, 1000),
	}
	slices.SortStableFunc(records, func(a, b record.Record) int { return cmp.Compare(a.Time, b.Time) })
	for _, r := range append(begin, records...) {
		f.Observe(&r)
	}
	return f
}

func arrive(at clock.Time, pod int64, class int32, group int64) record.Record {
	return record.Record{Time: at * clock.Second, Kind: record.PodArrived, Pod: pod, Class: class, Group: group, Node: -1}
}

func attempt(at clock.Time, pod int64, held ...int32) record.Record {
	return record.Record{Time: at * clock.Second, Kind: record.PodAttempted, Pod: pod, Count: 1, Attempt: &record.AttemptInfo{Outcome: record.Scheduled, Held: held}}
}

func do(at clock.Time, kind record.Kind, pod int64) record.Record {
	return record.Record{Time: at * clock.Second, Kind: kind, Pod: pod}
}

func result(t *testing.T, f *Follower) *Result {
	t.Helper()
	r, err := f.Result()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Means are over the window alone, and each of its halves.
func TestMeans(t *testing.T) {
	r := result(t, play(
		arrive(0, 0, 3, -1), attempt(0, 0, 0, 1), do(5, record.PodBound, 0), // two GPUs, from before the window
		arrive(15, 1, 2, -1), attempt(18, 1, 2), do(20, record.PodBound, 1), // waits for 5 s, for 2 s of them with a GPU
		do(5, record.PodStarted, 0), do(25, record.PodCompleted, 0),
		do(40, record.RunEnded, -1),
	))
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"allocated", r.Allocated, (20*2 + 10*1 - 5*2) / 80.0},
		{"allocated in the first half", r.Halves[0].Allocated, 0.5},
		{"allocated in the second half", r.Halves[1].Allocated, (5*3 + 5*1) / 40.0},
		{"held", r.Held, 2 / 80.0},
		{"demand", r.Demand, 5 / 80.0},
		{"waiting pods", r.Pods, 5 / 20.0},
		{"fragmented", r.Fragmented, (8*2 + 2*1 + 5*1 + 5*3) / 80.0},
		{"growth", MeasureNamed("growth").Of(r), -5 / 40.0},
	} {
		if math.Abs(tt.got-tt.want) > 1e-12 {
			t.Errorf("%s is %v, not %v", tt.name, tt.got, tt.want)
		}
	}
}

// Waits are of the jobs that arrive in the window; those that are not over count by its end.
func TestWaits(t *testing.T) {
	group := record.Record{Time: 12 * clock.Second, Kind: record.DeclareGroup, Group: 7, Count: 2}
	r := result(t, play(
		arrive(5, 0, 1, -1), attempt(11, 0, 0), do(11, record.PodBound, 0), // came too early
		arrive(10, 1, 1, -1), attempt(13, 1, 0), do(13, record.PodBound, 1),
		arrive(11, 2, 0, -1), attempt(11, 2), do(11, record.PodBound, 2),
		group, arrive(12, 3, 2, 7), arrive(14, 4, 2, 7),
		attempt(15, 3, 1), do(15, record.PodBound, 3), attempt(22, 4, 2), do(22, record.PodBound, 4),
		arrive(20, 5, 3, -1), arrive(30, 6, 3, -1), // one stays without a node, the other comes too late
		do(30, record.RunEnded, -1),
	))
	want := map[Kind]Wait{
		Part: {1, 0, 3, 3, 3, 3}, NoDevices: {1, 0, 0, 0, 0, 0}, Gangs: {1, 0, 10, 10, 10, 10},
		Several: {1, 1, 10, 10, 10, 10}, All: {4, 1, 23 / 4.0, 3, 10, 10},
	}
	for _, k := range Kinds() {
		if r.Waits[k] != want[k] {
			t.Errorf("%s: %+v, not %+v", k, r.Waits[k], want[k])
		}
	}
}

// What the measures do not cover is an error, not a number.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		f          *Follower
	}{
		{"an eviction", "evicted", play(arrive(0, 0, 1, -1), attempt(0, 0, 0), do(0, record.PodBound, 0), do(1, record.PodEvicted, 0), do(30, record.RunEnded, -1))},
		{"an early end", "before its window", play(do(29, record.RunEnded, -1))},
		{"no devices", "no devices", func() *Follower {
			f := NewFollower(0, clock.Second)
			f.Observe(&record.Record{Time: clock.Second, Kind: record.RunEnded})
			return f
		}()},
		{"a device held twice", "violates an invariant", play(arrive(0, 0, 2, -1), attempt(0, 0, 0), arrive(0, 1, 2, -1), attempt(0, 1, 0), do(30, record.RunEnded, -1))},
	} {
		if _, err := tt.f.Result(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v", tt.name, err)
		}
	}
}

// study has two policies with so many seeds; B has one percent point more than A, and as much
// more as noise says.
func study(seeds int, noise float64) (out Entries) {
	for seed := range uint64(seeds) {
		day := float64(seed%7) / 50 // of which both have the same
		for _, policy := range []string{"A", "B"} {
			f := 0.1 + day
			if policy == "B" {
				f += 0.01 + noise*float64(seed%3)
			}
			out = append(out, Entry{"s", 80, policy, seed, &Result{Means: Means{Fragmented: f}}})
		}
	}
	return out
}

// Differences are those of pairs, so that a difference that is small beside the seeds' shows.
func TestPairs(t *testing.T) {
	m := MeasureNamed("fragmented")
	c := study(10, 0.0001).Compare("s", m, "A")[1][0]
	if c.Seeds != 10 || c.From == nil || !c.From.Shown() || c.From.Low < 0.01 || c.From.High > 0.0102 {
		t.Errorf("%+v, %+v", c, c.From)
	}
	if c := study(10, -0.01).Compare("s", m, "A")[1][0]; c.From.Shown() {
		t.Errorf("nothing is there, and shown: %+v", c.From)
	}
	all := study(3, 0)
	if got := all[:5].Paired(); len(got) != 4 || got[3] != all[3] {
		t.Errorf("of two pairs and a half %d entries are left", len(got))
	}
}

func TestTables(t *testing.T) {
	entries := study(10, 0.0001)
	var text, rows bytes.Buffer
	if err := entries.WriteMarkdown(&text, "A"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"F: free but unusable, % of all GPUs (`fragmented`), by load:\n\n| policy | 80 %, 10 seeds |\n| --- | --- |\n| A | 14.80 |\n| B | 15.81 (+1.01; +1.00 to +1.01)\\* |\n",
		"| B | 0.00 (+0.00; +0.00 to +0.00) |",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no\n%s\nin\n%s", want, &text)
		}
	}
	if strings.Contains(text.String(), "gang") {
		t.Error("there is a table of gangs, of which there are none")
	}
	if err := entries.WriteCSV(&rows); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(rows.String(), "\n")
	if len(lines) != 22 || !strings.HasPrefix(lines[0], "scenario,load,policy,seed,fragmented,") || !strings.HasPrefix(lines[2], "s,80,B,0,0.11,0,") {
		t.Errorf("the rows are\n%s", &rows)
	}
	if figures := entries.Figures(); len(figures) != 2 || figures[0].Name != "fragmented-s" || len(figures[0].Chart.Marks) != 2 {
		t.Errorf("figures are %+v", figures)
	}
}
