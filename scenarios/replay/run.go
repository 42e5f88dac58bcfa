package replay

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/record"
)

// Outcome is how a replay came out.
type Outcome struct {
	*experiment.Outcome
	Warnings []string // of the run, before and after
	// Records is how many records are equal from the beginning on, and Differs the line of the saved log from which on
	// the replay differs; 0: it does not. Both are 0 of a replay that was interrupted itself.
	Records, Differs int64
}

// Run replays a saved run and compares its log with the saved one, line by line. The log of an interrupted run is
// compared up to the interruption; the replay goes on to the end. With a directory the replay is written there, unless
// it is interrupted.
func Run(ctx context.Context, saved *rundir.Run, p experiment.Runner, dir string) (*Outcome, error) {
	run, err := scenarios.UnlessDone(ctx, func() (*scenarios.Run, error) { return Build(&saved.Manifest) })
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be replayed: %w", saved.Dir, err)
	}
	defer run.Close()
	log, err := openLog(filepath.Join(saved.Dir, rundir.RecordsFile), saved.Manifest.Partial)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	writer := record.NewWriter(log)
	p.Record = func(r *record.Record) {
		if log.err == nil {
			log.err = writer.Write(r)
		}
	}
	p.DiscardPartial = true
	again, err := p.Run(ctx, run, dir)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Outcome: again, Warnings: slices.Concat(run.Warnings, again.Warnings)}
	if again.Summary.Run.Partial {
		return out, nil
	}
	if err := log.finish(); err != nil {
		return out, document.FileError(err)
	}
	out.Records, out.Differs = log.equal, log.differs
	return out, nil
}
