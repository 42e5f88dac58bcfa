package plan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/plan"
)

const tooLarge = `horizon: 5m
fleet:
  - {pool: s, count: 0, template: {status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}}}
  - {pool: l, count: 5, template: {spec: {taints: [{key: own, value: p, effect: NoSchedule}]}, status: {allocatable: {cpu: "16", memory: 64Gi, pods: "110"}}}}
workloads:
  - name: w
    arrivals: {every: 1m}
    lifetime: {fixed: 1m}
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "12"}}}]}}
`

// A workload that fits no node of any pool is known before the first run, if the goal allows fewer pods to be pending than
// arrive. A goal that such pods may yet meet is searched.
func TestPlanOfPodsThatNeverFit(t *testing.T) {
	for goal, fails := range map[string]bool{
		"placement.pending == 0": true, "placement.pending <= 5": true, "placement.pending < 6": true,
		"placement.arrived > 0 && placement.pending == 0": true,
		"placement.pending <= 6":                          false, "placement.pending >= 0": false, "!(placement.pending < 1)": false,
		"placement.pending == 0 || placement.arrived > 0": false, "placement.pending{workload=w} > 0": false,
	} {
		runs := 0
		search := plan.Plan{
			Scenario: loaded(t, tooLarge, nil), Objectives: wanted(t, goal), Axes: []plan.Axis{{Pool: "s", Low: 0, High: 4}}, Seeds: experiment.Seeds(1, 2),
			Quantile: 90, Probes: 9, Runner: experiment.Runner{Version: "test"}, Done: func(int) { runs++ },
		}
		found, err := search.Search(t.Context())
		var never *plan.NeverFitError
		if errors.As(err, &never) != fails || fails == (runs > 0) {
			t.Errorf("%s: %v after %d runs", goal, err, runs)
			continue
		}
		if !fails {
			if err != nil || !found.Reached() {
				t.Errorf("%s: %v, %v", goal, found, err)
			}
			continue
		}
		for _, part := range []string{"which requests 12 cpu", "pool s (8 cpu, 32Gi memory): NodeResourcesFit: Insufficient cpu", "pool l (16 cpu, 64Gi memory): TaintToleration: node(s) had untolerated taint"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error lacks %q: %v", goal, part, err)
			}
		}
	}
}

// Where nodes are added during the run, or a quantile of the seeds may fail, nothing is said before the runs.
func TestPlanOfPodsThatFitLater(t *testing.T) {
	later := tooLarge + "events:\n  - {at: 1m, add: {pool: s, count: 5}}\n"
	search := plan.Plan{
		Scenario: loaded(t, later, nil), Objectives: wanted(t, "placement.pending == 0"), Axes: []plan.Axis{{Pool: "s", Low: 0, High: 1}},
		Seeds: experiment.Seeds(1, 1), Quantile: 90, Probes: 9, Runner: experiment.Runner{Version: "test"},
	}
	var never *plan.NeverFitError
	if _, err := search.Search(t.Context()); errors.As(err, &never) {
		t.Error(err)
	}
}
