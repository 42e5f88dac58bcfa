package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// manifestFacts are the properties that runs must have in common to be compared.
var manifestFacts = []struct {
	plural string
	of     func(m rundir.Manifest) string
}{
	{"scenarios", func(m rundir.Manifest) string { return m.Scenario }},
	{"seeds", func(m rundir.Manifest) string { return fmt.Sprint(*m.Seed) }},
	{"horizons", func(m rundir.Manifest) string { return describeHorizon(*m.Horizon) }},
}

// comparableTo reports whether both runs are of the same scenario, seed and horizon. Only then one can
// be better than the other.
func (run *run) comparableTo(other *run) bool {
	for _, fact := range manifestFacts {
		if fact.of(run.Manifest) != fact.of(other.Manifest) {
			return false
		}
	}
	return true
}

// whyIncomparable says what besides the policy differs between the runs; "" if nothing does.
func (r *Report) whyIncomparable() string {
	var parts []string
	for _, fact := range manifestFacts {
		var values []string
		for _, run := range r.runs {
			if v := fact.of(run.Manifest); !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) > 1 {
			parts = append(parts, fact.plural+" ("+strings.Join(values, ", ")+")")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	last := len(parts) - 1
	text := parts[last]
	if last > 0 {
		text = strings.Join(parts[:last], ", ") + " and " + text
	}
	return "These runs are of different " + text + ": their differences do not say which policy is better."
}

// describeHorizon returns a horizon as the page shows it.
func describeHorizon(horizon recipe.Horizon) string {
	if clock.Time(horizon) == clock.Forever {
		return recipe.UntilDone
	}
	return shortTime(clock.Time(horizon).Seconds())
}
