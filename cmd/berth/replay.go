package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios/replay"
	"github.com/berth-sim/berth/sim/model/clock"
)

type replayOptions struct {
	streams
	dir string // of the saved run
	out string // directory of the replay; empty: it is not written
}

func newReplayCommand(s streams, run func(context.Context, *replayOptions) error) *cobra.Command {
	o := &replayOptions{streams: s}
	c := &cobra.Command{
		Use:   "replay RUN",
		Short: "Run a saved run again, and check that it comes out the same",
		Long: `Run a saved run again with the settings and inputs that its manifest.json records,
and compare the records. The exit code is 1 when they differ.

RUN is a directory that --out of berth run, compare or plan has written. Start
replay in the directory where that was: paths of inputs are relative to it. An
input that does not exist any more or has changed is an error. The replay of an
interrupted run goes on to the end.`,
		Example: `  berth run scenarios/quickstart.yaml --quiet --out /tmp/replay/a && berth replay /tmp/replay/a
  berth replay /tmp/replay/a --out /tmp/replay/b`,
		Args: oneArgument("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			o.dir = args[0]
			return interruptible(c, run, o)
		},
	}
	pathFlag(c, &o.out, "out", "write the replay to `DIR`, as berth run does")
	quietFlag(c, &o.streams)
	return c
}

func replayRun(ctx context.Context, o *replayOptions) error {
	saved, err := rundir.Open(o.dir)
	if err != nil {
		return err
	}
	if sameDirectory(o.dir, o.out) {
		return fmt.Errorf("--out: %s is the run that is replayed: choose another directory", o.out)
	}
	if made := saved.Manifest.Version; made != versionText() {
		o.warn([]string{fmt.Sprintf("%s was made by berth %s, this is %s: the replay may differ for that alone", o.dir, made, versionText())})
	}
	outcome, err := o.replay(ctx, saved)
	if err != nil {
		return err
	}
	o.warn(outcome.Warnings)
	switch {
	case outcome.Summary.Run.Partial:
		return errNothingWritten
	case outcome.Differs > 0:
		return &failure{exitGate, fmt.Errorf("%s:%d:1: the replay differs from here on", filepath.Join(o.dir, rundir.RecordsFile), outcome.Differs)}
	}
	until := ""
	if saved.Manifest.Partial {
		until = " up to the interruption"
	}
	_, err = fmt.Fprintf(o.streams.out, "%s: the replay is the same%s, %s\n", o.dir, until, human.Counted(outcome.Records, "record"))
	return err
}

// replay replays the run and shows its progress.
func (o *replayOptions) replay(ctx context.Context, saved *rundir.Run) (*replay.Outcome, error) {
	p := o.showProgress()
	defer p.end()
	return replay.Run(ctx, saved, o.runner(p, clock.Time(*saved.Manifest.Horizon)), o.out)
}

// sameDirectory reports whether both paths name the same existing directory.
func sameDirectory(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
