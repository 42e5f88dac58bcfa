package experiment_test

import (
	"context"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// The log of a run in which devices come and go in every way obeys the laws. A policy that
// looks at single devices misplaces no pod; kube-scheduler's does, where it counts only.
func TestDevicesObeyTheLaws(t *testing.T) {
	for policy, misplaces := range map[string]bool{"": true, "../policies/gpu/fgd.yaml": false, "../policies/gpu/random.yaml": false} {
		scenario, err := scenarios.Load("testdata/devices.yaml")
		if err != nil {
			t.Fatal(err)
		}
		run, err := scenario.Build(scenarios.Options{Recipe: recipe.Recipe{Policy: policy}})
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := experiment.Runner{}.Run(context.Background(), run, "")
		if err != nil {
			t.Errorf("%s: %v", run.Policy.Name, err)
			continue
		}
		value := func(metric, label string) float64 { v, _ := outcome.Summary.Value(metric, label); return v }
		if misplaced := value("devices.misplaced", ""); (misplaced > 0) != misplaces {
			t.Errorf("%s: %v pods were misplaced", run.Policy.Name, misplaced)
		}
		for label, metric := range map[string]string{
			"": "placement.victims", "permitTimeout": "placement.rollbacks", "drain": "placement.evictions", "nodeRemoval": "placement.evictions",
		} {
			if value(metric, label) == 0 {
				t.Errorf("%s: %s[%s] is 0: the run does not try it", run.Policy.Name, metric, label)
			}
		}
	}
}
