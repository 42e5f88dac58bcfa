package experiment_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/model/recipe"
)

const scenario = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: trial}
seed: 5
horizon: 5m
fleet:
  - pool: n
    count: 4
    template: {status: {allocatable: {cpu: "2", memory: 4Gi, pods: "10"}}}
workloads:
  - name: w
    arrivals: {poisson: {rate: 20/m}}
    lifetime: {exponential: {mean: 1m}}
    template: {spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}
`

const packing = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - {name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}
`

// newMatrix is a scenario under two policies.
func newMatrix(t *testing.T, seeds int) *experiment.Matrix {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"scenario.yaml": scenario, "pack.yaml": packing} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenarios.Load(filepath.Join(dir, "scenario.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return &experiment.Matrix{
		Scenario: s, Policies: []string{scenarios.DefaultPolicy, filepath.Join(dir, "pack.yaml")}, Seeds: experiment.Seeds(5, seeds),
	}
}

// text is all summaries, one after the other.
func text(t *testing.T, r *experiment.Results) string {
	t.Helper()
	var b bytes.Buffer
	for _, of := range r.Summaries {
		for _, s := range of {
			if err := output.WriteJSON(&b, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

// Side by side or one after the other, runs come out the same, and as they do alone.
func TestWorkersDoNotMatter(t *testing.T) {
	m := newMatrix(t, 4)
	var want string
	for _, workers := range []int{1, 2, 7} {
		m.Workers = workers
		r, err := m.Run(t.Context(), experiment.Runner{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, r); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers give other figures than one", workers)
		}
	}
	o := scenarios.Options{Recipe: recipe.Recipe{Policy: m.Policies[1], Seed: &m.Seeds[3]}}
	run, err := m.Scenario.Build(o)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := experiment.Runner{}.Run(t.Context(), run, "")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := output.WriteJSON(&b, alone.Summary); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix([]byte(want), b.Bytes()) {
		t.Error("the last run of the matrix comes out otherwise alone")
	}
}

// The draws of a seed are the same under each policy.
func TestSameArrivals(t *testing.T) {
	r, err := newMatrix(t, 3).Run(t.Context(), experiment.Runner{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	arrived := func(s *metric.Summary) float64 { v, _ := s.Value("placement.arrived", ""); return v }
	distinct := map[float64]bool{}
	for seed := range r.Seeds {
		a, b := arrived(r.Summaries[0][seed]), arrived(r.Summaries[1][seed])
		if a != b || a == 0 {
			t.Errorf("seed %d: %v pods arrive under one policy, %v under the other", r.Seeds[seed], a, b)
		}
		distinct[a] = true
	}
	if len(distinct) == 1 {
		t.Error("all seeds have equally many arrivals")
	}
}

// What is finished when a matrix is interrupted is kept, what was under way is not.
func TestInterrupted(t *testing.T) {
	m := newMatrix(t, 50)
	m.Workers, m.Dir = 2, t.TempDir()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	done := 0
	r, err := m.Run(ctx, experiment.Runner{}, func(experiment.Cell) {
		if done++; done == 7 {
			interrupt()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	finished := 0
	for _, of := range r.Summaries {
		for _, s := range of {
			if s != nil {
				finished++
				if s.Run.Partial {
					t.Error("a partial run is kept")
				}
			}
		}
	}
	if finished != done || done < 7 || done > 8 {
		t.Errorf("%d runs were finished, %d are kept", done, finished)
	}
	if pairs := r.Pairs(); len(pairs[0]) != len(pairs[1]) || len(pairs[0]) < 3 || len(pairs[0]) > 4 {
		t.Errorf("there are %d and %d runs in pairs", len(pairs[0]), len(pairs[1]))
	}
	manifests, _ := filepath.Glob(filepath.Join(m.Dir, "*", "*", rundir.ManifestFile))
	if len(manifests) != finished {
		t.Errorf("%d runs were written: %q", len(manifests), manifests)
	}
}

func TestFaultsOfAllPolicies(t *testing.T) {
	m := newMatrix(t, 2)
	m.Policies = []string{"one.yaml", "two.yaml"}
	_, err := m.Run(t.Context(), experiment.Runner{}, nil)
	if want := "one.yaml: no such file or directory\ntwo.yaml: no such file or directory"; fmt.Sprint(err) != want {
		t.Errorf("got %v", err)
	}
}

// Names that files share are distinguished by their directories.
func TestNames(t *testing.T) {
	m := newMatrix(t, 1)
	other := filepath.Join(t.TempDir(), "pack.yaml")
	if err := os.WriteFile(other, []byte(packing+"percentageOfNodesToScore: 50\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	m.Policies = append(m.Policies, other)
	r, err := m.Run(t.Context(), experiment.Runner{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"default", m.Policies[1], other}; !slices.Equal(r.Policies, want) {
		t.Errorf("names are %q", r.Policies)
	}
}

// Of several runs that fail the error is that of the first one, however many go on side by side.
func TestFirstFailure(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		m := newMatrix(t, 4)
		m.Workers, m.Dir = workers, t.TempDir()
		for _, name := range []string{"default/seed-8", "pack/seed-6", "default/seed-7"} {
			path := filepath.Join(m.Dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("in the way"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := m.Run(t.Context(), experiment.Runner{}, nil)
		if err == nil || !strings.Contains(err.Error(), filepath.Join("pack", "seed-6")) {
			t.Errorf("%d workers: got %v", workers, err)
		}
	}
}

// Two policies never share a directory, whatever they are called.
func TestDirectoriesOfPolicies(t *testing.T) {
	m := newMatrix(t, 2)
	sub := t.TempDir()
	t.Chdir(sub)
	if err := os.WriteFile("pack.yaml", []byte(packing), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("../pack.yaml", []byte(packing+"percentageOfNodesToScore: 50\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	m.Policies, m.Dir = []string{"pack.yaml", "../pack.yaml"}, t.TempDir()
	if _, err := m.Run(t.Context(), experiment.Runner{}, nil); err != nil {
		t.Fatal(err)
	}
	if manifests, _ := filepath.Glob(filepath.Join(m.Dir, "*", "*", rundir.ManifestFile)); len(manifests) != 4 {
		t.Errorf("of four runs there are %q", manifests)
	}
}

// Seeds do not begin anew behind the largest one.
func TestLastSeeds(t *testing.T) {
	const last = math.MaxUint64
	if got := experiment.Seeds(last-1, 5); !slices.Equal(got, []uint64{last - 1, last}) {
		t.Errorf("got %d", got)
	}
	if got := experiment.Seeds(7, 3); !slices.Equal(got, []uint64{7, 8, 9}) {
		t.Errorf("got %d", got)
	}
}
