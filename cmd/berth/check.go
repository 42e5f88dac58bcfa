package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
)

type checkOptions struct {
	streams
	path     string
	build    scenarios.Options
	baseline string
	rules    string
	notShown gate.WhenNotShown // empty: what the rules say
	update   bool
	seeds    int // 0: those of the rules or the baseline
	view     gate.View
}

func newCheckCommand(s streams, run func(context.Context, *checkOptions) error) *cobra.Command {
	o := &checkOptions{streams: s, view: gate.View{View: output.View{Width: s.width}, Version: versionText()}}
	c := &cobra.Command{
		Use:   "check SCENARIO --baseline FILE",
		Short: "Check that placement has not become worse: a gate for CI",
		Long: `Run a scenario with several seeds and compare it with a stored baseline of the
same scenario and seeds, and with limits. The exit code is 1, with the reasons,
when a value is shown to be worse than its tolerance allows, or is beyond a
limit.

A value is worse, no worse, or inconclusive, if the seeds are too few. Without
--gate, no primary metric may be worse by the smallest difference of interest
that it declares (see berth metrics). --not-shown fail makes the gate strict.
--update makes the baseline, or re-creates it: commit it with the scenario.`,
		Example: `  berth check scenarios/quickstart.yaml --baseline /tmp/quickstart.json --update
  berth check scenarios/quickstart.yaml --baseline /tmp/quickstart.json
  berth check scenarios/quickstart.yaml --baseline /tmp/quickstart.json --policy scenarios/policies/least-allocated.yaml --format markdown`,
		Args: oneArgument("SCENARIO"),
		RunE: func(c *cobra.Command, args []string) error {
			o.path, o.view.Scenario = args[0], args[0]
			switch {
			case o.baseline == "" && o.update:
				return usageError(c, "--update needs --baseline, the file to write")
			case o.baseline == "" && o.rules == "":
				return usageError(c, "needs --baseline, or --gate with limits: there is nothing to check")
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	pathFlag(c, &o.baseline, "baseline", "`FILE` with the metrics of the last accepted runs")
	flags.BoolVar(&o.update, "update", false, "write the baseline in place of checking")
	pathFlag(c, &o.rules, "gate", "tolerances and limits in `FILE`")
	choiceFlag(c, &o.notShown, "not-shown", "whether the gate passes or fails if a check is inconclusive; overrides --gate",
		[]gate.WhenNotShown{gate.NotShownPasses, gate.NotShownFails})
	pathFlag(c, &o.build.Policy, "policy", "scheduler configuration in `FILE`, or \"default\", in place of the scenario's")
	horizonFlag(c, &o.build.Horizon)
	releaseFlags(c, &o.build.Recipe, ", in place of the scenario's")
	numberFlag(c, &o.seeds, "seeds", limits{1, 10_000}, "how many seeds, in place of the baseline's or the gate's")
	formatFlag(c, &o.view.Format, gate.Formats)
	flags.BoolVar(&o.view.All, "all", false, "show the checks that passed too")
	strictFlag(c, &o.build.Strict)
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "skip broken lines of traces")
	quietFlag(c, &o.streams)
	return c
}

func checkScenario(ctx context.Context, o *checkOptions) error {
	scenario, err := scenarios.Load(o.path)
	if err != nil {
		return err
	}
	var rules gate.Rules
	if o.rules != "" {
		if rules, err = gate.ReadRules(o.rules); err != nil {
			return err
		}
	}
	var baseline *gate.Baseline
	switch {
	case o.update:
		err = gate.Replaceable(o.baseline)
	case o.baseline != "":
		baseline, err = readBaseline(o.baseline)
	default:
		err = rules.CheckWithoutBaseline()
	}
	if err != nil {
		return err
	}
	seeds, err := o.chooseSeeds(scenario.File.Seed, rules, baseline)
	if err != nil {
		return err
	}
	m := &experiment.Matrix{Scenario: scenario, Options: o.build, Policies: []string{o.build.Policy}, Seeds: seeds}
	if baseline != nil {
		m.Validate = o.vet(baseline)
	}
	results, err := o.runMatrix(ctx, m)
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return &failure{exitInterrupted, errors.New("interrupted: nothing was checked or written")}
	}
	if baseline != nil && baseline.Version != versionText() {
		results.Warnings = append(results.Warnings, fmt.Sprintf("%s: was made by berth %s, this is %s: figures may differ for that alone",
			o.baseline, baseline.Version, versionText()))
	}
	o.note(results.Skipped)
	o.warn(results.Warnings)
	if rules, err = rules.For(results.Summaries[0]); err != nil {
		return err
	}
	if err := rules.Check(results.Summaries[0]); err != nil {
		return err
	}
	if o.update {
		return o.save(scenario, rules, results)
	}
	return o.judge(rules, baseline, results)
}

// readBaseline reads the baseline. If there is none, the error says how to make one.
func readBaseline(path string) (*gate.Baseline, error) {
	b, err := gate.ReadBaseline(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w (--update makes it)", err)
	}
	return b, err
}

// chooseSeeds returns the seeds of the runs: those of the baseline, or the first of them if fewer are asked for.
func (o *checkOptions) chooseSeeds(first uint64, rules gate.Rules, b *gate.Baseline) ([]uint64, error) {
	n := o.seeds
	if n == 0 {
		n = rules.Seeds
	}
	if b == nil {
		if n == 0 {
			n = defaultSeeds
		}
		return seedsFrom(first, n)
	}
	if n == 0 {
		n = len(b.Seeds)
	}
	if n > len(b.Seeds) {
		return nil, fmt.Errorf("%s: seeds: there are %d, %d are wanted: re-create the baseline with --update", o.baseline, len(b.Seeds), n)
	}
	b.Take(n)
	return b.Seeds, nil
}

// vet returns a function that returns an error for a run that cannot be compared with the baseline.
func (o *checkOptions) vet(b *gate.Baseline) func(*scenarios.Run) error {
	return func(run *scenarios.Run) error {
		if err := b.Fits(run.Config.Name, run.Recipe.Horizon.String(), experiment.InputsBesidePolicy(run)); err != nil {
			return fmt.Errorf("%s: %w", o.baseline, err)
		}
		return nil
	}
}

// save writes the baseline.
func (o *checkOptions) save(scenario *scenarios.Scenario, rules gate.Rules, results *experiment.Results) error {
	runs, policy := results.Summaries[0], results.Policies[0]
	made := gate.NewBaseline(gate.Baseline{
		Version: versionText(), Policy: policy, Horizon: scenario.Horizon(o.build).String(), Inputs: results.Inputs,
	}, runs, rules)
	if err := made.Save(o.baseline); err != nil {
		return err
	}
	fmt.Fprintf(o.out, "%s: the baseline of %s, %s, with %s\n", o.baseline, made.Scenario, policy, human.Counted(len(runs), "seed"))
	return nil
}

// judge checks the runs against the rules and the baseline.
func (o *checkOptions) judge(rules gate.Rules, b *gate.Baseline, results *experiment.Results) error {
	runs, policy := results.Summaries[0], results.Policies[0]
	if o.rules == "" {
		rules = gate.Default(runs, b)
	}
	if o.notShown != "" {
		rules.NotShown = o.notShown
	}
	result := gate.Judge(rules, b, runs, policy)
	if err := result.Render(o.out, o.view); err != nil {
		return err
	}
	if failed := len(result.Failed()); failed > 0 {
		return &failure{exitGate, fmt.Errorf("the gate failed: %d of %s", failed, human.Counted(len(result.Checks), "check"))}
	}
	return nil
}
