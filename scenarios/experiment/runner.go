// Package experiment runs scenarios: one run (Runner), or one scenario under several policies and seeds in parallel
// (Matrix). Each run is reduced to its summary, and can be written to a run directory.
package experiment

import (
	"context"
	"fmt"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// Runner has the settings that runs share. The zero value writes no files and reports no progress.
type Runner struct {
	Version string // of berth, for manifests
	// DiscardPartial: the run directory of an interrupted run is removed.
	DiscardPartial bool
	// Progress, if not nil, is called now and then with the virtual time and the numbers of pods that have arrived and
	// completed.
	Progress func(now clock.Time, arrived, completed int64)
	// Record, if not nil, is called with each record, in order.
	Record func(*record.Record)
	// StopEarly, if not nil, is asked now and then about the run so far. If it returns true, the run ends.
	StopEarly func(sofar *metric.Summary) bool
	// SlowExtender, if not nil, is called when the run waits for an extender for long.
	SlowExtender func(x scheduler.ExtenderInfo, call string)
}

// Outcome is what a run has led to when it ended or was interrupted.
type Outcome struct {
	Ledger       *metric.Ledger
	Summary      *metric.Summary
	Warnings     []string // that are known only at the end of the run
	StoppedEarly bool     // by Runner.StopEarly
}

// InvariantError is the error of a run whose record log violates an invariant: a bug in berth.
type InvariantError struct{ Err error }

// Error says what is wrong.
func (e *InvariantError) Error() string {
	return fmt.Sprintf("the record log violates an invariant; this is a bug in berth, please report it: %v", e.Err)
}

// Unwrap returns the violations.
func (e *InvariantError) Unwrap() error { return e.Err }

// Run runs the world to the end of the run and closes the run. If the context ends first, the outcome is that of an
// interrupted run, without an error. If dir is not empty, the run is written to that directory; after an error nothing
// of it is left there.
func (p Runner) Run(ctx context.Context, run *scenarios.Run, dir string) (*Outcome, error) {
	defer run.Close()
	var files *rundir.Writer
	if dir != "" {
		var err error
		if files, err = rundir.NewWriter(dir); err != nil {
			return nil, err
		}
	}
	ledger, stoppedEarly, err := p.drive(ctx, run, files)
	if err != nil {
		if files != nil {
			files.Abort()
		}
		return nil, err
	}
	summary := ledger.Summary(metric.Facts{Scenario: run.Config.Name, Policy: run.Policy.Name, Kubernetes: run.Recipe.Release().String(), Seed: *run.Recipe.Seed})
	switch {
	case files == nil:
	case p.DiscardPartial && summary.Run.Partial:
		files.Abort()
	default:
		if err := files.Close(p.manifest(run, summary), summary, ledger); err != nil {
			return nil, err
		}
	}
	return &Outcome{ledger, summary, run.FinalWarnings(summary.Run.Ended), stoppedEarly}, nil
}

// drive runs the world, and observes each record: in the ledger, in p.Record and in the files, if there are any. It
// reports whether the run was stopped early.
func (p Runner) drive(ctx context.Context, run *scenarios.Run, files *rundir.Writer) (ledger *metric.Ledger, stoppedEarly bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ledger = metric.NewLedger()
	if run.Recipe.Overcommit {
		ledger.AllowOvercommit()
	}
	if run.DevicesFit {
		ledger.ForbidMisplaced()
	}
	cfg := run.Config
	cfg.Progress = p.Progress
	hopeless := p.hopeless(ledger)
	cfg.Record = func(r *record.Record) {
		ledger.Observe(r)
		if !stoppedEarly && hopeless() {
			stoppedEarly = true
			cancel()
		}
		if p.Record != nil {
			p.Record(r)
		}
		if files != nil {
			if files.Record(r); files.Err() != nil {
				cancel()
			}
		}
	}
	if p.SlowExtender != nil {
		cfg.Scheduler.OnSlowExtender(p.SlowExtender)
	}
	_, err = world.New(cfg).Run(ctx)
	switch {
	case err != nil:
		return nil, false, err
	case files != nil && files.Err() != nil:
		return nil, false, files.Err()
	case ledger.Err() != nil:
		return nil, false, &InvariantError{ledger.Err()}
	}
	return ledger, stoppedEarly, nil
}

// firstLook is after how many records p.StopEarly is first asked. A summary takes time, so each further look waits until a
// quarter more records are there.
const firstLook = 100

// hopeless returns the function that is called after each record, and reports whether the run is to end early.
func (p Runner) hopeless(ledger *metric.Ledger) func() bool {
	if p.StopEarly == nil {
		return func() bool { return false }
	}
	records, next := 0, firstLook
	return func() bool {
		if records++; records < next {
			return false
		}
		next += next / 4
		return p.StopEarly(ledger.Summary(metric.Facts{}))
	}
}

// Observe runs the world of a run to its end and calls observe with each record. It takes no samples and writes no
// files. It does not close the run. If the context ends first, the error is its cause.
func Observe(ctx context.Context, run *scenarios.Run, observe func(*record.Record)) error {
	cfg := run.Config
	cfg.SampleEvery, cfg.FragmentationMeter, cfg.Record = 0, nil, observe
	ended, err := world.New(cfg).Run(ctx)
	if err == nil && ended == "interrupted" {
		err = context.Cause(ctx)
	}
	return err
}

func (p Runner) manifest(run *scenarios.Run, s *metric.Summary) rundir.Manifest {
	skipped, _ := run.SkippedLines()
	m := rundir.Manifest{
		Version: p.Version, Scenario: run.Config.Name, Recipe: run.Recipe,
		Ended: s.Run.Ended, Partial: s.Run.Partial, SkippedLines: skipped,
	}
	for _, in := range run.Inputs {
		m.Inputs = append(m.Inputs, rundir.Input(in))
	}
	return m
}
