package experiment_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

const recipeScenario = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: trial}
seed: 3
horizon: 10m
collect: {every: 1m}
fleet: [{pool: n, count: 2, template: {status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}}]
workloads:
  - name: w
    arrivals: {every: 20s}
    lifetime: {fixed: 1m}
    template: {spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: "1"}}}]}}
`

// everySetting is a recipe whose fields all differ from what the scenario gives.
func everySetting(policy string) recipe.Recipe {
	return recipe.Recipe{
		Policy: policy, Kubernetes: "1.36", FeatureGates: map[string]bool{"StorageCapacityScoring": true}, Rules: map[string]string{"ties": "draw"},
		Seed: new(uint64(8)), TieBreak: "first", Horizon: new(recipe.Horizon(7 * clock.Minute)),
		Admission: []string{"LimitRanger", "-ResourceQuota"}, Ignore: []string{"NodePool.karpenter.sh"}, SkipPods: []string{"app=none"}, DropPlugins: []string{"ImageLocality"}, Inflate: true, SkipBadLines: true,
		Counts: map[string]int{"n": 3}, Prices: map[string]float64{"n": 0.1}, Overcommit: true,
	}
}

// Every setting alone, and all of them together, are in the manifest of a run that was built with them, and
// building a run with the manifest's recipe gives that recipe again.
func TestRecipeRoundTrip(t *testing.T) {
	dir := t.TempDir()
	path, policy := filepath.Join(dir, "scenario.yaml"), filepath.Join(dir, "pack.yaml")
	for name, text := range map[string]string{path: recipeScenario, policy: packing} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	scenario, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	all := everySetting(policy)
	if zero := zeroFields(all); len(zero) > 0 {
		t.Fatalf("fields of a recipe without a value in this test: %q", zero)
	}
	written := func(given recipe.Recipe) recipe.Recipe {
		out := filepath.Join(t.TempDir(), "run")
		run, err := scenario.Build(scenarios.Options{Recipe: given})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (experiment.Runner{}).Run(t.Context(), run, out); err != nil {
			t.Fatal(err)
		}
		saved, err := rundir.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		return saved.Manifest.Recipe
	}
	own := written(recipe.Recipe{})
	for i := range reflect.TypeFor[recipe.Recipe]().NumField() {
		var given recipe.Recipe
		reflect.ValueOf(&given).Elem().Field(i).Set(reflect.ValueOf(all).Field(i))
		want := own
		reflect.ValueOf(&want).Elem().Field(i).Set(reflect.ValueOf(all).Field(i))
		got := written(given)
		if lost := differences(want, got); len(lost) > 0 {
			t.Errorf("%s given alone: the manifest differs in %q", reflect.TypeFor[recipe.Recipe]().Field(i).Name, lost)
		}
		if lost := differences(got, written(got)); len(lost) > 0 {
			t.Errorf("%s given alone: the second manifest differs in %q", reflect.TypeFor[recipe.Recipe]().Field(i).Name, lost)
		}
	}
	if lost := differences(all, written(all)); len(lost) > 0 {
		t.Errorf("all given: the manifest differs in %q", lost)
	}
}

// The checks of the round trip find a field that the test gives no value, and one that is not written.
func TestRecipeRoundTripFindsLostFields(t *testing.T) {
	type later struct {
		recipe.Recipe
		Unwritten int `json:"-"`
		Written   int `json:"written"`
	}
	if zero := zeroFields(later{Recipe: everySetting("p"), Written: 1}); !slices.Equal(zero, []string{"Unwritten"}) {
		t.Errorf("without a value: %q", zero)
	}
	var read later
	given := later{everySetting("p"), 1, 1}
	text, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if lost := differences(given, read); err != nil || !slices.Equal(lost, []string{"Unwritten"}) {
		t.Errorf("%v: lost are %q", err, lost)
	}
}

// zeroFields are the names of the fields that have their zero value.
func zeroFields(of any) []string {
	var out []string
	for f, value := range reflect.ValueOf(of).Fields() {
		if value.IsZero() {
			out = append(out, f.Name)
		}
	}
	return out
}

// differences are the names of the fields that differ between two values of one type.
func differences(a, b any) []string {
	var out []string
	for i := range reflect.TypeOf(a).NumField() {
		if !reflect.DeepEqual(reflect.ValueOf(a).Field(i).Interface(), reflect.ValueOf(b).Field(i).Interface()) {
			out = append(out, reflect.TypeOf(a).Field(i).Name)
		}
	}
	return out
}
