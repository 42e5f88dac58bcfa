// Package reproduce repeats the evaluation of the paper on fragmentation gradient descent: a run of its protocol for each
// pod list, policy and seed, in parallel. The result of each run is written to a checkpoint, so that an interrupted study
// can be continued.
//
// Source: Weng et al., "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with
// Fragmentation Gradient Descent", USENIX ATC 2023.
package reproduce

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/berth-sim/berth/reports/curves"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/traceimport"
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/workloads/fgd"
)

// Policy is a policy of the evaluation.
type Policy struct {
	Name  string // in flags
	Table string // in tables, where the published ones begin with a number
	File  string // below the directory of policies
	// Draws: the random numbers of the authors' simulator cannot be repeated for this policy, so published runs are similar
	// to berth's but not equal.
	Draws bool
}

// Policies returns the policies of the paper in the order of its tables, and FGDExact, which the paper does not have.
func Policies() []Policy {
	return []Policy{
		{Name: "Random", Table: "01-Random", File: "random.yaml", Draws: true},
		{Name: "DotProd", Table: "02-DotProd", File: "dot-product.yaml"},
		{Name: "GpuClustering", Table: "03-GpuClustering", File: "clustering.yaml"},
		{Name: "GpuPacking", Table: "04-GpuPacking", File: "packing.yaml"},
		{Name: "BestFit", Table: "05-BestFit", File: "best-fit.yaml"},
		{Name: "FGD", Table: "06-FGD", File: "fgd.yaml"},
		{Name: "FGDExact", Table: "07-FGDExact", File: "fgd-exact.yaml"},
	}
}

// Study has the settings of a study: it makes a run for each list, policy and seed.
type Study struct {
	Data     string   // directory that holds openb/
	Lists    []string // of pods, without .csv
	Policies []string
	Seeds    []uint64
	Dir      string // directory of the policies
	Out      string // directory for scenarios and results
	Workers  int    // number of runs in parallel; 0: one for each core
	Version  string // of the program; results of other versions are not used
}

// nodeList is the fleet of every published result.
const nodeList = "openb_node_list_gpu_node.csv"

// Run makes the runs that have no checkpoint yet, and returns all results in the order of the tables. If the context ends
// first, Run returns the finished results and the error of the context. done is called with each result, never
// concurrently; reused reports whether it comes from a checkpoint.
func (s *Study) Run(ctx context.Context, done func(e curves.Entry, reused bool)) ([]curves.Entry, error) {
	jobs, err := s.jobs()
	if err != nil {
		return nil, err
	}
	var entries []curves.Entry
	var lock sync.Mutex
	err = parallel.Do(ctx, s.Workers, len(jobs), func(i int) error {
		entry, reused, err := jobs[i].result(ctx)
		if err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		entries = append(entries, entry)
		done(entry, reused)
		return nil
	})
	curves.Sort(entries)
	return entries, err
}

// job is one run.
type job struct {
	study    *Study
	scenario *scenarios.Scenario
	list     string
	policy   Policy
	seed     uint64
}

// jobs writes the scenario of each list and lists the runs.
func (s *Study) jobs() ([]job, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	var policies []Policy
	for _, name := range s.Policies {
		i := slices.IndexFunc(Policies(), func(p Policy) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no policy %q; there are: %s", name, strings.Join(policyNames(), ", "))
		}
		policies = append(policies, Policies()[i])
	}
	var jobs []job
	for _, list := range s.Lists {
		scenario, err := s.scenario(list)
		if err != nil {
			return nil, err
		}
		for _, p := range policies {
			for _, seed := range s.Seeds {
				jobs = append(jobs, job{s, scenario, list, p, seed})
			}
		}
	}
	return jobs, nil
}

// check returns an error if a list, policy or seed is named twice, or if the name of a list is a path.
func (s *Study) check() error {
	for _, words := range []struct {
		what string
		list []string
	}{{"list", s.Lists}, {"policy", s.Policies}, {"seed", texts(s.Seeds)}} {
		for i, word := range words.list {
			if slices.Contains(words.list[:i], word) {
				return fmt.Errorf("the %s %s is named twice", words.what, word)
			}
			if word != filepath.Base(word) {
				return fmt.Errorf("the %s %q must be a name, not a path", words.what, word)
			}
		}
	}
	return nil
}

func texts(seeds []uint64) []string {
	out := make([]string, len(seeds))
	for i, seed := range seeds {
		out[i] = strconv.FormatUint(seed, 10)
	}
	return out
}

func policyNames() []string {
	var names []string
	for _, p := range Policies() {
		names = append(names, p.Name)
	}
	return names
}

// scenario writes the protocol for a list as a scenario. berth run accepts it too.
func (s *Study) scenario(list string) (*scenarios.Scenario, error) {
	done, err := traceimport.Import{
		Nodes: filepath.Join(s.Data, "openb", nodeList),
		Openb: &scenarios.OpenbPods{Pods: filepath.Join(s.Data, "openb", list+".csv"), Times: "atOnce"},
		Dir:   filepath.Join(s.Out, "scenarios", list), Force: true, FGD: true,
	}.Write(context.Background())
	if err != nil {
		return nil, err
	}
	return scenarios.Load(done.Written[0])
}

// result returns the result of the run, from its checkpoint or by making the run.
func (j *job) result(ctx context.Context) (entry curves.Entry, reused bool, err error) {
	entry = curves.Entry{Workload: j.list, Policy: j.policy.Table, Demand: fgd.PaperDemand, Seed: j.seed}
	run, err := j.scenario.BuildContext(ctx, scenarios.Options{Recipe: recipe.Recipe{
		Seed: &j.seed, Policy: filepath.Join(j.study.Dir, j.policy.File),
	}})
	if err != nil {
		return entry, false, err
	}
	defer run.Close()
	saved := j.checkpoint(run)
	var result curves.Result
	if reused, err = saved.Load(&result); reused || err != nil {
		entry.Result = &result
		return entry, reused, err
	}
	if entry.Result, err = measure(ctx, run); err != nil {
		return entry, false, err
	}
	return entry, false, saved.Save(entry.Result)
}

// checkpointSchema must be changed when results of older files must not be used.
const checkpointSchema = "berth/fgd/v3"

// checkpoint returns the checkpoint of the job. The scenario is not among its inputs, since it has the paths of the other
// files.
func (j *job) checkpoint(run *scenarios.Run) experiment.Checkpoint {
	inputs := slices.DeleteFunc(slices.Clone(run.Inputs), func(in scenarios.Input) bool { return filepath.Base(in.Path) == "scenario.yaml" })
	return experiment.Checkpoint{
		Path:   filepath.Join(j.study.Out, "runs", j.list, j.policy.Name, strconv.FormatUint(j.seed, 10)+".json"),
		Schema: checkpointSchema, Inputs: experiment.Fingerprint(run, inputs, j.study.Version),
	}
}

// measure makes a run and measures its devices.
func measure(ctx context.Context, run *scenarios.Run) (*curves.Result, error) {
	follower := curves.NewFollower()
	err := experiment.Observe(ctx, run, follower.Observe)
	switch {
	case err != nil:
		return nil, err
	case follower.Err() != nil:
		return nil, fmt.Errorf("the record log violates an invariant; this is a bug in berth, please report it: %w", follower.Err())
	case len(follower.Points) != run.FGDPods:
		return nil, fmt.Errorf("%d of %d pods were tried before the run ended", len(follower.Points), run.FGDPods)
	}
	return follower.Result(), nil
}
