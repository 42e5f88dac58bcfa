// Package replay runs a saved run again, from what its manifest names, to look at what its log does not hold.
package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/berth-sim/berth/reports"
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
	return (&replay{Question: q}).play(ctx)
}

// replay is a run that is run again up to an attempt.
type replay struct {
	diff.Question

	run   *scenarios.Run
	found *explain.Explanation
	err   error
}

func (r *replay) play(ctx context.Context) (*explain.Explanation, error) {
	if err := r.build(); err != nil {
		return nil, err
	}
	defer r.run.Close()
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	cfg := r.run.Config
	cfg.Probe = nil // fragmentation decides nothing
	cfg.Record = func(*record.Record) {}
	cfg.Attempted = func(a *scheduler.Attempt, now clock.Time) {
		if r.found == nil && r.err == nil && r.meets(a, now) {
			enough()
		}
	}
	cfg.Progress = r.Progress
	_, err := world.New(cfg).Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case r.found == nil && r.err == nil && ctx.Err() != nil:
		return nil, errors.New("interrupted")
	case r.found == nil && r.err == nil:
		return nil, r.otherwise()
	}
	return r.found, r.err
}

// build makes the run from what the manifest names.
func (r *replay) build() error {
	m := &r.Manifest
	if len(m.Inputs) == 0 {
		return errors.New("its manifest names no inputs")
	}
	for _, in := range m.Inputs {
		if err := unchanged(in); err != nil {
			return err
		}
	}
	horizon := new(scenarios.Horizon)
	if err := horizon.UnmarshalText([]byte(m.Horizon)); err != nil {
		return fmt.Errorf("the horizon %q of its manifest %w", m.Horizon, err)
	}
	scenario, err := scenarios.Load(m.Inputs[0].Path)
	if err != nil {
		return err
	}
	r.run, err = scenario.Build(scenarios.Options{
		Seed: &m.Seed, Policy: m.Policy, Tie: m.TieBreak, Horizon: horizon, Admission: m.Admission, SkipBadLines: m.SkipBadLines,
	})
	if err != nil {
		return err
	}
	if len(r.run.Policy.Extenders) > 0 {
		r.run.Close()
		return errors.New("its policy has extenders, which are not called for this")
	}
	return nil
}

// unchanged reports whether an input is there, and what it was.
func unchanged(in reports.Input) error {
	sum := sha256.New()
	if name, is := strings.CutPrefix(in.Path, "environment:"); is {
		io.WriteString(sum, os.Getenv(name))
	} else {
		file, err := os.Open(in.Path)
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s is not there", in.Path)
		}
		if err != nil {
			return err
		}
		defer file.Close()
		if _, err := io.Copy(sum, file); err != nil {
			return err
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != in.SHA256 {
		return fmt.Errorf("%s has changed since the run", in.Path)
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

// otherwise is the error of a run that is not what it was.
func (r *replay) otherwise() error {
	return fmt.Errorf("played again it decides otherwise: it was made by version %s of berth", r.Manifest.Version)
}
