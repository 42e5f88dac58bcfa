package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// manifestFacts are what runs must have in common to be compared.
var manifestFacts = []struct {
	plural string
	of     func(m rundir.Manifest) string
}{
	{"scenarios", func(m rundir.Manifest) string { return m.Scenario }},
	{"seeds", func(m rundir.Manifest) string { return fmt.Sprint(*m.Seed) }},
	{"horizons", func(m rundir.Manifest) string { return horizonWords(*m.Horizon) }},
}

// like reports whether both runs are of the same scenario, seed and horizon: only then one can
// be better than the other.
func (run *run) like(other *run) bool {
	for _, fact := range manifestFacts {
		if fact.of(run.Manifest) != fact.of(other.Manifest) {
			return false
		}
	}
	return true
}

// unlike says in what the runs differ besides the policy; empty if in nothing.
func (r *Report) unlike() string {
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

// horizonWords is a horizon in few words.
func horizonWords(horizon recipe.Horizon) string {
	if clock.Time(horizon) == clock.Forever {
		return recipe.UntilDone
	}
	return shortTime(clock.Time(horizon).Seconds())
}
