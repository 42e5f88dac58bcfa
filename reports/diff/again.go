package diff

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim"
	"github.com/berth-sim/berth/sim/clock"
	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/explain"
)

// explain plays both runs again, side by side, up to the attempt: logs hold no scores.
func (p *Parting) explain(ctx context.Context, runs [2]*reports.SavedRun, o Options) {
	if !o.Scores {
		return
	}
	var all sync.WaitGroup
	for s, a := range p.Attempts {
		if a == nil {
			continue
		}
		again := &again{manifest: runs[s].Manifest, attempt: a}
		if other := p.Attempts[1-s]; other != nil && other.place() != a.place() {
			again.node = other.place()
		}
		if s == 0 || p.Attempts[0] == nil {
			again.playing = o.Playing
		}
		all.Go(func() {
			found, err := again.play(ctx)
			if p.Explained[s] = found; err != nil {
				p.Unplayed[s] = err.Error()
			}
		})
	}
	all.Wait()
}

// place is the node that the attempt took, or that it frees.
func (a *Attempt) place() string {
	if a.Node != "" {
		return a.Node
	}
	return a.Nominated
}

// again is a run that is played again up to an attempt.
type again struct {
	manifest reports.Manifest
	attempt  *Attempt
	node     string // to be explained in full; empty: none
	playing  func(now clock.Time, arrived, completed int64)

	run   *scenarios.Run
	found *explain.Explanation
	err   error
}

// play returns the explanation of the attempt, or why there is none.
func (g *again) play(ctx context.Context) (*explain.Explanation, error) {
	if err := g.build(); err != nil {
		return nil, err
	}
	defer g.run.Close()
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	cfg := g.run.Config
	cfg.Probe = nil // fragmentation decides nothing
	cfg.Record = func(*sim.Record) {}
	cfg.Attempted = func(a *scheduler.Attempt, now clock.Time) {
		if g.found == nil && g.err == nil && g.meets(a, now) {
			enough()
		}
	}
	cfg.Progress = g.playing
	_, err := sim.New(cfg).Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case g.found == nil && g.err == nil && ctx.Err() != nil:
		return nil, errors.New("interrupted")
	case g.found == nil && g.err == nil:
		return nil, g.otherwise()
	}
	return g.found, g.err
}

// build makes the run from what the manifest names.
func (g *again) build() error {
	m := &g.manifest
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
	g.run, err = scenario.Build(scenarios.Options{
		Seed: &m.Seed, Policy: m.Policy, Tie: m.TieBreak, Horizon: horizon, Admission: m.Admission, SkipBadLines: m.SkipBadLines,
	})
	if err != nil {
		return err
	}
	if len(g.run.Policy.Extenders) > 0 {
		g.run.Close()
		return errors.New("its policy has extenders, which are not called for this")
	}
	return nil
}

// unchanged says whether an input is there, and what it was.
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

// meets explains the attempt if it is the one. It says whether the run need not go on.
func (g *again) meets(a *scheduler.Attempt, now clock.Time) bool {
	c := g.run.Config.Cluster
	if c.Pod(a.Pod).Serial != g.attempt.Pod || a.Number != g.attempt.Number {
		if now > g.attempt.At {
			g.err = g.otherwise()
		}
		return now > g.attempt.At
	}
	node := ""
	if a.Node != cluster.None {
		node = c.Node(a.Node).Name
	}
	if now != g.attempt.At || node != g.attempt.Node || a.Outcome.String() != g.attempt.Outcome {
		g.err = g.otherwise()
		return true
	}
	o := explain.Options{Top: 2, Daemons: g.run.Config.Daemons}
	if _, exists := c.NodeByName(g.node); exists {
		o.Node = g.node
	}
	g.found, g.err = explain.Attempt(g.run.Config.Scheduler, c, a, o)
	return true
}

// otherwise is the error of a run that is not what it was.
func (g *again) otherwise() error {
	return fmt.Errorf("played again it decides otherwise: it was made by version %s of berth", g.manifest.Version)
}
