package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/plan"
)

type planOptions struct {
	streams
	path     string            // of a scenario; empty: the question is about files
	files    []string          // manifests
	exclude  []string          // patterns of files to leave out of them
	prices   string            // path of a price list; empty: none
	build    scenarios.Options // its seed is the first one
	goals    plan.Objectives   // none: with compact, or of files
	axes     []plan.Axis
	varied   string    // where the axes come from
	compact  compactBy // empty: the question is another one
	seeds    int
	quantile int
	probes   int
	pending  float64
	dir      string // for the runs of the fleet that is found; empty: nowhere
	view     output.View
}

// Defaults of plan: trials are as many as in the publication on compaction.
const (
	defaultTrials   = 11
	defaultQuantile = 90
	defaultProbes   = 60
	defaultPending  = 0.002
)

// Ends of plan when the answer is no: gates that failed.
var (
	errUnreached = &failure{exitGate, errors.New("no fleet was found that holds the goal")}
	errTooSmall  = &failure{exitGate, errors.New("the workload does not fit into the fleet")}
)

func newPlanCommand(s streams, run func(context.Context, *planOptions) error) *cobra.Command {
	o := &planOptions{
		streams: s, seeds: defaultSeeds, quantile: defaultQuantile, probes: defaultProbes, pending: defaultPending,
		view: output.View{Width: s.width},
	}
	var asked planFlags
	c := &cobra.Command{
		Use:   "plan SCENARIO --goals FILE | plan -f FILE_OR_DIR...",
		Short: "Plan a fleet: how many nodes meet a goal, how few suffice, or which to add",
		Long: `Find the smallest fleet on which a scenario meets a goal, in most of several
seeds. One pool is bisected; of several pools the cheapest mix is looked for, by
pricePerHour, or by the number of nodes where the pools have no price.

A goal is a condition on metrics, such as
  placement.pending == 0 && placement.waitToBind[p99] < 30s
Terms are joined by &&, || and !, numbers may have units (30s, 60%, 8Gi), and
berth metrics lists the metrics.

The question may also be in a file (--goals): goals with names and reasons, the
pools that vary, seeds. A --goal is added to those of the file; any other flag
overrides the file.

With --compact, report which nodes can be drained, and in which order, so that
all running pods run again. With --compact=random, remove nodes at random and
schedule the whole workload again, until it no longer fits.

With -f, ask about manifests, as kubectl get nodes,pods -A -o yaml prints them:
which nodes can be drained, with --compact, or else which pool, with how many
new nodes, would take the pods that are pending.

The exit code is 1 when no fleet within the limits meets the goal.`,
		Example: `  berth plan scenarios/bin-packing.yaml --goal 'placement.pending == 0' --vary pool.general.count=10..20 --seeds 3
  berth plan scenarios/heterogeneous.yaml --goal 'placement.pending <= 40' --vary pool.general.count=17..20 --vary pool.arm.count=6..9 --seeds 2
  berth plan scenarios/bin-packing.yaml --goals docs/examples/plan/goals.yaml
  berth plan docs/examples/compaction/scenario.yaml --compact
  kubectl get nodes,pods -A -o yaml > dump.yaml && berth plan -f dump.yaml --compact
  berth plan -f docs/examples/plan/dump.yaml --prices docs/examples/plan/prices.yaml`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.takeInput(c, args); err != nil {
				return err
			}
			if err := o.complete(c, asked); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	pathFlag(c, &asked.file, "goals", "what must hold and what may vary, in `FILE`")
	flags.StringArrayVar(&asked.goals, "goal", nil, "what must hold: a condition on metrics, as `EXPR` (repeat)")
	flags.StringArrayVar(&asked.vary, "vary", nil, "pool whose size is looked for, as `pool.NAME.count=LOW..HIGH` (repeat)")
	filesFlags(c, &o.files, &o.exclude, "manifests of a cluster, in place of a scenario")
	pathFlag(c, &o.prices, "prices", "with -f: what a node of a pool or instance type costs, in `FILE`")
	choiceFlag(c, &o.compact, "compact", "drain: which nodes can be drained so that all running pods run again; random: how few nodes suffice if nodes are removed at random",
		[]compactBy{compactDrain, compactRandom})
	flags.Lookup("compact").NoOptDefVal = string(compactDrain)
	numberFlag(c, &o.seeds, "seeds", limits{1, plan.MaxSeeds}, fmt.Sprintf("how many seeds, or trials of --compact=random (%d if not given)", defaultTrials))
	seedFlag(c, &o.build.Seed, "the first seed, in place of the scenario's")
	numberFlag(c, &o.quantile, "quantile", limits{1, 100}, "percent of the seeds in which the goal must hold")
	numberFlag(c, &o.probes, "probes", limits{1, plan.MaxProbes}, "fleets to try at most, where several pools vary")
	flags.Var(share{&o.pending}, "pending", "with --compact=random, `SHARE` of the pods that may stay pending")
	pathFlag(c, &o.dir, "out", "write the runs of the fleet that is found to `DIR`/POLICY/seed-N")
	pathFlag(c, &o.build.Policy, "policy", "scheduler configuration in `FILE`, in place of the scenario's")
	recipeFlags(c, &o.build.Recipe)
	formatFlag(c, &o.view.Format, output.Formats)
	flags.BoolVar(&o.view.All, "all", false, "show every fleet that was tried, not only the frontier")
	strictFlag(c, &o.build.Strict)
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "skip broken lines of traces")
	quietFlag(c, &o.streams)
	return c
}

// renderer is an answer.
type renderer interface {
	Render(w io.Writer, view output.View) error
}

func planFleet(ctx context.Context, o *planOptions) error {
	switch {
	case o.compact == compactDrain:
		return drainNodes(ctx, o)
	case len(o.files) > 0:
		return addNodes(ctx, o)
	}
	scenario, err := scenarios.Load(o.path)
	if err != nil {
		return err
	}
	seeds, err := seedsOf(scenario, o.build.Seed, o.seeds)
	if err != nil {
		return err
	}
	if o.compact == compactRandom {
		return o.compaction(ctx, scenario, seeds)
	}
	p := o.showProgress()
	defer p.end()
	search := &plan.Plan{
		Scenario: scenario, Options: o.build, Objectives: o.goals, Axes: o.axes, Seeds: seeds, Quantile: o.quantile, Probes: o.probes,
		Runner: experiment.Runner{Version: versionText()},
	}
	search.Done = func(fleets int) { p.tried("fleet", fleets) }
	search.Done(0)
	found, err := search.Search(ctx)
	p.end()
	var axes *plan.AxisError
	var never *plan.NeverFitError
	switch {
	case errors.As(err, &never):
		return &failure{exitGate, never}
	case errors.As(err, &axes):
		return &usageMistake{"berth plan", fmt.Errorf("%s: %w", o.varied, err)}
	case found == nil:
		return interruptedBefore(err, "fleet")
	}
	o.note(found.Skipped)
	o.warn(found.Warnings)
	if err == nil && !found.Reached() {
		err = errUnreached
	}
	if err := o.show(found, err); err != nil || o.dir == "" {
		return err
	}
	return interruptedAs(search.WriteRuns(ctx, found.Probes[found.Best].Counts, o.dir))
}

// compaction answers how few nodes the workload needs.
func (o *planOptions) compaction(ctx context.Context, scenario *scenarios.Scenario, seeds []uint64) error {
	p := o.showProgress()
	defer p.end()
	search := &plan.Compaction{
		Scenario: scenario, Options: o.build, Goals: o.goals, Seeds: seeds, Quantile: o.quantile, Pending: o.pending,
		Runner: experiment.Runner{Version: versionText()},
	}
	search.Done = func(trials int) { p.count("trials", trials, len(seeds)) }
	search.Done(0)
	found, err := search.Search(ctx)
	p.end()
	if found == nil {
		if errors.Is(err, plan.ErrOpenWorkload) {
			return fmt.Errorf("%s: %w", o.path, err)
		}
		return interruptedBefore(err, "trial")
	}
	o.note(found.Skipped)
	o.warn(found.Warnings)
	if err == nil && !found.Fits() {
		err = errTooSmall
	}
	return o.show(found, err)
}

// show writes an answer and returns the error of the search.
func (o *planOptions) show(answer renderer, searched error) error {
	if err := answer.Render(o.out, o.view); err != nil {
		return err
	}
	return interruptedAs(searched)
}

// interruptedBefore returns the error of a search that found nothing. It has an exit code of its own for an interruption.
func interruptedBefore(err error, anything string) error {
	if errors.Is(err, plan.ErrInterrupted) {
		return &failure{exitInterrupted, fmt.Errorf("interrupted: no %s was finished", anything)}
	}
	return err
}

// interruptedAs gives an interruption its exit code.
func interruptedAs(err error) error {
	if errors.Is(err, plan.ErrInterrupted) {
		return errInterrupted
	}
	return err
}
