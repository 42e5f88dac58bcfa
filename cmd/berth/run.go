package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim"
	"github.com/berth-sim/berth/sim/clock"
)

var tieBreaks = []scheduler.TieBreak{scheduler.TieRandom, scheduler.TieFirst, scheduler.TieUpstream}

type runOptions struct {
	streams
	path  string
	build scenarios.Options
	tie   scheduler.TieBreak
	view  reports.View
	dir   string
	quiet bool
}

func newRunCommand(s streams, run func(context.Context, *runOptions) error) *cobra.Command {
	o := &runOptions{streams: s, view: reports.View{Width: s.width}}
	var seed uint64
	var horizon string
	c := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario: placement, utilisation, fragmentation, throughput",
		Long: `Run a scenario on the virtual clock and report placement, utilisation,
fragmentation and throughput. The same scenario, policy and seed give the same
bytes, on any machine. Ctrl-C ends a run with what is known by then, as partial.`,
		Example: `  berth run scenarios/quickstart.yaml
  berth run scenarios/quickstart.yaml --seed 8 --policy scenarios/policies/most-allocated.yaml
  berth run scenarios/quickstart.yaml --out /tmp/quickstart --format json`,
		Args: oneArgument("SCENARIO"),
		RunE: func(c *cobra.Command, args []string) error {
			o.path = args[0]
			if c.Flags().Changed("seed") {
				o.build.Seed = &seed
			}
			if c.Flags().Changed("horizon") {
				o.build.Horizon = new(scenarios.Horizon)
				if err := o.build.Horizon.UnmarshalText([]byte(horizon)); err != nil {
					return usageError(c, "--horizon: %q %w", horizon, err)
				}
			}
			o.build.Tie = string(o.tie)
			ctx, stop := signal.NotifyContext(c.Context(), interrupts()...)
			defer stop()
			context.AfterFunc(ctx, stop) // a second Ctrl-C ends berth at once
			return run(ctx, o)
		},
	}
	flags := c.Flags()
	pathFlag(c, &o.build.Policy, "policy", "scheduler configuration in `FILE`, in place of the scenario's")
	wholeFlag(c, &seed, "seed", limits{0, math.MaxUint64}, "seed, in place of the scenario's")
	flags.StringVar(&horizon, "horizon", "", "end after this `DURATION`, or when \"untilDone\", in place of the scenario's")
	admissionFlag(c, &o.build.Admission, ", in place of the scenario's")
	choiceFlag(c, &o.tie, "tie", "how to choose among the best nodes, in place of the scenario's", tieBreaks)
	pathFlag(c, &o.dir, "out", "write manifest.json, summary.json, timeseries.csv and records.jsonl to `DIR`")
	formatFlag(c, &o.view.Format, reports.Formats)
	flags.BoolVar(&o.view.All, "all", false, "show every metric, not only the headlines")
	flags.BoolVar(&o.build.Inflate, "inflate", false, "measure stranding by inflation too, which takes time")
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "pass over broken lines of traces, and count them")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress and no warnings")
	return c
}

// interrupts are the signals that end a run with what is known by then. Under nohup a run
// outlives its terminal.
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
	run, err := scenario.Build(o.build)
	if err != nil {
		return err
	}
	defer run.Close()
	o.warn(run.Warnings)
	ledger := reports.NewLedger()
	if run.Overcommit {
		ledger.AllowOvercommit()
	}
	var dir *reports.DirWriter
	if o.dir != "" {
		if dir, err = reports.NewDirWriter(o.dir); err != nil {
			return err
		}
	}
	end, err := o.drive(ctx, run, ledger, dir)
	if err != nil {
		if dir != nil {
			dir.Abort()
		}
		return err
	}
	o.warn(run.Afterwards(end))
	summary := ledger.Summary(reports.Facts{Scenario: run.Config.Name, Policy: run.Policy.Name, Seed: run.Seed})
	if dir != nil {
		if err := dir.Close(o.manifest(run, summary), summary, ledger); err != nil {
			return err
		}
	}
	if err := summary.Render(o.out, o.view); err != nil {
		return err
	}
	if n, first := run.SkippedLines(); n > 0 && !o.quiet {
		fmt.Fprintf(o.err, "skipped %d broken lines, the first: %v\n", n, errors.Join(first[:1]...))
	}
	if end == "interrupted" {
		return errInterrupted
	}
	return nil
}

// drive runs the world, showing progress.
func (o *runOptions) drive(ctx context.Context, run *scenarios.Run, ledger *reports.Ledger, dir *reports.DirWriter) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cfg := run.Config
	cfg.Record = func(r *sim.Record) {
		ledger.Observe(r)
		if dir != nil {
			if dir.Record(r); dir.Err() != nil {
				cancel()
			}
		}
	}
	p := newProgress(o.err, cfg.Horizon, time.Now)
	if o.progress && !o.quiet {
		defer p.clear()
		cfg.Progress = func(now clock.Time, arrived, completed int64) { p.update(now, arrived, completed) }
	}
	cfg.Scheduler.OnSlowExtender(func(x scheduler.ExtenderTraits, call string) {
		p.clear()
		if !o.quiet {
			o.warnSlow(x, call)
		}
	})
	end, err := sim.New(cfg).Run(ctx)
	switch {
	case err != nil:
		return "", err
	case dir != nil && dir.Err() != nil:
		return "", dir.Err()
	case ledger.Err() != nil:
		return "", &failure{exitFault, fmt.Errorf("the record log breaks a law, please report it: %w", ledger.Err())}
	}
	return end, nil
}

// warn writes warnings unless nobody wants them.
func (o *runOptions) warn(warnings []string) {
	if !o.quiet {
		o.streams.warn(warnings)
	}
}

func (o *runOptions) manifest(run *scenarios.Run, s *reports.Summary) reports.Manifest {
	skipped, _ := run.SkippedLines()
	m := reports.Manifest{
		Version: versionText(), Scenario: run.Config.Name, Policy: run.Policy.Name, Seed: run.Seed,
		TieBreak: string(run.Tie), Horizon: scenarios.Horizon(run.Config.Horizon).String(), Inflate: run.Inflate,
		Admission:    run.Admission,
		SkipBadLines: o.build.SkipBadLines, Ended: s.Run.Ended, Partial: s.Run.Partial, SkippedLines: skipped,
	}
	for _, in := range run.Inputs {
		m.Inputs = append(m.Inputs, reports.Input(in))
	}
	return m
}
