package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// ReadSaved reads saved runs of one scenario under several policies, as a matrix has written them. Each directory is a run, or holds
// runs up to two levels below it. Policies are in the order in which they are found. It is an error if runs differ in more
// than the policy and the seed, if one was interrupted, or if a policy has a seed twice.
func ReadSaved(dirs ...string) (*Results, error) {
	var runs []*rundir.Run
	for _, dir := range dirs {
		found, err := findRuns(dir, savedLevels)
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			run, err := rundir.Open(path)
			if err == nil {
				err = run.Replay(nil)
			}
			if err == nil && len(runs) > 0 {
				err = comparable(runs[0], run)
			}
			if err == nil && run.Manifest.Partial {
				err = fmt.Errorf("%s: the run was interrupted: it cannot be compared", path)
			}
			if err != nil {
				return nil, err
			}
			runs = append(runs, run)
		}
	}
	return tabulate(runs)
}

// savedLevels is how many levels below a directory its runs may be: those of the policy and of the seed.
const savedLevels = 2

// HoldsRuns reports whether ReadSaved finds runs in a directory.
func HoldsRuns(dir string) bool {
	_, err := findRuns(dir, savedLevels)
	return err == nil
}

// findRuns returns the run directories in a directory, itself or those at most that many levels below, in order of their names.
func findRuns(dir string, levels int) ([]string, error) {
	if _, err := os.Stat(filepath.Join(dir, rundir.ManifestFile)); err == nil {
		return []string{dir}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, entry := range entries {
		if !entry.IsDir() || levels == 0 {
			continue
		}
		below, err := findRuns(filepath.Join(dir, entry.Name()), levels-1)
		if err != nil && !errors.Is(err, errNoRuns) {
			return nil, err
		}
		found = append(found, below...)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, errNoRuns)
	}
	return found, nil
}

var errNoRuns = errors.New("holds no run: a run is what berth run --out or berth compare --out writes")

// comparable returns an error if two saved runs differ in more than the policy and the seed.
func comparable(first, run *rundir.Run) error {
	shared := func(m rundir.Manifest) recipe.Recipe {
		m.Policy, m.Seed, m.Overcommit = "", nil, false // the last follows from the policy
		return m.Recipe
	}
	a, b := first.Manifest, run.Manifest
	same := a.Scenario == b.Scenario && len(a.Inputs) > 0 && len(b.Inputs) > 0 && a.Inputs[0].SHA256 == b.Inputs[0].SHA256
	if !same {
		return fmt.Errorf("%s: is a run of another scenario than %s: give runs that differ in policy and seed alone", run.Dir, first.Dir)
	}
	if !reflect.DeepEqual(shared(a), shared(b)) {
		return fmt.Errorf("%s: was made with other settings than %s: give runs that differ in policy and seed alone (berth diff shows how they differ)",
			run.Dir, first.Dir)
	}
	return nil
}

// tabulate sorts runs by policy and seed.
func tabulate(runs []*rundir.Run) (*Results, error) {
	r := &Results{}
	for _, run := range runs {
		m := &run.Manifest
		if !slices.Contains(r.Policies, m.Policy) {
			r.Policies = append(r.Policies, m.Policy)
		}
		if !slices.Contains(r.Seeds, *m.Seed) {
			r.Seeds = append(r.Seeds, *m.Seed)
		}
	}
	slices.SortFunc(r.Seeds, cmp.Compare[uint64])
	for range r.Policies {
		r.Summaries = append(r.Summaries, make([]*metric.Summary, len(r.Seeds)))
	}
	for _, run := range runs {
		m := &run.Manifest
		at := &r.Summaries[slices.Index(r.Policies, m.Policy)][slices.Index(r.Seeds, *m.Seed)]
		if *at != nil {
			return nil, fmt.Errorf("%s: is a second run of policy %s with seed %d", run.Dir, m.Policy, *m.Seed)
		}
		*at = run.Summary
	}
	r.Policies = shortNames(r.Policies)
	return r, nil
}
