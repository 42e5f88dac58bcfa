// Package recipe holds the settings of a run: what flags and options can override of a scenario, and what a run
// directory records so that the run can be replayed.
package recipe

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/sim/model/release"
)

// Recipe is the settings of a run. In options its zero fields leave the scenario's settings as they are. In a run and
// in manifest.json it is complete: building the same scenario with it gives the same run.
//
// Everything that changes the result of a run is recorded in the run directory:
//
//   - Settings that flags or options override: the fields of Recipe. All verbs that run a scenario share them; what a
//     verb varies itself (the policies and seeds of compare, the counts of plan) is in the recipe of each of its runs.
//   - Files: the scenario and everything it refers to are inputs of the manifest, each with its hash. Settings that
//     only a scenario has, such as latency, sampling and fragmentation, are covered by its hash.
//   - The environment: KUBE_MAX_PD_VOLS is the only variable that reaches a result. A policy of the legacy scheduler
//     that reads it makes it an input of the manifest.
//   - The program: the manifest's version. Plugins that a program registers itself (scenarios.Options.Registry) are
//     part of that program and not of the recipe.
//   - Interruption: the manifest's ended. An interrupted run is the beginning of the whole run.
//
// Two things are not recorded. Extenders are other programs: a replay calls them again. Paths are relative to the
// directory in which berth ran: a replay from another directory does not find the files.
//
// The number of cores, how many runs are made in parallel, progress and the form of the output change no result.
type Recipe struct {
	// Policy is the path of a scheduler configuration, or "default" for that of kube-scheduler.
	Policy string `json:"policy"`
	// Seed is what everything random is derived from.
	Seed *uint64 `json:"seed"`
	// TieBreak is how one of the best nodes is chosen, a scheduler.TieBreak.
	TieBreak string `json:"tieBreak"`
	// Horizon is when the run ends at the latest.
	Horizon *Horizon `json:"horizon"`
	// Kubernetes is the release whose rules are followed, as 1.37. In options empty means that of the scenario, or the newest.
	Kubernetes string `json:"kubernetes"`
	// FeatureGates are the feature gates that are not at the defaults of the release. In options nil means those of the
	// scenario.
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	// Rules are values of single rules of the table of releases, over the release and its gates. In options nil means those of
	// the scenario.
	Rules map[string]string `json:"rules,omitempty"`
	// Admission lists admission plugins that are enabled, and with a minus those whose objects are left out. In
	// options nil means those of the scenario, and an empty list means none.
	Admission []string `json:"admission"`
	// Ignore lists kinds of objects that are left out, as KIND, KIND.GROUP or *.GROUP. In options nil means those of the scenario.
	Ignore []string `json:"ignore,omitempty"`
	// SkipPods lists pods without a node, and controllers of pods, that are left out, as NAME, NAMESPACE/NAME or a label
	// selector. In options nil means those of the scenario.
	SkipPods []string `json:"skipPods,omitempty"`
	// DropPlugins lists plugins that the profiles go without; "unknown" stands for all that do not exist here. In options
	// nil means those of the scenario.
	DropPlugins []string `json:"dropPlugins,omitempty"`
	// Inflate measures stranding by inflation too.
	Inflate bool `json:"inflate"`
	// SkipBadLines skips broken lines of all traces, whatever the scenario says.
	SkipBadLines bool `json:"skipBadLines"`
	// Counts are numbers of nodes by pool that override those of the scenario.
	Counts map[string]int `json:"counts,omitempty"`
	// Prices are prices of a node per hour by pool that override those of the scenario.
	Prices map[string]float64 `json:"prices,omitempty"`
	// Overcommit allows pods to request more of a node than it has. It is set for every run in which that may happen:
	// a policy does not filter by resources, or manifests place pods on nodes.
	Overcommit bool `json:"overcommit,omitempty"`
}

// Release returns the settings that choose the rules of a release.
func (r *Recipe) Release() release.Settings {
	return release.Settings{Kubernetes: r.Kubernetes, FeatureGates: r.FeatureGates, Rules: r.Rules}
}

// CheckComplete returns an error that names the required fields that a recipe lacks.
func (r *Recipe) CheckComplete() error {
	var missing []string
	for _, field := range []struct {
		name    string
		present bool
	}{{"policy", r.Policy != ""}, {"seed", r.Seed != nil}, {"tieBreak", r.TieBreak != ""}, {"horizon", r.Horizon != nil}} {
		if !field.present {
			missing = append(missing, field.name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("lacks %s", strings.Join(missing, ", "))
}
