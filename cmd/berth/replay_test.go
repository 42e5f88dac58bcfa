package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// replayTrial is a scenario with everything that a flag can override.
const replayTrial = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: trial}
seed: 3
horizon: 10m
collect: {every: 1m}
fleet:
  - {pool: small, count: 2, pricePerHour: 1, template: {status: {allocatable: {cpu: "2", memory: 4Gi, pods: "10"}}}}
  - {pool: large, count: 1, pricePerHour: 3, template: {status: {allocatable: {cpu: "8", memory: 16Gi, pods: "10"}}}}
objects: [objects]
admission: [-LimitRanger]
workloads:
  - name: web
    arrivals: {poisson: {rate: 6/m}}
    lifetime: {exponential: {mean: 1m}}
    template: {metadata: {namespace: team}, spec: {containers: [{name: c, image: "i:1", resources: {requests: {memory: 1Gi}}}]}}
  - {name: jobs, trace: {swf: {jobs: jobs.swf}}}
`

// replayFiles are what the scenario refers to, and a policy of each family of schedulers.
var replayFiles = map[string]string{
	"objects/limits.yaml": `{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: team}, spec: {limits: [{type: Container, defaultRequest: {cpu: 500m}}]}}`,
	"jobs.swf":            "1 10 -1 60 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\nthis is no job\n2 70 -1 60 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n",
	"pack.yaml": `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]}]
`,
	"legacy.json": `{"kind": "Policy", "apiVersion": "v1", "predicates": [{"name": "PodFitsResources"}, {"name": "MaxGCEPDVolumeCount"}], "priorities": [{"name": "MostRequestedPriority", "weight": 1}]}`,
	"goals.yaml": `{apiVersion: berth/v1alpha1, kind: Goal, goals: [{goal: placement.pending <= 100}], vary: [{pool: small, count: 1..2, pricePerHour: 0.7}, {pool: large, count: 1..2, pricePerHour: 0.1}]}
`,
	"default": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 50\n",
}

// savedRuns runs a command that writes one run directory or several, and returns them.
func savedRuns(t *testing.T, line string) []string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "made")
	if r := berth(t.Context(), defaultWidth, append(strings.Fields(line), "--quiet", "--out", out)...); r.code != exitDone {
		t.Fatalf("berth %s: exit %d: %s", line, r.code, r.err)
	}
	var dirs []string
	err := filepath.WalkDir(out, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == "manifest.json" {
			dirs = append(dirs, filepath.Dir(path))
		}
		return err
	})
	if err != nil || len(dirs) == 0 {
		t.Fatalf("berth %s has written %q: %v", line, dirs, err)
	}
	return dirs
}

// checkReplay replays a run directory and compares all files.
func checkReplay(t *testing.T, dir string) {
	t.Helper()
	again := filepath.Join(t.TempDir(), "again")
	if r := berth(t.Context(), defaultWidth, "replay", dir, "--quiet", "--out", again); r.code != exitDone || !strings.Contains(r.out, "the replay is the same") {
		t.Fatalf("exit %d: %s%s", r.code, r.out, r.err)
	}
	for _, name := range []string{"manifest.json", "summary.json", "timeseries.csv", "records.jsonl"} {
		saved, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if replayed, err := os.ReadFile(filepath.Join(again, name)); err != nil || !bytes.Equal(saved, replayed) {
			t.Errorf("%s of the replay is not that of the run: %v", name, err)
		}
	}
}

// Every run directory, whatever verb and flags have made it, is replayed to the same bytes.
func TestReplay(t *testing.T) {
	t.Setenv("KUBE_MAX_PD_VOLS", "7") // the legacy policy reads it
	writeReplayFiles(t)
	for _, line := range []string{
		"run trial.yaml --skip-bad-lines",
		"run trial.yaml --skip-bad-lines --seed 0",
		"run trial.yaml --skip-bad-lines --policy pack.yaml",
		"run trial.yaml --skip-bad-lines --policy default",
		"run trial.yaml --skip-bad-lines --policy ./default",
		"run trial.yaml --skip-bad-lines --policy legacy.json",
		"run trial.yaml --skip-bad-lines --tie first",
		"run trial.yaml --skip-bad-lines --tie upstream",
		"run trial.yaml --skip-bad-lines --tie rank",
		"run trial.yaml --skip-bad-lines --admission LimitRanger",
		"run trial.yaml --skip-bad-lines --admission -LimitRanger,DefaultTolerationSeconds",
		"run trial.yaml --skip-bad-lines --horizon 3m0.000000001s",
		"run trial.yaml --skip-bad-lines --inflate",
		"run named.yaml --skip-bad-lines",
		"compare trial.yaml --skip-bad-lines --policy default --policy pack.yaml --seeds 2 --seed 18446744073709551614 --tie first --horizon 4m --admission LimitRanger --inflate",
		"plan trial.yaml --skip-bad-lines --goals goals.yaml --seeds 2 --policy pack.yaml --tie rank",
		"plan trial.yaml --skip-bad-lines --goal placement.pending<=100 --vary pool.small.count=0..1 --seeds 1 --horizon 3m",
	} {
		t.Run(line, func(t *testing.T) {
			for _, dir := range savedRuns(t, line) {
				checkReplay(t, dir)
			}
		})
	}
}

// writeReplayFiles writes the scenario and its files to a new working directory.
func writeReplayFiles(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	files := map[string]string{"trial.yaml": replayTrial, "named.yaml": replayTrial + "policy: default\n"} // the file of that name
	for name, text := range replayFiles {
		files[name] = text
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Every bundled scenario is replayed to the same bytes.
func TestReplayBundledScenarios(t *testing.T) {
	t.Chdir("../..")
	paths, err := filepath.Glob("scenarios/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		if filepath.Base(path) != "priorityclasses.yaml" {
			t.Run(path, func(t *testing.T) { checkReplay(t, savedRuns(t, "run "+path)[0]) })
		}
	}
}

// A replay that differs says from which line on, and one that cannot be made why.
func TestReplayDiffers(t *testing.T) {
	writeReplayFiles(t)
	const dir = "saved"
	change := func(name, old, with string) func() {
		return func() {
			path := name
			if _, err := os.Stat(path); err != nil {
				path = filepath.Join(dir, name)
			}
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), old) {
				t.Fatal(path, old, err)
			}
			if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, with, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tt := range map[string]struct {
		spoil func()
		code  int
		want  string
	}{
		"another seed":   {change("manifest.json", `"seed": 3`, `"seed": 4`), exitGate, "records.jsonl:8:1: the replay differs from here on"},
		"another record": {change("records.jsonl", `"text":"trial"`, `"text":"trail"`), exitGate, "records.jsonl:1:1: the replay differs"},
		"more records":   {change("records.jsonl", `"kind":"end","text":"horizon"}`+"\n", `"kind":"end","text":"horizon"}`+"\n{}\n"), exitGate, "the replay differs"},
		"fewer records":  {change("records.jsonl", `"kind":"end","text":"horizon"}`+"\n", ""), exitGate, "the replay differs"},
		"version":        {change("manifest.json", `"version": "`, `"version": "v0-`), exitDone, "was made by berth v0-"},
		"changed input":  {change("jobs.swf", "1 10", "1 11"), exitInput, "jobs.swf has changed since the run"},
		"more input": {func() {
			if err := os.WriteFile("objects/more.yaml", []byte("{apiVersion: v1, kind: Namespace, metadata: {name: more}}"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, exitInput, "objects/more.yaml is an input now and was not an input of the run"},
		"no seed":     {change("manifest.json", `"seed": 3,`, ""), exitInput, "manifest.json:1:1: lacks seed"},
		"onto itself": {func() {}, exitInput, "choose another directory"},
	} {
		t.Run(name, func(t *testing.T) {
			writeReplayFiles(t)
			if r := berth(t.Context(), defaultWidth, "run", "trial.yaml", "--skip-bad-lines", "--quiet", "--out", dir); r.code != exitDone {
				t.Fatal(r.err)
			}
			tt.spoil()
			args := []string{"replay", dir}
			if name == "onto itself" {
				args = append(args, "--out", dir)
			}
			if r := berth(t.Context(), defaultWidth, args...); r.code != tt.code || !strings.Contains(r.err, tt.want) {
				t.Errorf("exit %d: %s%s, want exit %d and %q", r.code, r.out, r.err, tt.code, tt.want)
			}
		})
	}
}
