package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/podtable"
	"github.com/berth-sim/berth/reports/summary"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
)

var tieBreaks = []scheduler.TieBreak{scheduler.TieRandom, scheduler.TieFirst, scheduler.TieUpstream, scheduler.TieRank}

type runOptions struct {
	streams
	path  string
	build scenarios.Options
	view  output.View
	dir   string
	pods  bool
}

func newRunCommand(s streams, run func(context.Context, *runOptions) error) *cobra.Command {
	o := &runOptions{streams: s, view: output.View{Width: s.width}}
	c := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario: placement, utilization, fragmentation, throughput",
		Long: `Run a scenario on the virtual clock and report placement, utilization,
fragmentation and throughput. The same scenario, policy and seed give the same
bytes, on any machine. Ctrl-C ends the run; the partial result is written and
marked as partial. With --pods, show the pods: node, time, and the reason for
the wait.`,
		Example: `  berth run scenarios/quickstart.yaml
  berth run scenarios/quickstart.yaml --seed 8 --policy scenarios/policies/most-allocated.yaml
  berth run scenarios/quickstart.yaml --out /tmp/quickstart -o json
  berth run scenarios/quickstart.yaml --quiet --pods -o csv`,
		Args: oneArgument("SCENARIO"),
		RunE: func(c *cobra.Command, args []string) error {
			o.path = args[0]
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	pathFlag(c, &o.build.Policy, "policy", "scheduler configuration in `FILE`, in place of the scenario's")
	seedFlag(c, &o.build.Seed, "seed, in place of the scenario's")
	recipeFlags(c, &o.build.Recipe)
	pathFlag(c, &o.dir, "out", "write manifest.json, summary.json, timeseries.csv, pods.csv and records.jsonl to `DIR`")
	formatFlag(c, &o.view.Format, output.Formats)
	flags.BoolVar(&o.view.All, "all", false, "show every metric, not only the main ones; with --pods every pod")
	flags.BoolVar(&o.pods, "pods", false, "show the pods in place of the metrics")
	strictFlag(c, &o.build.Strict)
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "skip broken lines of traces, and count them")
	quietFlag(c, &o.streams)
	return c
}

// interruptible runs a verb with a context that the first Ctrl-C cancels. The second Ctrl-C ends the process.
func interruptible[O any](c *cobra.Command, run func(context.Context, O) error, options O) error {
	ctx, stop := signal.NotifyContext(c.Context(), interrupts()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, options)
}

// interrupts returns the signals that interrupt a verb. Under nohup, SIGHUP is not among them.
func interrupts() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

func runScenario(ctx context.Context, o *runOptions) error {
	scenario, err := scenarios.Load(o.path)
	if err != nil {
		return err
	}
	loaded := o.loading()
	run, err := scenario.BuildContext(ctx, o.build)
	loaded()
	if err != nil {
		return err
	}
	o.note(run.Skipped)
	o.warn(run.Warnings)
	outcome, err := o.runWorld(ctx, run)
	if err != nil {
		return err
	}
	o.warn(outcome.Warnings)
	if !o.pods {
		if err := summary.Render(o.out, outcome.Summary, o.view); err != nil {
			return err
		}
	}
	if n, first := run.SkippedLines(); n > 0 && !o.quiet {
		fmt.Fprintf(o.err, "skipped %d broken lines, the first: %v\n", n, errors.Join(first[:1]...))
	}
	if outcome.Summary.Run.Ended == "interrupted" {
		return errInterrupted
	}
	return nil
}

// runWorld makes the run and shows its progress, and the pods if they are asked for.
func (o *runOptions) runWorld(ctx context.Context, run *scenarios.Run) (*experiment.Outcome, error) {
	p := o.showProgress()
	defer p.end()
	runner := o.runner(p, run.Config.Horizon)
	if !o.pods {
		return runner.Run(ctx, run, o.dir)
	}
	pods := podtable.NewPrinter(o.out, o.view)
	follower := podtable.New(func(r *podtable.Row) { p.pause(func() { pods.Write(r) }) })
	runner.Record = follower.Observe
	outcome, err := runner.Run(ctx, run, o.dir)
	if err != nil {
		return nil, err
	}
	p.end()
	follower.Finish()
	return outcome, pods.Close()
}

// runner returns a runner for one run, which shows its progress and warns of slow extenders.
func (s streams) runner(p *progress, horizon clock.Time) experiment.Runner {
	return experiment.Runner{Version: versionText(), Progress: p.ofRun(horizon), SlowExtender: s.slowWarner(p)}
}

// slowWarner returns a function that warns that berth waits for an extender, while progress is shown.
func (s streams) slowWarner(p *progress) func(x scheduler.ExtenderInfo, call string) {
	return func(x scheduler.ExtenderInfo, call string) { p.pause(func() { s.warnSlow(x, call) }) }
}
