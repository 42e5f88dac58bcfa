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

// Matrix runs a scenario under several policies, each with the same seeds. Runs of one seed draw the same numbers under
// every policy, so they can be compared in pairs.
type Matrix struct {
	Scenario *scenarios.Scenario
	Options  scenarios.Options // of all runs; Policy and Seed are ignored
	Policies []string          // as in Options.Policy; an empty string is the scenario's own policy
	Seeds    []uint64
	Workers  int // number of runs in parallel; 0: one for each core
	// Validate, if not nil, is called with one run of each policy before the first run starts. Its error refuses the matrix.
	Validate func(*scenarios.Run) error
	// StopEarly, if not nil, is asked now and then about a run so far. If it returns true the run ends, and its summary is
	// that of a partial run. It is called concurrently for different runs.
	StopEarly func(c Cell, sofar *metric.Summary) bool
	// Dir, if not empty, is the directory to which the runs are written, each to policy/seed-N below it.
	Dir string
}

// Cell is one run of a matrix.
type Cell struct {
	Policy, Seed int // indexes
}

// Results are the summaries of the runs of a matrix that have finished.
type Results struct {
	Policies  []string // short names, all different
	Seeds     []uint64
	Summaries [][]*metric.Summary // by policy, then seed; nil: the run has not finished
	Warnings  []string            // without repeats, in the order of the runs
	Skipped   []string            // lines on the objects that do not affect scheduling, without repeats
	Inputs    []rundir.Input      // of the runs, without the policies and without repeats
}

// Seeds returns n consecutive seeds that begin with first, or fewer if the range of uint64 ends before.
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

// Pairs returns the summaries of the seeds with which the runs of all policies have finished, by policy and then by seed.
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

// Run makes all runs, seed by seed. If the context ends first, the results are those of the finished runs, without an
// error. A run that fails stops the matrix: the error is that of the failed run that comes first, whatever the number of
// workers. If policies cannot be read, the error lists all of their faults. done, if not nil, is called after each
// finished run, never concurrently.
func (m *Matrix) Run(ctx context.Context, p Runner, done func(Cell)) (*Results, error) {
	first, err := m.buildFirst(ctx)
	if ctx.Err() != nil {
		return m.noResults(), nil
	}
	if err != nil {
		return nil, err
	}
	r := m.start(first)
	r.runner, r.done = p, done
	r.runner.Progress, r.runner.DiscardPartial = nil, true // runs in parallel have no common progress
	err = r.runAll(ctx)
	return r.results, err
}

// noResults returns the results of a matrix that was interrupted before its first run.
func (m *Matrix) noResults() *Results {
	r := &Results{Policies: m.Policies, Seeds: m.Seeds}
	for range m.Policies {
		r.Summaries = append(r.Summaries, make([]*metric.Summary, len(m.Seeds)))
	}
	return r
}

// buildFirst builds the run of each policy with the first seed.
func (m *Matrix) buildFirst(ctx context.Context) ([]*scenarios.Run, error) {
	runs := make([]*scenarios.Run, len(m.Policies))
	var faults []string
	for i := range runs {
		var err error
		runs[i], err = m.build(ctx, Cell{Policy: i})
		if err == nil && m.Validate != nil {
			err = m.Validate(runs[i])
		}
		if err != nil {
			faults = append(faults, strings.Split(err.Error(), "\n")...)
		}
	}
	if len(faults) == 0 {
		faults = equalPolicies(runs)
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

// equalPolicies returns an error message for each policy that does not differ from an earlier one.
func equalPolicies(runs []*scenarios.Run) []string {
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

// results returns the results before the first run has finished.
func (m *Matrix) results(first []*scenarios.Run) *Results {
	r := &Results{Seeds: m.Seeds, Summaries: make([][]*metric.Summary, len(first))}
	names := make([]string, len(first))
	for i, run := range first {
		r.Summaries[i] = make([]*metric.Summary, len(m.Seeds))
		names[i] = run.Policy.Name
		r.Warnings = append(r.Warnings, run.Warnings...)
		r.Skipped = append(r.Skipped, run.Skipped...)
		for _, in := range InputsBesidePolicy(run) {
			if !slices.Contains(r.Inputs, in) {
				r.Inputs = append(r.Inputs, in)
			}
		}
	}
	r.Policies, r.Warnings, r.Skipped = shortNames(names), distinct(r.Warnings), distinct(r.Skipped)
	return r
}

// InputsBesidePolicy returns the inputs of a run without those of its policy.
func InputsBesidePolicy(run *scenarios.Run) []rundir.Input {
	var out []rundir.Input
	for _, in := range run.Inputs {
		if in.Path != run.Policy.File && !slices.Contains(run.Policy.Files, in.Path) {
			out = append(out, rundir.Input(in))
		}
	}
	return out
}

// shortNames returns for each path its base name without extension, or the path itself if another file has the same
// short name.
func shortNames(paths []string) []string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = short(path)
	}
	for again := true; again; { // the path of one file may be the short name of another
		again = false
		uses := map[string]int{}
		for _, name := range out {
			uses[name]++
		}
		for i, name := range out {
			if name != paths[i] && (uses[name] > 1 || name == "") {
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

// distinct returns the lines without repeats, in order.
func distinct(lines []string) []string {
	var out []string
	for _, line := range lines {
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// matrixRun is a matrix whose runs are under way.
type matrixRun struct {
	*Matrix
	runner Runner
	done   func(Cell)
	first  []*scenarios.Run // with the first seed, by policy; nil: taken by takeRun
	dirs   []string         // names of directories, by policy

	sync.Mutex
	results  *Results
	warnings [][]string // by number of the cell
}

func (m *Matrix) start(first []*scenarios.Run) *matrixRun {
	cells := len(m.Policies) * len(m.Seeds)
	results := m.results(first)
	return &matrixRun{
		Matrix: m, first: first, dirs: fileNames(results.Policies), results: results,
		warnings: make([][]string, cells),
	}
}

// runAll makes the runs seed by seed. That the context ended is no error.
func (r *matrixRun) runAll(ctx context.Context) error {
	policies := len(r.Policies)
	err := parallel.Do(ctx, r.Workers, policies*len(r.Seeds), func(i int) error {
		return r.runCell(ctx, Cell{Policy: i % policies, Seed: i / policies})
	})
	for _, run := range r.first {
		if run != nil {
			run.Close()
		}
	}
	r.mergeWarnings()
	if err != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// mergeWarnings adds the warnings of all runs to the results, in the order of the cells.
func (r *matrixRun) mergeWarnings() {
	all := append([][]string{r.results.Warnings}, r.warnings...)
	r.results.Warnings = distinct(slices.Concat(all...))
}

// number returns the position of a cell in the order of runAll.
func (r *matrixRun) number(c Cell) int { return c.Seed*len(r.Policies) + c.Policy }

// takeRun returns the run of a cell. Runs with the first seed have been built already, and each can be taken once.
func (r *matrixRun) takeRun(ctx context.Context, c Cell) (*scenarios.Run, error) {
	if c.Seed > 0 {
		return r.build(ctx, c)
	}
	r.Lock()
	defer r.Unlock()
	run := r.first[c.Policy]
	r.first[c.Policy] = nil
	return run, nil
}

func (r *matrixRun) runCell(ctx context.Context, c Cell) error {
	run, err := r.takeRun(ctx, c)
	if err != nil && ctx.Err() != nil {
		return nil // interrupted: the finished runs are the results
	}
	if err != nil {
		return err
	}
	dir := ""
	if r.Dir != "" {
		dir = filepath.Join(r.Dir, r.dirs[c.Policy], "seed-"+strconv.FormatUint(r.Seeds[c.Seed], 10))
	}
	runner := r.runner
	if r.StopEarly != nil {
		runner.StopEarly = func(sofar *metric.Summary) bool { return r.StopEarly(c, sofar) }
	}
	outcome, err := runner.Run(ctx, run, dir)
	if err != nil {
		return err
	}
	r.Lock()
	defer r.Unlock()
	if outcome.Summary.Run.Partial && !outcome.StoppedEarly {
		return nil
	}
	r.results.Summaries[c.Policy][c.Seed] = outcome.Summary
	r.warnings[r.number(c)] = outcome.Warnings
	if r.done != nil {
		r.done(c)
	}
	return nil
}

// fileNames returns a directory name for each policy. They differ even on file systems that ignore case.
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
