package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gated is a scenario whose pods prefer one of two pools.
const gated = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: gated}
seed: 11
horizon: 5m
latency: {preset: none}
fleet:
  - pool: spot
    count: 4
    template: {metadata: {labels: {kind: spot}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "20"}}}
  - pool: fixed
    count: 4
    template: {metadata: {labels: {kind: fixed}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "20"}}}
workloads:
  - name: w
    arrivals: {poisson: {rate: 20/m}}
    lifetime: {exponential: {mean: 1m}}
    template:
      spec:
        affinity:
          nodeAffinity:
            preferredDuringSchedulingIgnoredDuringExecution:
              - {weight: 1, preference: {matchExpressions: [{key: kind, operator: In, values: [spot]}]}}
        containers: [{name: c, image: "i:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]
`

// weighted honors what pods prefer, unless the weight of empty nodes is higher.
func weighted(weight int) string {
	return fmt.Sprintf(`apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - plugins:
      score:
        disabled: [{name: NodeResourcesFit}]
        enabled: [{name: NodeResourcesFit, weight: %d}]
`, weight)
}

// A policy with one weight changed fails the gate; the same policy passes it, each time.
func TestGateTripsOnARegressionAndNotOnLuck(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"scenario.yaml": gated, "good.yaml": weighted(1), "bad.yaml": weighted(50)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check := func(policy string, more ...string) result {
		return berth(t.Context(), 80, append([]string{"check", "scenario.yaml", "--baseline", "base.json", "--policy", policy}, more...)...)
	}
	if r := check("good.yaml", "--update"); r.code != exitDone {
		t.Fatalf("no baseline was made: %+v", r)
	}
	for n := range 100 {
		if r := check("good.yaml"); r.code != exitDone {
			t.Fatalf("rerun %d ends with %d:\n%s%s", n, r.code, r.out, r.err)
		}
	}
	if r := check("bad.yaml"); r.code != exitGate || !strings.Contains(r.out, "empty nodes") {
		t.Errorf("the regression ends with %d:\n%s%s", r.code, r.out, r.err)
	}
	if left, _ := filepath.Glob("*unfinished*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
