package main

import (
	"errors"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/scenarios/plan"
)

// share is the value of a flag that takes a number from 0 to 1.
type share struct{ value *float64 }

// Set implements pflag.Value.
func (s share) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return errors.New("must be a share from 0 to 1, as 0.002")
	}
	*s.value = v
	return nil
}

// String implements pflag.Value.
func (s share) String() string {
	if s.value == nil {
		return "0"
	}
	return strconv.FormatFloat(*s.value, 'g', -1, 64)
}

// Type implements pflag.Value.
func (share) Type() string { return "SHARE" }

// planFlags are the texts of flags that complete parses.
type planFlags struct {
	file  string
	goals []string
	vary  []string
}

// complete parses the flags, reads the file of goals, and checks options against each other.
func (o *planOptions) complete(c *cobra.Command, asked planFlags) error {
	given := c.Flags().Changed
	var file plan.File
	if asked.file != "" {
		read, err := plan.ReadFile(asked.file)
		if err != nil {
			return err
		}
		file = *read
		o.take(c, file)
		o.varied = asked.file
	}
	if err := o.takeFlags(c, asked); err != nil {
		return err
	}
	switch {
	case o.compact && len(o.axes) > 0:
		return usageError(c, "--compact and --vary are two questions: ask one")
	case o.compact && (given("probes") || given("all") || file.Probes != 0):
		return usageError(c, "--probes and --all have no meaning with --compact")
	case o.compact && hasQuantiles(o.goals):
		return usageError(c, "%s: goals with a quantile have no meaning with --compact, whose trials have one seed each", asked.file)
	case o.compact && o.dir != "":
		return usageError(c, "--out has no meaning with --compact, which finds another fleet in each trial")
	case !o.compact && given("pending"):
		return usageError(c, "--pending belongs to --compact: a goal says it as placement.pending <= 0.2%% * placement.arrived")
	case !o.compact && len(o.goals) == 0:
		return usageError(c, "needs --goal, --goals, or --compact")
	case !o.compact && len(o.axes) == 0:
		return usageError(c, "needs --vary pool.NAME.count=LOW..HIGH, or --compact")
	case len(o.axes) == 1 && given("probes"):
		return usageError(c, "--probes has no meaning where one pool varies: the search ends soon by itself")
	}
	if o.compact && !given("seeds") && file.Seeds == 0 {
		o.seeds = defaultTrials
	}
	return nil
}

// hasQuantiles reports whether one of the goals has a quantile of its own.
func hasQuantiles(goals plan.Objectives) bool {
	return slices.ContainsFunc(goals, func(o plan.Objective) bool { return o.Quantile != 0 })
}

// take sets the options that the file gives and no flag does.
func (o *planOptions) take(c *cobra.Command, file plan.File) {
	given := c.Flags().Changed
	o.goals, o.axes = file.Objectives, file.Axes
	o.compact = o.compact || file.Compact
	if file.Seeds != 0 && !given("seeds") {
		o.seeds = file.Seeds
	}
	if file.Seed != nil && !given("seed") {
		o.build.Seed = file.Seed
	}
	if file.Quantile != 0 && !given("quantile") {
		o.quantile = file.Quantile
	}
	if file.Probes != 0 && !given("probes") {
		o.probes = file.Probes
	}
	if file.Pending != nil && !given("pending") {
		o.pending = *file.Pending
	}
	if file.Horizon != nil && !given("horizon") {
		o.build.Horizon = file.Horizon
	}
	if file.Policy != "" && !given("policy") {
		o.build.Policy = file.Policy
	}
}

// takeFlags adds the goals and pools of the command line to those of the file. A pool of the file is replaced by the one
// with the same name.
func (o *planOptions) takeFlags(c *cobra.Command, asked planFlags) error {
	for _, text := range asked.goals {
		g, err := goal.Parse(text)
		if err != nil {
			return usageError(c, "--goal: %w", err)
		}
		o.goals = append(o.goals, plan.Objective{Goal: g})
	}
	ofFile := len(o.axes)
	if len(asked.vary) > 0 {
		o.varied = "--vary"
	}
	for _, text := range asked.vary {
		a, err := plan.ParseAxis(text)
		if err != nil {
			return usageError(c, "--vary: %q %w", text, err)
		}
		at := slices.IndexFunc(o.axes[:ofFile], func(b plan.Axis) bool { return a.Pool == b.Pool })
		if at < 0 {
			o.axes = append(o.axes, a)
			continue
		}
		a.PricePerHour = o.axes[at].PricePerHour
		o.axes[at] = a
	}
	return nil
}
