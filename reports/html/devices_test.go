package html

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// What figures show of devices adds up to the metrics, and in each column to all that there
// is.
func TestDevicesAddUp(t *testing.T) {
	run := read(t, play(t, "gpu-fleet", scenarios.Options{})).runs[0]
	use := run.devices.uses[0]
	whole, held, lost := 0.0, 0.0, 0.0
	for column := range use.whole {
		sum := use.held[column]
		for part := range fragment.NumParts {
			sum += use.free[part][column]
			if part != fragment.Usable {
				lost += use.free[part][column]
			}
		}
		if !near(sum, use.whole[column]) {
			t.Errorf("column %d: %v of %v are shown", column, sum, use.whole[column])
		}
		whole, held = whole+use.whole[column], held+use.held[column]
	}
	if want := run.Figure("devices.allocated", ""); !near(held/whole, want) {
		t.Errorf("%v was held in the mean, want %v", held/whole, want)
	}
	if want := run.Figure("devices.fragmentedMean", ""); !near(lost/whole, want) {
		t.Errorf("%v was free but unusable in the mean, want %v", lost/whole, want)
	}
}

// Of several runs there is a figure of the devices of each, on the same scale; a run without
// devices has none, and no heat map of them.
func TestDevicesOfSeveralRuns(t *testing.T) {
	gpus := play(t, "gpu-fleet", scenarios.Options{})
	packed := scenarios.Options{Recipe: recipe.Recipe{Policy: "../../scenarios/policies/gpu-packing.yaml"}}
	r := read(t, gpus, play(t, "quickstart", scenarios.Options{}), play(t, "gpu-fleet", packed))
	var titles []string
	for _, f := range r.deviceFigures() {
		titles = append(titles, f.title)
		if f.chart.Y.Max != 1 || len(f.chart.Marks) < 3 {
			t.Errorf("%s reaches to %v and has %d areas", f.title, f.chart.Y.Max, len(f.chart.Marks))
		}
	}
	if got := strings.Join(titles, "; "); got != "Devices: gpu-fleet, default, seed 42; Devices: gpu-fleet, gpu-packing, seed 42" {
		t.Errorf("the figures are %s", got)
	}
	if resources := strings.Join(r.runs[1].heat.resources, " "); strings.Contains(resources, devicesRow) {
		t.Errorf("a run without devices has heat maps of %s", resources)
	}
	if page := written(t, r); strings.Count(page, "<h3>"+devicesRow+" <small>") != 2 {
		t.Error("there are not two heat maps of devices")
	}
}
