package replay_test

import (
	"context"
	"errors"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/replay"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
)

// retried is a scenario whose pod is tried again with each other pod that completes, more often than attempts are
// explained as they come.
const retried = `
apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: retried}
horizon: 2h
fleet:
  - pool: p
    count: 1
    template: {status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
workloads:
  - name: small
    arrivals: {every: 5m}
    lifetime: {fixed: 12m}
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}
  - name: large
    arrivals: {times: [6m]}
    lifetime: {fixed: 1h}
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "4"}}}]}}
`

func TestExplainPodRunsAgainForALateAttempt(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "s.yaml", retried)
	s, err := scenarios.Load("s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pod, err := explain.ParsePod("large-0")
	if err != nil {
		t.Fatal(err)
	}
	for until, want := range map[clock.Time]int{7 * clock.Minute: 1, clock.Forever: 2} {
		built := 0
		q := replay.PodQuestion{Pod: pod, Until: until, Options: explain.Options{Top: 2}, Build: func(ctx context.Context) (*scenarios.Run, error) {
			built++
			return s.BuildContext(ctx, scenarios.Options{})
		}}
		found, err := replay.ExplainPod(t.Context(), q)
		if err != nil || found.State != explain.Unschedulable || built != want {
			t.Errorf("until %s: %+v, %v, built %d times, want %d", until, found, err, built, want)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := replay.ExplainPod(ended, q); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that has ended: %v", err)
		}
	}
}
