// Package experiment plays runs: one, or one scenario under several policies and seeds,
// side by side over the cores. Each is folded into its summary, and may be written to a
// run directory.
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

// Player is how runs are played. The zero value keeps nothing but their summaries.
type Player struct {
	Version string // of berth, for manifests
	Whole   bool   // a run that is interrupted is not written
	// Progress is called now and then, with the virtual time and how many pods have
	// arrived and completed; nil: not at all.
	Progress func(now clock.Time, arrived, completed int64)
	// Record is called with each record, in order; nil: not at all.
	Record func(*record.Record)
	// SlowExtender is told of an extender that keeps the run waiting; nil: nobody is.
	SlowExtender func(x scheduler.ExtenderTraits, call string)
}

// Outcome is a run that has been played, to its end or until it was interrupted.
type Outcome struct {
	Ledger   *metric.Ledger
	Summary  *metric.Summary
	Warnings []string // that only the end of the run can tell
}

// BrokenLaw is the error of a run whose record log breaks a law: a fault of berth.
type BrokenLaw struct{ Err error }

// Error says what is wrong.
func (e *BrokenLaw) Error() string {
	return fmt.Sprintf("the record log breaks a law, please report it: %v", e.Err)
}

// Unwrap returns the violations.
func (e *BrokenLaw) Unwrap() error { return e.Err }

// Play plays a run and closes it. A context that ends interrupts the run, which is an
// outcome like others. With a directory the run is written there; nothing is left of it
// after an error.
func (p Player) Play(ctx context.Context, run *scenarios.Run, dir string) (*Outcome, error) {
	defer run.Close()
	var files *rundir.Writer
	if dir != "" {
		var err error
		if files, err = rundir.NewWriter(dir); err != nil {
			return nil, err
		}
	}
	ledger, err := p.drive(ctx, run, files)
	if err != nil {
		if files != nil {
			files.Abort()
		}
		return nil, err
	}
	summary := ledger.Summary(metric.Facts{Scenario: run.Config.Name, Policy: run.Policy.Name, Seed: *run.Recipe.Seed})
	switch {
	case files == nil:
	case p.Whole && summary.Run.Partial:
		files.Abort()
	default:
		if err := files.Close(p.manifest(run, summary), summary, ledger); err != nil {
			return nil, err
		}
	}
	return &Outcome{ledger, summary, run.Afterwards(summary.Run.Ended)}, nil
}

// drive runs the world.
func (p Player) drive(ctx context.Context, run *scenarios.Run, files *rundir.Writer) (*metric.Ledger, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ledger := metric.NewLedger()
	if run.Recipe.Overcommit {
		ledger.AllowOvercommit()
	}
	if run.DevicesFit {
		ledger.ForbidMisplaced()
	}
	cfg := run.Config
	cfg.Progress = p.Progress
	cfg.Record = func(r *record.Record) {
		ledger.Observe(r)
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
	_, err := world.New(cfg).Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case files != nil && files.Err() != nil:
		return nil, files.Err()
	case ledger.Err() != nil:
		return nil, &BrokenLaw{ledger.Err()}
	}
	return ledger, nil
}

func (p Player) manifest(run *scenarios.Run, s *metric.Summary) rundir.Manifest {
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
