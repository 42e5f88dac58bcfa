package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
)

type compareOptions struct {
	streams
	path     string
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
		Use:   "compare SCENARIO --policy A --policy B",
		Short: "Compare policies: which is better, in what, by how much, with what confidence",
		Long: `Run a scenario under several policies, each with the same seeds and so the same
arrivals, and say what differs: the means, the differences in pairs with their
intervals, and a verdict where they are shown and matter, which takes three seeds at least.
Runs go side by side over all cores. Ctrl-C compares the seeds that all policies
have been run with by then.

A policy is a scheduler configuration, or "default" for kube-scheduler's own.`,
		Example: `  berth compare scenarios/quickstart.yaml --policy default --policy scenarios/policies/most-allocated.yaml
  berth compare scenarios/quickstart.yaml --policy default --policy scenarios/policies/least-allocated.yaml --seeds 20 --format markdown
  berth compare scenarios/quickstart.yaml --policy default --policy scenarios/policies/most-allocated.yaml --out /tmp/comparison`,
		Args: oneArgument("SCENARIO"),
		RunE: func(c *cobra.Command, args []string) error {
			o.path = args[0]
			if err := o.complete(c); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
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

// complete checks what only the options together can tell.
func (o *compareOptions) complete(c *cobra.Command) error {
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
		return usageError(c, "--baseline: %q is none of the policies: %q", o.baseline, o.policies)
	}
	return nil
}

func comparePolicies(ctx context.Context, o *compareOptions) error {
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
	summaries := results.Pairs()
	if len(summaries[0]) == 0 {
		return &failure{exitInterrupted, errors.New("interrupted: no seed was finished under all policies")}
	}
	comparison := compare.Policies(results.Policies, summaries, slices.Index(o.policies, o.baseline))
	if err := comparison.Render(o.out, o.view); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return nil
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
		return nil, fmt.Errorf("there are no %s from %d on: %d is the last one", human.Counted(n, "seed"), first, uint64(math.MaxUint64))
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
