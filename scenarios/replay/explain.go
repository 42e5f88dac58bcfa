package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/berth-sim/berth/reports/diff"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// Explain runs a saved run again up to an attempt, and returns the explanation of that attempt. An input that is gone
// or has changed, a policy with extenders, and a run that decides otherwise than it did are errors.
func Explain(ctx context.Context, q diff.Question) (*explain.Explanation, error) {
	return (&replay{Question: q}).explain(ctx)
}

// replay is a run that is run again up to an attempt.
type replay struct {
	diff.Question

	run   *scenarios.Run
	found *explain.Explanation
	err   error
}

func (r *replay) explain(ctx context.Context) (*explain.Explanation, error) {
	if err := r.build(); err != nil {
		return nil, err
	}
	if err := runUntil(ctx, r.run, r); err != nil {
		return nil, err
	}
	switch {
	case r.found != nil || r.err != nil:
		return r.found, r.err
	case ctx.Err() != nil:
		return nil, errors.New("interrupted")
	}
	return nil, r.otherwise()
}

func (r *replay) observe(cfg *world.Config, enough func()) {
	cfg.Record = func(*record.Record) {}
	cfg.Attempted = func(a *scheduler.Attempt, now clock.Time) {
		if r.found == nil && r.err == nil && r.meets(a, now) {
			enough()
		}
	}
	cfg.Progress = r.Progress
}

func (r *replay) begin(*world.World) {}

// build builds the run from the manifest.
func (r *replay) build() (err error) {
	if r.run, err = Build(&r.Manifest); err != nil {
		return err
	}
	if len(r.run.Policy.Extenders) > 0 {
		r.run.Close()
		return errors.New("its policy has extenders, which are not called for this")
	}
	return nil
}

// meets explains the attempt if it is the one. It reports whether the run need not go on.
func (r *replay) meets(a *scheduler.Attempt, now clock.Time) bool {
	c := r.run.Config.Cluster
	if c.Pod(a.Pod).Serial != r.Attempt.Pod || a.Number != r.Attempt.Number {
		if now > r.Attempt.At {
			r.err = r.otherwise()
		}
		return now > r.Attempt.At
	}
	node := ""
	if a.Node != cluster.None {
		node = c.Node(a.Node).Name
	}
	if now != r.Attempt.At || node != r.Attempt.Node || a.Outcome.String() != r.Attempt.Outcome {
		r.err = r.otherwise()
		return true
	}
	o := explain.Options{Top: 2, Daemons: r.run.Config.Daemons}
	if _, exists := c.NodeByName(r.Node); exists {
		o.Node = r.Node
	}
	r.found, r.err = explain.Attempt(r.run.Config.Scheduler, c, a, o)
	return true
}

// otherwise is the error of a replay that decides otherwise than the saved run.
func (r *replay) otherwise() error {
	return fmt.Errorf("its replay decides otherwise: it was made by version %s of berth", r.Manifest.Version)
}
