package plan_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/plan"
)

// loaded is the scenario of that text, with files beside it.
func loaded(t testing.TB, text string, files map[string]string) *scenarios.Scenario {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "scenario.yaml")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(path, "apiVersion: berth/v1alpha1\nkind: Scenario\nmetadata: {name: planned}\nseed: 5\nlatency: {preset: none}\n"+text)
	for name, text := range files {
		write(filepath.Join(dir, name), text)
	}
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parsed(t testing.TB, text string) *goal.Goal {
	t.Helper()
	g, err := goal.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func wanted(t testing.TB, text string) plan.Objectives {
	t.Helper()
	return plan.Objectives{{Goal: parsed(t, text)}}
}

// Forty pods of half a core, and four cores a node: it takes five.
const forty = `horizon: 5m
fleet:
  - pool: n
    count: 1
    template: {status: {allocatable: {cpu: "4", memory: 64Gi, pods: "110"}}}
workloads:
  - name: w
    arrivals: {atOnce: {count: 40}}
    template: {spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}
`

func TestPlan(t *testing.T) {
	runs := 0
	p := &plan.Plan{
		Scenario: loaded(t, forty, nil), Objectives: wanted(t, "placement.pending == 0"), Axes: []plan.Axis{{Pool: "n", Low: 1, High: 64}},
		Seeds: experiment.Seeds(1, 3), Quantile: 90, Done: func(int) { runs++ },
	}
	found, err := p.Search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if best := found.Probes[found.Best].Counts[0]; best != 5 {
		t.Errorf("%d nodes are said to be needed, not 5", best)
	}
	if runs != len(found.Probes)*3 || len(found.Probes) != 6+1+1 { // log2 64, the largest, and one to check
		t.Errorf("%d runs of %d fleets", runs, len(found.Probes))
	}
	if why := found.Probes[found.Best-1].Failing[0].Why; why != "placement.pending is 8, the goal wants 0" {
		t.Errorf("four nodes do not do: %s", why)
	}
}

// A goal with a quantile of its own must hold in so many seeds; the others must hold together.
func TestQuantilesOfGoals(t *testing.T) {
	open := strings.Replace(forty, "atOnce: {count: 40}", "poisson: {rate: 30/m}", 1)
	needs := func(shared int, objectives ...plan.Objective) int {
		p := &plan.Plan{
			Scenario: loaded(t, open, nil), Objectives: objectives, Axes: []plan.Axis{{Pool: "n", Low: 1, High: 40}},
			Seeds: experiment.Seeds(1, 5), Quantile: shared,
		}
		found, err := p.Search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return found.Probes[found.Best].Counts[0]
	}
	pending, wait := parsed(t, "placement.pending == 0"), parsed(t, "placement.waitToBind[max]{workload=w} < 1s")
	most, few := needs(100, plan.Objective{Goal: pending}), needs(10, plan.Objective{Goal: pending})
	if most <= few {
		t.Fatalf("%d nodes hold the goal in all seeds, %d in one: the case shows no difference", most, few)
	}
	for _, c := range []struct {
		shared int
		goals  []plan.Objective
	}{
		{100, []plan.Objective{{Goal: pending, Quantile: 10}}},
		{10, []plan.Objective{{Goal: pending, Quantile: 100}}},
		{100, []plan.Objective{{Goal: pending, Quantile: 10}, {Goal: wait, Quantile: 10}}},
		{10, []plan.Objective{{Goal: pending}, {Goal: wait, Quantile: 100}}},
		{10, []plan.Objective{{Goal: wait, Quantile: 100}, {Goal: pending}, {Goal: pending, Quantile: 50}}},
	} {
		want := 0 // what the most demanding of them needs alone
		for _, o := range c.goals {
			want = max(want, needs(cmp.Or(o.Quantile, c.shared), plan.Objective{Goal: o.Goal}))
		}
		if got := needs(c.shared, c.goals...); got != want {
			t.Errorf("%d %% and %v: %d nodes, not %d", c.shared, c.goals, got, want)
		}
	}
}

// What a search finds does not depend on how many runs go side by side.
func TestSameAnswerAgain(t *testing.T) {
	var first string
	for _, cores := range []int{1, 2, 5} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		p := &plan.Plan{
			Scenario:   loaded(t, strings.Replace(forty, "atOnce: {count: 40}", "poisson: {rate: 30/m}", 1), nil),
			Objectives: wanted(t, "placement.pending == 0 && utilization.allocated[cpu] > 10%"), Axes: []plan.Axis{{Pool: "n", Low: 1, High: 64}},
			Seeds: experiment.Seeds(1, 4), Quantile: 75,
		}
		found, err := p.Search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := found.Render(&b, output.View{Format: output.JSON}); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = b.String()
		} else if b.String() != first {
			t.Errorf("the answer differs:\n%s\n%s", first, b.String())
		}
	}
}

// What is interrupted keeps the fleets that were finished.
func TestInterrupted(t *testing.T) {
	for after, kept := range map[int]int{1: 0, 3: 0, 7: 2, 14: 4} {
		ctx, interrupt := context.WithCancel(t.Context())
		runs := 0
		p := &plan.Plan{
			Scenario: loaded(t, forty, nil), Objectives: wanted(t, "placement.pending == 0"), Axes: []plan.Axis{{Pool: "n", Low: 1, High: 64}},
			Seeds: experiment.Seeds(1, 3), Quantile: 90, Done: func(int) {
				if runs++; runs == after {
					interrupt()
				}
			},
		}
		found, err := p.Search(ctx)
		interrupt()
		if !errors.Is(err, plan.ErrInterrupted) {
			t.Fatalf("after %d runs: %v", after, err)
		}
		got := 0
		if found != nil {
			if got = len(found.Probes); !found.Partial {
				t.Errorf("after %d runs: the answer is not said to be partial", after)
			}
			if !found.Reached() { // the largest fleet holds it
				t.Errorf("after %d runs: no fleet is said to hold the goal", after)
			}
			for _, format := range output.Formats {
				if err := found.Render(&bytes.Buffer{}, output.View{Format: format, Width: 80}); err != nil {
					t.Error(err)
				}
			}
		}
		if got < kept || got > kept+1 {
			t.Errorf("after %d runs %d fleets are kept", after, got)
		}
	}
}

// cluster is a dump of eight nodes of four cores: on each a daemon of half a core, and a pod of
// one core, so that three nodes would do: each has 3.5 cores for the pods.
func cluster() string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range 8 {
		fmt.Fprintf(&b, `- {apiVersion: v1, kind: Node, metadata: {name: n%[1]d, labels: {kubernetes.io/hostname: n%[1]d}}, status: {allocatable: {cpu: "4", memory: 64Gi, pods: "110"}}}
- apiVersion: v1
  kind: Pod
  metadata: {name: p%[1]d, namespace: default}
  spec: {nodeName: n%[1]d, containers: [{name: c, image: "i:1", resources: {requests: {cpu: "1"}}}]}
  status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}
- apiVersion: v1
  kind: Pod
  metadata: {name: d%[1]d, namespace: default, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, controller: true}]}
  spec: {nodeName: n%[1]d, containers: [{name: c, image: "i:1", resources: {requests: {cpu: 500m}}}]}
  status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}
`, i)
	}
	return b.String()
}

// daemonSet is the controller of the daemons of the cluster.
const daemonSet = `- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: d, namespace: default, uid: u}
  spec:
    selector: {matchLabels: {a: d}}
    template: {metadata: {labels: {a: d}}, spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: 500m}}}]}}
`

func compaction(t *testing.T, text string, files map[string]string) *plan.Compaction {
	return &plan.Compaction{Scenario: loaded(t, text, files), Seeds: experiment.Seeds(1, 5), Quantile: 90, Pending: 0.002}
}

// Pods that run already are placed again; those of daemons stay with their nodes, and go with
// them. So it is with the daemons that their controller makes.
func TestCompactionOfCluster(t *testing.T) {
	dump := cluster()
	for name, dump := range map[string]string{"pods": dump, "and their DaemonSet": dump + daemonSet} {
		c := compaction(t, "horizon: 1m\nfleet: [{manifests: [dump.yaml]}]\n", map[string]string{"dump.yaml": dump})
		found, err := c.Search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !found.Fits() || found.Nodes != 8 || found.Enough() != 3 {
			t.Errorf("%s: of %d nodes %d would do: %+v", name, found.Nodes, found.Enough(), found.Trials)
		}
		for _, trial := range found.Trials {
			if trial.Arrived != 16-5 || trial.Nodes != 3 {
				t.Errorf("%s: %+v", name, trial)
			}
		}
	}
}

// A fleet that is too small is copied first: daemons come with the copies, from their DaemonSet
// or beside those of the dump.
func TestCompactionOfTooSmallAFleet(t *testing.T) {
	found, err := compaction(t, strings.Replace(forty, "horizon: 5m", "horizon: untilDone", 1), nil).Search(t.Context())
	if err != nil || !found.Fits() || found.Nodes != 1 || found.Enough() != 5 || found.Trials[0].Copies != 8 {
		t.Errorf("one node where five are needed: %+v, %v", found, err)
	}
	pods := strings.ReplaceAll(cluster(), `cpu: "1"`, `cpu: "3"`)
	for name, dump := range map[string]string{"pods": pods, "and their DaemonSet": pods + daemonSet} {
		dump += `- apiVersion: v1
  kind: Pod
  metadata: {name: more, namespace: default}
  spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: "3"}}}]}
`
		c := compaction(t, "horizon: 1m\nfleet: [{manifests: [dump.yaml]}]\n", map[string]string{"dump.yaml": dump})
		found, err := c.Search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !found.Fits() || found.Nodes != 8 || found.Enough() != 9 {
			t.Errorf("%s: of %d nodes %d would do: %+v", name, found.Nodes, found.Enough(), found.Trials)
		}
		for _, trial := range found.Trials {
			if trial.Arrived != 9+9 || trial.Copies != 2 {
				t.Errorf("%s: %+v", name, trial)
			}
		}
	}
}

// Pods that stay pending count, up to the share that may; a goal can ask for more.
func TestCompactionTolerates(t *testing.T) {
	text := strings.Replace(strings.Replace(forty, "count: 1", "count: 30", 1), "horizon: 5m", "horizon: untilDone", 1)
	text = strings.Replace(text, "    template: {spec", "    lifetime: {fixed: 1m}\n    template: {spec", 1)
	c := compaction(t, text, nil)
	found, err := c.Search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if found.Enough() != 1 { // they come to their turns, one after the other
		t.Errorf("%d nodes are needed", found.Enough())
	}
	c.Goals = wanted(t, "placement.waitToBind[max] < 30s")
	if found, err = c.Search(t.Context()); err != nil || found.Enough() != 5 {
		t.Errorf("%d nodes are needed, %v", found.Enough(), err)
	}
	manifest := `apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: default}
spec:
  replicas: 40
  selector: {matchLabels: {a: d}}
  template: {metadata: {labels: {a: d}}, spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: 500m}}}]}}
`
	fleet, _, _ := strings.Cut(strings.Replace(forty, "count: 1", "count: 30", 1), "workloads:")
	c = compaction(t, fleet+"workloads: [{name: w, manifests: [d.yaml]}]\n", map[string]string{"d.yaml": manifest})
	for pending, want := range map[float64]int{0: 5, 0.1: 5, 0.2: 4, 1: 1} {
		c.Pending = pending
		if found, err := c.Search(t.Context()); err != nil || found.Enough() != want {
			t.Errorf("%v may be pending: %v, %v", pending, found, err)
		}
	}
}

func TestCompactionWants(t *testing.T) {
	if _, err := compaction(t, strings.Replace(forty, "atOnce: {count: 40}", "poisson: {rate: 30/m}", 1), nil).Search(t.Context()); !errors.Is(err, plan.ErrOpenWorkload) {
		t.Errorf("a workload without end: %v", err)
	}
	huge := strings.Replace(forty, "cpu: 500m", "cpu: 5", 1)
	found, err := compaction(t, strings.Replace(huge, "horizon: 5m", "horizon: untilDone", 1), nil).Search(t.Context())
	if err != nil || found.Fits() || found.Enough() != 1 || found.Trials[0].Runs != 4 {
		t.Errorf("pods that fit nowhere: %+v, %v", found, err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	c := compaction(t, strings.Replace(strings.Replace(forty, "count: 1", "count: 9", 1), "horizon: 5m", "horizon: untilDone", 1), nil)
	c.Done = func(int) { interrupt() }
	if found, err := c.Search(ctx); !errors.Is(err, plan.ErrInterrupted) || !found.Partial || len(found.Trials) == 0 || len(found.Trials) == 5 {
		t.Errorf("interrupted: %+v, %v", found, err)
	}
}

// Runs that cannot meet the goal any more end early, and the answer is the same as when they do not.
func TestHopelessRunsEndEarly(t *testing.T) {
	open := strings.Replace(forty, "{atOnce: {count: 40}}", "{poisson: {rate: 300/m}}\n    lifetime: 20s", 1)
	wait, known := parsed(t, "placement.waitToBind[max] < 1s"), parsed(t, "placement.arrived > 0")
	search := func(objectives ...plan.Objective) *fleetplan.Plan {
		p := &plan.Plan{
			Scenario: loaded(t, open, nil), Objectives: objectives, Axes: []plan.Axis{{Pool: "n", Low: 1, High: 40}},
			Seeds: experiment.Seeds(1, 3), Quantile: 100,
		}
		found, err := p.Search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	early := search(plan.Objective{Goal: wait})
	whole := search(plan.Objective{Goal: wait}, plan.Objective{Goal: known, Quantile: 10}) // a run can still meet the second
	if early.Best != whole.Best || len(early.Probes) != len(whole.Probes) {
		t.Fatalf("the best is %d of %d fleets, and %d of %d with whole runs", early.Best, len(early.Probes), whole.Best, len(whole.Probes))
	}
	ended := 0
	for i, p := range early.Probes {
		if p.Held != whole.Probes[i].Held || p.Holds != whole.Probes[i].Holds || whole.Probes[i].StoppedEarly != 0 {
			t.Errorf("the goal holds on %v in %d seeds, and in %d with whole runs", p.Counts, p.Held, whole.Probes[i].Held)
		}
		if i == early.Fewest || i == early.Most || p.Holds {
			ended += 100 * p.StoppedEarly
		}
		ended += p.StoppedEarly
	}
	if ended == 0 || ended >= 100 {
		t.Errorf("%d runs ended early, want some, and none at the ends", ended)
	}
}
