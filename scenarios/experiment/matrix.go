package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/parallel"
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
	Summaries [][]*metric.Summary // by policy, then seed; nil where there is none
	Warnings  []string            // each once, in the order of the runs
	Inputs    []rundir.Input      // of the runs, but for the policies, each once
}

// Seeds are n seeds, from the first one on; fewer where there are no more.
func Seeds(first uint64, n int) []uint64 {
	var out []uint64
	for i := range uint64(n) {
		if i > math.MaxUint64-first {
			break
		}
		out = append(out, first+i)
	}
	return out
}

// Pairs are the summaries of the seeds that all policies have been played with, by policy
// and then by seed.
func (r *Results) Pairs() [][]*metric.Summary {
	out := make([][]*metric.Summary, len(r.Summaries))
	for seed := range r.Seeds {
		if slices.ContainsFunc(r.Summaries, func(of []*metric.Summary) bool { return of[seed] == nil }) {
			continue
		}
		for policy := range out {
			out[policy] = append(out[policy], r.Summaries[policy][seed])
		}
	}
	return out
}

// Play plays all runs. When the context ends, those that are under way are given up and the
// finished ones kept; when one of them fails, no more are begun. The error lists the faults of
// all policies, or is that of the first run, seed by seed, that has failed, which does not depend
// on how many run side by side. done is told of each finished run, one at a time.
func (m *Matrix) Play(ctx context.Context, p Player, done func(Cell)) (*Results, error) {
	first, err := m.firsts(ctx)
	if ctx.Err() != nil {
		return m.unplayed(), nil
	}
	if err != nil {
		return nil, err
	}
	g := m.game(first)
	g.player, g.done = p, done
	g.player.Progress, g.player.Whole = nil, true // there are many at a time
	err = g.playAll(ctx)
	return g.results, err
}

// unplayed are the results of a matrix that was given up before its first run.
func (m *Matrix) unplayed() *Results {
	r := &Results{Policies: m.Policies, Seeds: m.Seeds}
	for range m.Policies {
		r.Summaries = append(r.Summaries, make([]*metric.Summary, len(m.Seeds)))
	}
	return r
}

// firsts builds the run of each policy with the first seed.
func (m *Matrix) firsts(ctx context.Context) ([]*scenarios.Run, error) {
	runs := make([]*scenarios.Run, len(m.Policies))
	var faults []string
	for i := range runs {
		var err error
		runs[i], err = m.build(ctx, Cell{Policy: i})
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

func (m *Matrix) build(ctx context.Context, c Cell) (*scenarios.Run, error) {
	o := m.Options
	o.Policy, o.Seed = m.Policies[c.Policy], &m.Seeds[c.Seed]
	return m.Scenario.BuildContext(ctx, o)
}

// results is the form that the results of these runs will have.
func (m *Matrix) results(first []*scenarios.Run) *Results {
	r := &Results{Seeds: m.Seeds, Summaries: make([][]*metric.Summary, len(first))}
	names := make([]string, len(first))
	for i, run := range first {
		r.Summaries[i] = make([]*metric.Summary, len(m.Seeds))
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
func InputsBesidePolicy(run *scenarios.Run) []rundir.Input {
	var out []rundir.Input
	for _, in := range run.Inputs {
		if in.Path != run.Policy.Name && !slices.Contains(run.Policy.Files, in.Path) {
			out = append(out, rundir.Input(in))
		}
	}
	return out
}

// shortNames are the names of files without directory and ending, where these tell them
// apart from all others.
func shortNames(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = short(path)
	}
	for again := true; again; { // a whole path may be what another one is called for short
		again = false
		called := map[string]int{}
		for _, name := range out {
			called[name]++
		}
		for i, name := range out {
			if name != paths[i] && (called[name] > 1 || name == "") {
				out[i], again = paths[i], true
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
	dirs   []string         // names of directories, by policy

	sync.Mutex
	results  *Results
	warnings [][]string // by number of the cell
}

func (m *Matrix) game(first []*scenarios.Run) *game {
	cells := len(m.Policies) * len(m.Seeds)
	results := m.results(first)
	return &game{
		Matrix: m, first: first, dirs: fileNames(results.Policies), results: results,
		warnings: make([][]string, cells),
	}
}

// playAll plays the cells seed by seed. Its error is not that the context ended: then what has been played is the outcome.
func (g *game) playAll(ctx context.Context) error {
	policies := len(g.Policies)
	err := parallel.Do(ctx, g.Workers, policies*len(g.Seeds), func(i int) error {
		return g.play(ctx, Cell{Policy: i % policies, Seed: i / policies})
	})
	for _, run := range g.first {
		if run != nil {
			run.Close()
		}
	}
	g.mergeWarnings()
	if err != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// mergeWarnings puts those of the cells into the results, in an order that does not depend on which run was the first to end.
func (g *game) mergeWarnings() {
	all := append([][]string{g.results.Warnings}, g.warnings...)
	g.results.Warnings = distinct(slices.Concat(all...))
}

// number is the place of a cell in the order in which they are taken.
func (g *game) number(c Cell) int { return c.Seed*len(g.Policies) + c.Policy }

// run is the run of a cell: that of the first seed has been built.
func (g *game) run(ctx context.Context, c Cell) (*scenarios.Run, error) {
	if c.Seed > 0 {
		return g.build(ctx, c)
	}
	g.Lock()
	defer g.Unlock()
	run := g.first[c.Policy]
	g.first[c.Policy] = nil
	return run, nil
}

func (g *game) play(ctx context.Context, c Cell) error {
	run, err := g.run(ctx, c)
	if err != nil && ctx.Err() != nil {
		return nil // what has been played so far is the outcome
	}
	if err != nil {
		return err
	}
	dir := ""
	if g.Dir != "" {
		dir = filepath.Join(g.Dir, g.dirs[c.Policy], "seed-"+strconv.FormatUint(g.Seeds[c.Seed], 10))
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
	g.warnings[g.number(c)] = outcome.Warnings
	if g.done != nil {
		g.done(c)
	}
	return nil
}

// fileNames are the names of policies as parts of paths, each once, on file systems that do not
// tell upper case from lower as well.
func fileNames(policies []string) []string {
	var out []string
	for _, policy := range policies {
		base := fileName(policy)
		name := base
		taken := func(other string) bool { return strings.EqualFold(other, name) }
		for n := 2; slices.ContainsFunc(out, taken); n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		out = append(out, name)
	}
	return out
}

func fileName(policy string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\: `, r) {
			return '-'
		}
		return r
	}, policy), ".-")
	return cmp.Or(name, "policy")
}
