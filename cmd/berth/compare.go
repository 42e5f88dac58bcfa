package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/initialize"
)

type compareOptions struct {
	streams
	path     string            // of the scenario; "" without one
	files    []string          // manifests in its place
	exclude  []string          // patterns of files to leave out of them
	saved    []string          // directories of saved runs in its place
	build    scenarios.Options // its seed is the first one
	policies []string
	baseline string
	seeds    int
	dir      string
	view     output.View
}

// defaultSeeds is the number of seeds without the flag --seeds.
const defaultSeeds = 10

func newCompareCommand(s streams, run func(context.Context, *compareOptions) error) *cobra.Command {
	o := &compareOptions{streams: s, seeds: defaultSeeds, view: output.View{Width: s.width}}
	c := &cobra.Command{
		Use:   "compare SCENARIO --policy A --policy B | compare RUNS...",
		Short: "Compare policies: which is better, in what, by how much, with what confidence",
		Long: `Run a scenario under several policies, each with the same seeds and so the same
arrivals, and say what differs: the means, the differences in pairs with their
intervals, and a verdict where they are shown and matter, which takes three seeds at least.
Runs go side by side over all cores. Ctrl-C compares the seeds that all policies
have been run with by then.

A policy is a scheduler configuration, or "default" for kube-scheduler's own.

In place of a scenario, -f takes manifests of a cluster, as kubectl get
nodes,pods -A -o yaml prints them. RUNS are directories of runs that compare --out
or run --out has written, with several policies and the same seeds.`,
		Example: `  berth compare scenarios/quickstart.yaml --policy default --policy scenarios/policies/most-allocated.yaml
  berth compare scenarios/quickstart.yaml --policy default --policy scenarios/policies/least-allocated.yaml --seeds 20 --format markdown
  berth compare scenarios/quickstart.yaml --policy default --policy scenarios/policies/most-allocated.yaml --seeds 3 --out /tmp/comparison
  berth compare /tmp/comparison --all
  berth compare -f docs/examples/plan/dump.yaml --policy default --policy scenarios/policies/most-allocated.yaml --seeds 3`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.takeInput(c, args); err != nil {
				return err
			}
			if err := o.complete(c); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	filesFlags(c, &o.files, &o.exclude, "manifests of a cluster")
	flags.StringArrayVar(&o.policies, "policy", nil, "scheduler configuration in `FILE`, or \"default\" (repeat)")
	flags.StringVar(&o.baseline, "baseline", "", "the `POLICY` that the others are compared with; the first one if not given")
	numberFlag(c, &o.seeds, "seeds", limits{1, 10_000}, "how many seeds")
	seedFlag(c, &o.build.Seed, "the first seed, in place of the scenario's")
	recipeFlags(c, &o.build.Recipe)
	pathFlag(c, &o.dir, "out", "write each run to `DIR`/POLICY/seed-N")
	formatFlag(c, &o.view.Format, output.Formats)
	flags.BoolVar(&o.view.All, "all", false, "show every metric, not only those that are judged")
	strictFlag(c, &o.build.Strict)
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "skip broken lines of traces")
	quietFlag(c, &o.streams)
	return c
}

// takeInput takes the scenario, the manifests or the saved runs that the question is about.
func (o *compareOptions) takeInput(c *cobra.Command, args []string) error {
	o.files = fromStandardInput(o.files)
	if err := needsFiles(c, o.files); err != nil {
		return err
	}
	if err := noManifests(c, args); err != nil {
		return err
	}
	saved := len(slices.DeleteFunc(slices.Clone(args), func(path string) bool { return !isSaved(path) }))
	switch {
	case len(o.files) > 0 && len(args) > 0:
		return usageError(c, "takes a scenario, or manifests with -f, or saved runs, and not both: %s", args[0])
	case len(o.files) > 0:
		return nil
	case saved > 0 && saved < len(args):
		at := slices.IndexFunc(args, func(path string) bool { return !isSaved(path) })
		return usageError(c, "takes one scenario, or directories of saved runs, got both: %q. Save its runs first, with berth run %s "+
			"--policy POLICY --seed N --out DIR, and give their directories too; berth diff takes one scenario and one saved run", args, args[at])
	case saved == 0:
		if err := oneArgument("SCENARIO")(c, args); err != nil {
			return err
		}
		o.path = args[0]
		return nil
	}
	o.saved = args
	for _, name := range append([]string{"seeds", "out"}, runFlags...) {
		if c.Flags().Changed(name) {
			return usageError(c, "--%s is for a scenario or manifests: %q are saved runs", name, args)
		}
	}
	return nil
}

// complete checks what only the options together can tell.
func (o *compareOptions) complete(c *cobra.Command) error {
	if len(o.saved) > 0 {
		return nil // the runs say which policies there are
	}
	if len(o.policies) < 2 {
		return usageError(c, "needs --policy twice or more: there is nothing to compare")
	}
	for i, policy := range o.policies {
		if policy == "" {
			return usageError(c, "--policy: must not be empty: write default for kube-scheduler's own")
		}
		if slices.Contains(o.policies[:i], policy) {
			return usageError(c, "--policy: %q is there twice", policy)
		}
	}
	if o.baseline == "" {
		o.baseline = o.policies[0]
	}
	if !slices.Contains(o.policies, o.baseline) {
		return usageError(c, "--baseline: %q must be one of the policies %q", o.baseline, o.policies)
	}
	return nil
}

func comparePolicies(ctx context.Context, o *compareOptions) error {
	if len(o.saved) > 0 {
		return o.compareSaved()
	}
	if len(o.files) > 0 {
		dir, err := os.MkdirTemp("", "berth-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if o.path, err = o.scenarioOf(ctx, initialize.Options{Files: o.files, Exclude: o.exclude}, o.build, dir); err != nil {
			return err
		}
	}
	scenario, err := scenarios.Load(o.path)
	if err != nil {
		return err
	}
	seeds, err := seedsOf(scenario, o.build.Seed, o.seeds)
	if err != nil {
		return err
	}
	m := &experiment.Matrix{Scenario: scenario, Options: o.build, Policies: o.policies, Seeds: seeds, Dir: o.dir}
	results, err := o.runMatrix(ctx, m)
	if err != nil {
		return err
	}
	o.note(results.Skipped)
	o.warn(results.Warnings)
	if err := o.render(results, slices.Index(o.policies, o.baseline)); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// render compares the seeds that all policies have been run with.
func (o *compareOptions) render(results *experiment.Results, baseline int) error {
	summaries := results.Pairs()
	if len(summaries[0]) == 0 {
		return &failure{exitInterrupted, errors.New("interrupted: no seed was finished under all policies")}
	}
	return compare.Policies(results.Policies, summaries, baseline).Render(o.out, o.view)
}

// compareSaved compares saved runs.
func (o *compareOptions) compareSaved() error {
	results, err := experiment.ReadSaved(o.saved...)
	if err != nil {
		return err
	}
	if len(results.Policies) < 2 {
		return fmt.Errorf("%s: all runs are of policy %s: there is nothing to compare", o.saved[0], results.Policies[0])
	}
	baseline := 0
	if o.baseline != "" {
		if baseline = slices.Index(results.Policies, o.baseline); baseline < 0 {
			return fmt.Errorf("--baseline: %q must be one of the policies %q", o.baseline, results.Policies)
		}
	}
	pairs := len(results.Pairs()[0])
	if pairs == 0 {
		return fmt.Errorf("%s: no seed was run under all policies: runs are compared by seed", o.saved[0])
	}
	if left := len(results.Seeds) - pairs; left > 0 {
		o.warn([]string{fmt.Sprintf("left out: the runs with %s that not all policies were run with", human.Counted(left, "seed"))})
	}
	return o.render(results, baseline)
}

// seedsOf are n seeds from that of the flag on, or from the scenario's.
func seedsOf(scenario *scenarios.Scenario, flag *uint64, n int) ([]uint64, error) {
	if flag != nil {
		return seedsFrom(*flag, n)
	}
	return seedsFrom(scenario.File.Seed, n)
}

// seedsFrom are n seeds from the first one on.
func seedsFrom(first uint64, n int) ([]uint64, error) {
	seeds := experiment.Seeds(first, n)
	if len(seeds) < n {
		return nil, fmt.Errorf("%s from %d on exceed the range of seeds: the largest seed is %d; set a smaller --seed", human.Counted(n, "seed"), first, uint64(math.MaxUint64))
	}
	return seeds, nil
}

// runMatrix makes the runs of a matrix, and shows how many are done.
func (s streams) runMatrix(ctx context.Context, m *experiment.Matrix) (*experiment.Results, error) {
	p := s.showProgress()
	defer p.end()
	done, all := 0, len(m.Policies)*len(m.Seeds)
	p.count("runs", done, all)
	return m.Run(ctx, experiment.Runner{Version: versionText()}, func(experiment.Cell) {
		done++
		p.count("runs", done, all)
	})
}
