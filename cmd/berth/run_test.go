package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endless is a scenario that goes on for longer than any test waits.
const endless = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: endless}
horizon: 1000000h
fleet:
  - pool: n
    count: 10
    template: {status: {allocatable: {cpu: "16", memory: 64Gi, pods: "110"}}}
workloads:
  - name: w
    arrivals: {poisson: {rate: 1/s}}
    lifetime: {exponential: {mean: 1m}}
    template: {spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: "1"}}}]}}
`

// lively is a scenario that draws random numbers wherever it can: gangs, preemption, ties.
const lively = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: lively}
seed: 5
horizon: 20m
fleet:
  - pool: n
    count: 12
    zones: [a, b, c]
    template: {status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}}
objects: [classes.yaml]
workloads:
  - name: web
    arrivals: {poisson: {rate: 30/m}}
    lifetime: {lognormal: {median: 3m, sigma: 0.8}}
    template: {spec: {priorityClassName: high, containers: [{name: c, image: "i:1", resources: {requests: {cpu: "1", memory: 1Gi}}}]}}
  - name: training
    arrivals: {every: 2m}
    replicas: 4
    gang: {minMember: 4, scheduleTimeout: 1m}
    lifetime: {exponential: {mean: 6m}}
    template: {spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: "4", memory: 8Gi}}}]}}
`

const classes = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
`

const node = `apiVersion: v1
kind: Node
metadata: {name: n}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
`

// directory is a new working directory with files in it.
func directory(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runDirectory is what a run wrote, by file name; temporary files too.
func runDirectory(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// end is what the files of a run directory say of its end.
type end struct {
	Ended   string
	Partial bool
}

func TestInterrupt(t *testing.T) {
	directory(t, map[string]string{"endless.yaml": endless})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	r := berth(ctx, 80, "run", "endless.yaml", "--out", "out")
	if r.code != exitInterrupted || !strings.Contains(r.err, "partial") {
		t.Errorf("exit %d with %q, want %d and a word on the partial outcome", r.code, r.err, exitInterrupted)
	}
	if !strings.HasPrefix(r.out, "endless (partial)\n") {
		t.Errorf("the tables do not say that they are partial:\n%s", r.out)
	}
	var summary struct {
		Run end
	}
	var manifest end
	files := runDirectory(t, "out")
	if err := json.Unmarshal([]byte(files["summary.json"]), &summary); err != nil {
		t.Fatal(err)
	}
	if !summary.Run.Partial || summary.Run.Ended != "interrupted" {
		t.Errorf("summary.json says %+v, want a partial run that was interrupted", summary.Run)
	}
	if err := json.Unmarshal([]byte(files["manifest.json"]), &manifest); err != nil || manifest != summary.Run {
		t.Errorf("manifest.json says %+v, %v, unlike summary.json", manifest, err)
	}
	records := strings.Split(strings.TrimSpace(files["records.jsonl"]), "\n")
	if last := records[len(records)-1]; !strings.Contains(last, "interrupted") {
		t.Errorf("the last record is %s, want one that says interrupted", last)
	}
	if len(files) != 5 {
		t.Errorf("the directory holds %d files, want the 5 of a run", len(files))
	}
}

// TestHangUp: a terminal that goes away ends a run like an interrupt.
func TestHangUp(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("hang-ups are ignored here")
	}
	caught := false
	run := func(ctx context.Context, _ *runOptions) error {
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			caught = true
		case <-time.After(10 * time.Second):
		}
		return nil
	}
	s := streams{out: io.Discard, err: io.Discard, width: 80}
	if code := executeCommand(t.Context(), newRunCommand(s, run), []string{"x.yaml"}, s); code != exitDone || !caught {
		t.Errorf("exit %d, the run was told of the hang-up: %v", code, caught)
	}
}

// TestManifestTellsRunsApart: every option that a run depends on changes manifest.json.
func TestManifestTellsRunsApart(t *testing.T) {
	directory(t, map[string]string{"lively.yaml": lively, "classes.yaml": classes})
	seen := map[string]string{}
	for _, options := range []string{"", "--tie first", "--horizon 19m", "--inflate", "--skip-bad-lines", "--seed 6", "--admission LimitRanger", "--admission=-LimitRanger"} {
		args := append([]string{"run", "lively.yaml", "--out", "out"}, strings.Fields(options)...)
		if r := berth(t.Context(), 80, args...); r.code != exitDone {
			t.Fatalf("%v: exit %d: %s", args, r.code, r.err)
		}
		text := runDirectory(t, "out")["manifest.json"]
		if other, twice := seen[text]; twice {
			t.Errorf("%q and %q have the same manifest:\n%s", options, other, text)
		}
		seen[text] = options
	}
}

// TestSameSeedSameBytes: a run is a function of scenario, policy and seed, whatever the machine.
func TestSameSeedSameBytes(t *testing.T) {
	directory(t, map[string]string{"lively.yaml": lively, "classes.yaml": classes})
	outcome := func(cores int, args ...string) map[string]string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		dir := fmt.Sprintf("out-%d-%s", cores, strings.Join(args, ""))
		r := berth(t.Context(), 80, append([]string{"run", "lively.yaml", "--out", dir}, args...)...)
		if r.code != exitDone || r.err != "" {
			t.Fatalf("exit %d: %s", r.code, r.err)
		}
		files := runDirectory(t, dir)
		files["stdout"] = r.out
		return files
	}
	one, two, again, other := outcome(1), outcome(2), outcome(2), outcome(2, "--seed", "6")
	for name, text := range one {
		if two[name] != text || again[name] != text {
			t.Errorf("%s differs between runs of one seed", name)
		}
		if other[name] == text {
			t.Errorf("%s is the same for another seed: the comparison sees nothing", name)
		}
	}
	if len(one) != 6 || !strings.Contains(one["stdout"], "whole gang") {
		t.Errorf("the run wrote %d outputs, or had no gangs", len(one))
	}
}

// TestFullDisk: what cannot be written is an error, and nothing looks whole.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	directory(t, map[string]string{"lively.yaml": lively, "classes.yaml": classes, "node.yaml": node})
	for _, args := range [][]string{
		{"run", "lively.yaml"},
		{"run", "lively.yaml", "--format", "json"},
		{"metrics"},
		{"version"},
		{"--help"},
		{"init", "--help"},
		{"import"},
		{"validate", "lively.yaml"},
		{"place", "node.yaml"},
		{"place", "node.yaml", "-o", "jsonl"},
	} {
		var stderr bytes.Buffer
		code := execute(t.Context(), args, streams{out: full, err: &stderr, width: 80})
		if code != exitInput || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%v: exit %d with %q, want %d and a word on the space", args, code, &stderr, exitInput)
		}
	}
	if err := os.Mkdir("out", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", "out/.berth-unfinished-records.jsonl"); err != nil {
		t.Fatal(err)
	}
	r := berth(t.Context(), 80, "run", "lively.yaml", "--out", "out")
	if r.code != exitInput || !strings.Contains(r.err, "no space left") || r.out != "" {
		t.Errorf("exit %d with %q and %d bytes of tables, want %d and a word on the space", r.code, r.err, len(r.out), exitInput)
	}
	if left := runDirectory(t, "out"); len(left) != 0 {
		t.Errorf("%d files are left behind", len(left))
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	directory(t, map[string]string{"lively.yaml": lively, "classes.yaml": classes})
	if err := os.Mkdir("locked", 0o555); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile("locked/probe", nil, 0o644) == nil {
		t.Skip("this user can write to read-only directories")
	}
	for _, args := range [][]string{{"--out", "locked"}, {"--out", "locked/below"}} {
		r := berth(t.Context(), 80, append([]string{"run", "lively.yaml"}, args...)...)
		if r.code != exitInput || !strings.Contains(r.err, "permission denied") || r.out != "" {
			t.Errorf("%v: exit %d with %q", args, r.code, r.err)
		}
	}
}

// TestFaults: a panic is a fault of berth, and says so; an error with a code has that code.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		run  func(context.Context, *runOptions) error
		code int
		says string
	}{
		{func(context.Context, *runOptions) error { panic("out of order") }, exitFault, "a fault of berth itself, please report it: out of order"},
		{func(context.Context, *runOptions) error { return &failure{exitFault, errors.New("a law")} }, exitFault, "berth: a law"},
		{func(context.Context, *runOptions) error { return errInterrupted }, exitInterrupted, "partial"},
		{func(context.Context, *runOptions) error { return errors.New("x.yaml: is wrong") }, exitInput, "x.yaml: is wrong"},
		{func(context.Context, *runOptions) error { return nil }, exitDone, ""},
	} {
		var out, err bytes.Buffer
		s := streams{out: &out, err: &err, width: 80}
		code := executeCommand(t.Context(), newRunCommand(s, c.run), []string{"x.yaml"}, s)
		if code != c.code || !strings.Contains(err.String(), c.says) {
			t.Errorf("exit %d with %q, want %d and %q", code, &err, c.code, c.says)
		}
	}
}
