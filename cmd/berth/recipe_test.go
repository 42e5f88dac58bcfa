package main

import (
	"context"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// settingFlags are the flags that set a field of the recipe, each with its argument.
var settingFlags = map[string][]string{
	"Policy": {"policy", "p.yaml"}, "Kubernetes": {"kubernetes", "1.36"}, "FeatureGates": {"feature-gates", "A=true"}, "Rules": {"rule", "ties=draw"}, "Seed": {"seed", "0"}, "TieBreak": {"tie", "first"}, "Horizon": {"horizon", "90s"},
	"Admission": {"admission", "LimitRanger"}, "Ignore": {"ignore", "NodePool.karpenter.sh"}, "SkipPods": {"skip-pods", "app=web"}, "DropPlugins": {"drop-plugin", "ImageLocality"}, "Inflate": {"inflate", "true"}, "SkipBadLines": {"skip-bad-lines", "true"},
}

// withoutFlag are the fields of the recipe that have no flag, and why.
var withoutFlag = map[string]string{
	"Counts":     "plan varies them",
	"Prices":     "the goals of a plan give them",
	"Overcommit": "it follows from the policy and the manifests",
}

// settingValues are what settingFlags set the fields to.
var settingValues = recipe.Recipe{
	Policy: "p.yaml", Kubernetes: "1.36", FeatureGates: map[string]bool{"A": true}, Rules: map[string]string{"ties": "draw"}, Seed: new(uint64(0)), TieBreak: "first", Horizon: new(recipe.Horizon(90 * clock.Second)),
	Admission: []string{"LimitRanger"}, Ignore: []string{"NodePool.karpenter.sh"}, SkipPods: []string{"app=web"}, DropPlugins: []string{"ImageLocality"}, Inflate: true, SkipBadLines: true,
}

// verb is a verb that runs a scenario.
type verb struct {
	args    []string                                                 // that it needs
	lacks   []string                                                 // fields of the recipe that it has no flag for
	command func(s streams, took func(recipe.Recipe)) *cobra.Command // that hands on the recipe
}

// recipeVerbs are the verbs that run a scenario, or place the pods of manifests.
var recipeVerbs = map[string]verb{
	"run": {[]string{"s.yaml"}, nil, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newRunCommand(s, func(_ context.Context, o *runOptions) error { took(o.build.Recipe); return nil })
	}},
	// Each policy of compare is in the recipe of its runs.
	"compare": {[]string{"s.yaml", "--policy", "a", "--policy", "b"}, []string{"Policy"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newCompareCommand(s, func(_ context.Context, o *compareOptions) error { took(o.build.Recipe); return nil })
	}},
	// So is each policy of diff and report.
	"diff": {[]string{"s.yaml", "t.yaml"}, []string{"Policy"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newDiffCommand(s, func(_ context.Context, o *diffOptions) error { took(o.build.Recipe); return nil })
	}},
	"report": {[]string{"s.yaml"}, []string{"Policy"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newReportCommand(s, func(_ context.Context, o *reportOptions) error { took(o.build.Recipe); return nil })
	}},
	"plan": {[]string{"s.yaml", "--goal", "placement.pending == 0", "--vary", "pool.n.count=1..2"}, nil, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newPlanCommand(s, func(_ context.Context, o *planOptions) error { took(o.build.Recipe); return nil })
	}},
	// A baseline holds for the scenario's own settings; its seeds are those of the baseline.
	"check": {[]string{"s.yaml", "--baseline", "b"}, []string{"Seed", "TieBreak", "Admission", "Ignore", "SkipPods", "DropPlugins", "Inflate"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newCheckCommand(s, func(_ context.Context, o *checkOptions) error { took(o.build.Recipe); return nil })
	}},
	// Neither the end of a run nor its samples are part of an explanation.
	// Manifests have no run: neither its end, nor samples, nor traces.
	"place": {[]string{"-f", "m.yaml"}, []string{"Horizon", "Inflate", "SkipBadLines"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newPlaceCommand(s, func(_ context.Context, o *placeOptions) error { took(o.place.Recipe); return nil })
	}},
	"capacity": {[]string{"-f", "m.yaml", "--template", "t.yaml"}, []string{"Horizon", "Inflate", "SkipBadLines"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newCapacityCommand(s, func(_ context.Context, o *capacityOptions) error { took(o.place.Recipe); return nil })
	}},
	"explain -f": {[]string{"pod", "-f", "m.yaml"}, []string{"Horizon", "Inflate", "SkipBadLines"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newExplainCommand(s, func(_ context.Context, o *explainOptions) error { took(o.place.Recipe); return nil })
	}},
	"plan -f": {[]string{"-f", "m.yaml"}, []string{"Horizon", "Inflate", "SkipBadLines"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newPlanCommand(s, func(_ context.Context, o *planOptions) error { took(o.placeOptions().Recipe); return nil })
	}},
	"explain": {[]string{"pod", "s.yaml"}, []string{"Horizon", "Inflate"}, func(s streams, took func(recipe.Recipe)) *cobra.Command {
		return newExplainCommand(s, func(_ context.Context, o *explainOptions) error { took(o.build.Recipe); return nil })
	}},
}

// Every field of the recipe has a flag, or a reason to have none, and every verb takes the flag's
// value over into its recipe, unless it is known to lack the flag or to refuse it.
func TestFlagsSetTheRecipe(t *testing.T) {
	for name, v := range recipeVerbs {
		for f := range reflect.TypeFor[recipe.Recipe]().Fields() {
			if fault := flagFault(v, f.Name); fault != "" {
				t.Errorf("%s: %s %s", name, f.Name, fault)
			}
		}
	}
}

// Saved runs have no use for any flag that sets the recipe.
func TestSavedRunsRefuseTheFlagsOfTheRecipe(t *testing.T) {
	for field, flag := range settingFlags {
		if !slices.Contains(runFlags, flag[0]) {
			t.Errorf("--%s, which sets %s, is not refused for saved runs", flag[0], field)
		}
	}
}

// The check finds a field that nothing is known of, a flag that should be missing and one that should not.
func TestFlagFault(t *testing.T) {
	run, lacking := recipeVerbs["run"], recipeVerbs["run"]
	lacking.lacks = []string{"Policy"}
	compare := recipeVerbs["compare"]
	compare.lacks = nil
	for _, tt := range []struct {
		verb        verb
		field, want string
	}{
		{run, "Later", "has neither a flag nor a reason to have none"},
		{lacking, "Policy", "has a flag, against what the test says"},
		{compare, "Policy", "is not what --policy says"},
	} {
		if got := flagFault(tt.verb, tt.field); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.field, got, tt.want)
		}
	}
}

// flagFault says what is wrong with the flag of a verb for a field of the recipe; empty: nothing.
func flagFault(v verb, field string) string {
	flag, has := settingFlags[field]
	if !has && withoutFlag[field] == "" {
		return "has neither a flag nor a reason to have none"
	}
	if !has {
		return ""
	}
	var taken recipe.Recipe
	command := v.command(streams{out: io.Discard, err: io.Discard}, func(r recipe.Recipe) { taken = r })
	if slices.Contains(v.lacks, field) {
		if f := command.Flags().Lookup(flag[0]); f == nil || f.Value.Type() == "stringArray" { // which compare's policies are
			return ""
		}
		command.SetArgs(append(slices.Clone(v.args), "--"+flag[0]+"="+flag[1]))
		if command.Execute() == nil { // the verb may have the flag for another question
			return "has a flag, against what the test says"
		}
		return ""
	}
	command.SetArgs(append(slices.Clone(v.args), "--"+flag[0]+"="+flag[1]))
	if err := command.Execute(); err != nil {
		return err.Error()
	}
	want := reflect.ValueOf(settingValues).FieldByName(field).Interface()
	if got := reflect.ValueOf(taken).FieldByName(field).Interface(); !reflect.DeepEqual(got, want) {
		return "is not what --" + flag[0] + " says"
	}
	return ""
}
