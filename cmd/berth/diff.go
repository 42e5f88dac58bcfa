package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/diff"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios/replay"
	"github.com/berth-sim/berth/sim/model/clock"
)

type diffOptions struct {
	streams
	runInputs
	allPods  bool
	scores   bool
	exitCode bool
	view     output.View
}

// worstPods is how many pods are listed without the flag --pods.
const worstPods = 10

// errRunsDiffer is the error of diff --exit-code for runs that differ. The differences have been written by then.
var errRunsDiffer = &failure{exitGate, errors.New("the runs differ")}

func newDiffCommand(s streams, run func(context.Context, *diffOptions) error) *cobra.Command {
	o := &diffOptions{streams: s, scores: true, view: output.View{Width: s.width}}
	c := &cobra.Command{
		Use:   "diff RUN1 RUN2 | diff SCENARIO --policy A --policy B",
		Short: "Show where two runs diverge, why, and what followed",
		Long: `Say how two runs differ: what they were made from, the first decision in which
they diverge and why, which pods had different outcomes, and which figures
moved.

A run is a directory that berth run --out has written. A scenario, or manifests
with -f, is run first, once for each --policy. Pods are matched
by workload and name, attempts by pod and how many of it there were before. For
the scores of that decision both runs are replayed up to it, if their inputs
have not changed.`,
		Example: `  berth run scenarios/quickstart.yaml --quiet --out /tmp/diff/a && berth run scenarios/quickstart.yaml --quiet --policy scenarios/policies/most-allocated.yaml --out /tmp/diff/b
  berth diff /tmp/diff/a /tmp/diff/b
  berth diff scenarios/quickstart.yaml --policy default --policy scenarios/policies/most-allocated.yaml
  berth diff /tmp/diff/a scenarios/quickstart.yaml --policy scenarios/policies/most-allocated.yaml
  berth diff /tmp/diff/a /tmp/diff/a --exit-code --format json`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.take(c, args, 2, 2); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	o.addFlags(c)
	flags := c.Flags()
	flags.BoolVar(&o.allPods, "pods", false, "list all pods with different outcomes, not only the worst")
	flags.BoolVar(&o.scores, "scores", true, "replay both runs up to where they diverge, for the scores")
	flags.BoolVar(&o.exitCode, "exit-code", false, "end with code 1 if the runs differ")
	formatFlag(c, &o.view.Format, []output.Format{output.Table, output.Markdown, output.JSON})
	flags.BoolVar(&o.view.All, "all", false, "show every metric, not only those that moved and matter")
	quietFlag(c, &o.streams)
	return c
}

func diffRuns(ctx context.Context, o *diffOptions) error {
	runs, err := o.makeRuns(ctx, &o.runInputs)
	defer runs.remove()
	if err != nil {
		return err
	}
	d, err := o.read(ctx, runs)
	switch {
	case errors.Is(err, context.Canceled):
		return &failure{exitInterrupted, errors.New("interrupted: the runs were not read to their ends")}
	case err != nil:
		return err
	}
	if err := d.Render(o.out, o.view); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case o.exitCode && !d.Equal():
		return errRunsDiffer
	}
	return nil
}

// read compares the runs and shows its progress.
func (o *diffOptions) read(ctx context.Context, runs *madeRuns) (*diff.Diff, error) {
	options := diff.Options{Pods: worstPods, Names: [2]string{runs.list[0].name, runs.list[1].name}}
	if o.scores {
		options.Explain = replay.Explain
	}
	if o.allPods {
		options.Pods = -1
	}
	p := o.showProgress()
	defer p.end()
	options.ReadProgress, options.RerunProgress = p.read, p.ofRun(clock.Forever)
	return diff.Read(ctx, [2]string(runs.dirs()), options)
}
