package scenarios_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/recipe"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// TestLatencyPreset pins the numbers of the preset: those of its calibration.
func TestLatencyPreset(t *testing.T) {
	l := builtFrom(t, "").Config.Latency
	if got := l.Cycle.Draw(); got != 132*clock.Microsecond {
		t.Errorf("a cycle takes %v", got)
	}
	if l.PerEvaluatedNode != 2262 || l.PerNode != 47 {
		t.Errorf("per node evaluated %v, per node %v", l.PerEvaluatedNode, l.PerNode)
	}
	if got := l.Bind.Draw(); got != 250*clock.Microsecond {
		t.Errorf("binding takes %v", got)
	}
	if got := l.Terminate.Draw(); got != clock.Second || l.Start != nil {
		t.Errorf("terminating takes %v, starting %v", got, l.Start)
	}
	// One field replaces one number; the preset none leaves nothing but that.
	l = builtFrom(t, "latency: {bind: 3ms}").Config.Latency
	if l.Bind.Draw() != 3*clock.Millisecond || l.Cycle.Draw() != 132*clock.Microsecond {
		t.Error("a field changes more than its own number")
	}
	l = builtFrom(t, "latency: {preset: none, start: 2s}").Config.Latency
	if l.Cycle != nil || l.Bind != nil || l.Terminate != nil || l.PerNode != 0 || l.PerEvaluatedNode != 0 || l.Start.Draw() != 2*clock.Second {
		t.Errorf("none with a start of its own is %+v", l)
	}
}

// TestSampleInterval: where nothing is said, a run has 240 samples, at most one a second,
// or one a minute when its length is not known.
func TestSampleInterval(t *testing.T) {
	for text, want := range map[string]clock.Time{
		"horizon: 2h":                       30 * clock.Second,
		"horizon: 1m":                       clock.Second,
		"horizon: untilDone\nworkloads: []": clock.Minute,
		"collect: {every: 7s}":              7 * clock.Second,
	} {
		if got := builtFrom(t, text).Config.SampleEvery; got != want {
			t.Errorf("%s: samples every %v, want %v", text, got, want)
		}
	}
}

// TestOptions change what the scenario says.
func TestOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "in.yaml", completed("seed: 1\nworkloads:\n"+synthetic("arrivals: {poisson: {rate: 1/m}}, lifetime: 5m")))
	for name, text := range fieldFiles {
		write(t, name, text)
	}
	s, err := scenarios.Load("in.yaml")
	if err != nil {
		t.Fatal(err)
	}
	outcome := func(o scenarios.Options) string {
		run, err := s.Build(o)
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		log := play(t, run)
		var nodes strings.Builder
		for _, r := range log.records {
			if r.Kind == record.PodBound {
				nodes.WriteString(string(rune('0' + r.Node)))
			}
		}
		return log.outcome() + " " + nodes.String()
	}
	base := outcome(scenarios.Options{})
	seen := []string{base}
	for name, o := range map[string]recipe.Recipe{
		"seed": {Seed: new(uint64(2))}, "policy": {Policy: "packing.yaml"}, "horizon": {Horizon: new(recipe.Horizon(2 * clock.Hour))},
		"tie": {TieBreak: "first"},
	} {
		got := outcome(scenarios.Options{Recipe: o})
		if slices.Contains(seen, got) {
			t.Errorf("%s changes nothing: %s", name, got)
		}
		seen = append(seen, got)
	}
	if again := outcome(scenarios.Options{}); again != base {
		t.Error("runs of one scenario share something")
	}
}

// TestInputs lists every file that a run was made from once, with its hash.
func TestInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range fieldFiles {
		write(t, name, text)
	}
	write(t, "dir/more.yaml", "{apiVersion: v1, kind: Namespace, metadata: {name: x}}")
	run := builtAs(t, "in.yaml", `fleet: [{manifests: [small.yaml]}, {trace: {openb: {nodes: nodes.csv}}}]
objects: [classes.yaml, dir]
policy: policy.yaml
workloads:
  - {name: a, manifests: [pod.yaml], lifetime: {empirical: {file: lives.txt}}}
  - {name: b, trace: {swf: {jobs: jobs.swf}}}
`)
	var got []string
	for _, in := range run.Inputs {
		got = append(got, filepath.Base(in.Path))
		if len(in.SHA256) != 64 {
			t.Errorf("%s has the hash %q", in.Path, in.SHA256)
		}
	}
	slices.Sort(got)
	want := []string{"classes.yaml", "in.yaml", "jobs.swf", "lives.txt", "more.yaml", "nodes.csv", "pod.yaml", "policy.yaml", "small.yaml"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestUnreadable: files that may not be read are faults like those that are not there.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	t.Chdir(t.TempDir())
	write(t, "secret.yaml", "{}")
	if err := os.Chmod("secret.yaml", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := scenarios.Load("secret.yaml"); err == nil || !strings.Contains(err.Error(), "secret.yaml: permission denied") {
		t.Errorf("got %v", err)
	}
}

// TestOvercommit: the law that pods fit is given up where it cannot hold, and nowhere
// else.
func TestOvercommit(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "runs.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: general-0000, containers: [{name: c, image: i}]}}")
	write(t, "blind.yaml", `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}}]
`)
	write(t, "ignores.yaml", `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [example.com/card]}}]}]
`)
	for name, rest := range map[string]string{
		"fits.yaml":       "predicates: [{name: PodFitsResources}]",
		"all.yaml":        "predicates: [{name: PodFitsResources}], alwaysCheckAllPredicates: true",
		"no-amounts.yaml": "predicates: [{name: HostName}], alwaysCheckAllPredicates: true",
		"extended.yaml":   "extenders: [{urlPrefix: 'http://x/', filterVerb: filter}]",
		"managed.yaml": "predicates: [{name: GeneralPredicates}], alwaysCheckAllPredicates: true, " +
			"extenders: [{urlPrefix: 'http://x/', filterVerb: filter, managedResources: [{name: example.com/card, ignoredByScheduler: true}]}]",
	} {
		write(t, name, "{apiVersion: v1, kind: Policy, "+rest+"}")
	}
	for text, want := range map[string]bool{
		"":                     false,
		"objects: [runs.yaml]": true,
		"workloads: [{name: a, manifests: [runs.yaml]}]": true,
		"policy: blind.yaml":                             true,
		"policy: ignores.yaml":                           true,
		"policy: fits.yaml":                              false,
		"policy: all.yaml":                               false,
		"policy: no-amounts.yaml":                        true,
		"policy: extended.yaml":                          false,
		"policy: managed.yaml":                           true,
	} {
		run := builtAs(t, "in.yaml", text)
		if run.Recipe.Overcommit != want {
			t.Errorf("%q: overcommit %v, want %v", text, run.Recipe.Overcommit, want)
		}
	}
}

// A pod that must be with pods which arrive later is not one that can never be scheduled, whatever the filter on pod
// affinity is called.
func TestPodsThatWaitForOthersCanBeScheduled(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "modern.yaml", "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration}")
	write(t, "legacy.yaml", "{apiVersion: v1, kind: Policy, predicates: [{name: GeneralPredicates}, {name: MatchInterPodAffinity}]}")
	write(t, "all.yaml", "{apiVersion: v1, kind: Policy, predicates: [{name: GeneralPredicates}, {name: MatchInterPodAffinity}], alwaysCheckAllPredicates: true}")
	for _, policy := range []string{"modern.yaml", "legacy.yaml", "all.yaml"} {
		for cpu, never := range map[string]int{"1": 0, "1000": 1} {
			run := builtAs(t, "in.yaml", "policy: "+policy+`
workloads:
  - name: a
    arrivals: {every: 1m}
    lifetime: 5m
    template:
      spec:
        affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: later}}}]}}
        containers: [{name: c, image: i, resources: {requests: {cpu: "`+cpu+`"}}}]
`)
			warned := strings.Contains(strings.Join(run.Warnings, "\n"), "can never be scheduled")
			if len(run.NeverFit) != never || warned != (never > 0) {
				t.Errorf("%s, %s cpu: %d classes never fit, want %d; warnings %q", policy, cpu, len(run.NeverFit), never, run.Warnings)
			}
		}
	}
}

// TestDevicesFit: the law that pods hold the devices that they ask for stands where every
// profile looks at single devices.
func TestDevicesFit(t *testing.T) {
	t.Chdir(t.TempDir())
	const head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
	const looks = "{schedulerName: default-scheduler, plugins: {filter: {enabled: [{name: NodeDevicesFit}]}}}"
	write(t, "one.yaml", head+"profiles: ["+looks+"]")
	write(t, "some.yaml", head+"profiles: ["+looks+", {schedulerName: b}]")
	for text, want := range map[string]bool{"": false, "policy: one.yaml": true, "policy: some.yaml": false} {
		run := builtAs(t, "in.yaml", text)
		if run.DevicesFit != want {
			t.Errorf("%q: devices fit %v, want %v", text, run.DevicesFit, want)
		}
	}
}
