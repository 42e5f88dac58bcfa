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
	if err := o.check(c, asked, file.Probes != 0); err != nil {
		return err
	}
	if o.compact == compactRandom && !given("seeds") && file.Seeds == 0 {
		o.seeds = defaultTrials
	}
	return nil
}

// takeInput takes the scenario or the manifests that the question is about.
func (o *planOptions) takeInput(c *cobra.Command, args []string) error {
	o.files = fromStandardInput(o.files)
	if err := needsFiles(c, o.files); err != nil {
		return err
	}
	switch {
	case slices.Contains(args, string(compactRandom)) && o.compact != "":
		return usageError(c, "--compact takes its value behind =: write --compact=random")
	case len(o.files) == 0:
		if err := oneArgument("SCENARIO")(c, args); err != nil {
			return err
		}
		o.path = args[0]
	case len(args) > 0:
		return usageError(c, "takes a scenario, or manifests with -f, and not both: %s", args[0])
	}
	return nil
}

// check checks options against each other.
func (o *planOptions) check(c *cobra.Command, asked planFlags, probes bool) error {
	given := c.Flags().Changed
	random := o.compact == compactRandom
	switch {
	case o.compact != "" && len(o.axes) > 0:
		return usageError(c, "--compact and --vary are two questions: ask one")
	case o.compact == compactDrain:
		return o.checkDrain(c)
	case random && len(o.files) > 0:
		return usageError(c, "--compact=random is about a scenario: make one of the manifests with berth init -f")
	case random && (given("probes") || given("all") || probes):
		return usageError(c, "--probes and --all have no meaning with --compact=random")
	case random && hasQuantiles(o.goals):
		return usageError(c, "%s: goals with a quantile have no meaning with --compact=random, whose trials have one seed each", asked.file)
	case random && o.dir != "":
		return usageError(c, "--out has no meaning with --compact=random, which finds another fleet in each trial")
	case len(o.files) > 0:
		return o.checkAddNodes(c)
	case o.prices != "":
		return usageError(c, "--prices belongs to -f: in a scenario, pools have a pricePerHour")
	case !random && given("pending"):
		return usageError(c, "--pending belongs to --compact=random: a goal says it as placement.pending <= 0.2%% * placement.arrived")
	case !random && len(o.goals) == 0:
		return usageError(c, "needs --goal, --goals, or --compact")
	case !random && len(o.axes) == 0:
		return usageError(c, "needs --vary pool.NAME.count=LOW..HIGH, or --compact")
	case len(o.axes) == 1 && given("probes"):
		return usageError(c, "--probes has no effect with one --vary: remove --probes")
	}
	return nil
}

// checkDrain rejects flags that have no meaning where nodes are drained.
func (o *planOptions) checkDrain(c *cobra.Command) error {
	if len(o.goals) > 0 {
		return usageError(c, "--compact cannot be used with --goal: its goal is that all running pods run again; remove --goal, or set --compact=random")
	}
	return o.rejectFlags(c, "--compact", "prices", "seeds", "quantile", "probes", "pending", "out", "horizon", "inflate")
}

// checkAddNodes rejects flags that have no meaning for the pending pods of manifests.
func (o *planOptions) checkAddNodes(c *cobra.Command) error {
	if len(o.goals) > 0 || len(o.axes) > 0 {
		return usageError(c, "-f asks which nodes the pending pods need: goals and --vary are about a scenario (berth init -f makes one of manifests)")
	}
	return o.rejectFlags(c, "-f", "seeds", "quantile", "probes", "pending", "out", "horizon", "inflate", "skip-bad-lines")
}

// rejectFlags returns an error if one of the flags is given, which have no meaning for the question.
func (o *planOptions) rejectFlags(c *cobra.Command, question string, names ...string) error {
	for _, name := range names {
		if c.Flags().Changed(name) {
			return usageError(c, "--%s has no meaning with %s", name, question)
		}
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
	if file.Compact && o.compact == "" {
		o.compact = compactRandom
	}
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
