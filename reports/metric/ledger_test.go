package metric

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

func TestRandomLogsObeyTheLaws(t *testing.T) {
	for seed := range uint64(20) {
		l := NewLedger()
		recordtest.Random(seed, 500, 6, l.Observe)
		if err := l.Err(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestSummaryFromFileEqualsLive(t *testing.T) {
	for seed := range uint64(5) {
		var file bytes.Buffer
		live, w := NewLedger(), record.NewWriter(&file)
		recordtest.Random(seed, 1000, 8, func(r *record.Record) {
			live.Observe(r)
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		})
		read := NewLedger()
		for r, err := range record.Read("records.jsonl", &file) {
			if err != nil {
				t.Fatal(err)
			}
			read.Observe(r)
		}
		want, got := outputs(t, live), outputs(t, read)
		if want != got {
			t.Errorf("seed %d: the summary of the file differs from the live one", seed)
		}
	}
}

// outputs are the summary as JSON and the time series.
func outputs(t *testing.T, l *Ledger) string {
	t.Helper()
	var b bytes.Buffer
	if err := output.WriteJSON(&b, l.Summary(Facts{Policy: "p", Seed: 7})); err != nil {
		t.Fatal(err)
	}
	if err := l.WriteSeries(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The states of the pods that are here and the counts of those that are not must sum
// to the arrivals, in every scope that has arrivals.
func TestEveryPodIsInOneState(t *testing.T) {
	l := NewLedger()
	recordtest.Random(3, 800, 6, l.Observe)
	for _, scope := range l.Summary(Facts{}).Scopes {
		if scope.Scope == ScopePool {
			continue
		}
		sum := -scope.Of(Named("placement.arrived"), "").Value
		for _, state := range []string{"running", "completed", "pending", "waiting", "starting", "terminating", "evicted", "dropped"} {
			sum += scope.Of(Named("placement."+state), "").Value
		}
		if sum != 0 {
			t.Errorf("%s %s: the states sum to %+v more than have arrived", scope.Scope, scope.Name, sum)
		}
	}
}

func TestMemoryDoesNotGrowWithPodsThatHaveGone(t *testing.T) {
	l := NewLedger()
	recordtest.Random(1, 60_000, 300, l.Observe)
	if len(l.reasons.sets) > 2 {
		t.Errorf("%d sets of reasons are kept, want at most 2", len(l.reasons.sets))
	}
	if n := len(l.run.waitToBind.exact); n != 0 {
		t.Errorf("%d exact values are kept of a large distribution", n)
	}
}

func TestGroupsAreForgotten(t *testing.T) {
	l := NewLedger()
	observe := func(line string) { l.Observe(recordtest.Parse(t, line)) }
	observe("0 workload workload=0 text=w")
	observe("0 class class=0 cpu=1")
	for i := range 100 {
		observe(fmt.Sprintf("%d group group=%d workload=0 count=1", i, i))
		observe(fmt.Sprintf("%d arrive pod=%d group=%d", i, i, i))
		observe(fmt.Sprintf("%d gone pod=%d", i, i))
	}
	if len(l.groups) != 0 || l.Err() != nil {
		t.Errorf("%d groups are kept, want 0 (%v)", len(l.groups), l.Err())
	}
}

func TestAllowOvercommit(t *testing.T) {
	l := NewLedger()
	l.AllowOvercommit()
	for _, line := range strings.Split(`0 workload workload=0 text=w
0 nodeAdd node=0 name=a cpu=100
0 class class=0 cpu=600
0 arrive pod=0
1 attempt pod=0 count=1 outcome=scheduled to=0`, "\n") {
		l.Observe(recordtest.Parse(t, line))
	}
	if err := l.Err(); err != nil {
		t.Error(err)
	}
}

// declareClasses declares classes of which every second one requests what the one before
// it does.
func declareClasses(l *Ledger, classes int) {
	for i := range classes {
		l.Observe(&record.Record{Kind: record.DeclareClass, Class: int32(i), Amounts: []record.Amount{
			{Resource: "cpu", Value: 100}, {Resource: "memory", Value: 1}, {Resource: "example.com/device", Value: int64(1000 + i/2)},
		}})
	}
}

func TestLabelsTellClassesApart(t *testing.T) {
	l := NewLedger()
	declareClasses(l, 100)
	if len(l.labels) != 100 || l.classes[3].label != "cpu 100m, memory 1 B, example.com/device 1,001 (class 3)" {
		t.Errorf("%d labels, one is %q", len(l.labels), l.classes[3].label)
	}
}

// BenchmarkDeclare declares many classes: its time must grow as their number does.
func BenchmarkDeclare(b *testing.B) {
	for _, classes := range []int{6_000, 60_000} {
		b.Run(fmt.Sprintf("classes=%d", classes), func(b *testing.B) {
			for b.Loop() {
				l := NewLedger()
				if declareClasses(l, classes); len(l.labels) != classes {
					b.Fatalf("%d labels", len(l.labels))
				}
			}
		})
	}
}

func TestViolationsAreLimited(t *testing.T) {
	l := NewLedger()
	for range 30 {
		l.Observe(recordtest.Parse(t, "0 gone pod=1"))
	}
	text := l.Err().Error()
	if lines := strings.Count(text, "\n"); lines != lifecycle.MaxViolations || !strings.HasSuffix(text, "and 10 more violations") {
		t.Errorf("error is %q", text)
	}
}

func TestLogWithoutEndIsPartial(t *testing.T) {
	s := NewLedger().Summary(Facts{})
	if !s.Run.Partial {
		t.Error("a run without end is not marked as partial")
	}
}

// In a run without length, as one with all pods at once and no latency, means and
// peaks are the levels.
func TestRunWithoutLength(t *testing.T) {
	l := NewLedger()
	for _, line := range strings.Split(`0 workload workload=0 text=w
0 nodeAdd node=0 name=a cpu=1000
0 class class=0 cpu=600
0 arrive pod=0
0 attempt pod=0 count=1 outcome=scheduled to=0
0 bind pod=0 node=0
0 end text=done`, "\n") {
		l.Observe(recordtest.Parse(t, line))
	}
	s := l.Summary(Facts{})
	for _, metric := range []string{"utilization.allocated", "utilization.allocatedPeak", "utilization.allocatedNow"} {
		if v, _ := s.Value(metric, "cpu"); v != 0.6 {
			t.Errorf("%s is %v, want 0.6", metric, v)
		}
	}
}

func TestMetricsAreDeclaredWell(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All {
		if seen[m.Name] {
			t.Errorf("%s is declared twice", m.Name)
		}
		seen[m.Name] = true
		if m.Title == "" || m.Column == "" || m.Unit == "" || m.Formula == "" || m.Scopes == 0 || m.values == nil {
			t.Errorf("%s: a part of the declaration is missing", m.Name)
		}
		if m.Headline&^m.Scopes != 0 {
			t.Errorf("%s is a headline where it has no value", m.Name)
		}
	}
	if !reflect.DeepEqual(Named("placement.arrived"), &All[0]) || Named("nothing") != nil {
		t.Error("MetricByName finds the wrong declaration")
	}
}

func BenchmarkObserve(b *testing.B) {
	const pods, nodes = 50_000, 500
	var log []record.Record
	recordtest.Random(1, pods, nodes, func(r *record.Record) { log = append(log, *r) })
	b.Run(fmt.Sprintf("nodes=%d/pods=%d", nodes, pods), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l := NewLedger()
			for i := range log {
				l.Observe(&log[i])
			}
			if arrived := l.run.arrived; arrived != pods {
				b.Fatalf("%d pods arrived", arrived)
			}
		}
		b.ReportMetric(float64(len(log)*b.N)/b.Elapsed().Seconds(), "records/s")
	})
}

// A policy that looks at single devices misplaces no pod; pods that run from the start may be.
func TestForbidMisplaced(t *testing.T) {
	l := NewLedger()
	l.ForbidMisplaced()
	for _, line := range []string{
		"0 workload workload=0 text=w", "0 nodeAdd node=0 name=a devices=1 kind=gpu", "0 class class=0 asks=2x1000_gpu", "0 arrive pod=0", "0 arrive pod=1",
		"1 bind pod=0 node=0", "2 attempt pod=1 count=1 outcome=scheduled to=0",
	} {
		l.Observe(recordtest.Parse(t, line))
	}
	if err := l.Err(); err == nil || err.Error() != "2s: attempt of pod 1: node a lacks the devices that it asks for" {
		t.Errorf("the violation is %v", err)
	}
}
