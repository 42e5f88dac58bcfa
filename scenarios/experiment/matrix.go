package experiment

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/scenarios"
)

// Matrix is a scenario under several policies, each with the same seeds: the draws of a
// seed are the same under each policy, so that runs can be compared in pairs.
type Matrix struct {
	Scenario *scenarios.Scenario
	Options  scenarios.Options // of all runs, but for policy and seed
	Policies []string          // as in Options.Policy; empty: the scenario's own
	Seeds    []uint64
	Workers  int // runs side by side; 0: as many as there are cores
	// Vet may refuse a run before any is played; nil: it does not.
	Vet func(*scenarios.Run) error
	// Dir is where each run gets a directory of its own, policy/seed-N; empty: nowhere.
	Dir string
}

// Cell is one run of a matrix.
type Cell struct {
	Policy, Seed int // indexes
}

// Results are the runs of a matrix that have been played to their ends.
type Results struct {
	Policies  []string // short names, each once
	Seeds     []uint64
	Summaries [][]*reports.Summary // by policy, then seed; nil where there is none
	Warnings  []string             // each once
	Inputs    []reports.Input      // of the runs, but for the policies, each once
}

// Seeds are n seeds, from the first one on.
func Seeds(first uint64, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = first + uint64(i)
	}
	return out
}

// Pairs are the summaries of the seeds that all policies have been played with, by policy
// and then by seed.
func (r *Results) Pairs() [][]*reports.Summary {
	out := make([][]*reports.Summary, len(r.Summaries))
	for seed := range r.Seeds {
		if slices.ContainsFunc(r.Summaries, func(of []*reports.Summary) bool { return of[seed] == nil }) {
			continue
		}
		for policy := range out {
			out[policy] = append(out[policy], r.Summaries[policy][seed])
		}
	}
	return out
}

// Play plays all runs. When the context ends, or one of them fails, those that are under
// way are given up and the finished ones kept. The error lists the faults of all policies.
// done is told of each finished run, one at a time.
func (m *Matrix) Play(ctx context.Context, p Player, done func(Cell)) (*Results, error) {
	first, err := m.firsts()
	if err != nil {
		return nil, err
	}
	g := &game{Matrix: m, player: p, done: done, first: first, results: m.results(first)}
	g.player.Progress, g.player.Whole = nil, true // there are many at a time
	g.playAll(ctx)
	return g.results, g.err
}

// firsts builds the run of each policy with the first seed.
func (m *Matrix) firsts() ([]*scenarios.Run, error) {
	runs := make([]*scenarios.Run, len(m.Policies))
	var faults []string
	for i := range runs {
		var err error
		runs[i], err = m.build(Cell{Policy: i})
		if err == nil && m.Vet != nil {
			err = m.Vet(runs[i])
		}
		if err != nil {
			faults = append(faults, strings.Split(err.Error(), "\n")...)
		}
	}
	if len(faults) == 0 {
		faults = alike(runs)
	}
	if len(faults) == 0 {
		return runs, nil
	}
	for _, run := range runs {
		if run != nil {
			run.Close()
		}
	}
	return nil, errors.New(strings.Join(distinct(faults), "\n"))
}

// alike says which policies do not differ.
func alike(runs []*scenarios.Run) []string {
	var faults []string
	for i, run := range runs {
		same := func(other *scenarios.Run) bool { return other.Policy.SameAs(run.Policy) }
		if k := slices.IndexFunc(runs[:i], same); k >= 0 {
			faults = append(faults, fmt.Sprintf("%s: says the same as the policy %s: there is nothing to compare", run.Policy.Name, runs[k].Policy.Name))
		}
	}
	return faults
}

func (m *Matrix) build(c Cell) (*scenarios.Run, error) {
	o := m.Options
	o.Policy, o.Seed = m.Policies[c.Policy], &m.Seeds[c.Seed]
	return m.Scenario.Build(o)
}

// results is the form that the results of these runs will have.
func (m *Matrix) results(first []*scenarios.Run) *Results {
	r := &Results{Seeds: m.Seeds, Summaries: make([][]*reports.Summary, len(first))}
	names := make([]string, len(first))
	for i, run := range first {
		r.Summaries[i] = make([]*reports.Summary, len(m.Seeds))
		names[i] = run.Policy.Name
		r.Warnings = append(r.Warnings, run.Warnings...)
		for _, in := range InputsBesidePolicy(run) {
			if !slices.Contains(r.Inputs, in) {
				r.Inputs = append(r.Inputs, in)
			}
		}
	}
	r.Policies, r.Warnings = shortNames(names), distinct(r.Warnings)
	return r
}

// InputsBesidePolicy are what a run was made from but for its policy.
func InputsBesidePolicy(run *scenarios.Run) []reports.Input {
	var out []reports.Input
	for _, in := range run.Inputs {
		if in.Path != run.Policy.Name && !slices.Contains(run.Policy.Files, in.Path) {
			out = append(out, reports.Input(in))
		}
	}
	return out
}

// shortNames are the names of files without directory and ending, where these tell them
// apart.
func shortNames(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = short(path)
		for k, other := range paths {
			if k != i && short(other) == out[i] {
				out[i] = path
				break
			}
		}
	}
	return out
}

func short(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// distinct leaves the first of equal lines.
func distinct(lines []string) []string {
	var out []string
	for _, line := range lines {
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// game is a matrix being played.
type game struct {
	*Matrix
	player Player
	done   func(Cell)
	first  []*scenarios.Run // nil: taken

	sync.Mutex
	next    int // number of the next cell, seed by seed
	results *Results
	err     error
}

func (g *game) playAll(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	workers := g.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for c, more := g.take(ctx); more; c, more = g.take(ctx) {
				if err := g.play(ctx, c); err != nil {
					g.fail(err)
					stop()
				}
			}
		})
	}
	all.Wait()
	for _, run := range g.first {
		if run != nil {
			run.Close()
		}
	}
}

// take is the next cell to be played.
func (g *game) take(ctx context.Context) (c Cell, more bool) {
	g.Lock()
	defer g.Unlock()
	policies := len(g.Policies)
	if ctx.Err() != nil || g.next == policies*len(g.Seeds) {
		return c, false
	}
	c = Cell{Policy: g.next % policies, Seed: g.next / policies}
	g.next++
	return c, true
}

func (g *game) fail(err error) {
	g.Lock()
	defer g.Unlock()
	if g.err == nil {
		g.err = err
	}
}

// run is the run of a cell: that of the first seed has been built.
func (g *game) run(c Cell) (*scenarios.Run, error) {
	if c.Seed > 0 {
		return g.build(c)
	}
	g.Lock()
	defer g.Unlock()
	run := g.first[c.Policy]
	g.first[c.Policy] = nil
	return run, nil
}

func (g *game) play(ctx context.Context, c Cell) error {
	run, err := g.run(c)
	if err != nil {
		return err
	}
	dir := ""
	if g.Dir != "" {
		dir = filepath.Join(g.Dir, fileName(g.results.Policies[c.Policy]), "seed-"+strconv.FormatUint(g.Seeds[c.Seed], 10))
	}
	outcome, err := g.player.Play(ctx, run, dir)
	if err != nil {
		return err
	}
	g.Lock()
	defer g.Unlock()
	if outcome.Summary.Run.Partial {
		return nil
	}
	g.results.Summaries[c.Policy][c.Seed] = outcome.Summary
	g.results.Warnings = distinct(append(g.results.Warnings, outcome.Warnings...))
	if g.done != nil {
		g.done(c)
	}
	return nil
}

// fileName is the name of a policy as part of a path.
func fileName(policy string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\: `, r) {
			return '-'
		}
		return r
	}, policy), ".-")
}
