package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/answers"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// followed runs a bundled scenario up to an instant and returns a hash of what happened.
// Attempts are shown to attempted, if there is one. Declarations of classes are left out,
// as changes that are tried make more of them.
func followed(t *testing.T, name string, until clock.Time, attempted func(*scenarios.Run, *scheduler.Attempt, clock.Time)) [sha256.Size]byte {
	t.Helper()
	s, err := scenarios.Load(filepath.Join(library, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Build(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	hash := sha256.New()
	cfg := run.Config
	cfg.FragmentationMeter, cfg.Horizon = nil, min(cfg.Horizon, until)
	cfg.Record = func(r *record.Record) {
		if r.Kind == record.DeclareClass {
			return
		}
		fmt.Fprintln(hash, r.Time, r.Kind, r.Pod, r.Node, r.Group, r.Count, r.By, r.Cause, r.Text)
		if r.Attempt != nil {
			fmt.Fprintln(hash, *r.Attempt)
		}
	}
	if attempted != nil {
		cfg.Attempted = func(a *scheduler.Attempt, now clock.Time) { attempted(run, a, now) }
	}
	if _, err := world.New(cfg).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var sum [sha256.Size]byte
	hash.Sum(sum[:0])
	return sum
}

// agrees says where the filters, asked one by one, differ from what an attempt found.
func agrees(run *scenarios.Run, a *scheduler.Attempt) error {
	c := run.Config.Cluster
	mark := c.Mark()
	defer c.Rollback(mark)
	if a.Node != cluster.None {
		c.TryRemove(a.Pod)
	}
	in := run.Config.Scheduler.Inspect(a.Pod, c.Pod(a.Pod).Class)
	if a.Node != cluster.None && !in.Fits(a.Node) {
		return fmt.Errorf("the pod got node %s, and does not fit there", c.Node(a.Node).Name)
	}
	var err error
	a.EachRejected(func(node cluster.NodeID, plugin string, _ scheduler.Code, reasons []string) {
		verdicts := in.Verdicts(node, nil)
		kept := false // for nominated pods, of whom Verdicts knows nothing
		in.EachNominatedPod(node, func(cluster.PodID) { kept = true })
		switch {
		case in.Fits(node):
			err = fmt.Errorf("%s turned node %s down, and the pod fits there", plugin, c.Node(node).Name)
		case !kept && len(verdicts) == 0:
			err = fmt.Errorf("%s turned node %s down, and no filter does", plugin, c.Node(node).Name)
		case !kept && (in.Plugin(verdicts[0]) != plugin || !slices.Equal(in.Reasons(verdicts[0]), reasons)):
			err = fmt.Errorf("node %s: %s: %v, in the attempt %s: %v", c.Node(node).Name, in.Plugin(verdicts[0]), in.Reasons(verdicts[0]), plugin, reasons)
		}
	})
	return err
}

// TestSecondRunExplainsTheSame: the last of many attempts is explained in a second run, as
// it would have been in the first.
func TestSecondRunExplainsTheSame(t *testing.T) {
	var last *explain.Explanation
	followed(t, "quickstart", clock.Forever, func(run *scenarios.Run, a *scheduler.Attempt, now clock.Time) {
		if c := run.Config.Cluster; c.Pod(a.Pod).Name == "training-11-0" {
			var err error
			if last, err = explain.Attempt(run.Config.Scheduler, c, a, explain.Options{Top: 5, Daemons: run.Config.Daemons}); err != nil {
				t.Error(err)
			}
			last.At, last.Clock = now, true
		}
	})
	if last == nil || last.Attempt < 10 {
		t.Fatalf("the pod was not tried often: %+v", last)
	}
	var want bytes.Buffer
	if err := answers.WriteExplanation(&want, last, output.View{Format: output.JSON}); err != nil {
		t.Fatal(err)
	}
	r := berth(t.Context(), defaultWidth, "explain", "training-11-0", filepath.Join(library, "quickstart.yaml"), "-o", "json")
	if r.code != exitDone || r.out != want.String() {
		t.Errorf("exit %d: %s%s\nwant %s", r.code, r.err, r.out, want.String())
	}
}

// wide is a fleet of which no two nodes of a pool are alike, and a pod that fits nowhere.
const wide = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: wide}
seed: 1
horizon: 10m
latency: {preset: none}
fleet:
  - pool: a
    count: 2500
    zones: [a, b, c]
    jitter: {cpu: 0.2, memory: 0.2}
    template: {status: {allocatable: {cpu: "32", memory: 128Gi, pods: "110"}}}
  - pool: b
    count: 2500
    jitter: {cpu: 0.2, memory: 0.2}
    template:
      spec: {taints: [{key: gpu, effect: NoSchedule}]}
      status: {allocatable: {cpu: "16", memory: 256Gi, nvidia.com/gpu: "8", pods: "110"}}
workloads:
  - name: web
    arrivals: {every: 10ms, limit: 20000}
    lifetime: {fixed: 10h}
    template: {spec: {containers: [{name: c, image: "a:1", resources: {requests: {cpu: "2", memory: 2Gi}}}]}}
  - name: fat
    arrivals: {every: 1s, limit: 1, start: 5m}
    lifetime: {fixed: 10h}
    template: {spec: {containers: [{name: c, image: "a:1", resources: {requests: {cpu: "30", memory: 4Gi}}}]}}
`

// TestExplainManyNodes: what is printed does not grow with the fleet, unless it is asked for.
func TestExplainManyNodes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.yaml")
	write(t, path, wide)
	short := berth(t.Context(), defaultWidth, "explain", "fat-0", path)
	long := berth(t.Context(), defaultWidth, "explain", "fat-0", path, "--nodes")
	if lines := strings.Count(short.out, "\n"); short.code != exitDone || lines > 100 {
		t.Errorf("exit %d, %d lines: %s", short.code, lines, short.err)
	}
	if lines := strings.Count(long.out, "\n"); long.code != exitDone || lines < 5000 {
		t.Errorf("--nodes: exit %d, %d lines: %s", long.code, lines, long.err)
	}
}

// misfits are pods that do not fit into wide: one that is too large, one that may preempt
// others, and one that wants to be far from all.
const misfits = `  - name: urgent
    arrivals: {every: 1s, limit: 1, start: 6m}
    lifetime: {fixed: 10h}
    template: {spec: {priorityClassName: system-cluster-critical, containers: [{name: c, image: "a:1", resources: {requests: {cpu: "24", memory: 4Gi}}}]}}
  - name: far
    arrivals: {every: 1s, limit: 1, start: 7m}
    lifetime: {fixed: 10h}
    template:
      metadata: {labels: {app: web}}
      spec:
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}
        topologySpreadConstraints:
          - {maxSkew: 9, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
        containers: [{name: c, image: "a:1", resources: {requests: {cpu: "1", memory: 1Gi}}}]
`

// BenchmarkExplain explains an attempt, beyond the run that leads to it.
func BenchmarkExplain(b *testing.B) {
	path := filepath.Join(b.TempDir(), "wide.yaml")
	write(b, path, strings.Replace(wide, "    template: {spec: {containers", "    template: {metadata: {labels: {app: web}}, spec: {containers", 1)+misfits)
	for _, pod := range []string{"fat-0", "urgent-0", "far-0"} {
		b.Run("nodes=5000/pod="+pod, func(b *testing.B) { benchmarkExplain(b, path, pod) })
	}
}

func benchmarkExplain(b *testing.B, path, pod string) {
	s, err := scenarios.Load(path)
	if err != nil {
		b.Fatal(err)
	}
	run, err := s.Build(scenarios.Options{})
	if err != nil {
		b.Fatal(err)
	}
	cfg := run.Config
	cfg.FragmentationMeter, cfg.Record = nil, func(*record.Record) {}
	done := false
	cfg.Attempted = func(a *scheduler.Attempt, _ clock.Time) {
		if cfg.Cluster.Pod(a.Pod).Name != pod || a.Number != 1 {
			return
		}
		for b.Loop() {
			e, err := explain.Attempt(cfg.Scheduler, cfg.Cluster, a, explain.Options{Top: 5})
			if err != nil || len(e.Changes) == 0 || len(e.Groups) < 2 || (e.Preemption != nil) != (pod == "urgent-0") {
				b.Fatalf("%d changes, %d groups, %v, %v", len(e.Changes), len(e.Groups), e.Preemption, err)
			}
			done = true
		}
	}
	if _, err := world.New(cfg).Run(b.Context()); err != nil || !done {
		b.Fatalf("%s is not explained: %v", pod, err)
	}
}

// collectKeys adds the keys of a JSON text.
func collectKeys(t *testing.T, text []byte, keys map[string]bool) {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	keysOf(value, keys)
}

// TestEveryKeyOfExplanationsIsDocumented collects the keys of explanations of all kinds.
func TestEveryKeyOfExplanationsIsDocumented(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile("docs/explain.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, args := range []string{
		"hungry -f scenarios/misfits --nodes --node team-a",
		"even -f scenarios/misfits",
		"lucky -f scenarios/misfits --top 2 --node general-a --tie first",
		"critical-4 scenarios/preemption.yaml",
		"critical-4 scenarios/preemption.yaml --at 1h0.5s",
		"research-0-1 scenarios/gang-timeouts.yaml --at 12m",
	} {
		var out bytes.Buffer
		line := append([]string{"explain", "-o", "json"}, strings.Fields(args)...)
		if code := execute(context.Background(), line, streams{out: &out, err: io.Discard}); code != exitDone {
			t.Fatalf("%s ends with code %d", args, code)
		}
		collectKeys(t, out.Bytes(), keys)
	}
	var waits bytes.Buffer // for volumes: no bundled scenario has any
	e := &explain.Explanation{Wait: &explain.Wait{Claims: make([]explain.ClaimWait, 1)}}
	if err := answers.WriteExplanation(&waits, e, output.View{Format: output.JSON}); err != nil {
		t.Fatal(err)
	}
	collectKeys(t, waits.Bytes(), keys)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !strings.Contains(string(page), "`"+key+"`") {
			t.Errorf("docs/explain.md does not say what `%s` is", key)
		}
	}
}
