// Package churn runs the policies of the paper on fragmentation gradient descent on workloads whose pods arrive and
// complete. Fleets, pods and lifetimes come from recorded lists; arrival rates saved a given share of the GPUs in use. The
// result of each run is written to a checkpoint, so that an interrupted study can be continued.
//
// Source of the policies: Weng et al., "Beware of Fragmentation: Scheduling GPU-Sharing Workloads
// with Fragmentation Gradient Descent", USENIX ATC 2023.
package churn

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/berth-sim/berth/reports/steady"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/reproduce"
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// Default is the policy with the scores of kube-scheduler. Baseline is the policy that the others are compared with, the
// best of those that the paper compares FGD with.
const (
	Default  = "Default"
	Baseline = "BestFit"
)

// Study has the settings of a study: it makes a run for each scenario, load, policy and seed.
type Study struct {
	Data      string   // directory that holds openb/ and philly/
	Scenarios []string // see Scenarios
	Loads     []int    // mean requested GPUs, in percent of the fleet's GPUs
	Policies  []string // see Policies
	Seeds     []uint64
	Tie       string // how ties are broken
	// ByDemand: the target workload counts the GPUs that pods hold instead of pods.
	ByDemand bool
	OneOf    int // the fleet has one node of so many of the list
	// Cap is the longest lifetime. Results are means over Window, which begins after WarmUp.
	Cap, WarmUp, Window scenarios.Duration
	Dir                 string // directory of the policies
	Out                 string // directory for scenarios and results
	Workers             int    // number of runs in parallel; 0: one for each core
	Version             string // of the program; results of other versions are not used
}

// Scenarios returns the names of all scenarios.
func Scenarios() []string { return []string{"openb", "philly", "mixed"} }

// Policies returns the names of all policies, in the order of tables.
func Policies() []string {
	names := []string{Default}
	for _, p := range reproduce.Policies() {
		names = append(names, p.Name)
	}
	return names
}

// policyFile returns the file of a policy below the directory of policies.
func policyFile(name string) string {
	for _, p := range reproduce.Policies() {
		if p.Name == name {
			return p.File
		}
	}
	return "default-scores.yaml"
}

// Run makes the runs that have no checkpoint yet, and returns all results in the order of the study, seed by seed. If the
// context ends first, Run returns the finished results and the error of the context. done is called with each result,
// never concurrently; reused reports whether it comes from a checkpoint.
func (s *Study) Run(ctx context.Context, done func(e steady.Entry, reused bool)) (steady.Entries, error) {
	jobs, err := s.jobs()
	if err != nil {
		return nil, err
	}
	entries := make([]steady.Entry, len(jobs))
	var lock sync.Mutex
	err = parallel.Do(ctx, s.Workers, len(jobs), func(i int) error {
		reused, err := jobs[i].run(ctx)
		if err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		entries[i] = jobs[i].Entry
		done(entries[i], reused)
		return nil
	})
	return slices.DeleteFunc(entries, func(e steady.Entry) bool { return e.Result == nil }), err
}

// job is one run.
type job struct {
	steady.Entry
	study    *Study
	scenario *scenarios.Scenario
}

// jobs lists the runs: all with the first seed, then all with the next.
func (s *Study) jobs() ([]job, error) {
	for _, name := range s.Policies {
		if !slices.Contains(Policies(), name) {
			return nil, fmt.Errorf("there is no policy %q; there are: %q", name, Policies())
		}
	}
	written, err := s.write()
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, seed := range s.Seeds {
		for _, w := range written {
			for _, policy := range s.Policies {
				jobs = append(jobs, job{steady.Entry{Scenario: w.name, Load: w.load, Policy: policy, Seed: seed}, s, w.scenario})
			}
		}
	}
	return jobs, nil
}

// written is a scenario that has been written.
type written struct {
	name     string
	load     int
	scenario *scenarios.Scenario
}

// write writes the scenarios. berth run accepts them too.
func (s *Study) write() ([]written, error) {
	nodes, err := readFleet(s.Data, s.OneOf)
	if err != nil {
		return nil, err
	}
	all, err := mixtures(s.Data, clock.Time(s.Cap).Seconds())
	if err != nil {
		return nil, err
	}
	var out []written
	for _, name := range s.Scenarios {
		i := slices.IndexFunc(all, func(m mixture) bool { return m.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no scenario %q; there are: %q", name, Scenarios())
		}
		for _, load := range s.Loads {
			dir := filepath.Join(s.Out, "scenarios", fmt.Sprintf("%s-%d", name, load))
			if err := all[i].write(dir, nodes, s.frame(load)); err != nil {
				return nil, err
			}
			scenario, err := scenarios.Load(filepath.Join(dir, scenarioFile))
			if err != nil {
				return nil, err
			}
			out = append(out, written{name, load, scenario})
		}
	}
	return out, nil
}

// frame returns the settings that the scenarios of a load share.
func (s *Study) frame(load int) frame {
	return frame{load: float64(load) / 100, horizon: clock.Time(s.WarmUp + s.Window).String(), tie: s.Tie, byDemand: s.ByDemand}
}

// run sets the result of the job, from its checkpoint or by making the run.
func (j *job) run(ctx context.Context) (reused bool, err error) {
	policy := filepath.Join(j.study.Dir, policyFile(j.Policy))
	run, err := j.scenario.Build(scenarios.Options{Recipe: recipe.Recipe{Seed: &j.Seed, Policy: policy}})
	if err != nil {
		return false, err
	}
	defer run.Close()
	saved := j.checkpoint(run)
	var result steady.Result
	if reused, err = saved.Load(&result); reused || err != nil {
		j.Result = &result
		return reused, err
	}
	if j.Result, err = j.study.measure(ctx, run); err != nil {
		return false, err
	}
	return false, saved.Save(j.Result)
}

// measure makes a run and measures its devices and waits.
func (s *Study) measure(ctx context.Context, run *scenarios.Run) (*steady.Result, error) {
	follower := steady.NewFollower(clock.Time(s.WarmUp), clock.Time(s.WarmUp+s.Window))
	if err := experiment.Observe(ctx, run, follower.Observe); err != nil {
		return nil, err
	}
	return follower.Result()
}

// checkpointSchema must be changed when results of older files must not be used.
const checkpointSchema = "berth/fgd-dynamic/v2"

// checkpoint returns the checkpoint of the job.
func (j *job) checkpoint(run *scenarios.Run) experiment.Checkpoint {
	dir := fmt.Sprintf("%s-%d", j.Scenario, j.Load)
	return experiment.Checkpoint{
		Path:   filepath.Join(j.study.Out, "runs", dir, j.Policy, strconv.FormatUint(j.Seed, 10)+".json"),
		Schema: checkpointSchema, Inputs: experiment.Fingerprint(run, run.Inputs, j.study.Version, int64(j.study.WarmUp)),
	}
}
