package replay_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/diff"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/replay"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record"
)

const scenarioText = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: planted}
seed: 5
horizon: 20m
collect: {every: 5m, fragmentation: {off: true}}
objects: [classes.yaml]
fleet: [{pool: n, count: 8, zones: [a, b], template: {status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}}]
workloads:
  - name: web
    arrivals: {poisson: {rate: 15/m}}
    lifetime: {exponential: {mean: 2m}}
    template: {spec: {priorityClassName: low, containers: [{name: c, image: "i:1", resources: {requests: {cpu: "1", memory: 1Gi}}}]}}
  - name: urgent
    arrivals: {poisson: {rate: 1/m}}
    lifetime: {fixed: 3m}
    template: {spec: {priorityClassName: high, containers: [{name: c, image: "i:1", resources: {requests: {cpu: "3", memory: 1Gi}}}]}}
events: [{at: 8m, drain: {pool: n, count: 2}}, {at: 12m, uncordon: {pool: n}}]
`

const classesText = `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: 1}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 1000}
`

const packText = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: default-scheduler
    pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]
`

// play plays the scenario into a directory, in the working directory of the test.
func play(t *testing.T, dir, policy string) {
	t.Helper()
	playWith(t, dir, scenarios.Options{Recipe: recipe.Recipe{Policy: policy}})
}

func playWith(t *testing.T, dir string, o scenarios.Options) {
	t.Helper()
	for name, text := range map[string]string{"scenario.yaml": scenarioText, "classes.yaml": classesText, "pack.yaml": packText} {
		write(t, name, text)
	}
	scenario, err := scenarios.Load("scenario.yaml")
	if err != nil {
		t.Fatal(err)
	}
	run, err := scenario.Build(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (experiment.Runner{Version: "test"}).Run(t.Context(), run, dir); err != nil {
		t.Fatal(err)
	}
}

func recordsOf(t *testing.T, dir string) []record.Record {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, rundir.RecordsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []record.Record
	for r, err := range record.Read(dir, file) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *r)
	}
	return out
}

// copyRun writes a run directory as one of these records, with what follows from them.
func copyRun(t *testing.T, from, to string, records []record.Record) {
	t.Helper()
	run, err := rundir.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	w, err := rundir.NewWriter(to)
	if err != nil {
		t.Fatal(err)
	}
	l := metric.NewLedger()
	l.AllowOvercommit()
	for i := range records {
		l.Observe(&records[i])
		w.Record(&records[i])
	}
	m := run.Manifest
	m.Overcommit = true // what a test plants need not fit
	if err := w.Close(m, l.Summary(metric.Facts{Scenario: m.Scenario, Policy: m.Policy, Seed: *m.Seed}), l); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, a, b string, o diff.Options) *diff.Diff {
	t.Helper()
	d, err := diff.Read(t.Context(), [2]string{a, b}, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPlantedDecision: of a copied run in which one pod is put on another node exactly
// that decision is found, whichever it is, and nothing else.
func TestPlantedDecision(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	original := recordsOf(t, "a")
	planted := 0
	for line := range original {
		r := &original[line]
		if r.Kind != record.PodAttempted || r.Attempt.Node < 0 || line%7 != 0 {
			continue
		}
		planted++
		to := (r.Attempt.Node + 1) % 8
		changed := moved(original, line, to)
		copyRun(t, "a", "b", changed)
		d := read(t, "a", "b", diff.Options{Pods: -1})
		switch {
		case d.First == nil || d.First.Line != int64(line+1):
			t.Fatalf("line %d was changed, found %+v", line+1, d.First)
		case d.Divergence == nil || d.Divergence.Attempts[0].Pod != r.Pod || d.Divergence.Attempts[0].Number != r.Count || d.Divergence.Attempts[1].Info.Node != to:
			t.Fatalf("attempt %d of pod %d in line %d was changed, found %+v", r.Count, r.Pod, line+1, d.Divergence)
		case d.Pods.Changed != int64(len(d.Worst)) || d.Pods.Changed > 1:
			t.Fatalf("line %d: one pod was moved, found %+v", line+1, d.Pods)
		case d.Pods.Changed == 1 && (d.Worst[0].Outcomes[0].Number != r.Pod || !d.Worst[0].OtherNode):
			t.Fatalf("line %d: pod %d was moved, found %+v", line+1, r.Pod, d.Worst[0])
		}
	}
	const enough = 20
	if planted < enough {
		t.Errorf("only %d decisions were planted", planted)
	}
}

// moved is a copy of a log in which a pod is on another node, from an attempt on for as
// long as it is there.
func moved(log []record.Record, line int, to int32) []record.Record {
	out := slices.Clone(log)
	was := out[line].Attempt.Node
	info := *out[line].Attempt
	info.Node = to
	out[line].Attempt = &info
	for i := line + 1; i < len(out); i++ {
		r := &out[i]
		if r.Pod == out[line].Pod && r.Kind == record.PodAttempted {
			break // it has lost the node
		}
		if r.Pod == out[line].Pod && r.Node == was {
			r.Node = to
		}
	}
	return out
}

// TestPlantedDetail: a record that differs in what decides nothing is found as such.
func TestPlantedDetail(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	var attempts []int
	for line, r := range recordsOf(t, "a") {
		if r.Kind == record.PodAttempted {
			attempts = append(attempts, line)
		}
	}
	const plants = 12
	for i := range plants {
		line := attempts[i*(len(attempts)-1)/(plants-1)]
		changed := recordsOf(t, "a")
		changed[line].Attempt.Evaluated++
		copyRun(t, "a", "b", changed)
		d := read(t, "a", "b", diff.Options{Explain: replay.Explain})
		if d.First == nil || d.First.Line != int64(line+1) || d.Divergence != nil || d.Pods.Changed != 0 || d.Equal() {
			t.Fatalf("line %d was changed, found %+v, divergence %+v, pods %+v", line+1, d.First, d.Divergence, d.Pods)
		}
	}
}

// TestScoresAreThoseOfTheRuns: both runs are replayed to where they diverge, one that was
// changed says so.
func TestScoresAreThoseOfTheRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	play(t, "b", "pack.yaml")
	d := read(t, "a", "b", diff.Options{Explain: replay.Explain})
	p := d.Divergence
	if p == nil || p.Explained[0] == nil || p.Explained[1] == nil {
		t.Fatalf("not explained: %+v", p)
	}
	for s, e := range p.Explained {
		rows := p.ScoreRows(s)
		if len(rows) != 2 || rows[0].Node != p.Attempts[s].Node || rows[1].Node != p.Attempts[1-s].Node || rows[0].Total < rows[1].Total || e.Pod != p.Name {
			t.Errorf("run %d: %s took %s, and the scores are %+v", s+1, e.Pod, p.Attempts[s].Node, rows)
		}
	}
	log := recordsOf(t, "a")
	line := slices.IndexFunc(log, func(r record.Record) bool { return r.Kind == record.PodAttempted })
	copyRun(t, "a", "c", moved(log, line, (log[line].Attempt.Node+1)%8))
	d = read(t, "a", "c", diff.Options{Explain: replay.Explain})
	if d.Divergence.Explained[0] == nil || d.Divergence.Explained[1] != nil || !strings.Contains(d.Divergence.NotRerun[1], "decides otherwise") {
		t.Errorf("of what berth would not decide it says %q, of the other run %q", d.Divergence.NotRerun[1], d.Divergence.NotRerun[0])
	}
}

// TestCountsAndPricesAreReplayed: the decision of a run whose pools have other sizes and prices than
// the scenario says is explained on these pools.
func TestCountsAndPricesAreReplayed(t *testing.T) {
	t.Chdir(t.TempDir())
	for dir, policy := range map[string]string{"a": "", "b": "pack.yaml"} {
		playWith(t, dir, scenarios.Options{Recipe: recipe.Recipe{Policy: policy, Counts: map[string]int{"n": 3}, Prices: map[string]float64{"n": 2}}})
	}
	p := read(t, "a", "b", diff.Options{Explain: replay.Explain}).Divergence
	if p == nil || p.Explained[0] == nil || p.Explained[1] == nil {
		t.Errorf("not explained: %+v", p)
	}
}

// TestSymmetry: the other way round the sides change places, and nothing else.
func TestSymmetry(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	play(t, "b", "pack.yaml")
	d, e := read(t, "a", "b", diff.Options{Pods: -1}), read(t, "b", "a", diff.Options{Pods: -1})
	if d.Divergence.Name != e.Divergence.Name || d.Divergence.Attempts[0].Node != e.Divergence.Attempts[1].Node || d.Divergence.Attempts[1].At != e.Divergence.Attempts[0].At {
		t.Errorf("they diverge at %+v and at %+v", d.Divergence, e.Divergence)
	}
	flip := func(x [2]int64) [2]int64 { return [2]int64{x[1], x[0]} }
	want := d.Pods
	want.Pending, want.Preempted, want.Only = flip(want.Pending), flip(want.Preempted), flip(want.Only)
	if e.Pods != want || want.Changed == 0 {
		t.Errorf("%+v, want %+v", e.Pods, want)
	}
	if len(d.Worst) != len(e.Worst) || int64(len(d.Worst)) != d.Pods.Changed {
		t.Fatalf("%d and %d pods are listed, of %d", len(d.Worst), len(e.Worst), d.Pods.Changed)
	}
	for i := range d.Worst {
		if p, q := d.Worst[i], e.Worst[i]; p.Name != q.Name || p.Outcomes[0] != q.Outcomes[1] || p.Outcomes[1] != q.Outcomes[0] {
			t.Errorf("pod %d is %+v and %+v", i, p, q)
		}
	}
	few := read(t, "a", "b", diff.Options{Pods: 5})
	if !slices.Equal(few.Worst, d.Worst[:5]) {
		t.Error("the five worst are not the first five of all")
	}
}

// TestAgreesWithTheSummary: what is counted of pods is what the metrics say.
func TestAgreesWithTheSummary(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	play(t, "b", "pack.yaml")
	d := read(t, "a", "b", diff.Options{Pods: -1})
	pending := func(s int) float64 { v, _ := d.Runs[s].Summary.Value("placement.pending", ""); return v }
	if got := float64(d.Pods.Pending[0] - d.Pods.Pending[1]); got != pending(0)-pending(1) {
		t.Errorf("%v more pods are pending in run 1, by the metrics %v", got, pending(0)-pending(1))
	}
}

// TestNotReplayed: why a run cannot be replayed is reported, and is never an error of the comparison.
func TestNotReplayed(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(m *rundir.Manifest, a *diff.Attempt)
		want  string
	}{
		"file changed": {func(*rundir.Manifest, *diff.Attempt) { write(t, "classes.yaml", classesText+"\n") }, "classes.yaml has changed since the run"},
		"file gone":    {func(*rundir.Manifest, *diff.Attempt) { os.Remove("classes.yaml") }, "classes.yaml does not exist"},
		"variable": {func(m *rundir.Manifest, _ *diff.Attempt) {
			m.Inputs = append(m.Inputs, rundir.Input{Path: "environment:BERTH_TEST"})
		}, "environment:BERTH_TEST has changed"},
		"no horizon":    {func(m *rundir.Manifest, _ *diff.Attempt) { m.Horizon = nil }, "lacks horizon"},
		"another time":  {func(_ *rundir.Manifest, a *diff.Attempt) { a.At-- }, "decides otherwise"},
		"another pod":   {func(_ *rundir.Manifest, a *diff.Attempt) { a.Pod = 1 << 40 }, "decides otherwise"},
		"no inputs":     {func(m *rundir.Manifest, _ *diff.Attempt) { m.Inputs = nil }, "names no inputs"},
		"another seed":  {func(m *rundir.Manifest, _ *diff.Attempt) { m.Seed = new(*m.Seed + 1) }, "decides otherwise"},
		"no scenario":   {func(m *rundir.Manifest, _ *diff.Attempt) { m.Inputs = m.Inputs[1:] }, "is not Scenario: this file holds manifests"},
		"shorter than":  {func(m *rundir.Manifest, _ *diff.Attempt) { m.Horizon = new(recipe.Horizon(clock.Millisecond)) }, "decides otherwise"},
		"with extender": {func(m *rundir.Manifest, _ *diff.Attempt) { extend(t, m) }, "has extenders"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			play(t, "a", "")
			play(t, "b", "pack.yaml")
			d := read(t, "a", "b", diff.Options{})
			tt.spoil(&d.Runs[0].Manifest, d.Divergence.Attempts[0])
			found, err := replay.Explain(t.Context(), diff.Question{Manifest: d.Runs[0].Manifest, Attempt: d.Divergence.Attempts[0]})
			if found != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// extend has the run made under a policy with an extender that nobody answers for.
func extend(t *testing.T, m *rundir.Manifest) {
	const text = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders: [{urlPrefix: "http://127.0.0.1:1", filterVerb: filter}]
`
	write(t, "extended.yaml", text)
	m.Policy = "extended.yaml"
	m.Inputs = append(m.Inputs, rundir.Input{Path: m.Policy, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(text)))})
}

func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	play(t, "b", "pack.yaml")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := diff.Read(ctx, [2]string{"a", "b"}, diff.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("while the logs are read: %v", err)
	}
	d := read(t, "a", "b", diff.Options{})
	for s, run := range d.Runs {
		_, err := replay.Explain(ctx, diff.Question{Manifest: run.Manifest, Attempt: d.Divergence.Attempts[s]})
		if err == nil || err.Error() != "interrupted" {
			t.Errorf("while run %d is run again: %v", s+1, err)
		}
	}
}
