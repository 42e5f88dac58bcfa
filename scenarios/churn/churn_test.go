package churn

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/steady"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

const hour = scenarios.Duration(clock.Hour)

// madeUp writes lists of nodes, pods and jobs, of which 60 nodes have 8 GPUs and 60 have 2.
func madeUp(t *testing.T) Study {
	t.Helper()
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(7, 8))
	var nodes, pods, jobs strings.Builder
	nodes.WriteString("sn,cpu_milli,memory_mib,gpu,model\n")
	for i := range 120 {
		fmt.Fprintf(&nodes, "node-%03d,96000,524288,%d,%s\n", i, []int{2, 8}[i%2], []string{"T4", "G2"}[i%2])
	}
	pods.WriteString("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n")
	for i := range 200 {
		gpus, milli := i%3, 1000
		if gpus == 1 && i%2 == 0 {
			milli = 250
		}
		if gpus == 0 {
			milli = 0
		}
		scheduled := fmt.Sprint(1000 * i)
		if i%10 == 9 {
			scheduled = "" // it was never
		}
		fmt.Fprintf(&pods, "pod-%03d,%d,4096,%d,%d,,LS,Running,%d,%d,%s\n", i, 1000*(1+rnd.IntN(4)), gpus, milli, 1000*i, 1000*i+60+rnd.IntN(7200), scheduled)
	}
	jobs.WriteString("job_id,submit_s,duration_s,num_gpus,vc\n")
	for i := range 200 {
		fmt.Fprintf(&jobs, "%d,%d,%d,%d,a\n", i, i, 60+rnd.IntN(7200), []int{1, 2, 1, 8, 1, 12}[rnd.IntN(6)])
	}
	write(t, filepath.Join(dir, nodeList), nodes.String())
	write(t, filepath.Join(dir, podList), pods.String())
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(jobs.String())); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, phillyList), zipped.String())
	return Study{
		Data: dir, Scenarios: Scenarios(), Loads: []int{40}, Policies: []string{Default, "FGD"}, Seeds: []uint64{1, 2}, Tie: "rank", OneOf: 4,
		Cap: hour, WarmUp: hour, Window: hour, Dir: "../policies/gpu", Out: filepath.Join(dir, "out"),
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runStudy runs the study and returns its runs as one text, and how many results were reused.
func runStudy(t *testing.T, s Study) (text string, reused int) {
	t.Helper()
	entries, err := s.Run(t.Context(), func(_ steady.Entry, was bool) {
		if was {
			reused++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := entries.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String(), reused
}

// What is asked for in the mean is the load, and where the fleet is roomy it is what is allocated.
func TestOfferedLoad(t *testing.T) {
	s := madeUp(t)
	s.Window, s.Policies, s.Seeds = 400*hour, []string{"FGD"}, []uint64{1}
	entries, err := s.Run(t.Context(), func(steady.Entry, bool) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if off := e.Result.Allocated - 0.4; math.Abs(off) > 0.02 {
			t.Errorf("%s: %.4f are allocated in the mean", e.Scenario, e.Result.Allocated)
		}
		gangs, pods := e.Result.Waits[steady.Gangs].Jobs, e.Result.Waits[steady.Part].Jobs
		if (gangs > 0) != (e.Scenario != "openb") || (pods > 0) != (e.Scenario != "philly") {
			t.Errorf("%s: %d gangs, %d pods that share", e.Scenario, gangs, pods)
		}
	}
}

// The kinds keep their lifetimes, cut at the cap, and pods that never ran have none.
func TestLists(t *testing.T) {
	s := madeUp(t)
	if _, err := s.write(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(s.Out, "scenarios", "mixed-40", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	want := []string{
		"lifetimes-no-gpu.txt", "lifetimes-shared-gpu.txt", "lifetimes-training-1.txt", "lifetimes-training-2.txt",
		"lifetimes-training-8.txt", "lifetimes-training-gang-2.txt", "nodes.csv", "scenario.yaml",
	}
	if !slices.Equal(files, want) {
		t.Errorf("the files are %q", files)
	}
	text, err := os.ReadFile(filepath.Join(s.Out, "scenarios", "openb-40", "lifetimes-no-gpu.txt"))
	if err != nil {
		t.Fatal(err)
	}
	seconds := strings.Fields(string(text))
	if len(seconds) != 60 || seconds[59] != "3600" || seconds[0] == "3600" {
		t.Errorf("lifetimes of 60 pods that ran, the longest an hour, are %q", seconds)
	}
	text, err = os.ReadFile(filepath.Join(s.Out, "scenarios", "philly-40", "scenario.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "    replicas: 2\n    gang: {minMember: 2}\n"; strings.Count(string(text), want) != 1 {
		t.Errorf("there is not one workload of gangs in\n%s", text)
	}
	nodes, err := readFleet(s.Data, s.OneOf)
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes) != 30 || gpusOf(nodes) != 15*10 {
		t.Errorf("a fourth of the fleet are %d nodes with %d GPUs", len(nodes), gpusOf(nodes))
	}
}

// A target workload by demand weighs pods by what they hold, and for how long.
func TestTargetByDemand(t *testing.T) {
	m := mixture{parts: []part{{1, []*stream{
		{name: "a", jobs: 4, pods: 1, shapes: map[shape]int{{1000, 1, 1, 250}: 2, {1000, 2, 1, 250}: 2}, lifetimes: []float64{100, 300}},
		{name: "b", jobs: 1, pods: 2, shapes: map[shape]int{{2000, 1, 8, 1000}: 1}, lifetimes: []float64{50}},
		{name: "c", jobs: 9, pods: 1, shapes: map[shape]int{{500, 1, 0, 0}: 9}, lifetimes: []float64{50}},
	}}}}
	var b strings.Builder
	m.writeTarget(&b)
	want := "target:\n" + // 2 × 8 × 50 = 800 GPU-seconds against 4 × 0.25 × 200 = 200
		"  - {pods: 80000, cpu: 2000m, devices: {count: 8, milli: 1000}}\n" +
		"  - {pods: 20000, cpu: 1000m, devices: {count: 1, milli: 250}}\n"
	if b.String() != want {
		t.Errorf("it is\n%s", &b)
	}
	s := madeUp(t)
	s.ByDemand, s.Policies, s.Seeds = true, []string{"FGD"}, []uint64{1}
	if _, err := s.Run(t.Context(), func(steady.Entry, bool) {}); err != nil {
		t.Error(err)
	}
}

// A study gives the same however many runs go on side by side, and when it goes on from what is
// reused; what is reused of other inputs, or cut, is computed again.
func TestStudy(t *testing.T) {
	s := madeUp(t)
	all := len(s.Scenarios) * len(s.Policies) * len(s.Seeds)
	s.Workers = 1
	want, reused := runStudy(t, s)
	if reused != 0 || strings.Count(want, "\n") != all+1 {
		t.Fatalf("%d results were there at the beginning; the runs are\n%s", reused, want)
	}
	if got, reused := runStudy(t, s); got != want || reused != all {
		t.Errorf("from what is reused, %d of %d results, the runs are others", reused, all)
	}
	s.Workers = 3
	stored := filepath.Join(s.Out, "runs", "openb-40", "FGD", "1.json")
	text, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	write(t, stored, string(text[:len(text)/2]))
	if got, reused := runStudy(t, s); got != want || reused != all-1 {
		t.Errorf("with one result cut %d are reused, the runs are the same: %v", reused, got == want)
	}
	s.Version = "another"
	if got, reused := runStudy(t, s); got != want || reused != 0 {
		t.Errorf("of another version %d results are reused, the runs are the same: %v", reused, got == want)
	}
	s.WarmUp, s.Window = s.WarmUp/2, s.Window+s.WarmUp/2
	if _, reused := runStudy(t, s); reused != 0 {
		t.Errorf("with another window %d results are reused", reused)
	}
	s.Cap /= 2
	if _, reused := runStudy(t, s); reused != 0 {
		t.Errorf("with another cap %d results are reused", reused)
	}
}

func TestInterruptedStudyKeepsWhatItHas(t *testing.T) {
	s := madeUp(t)
	s.Workers = 1
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	n := 0
	entries, err := s.Run(ctx, func(steady.Entry, bool) {
		if n++; n == 3 {
			stop()
		}
	})
	if err == nil || len(entries) < 3 || len(entries) > 4 {
		t.Fatalf("%d results, error %v", len(entries), err)
	}
	if _, reused := runStudy(t, s); reused != len(entries) {
		t.Errorf("%d results were reused of %d", reused, len(entries))
	}
}

func TestBadStudies(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*Study)
		want  string
	}{
		{"an unknown policy", func(s *Study) { s.Policies = []string{"FDG"} }, `there is no policy "FDG"; there are: ["Default" "Random"`},
		{"an unknown scenario", func(s *Study) { s.Scenarios = []string{"opnb"} }, `there is no scenario "opnb"; there are: ["openb" "philly" "mixed"]`},
		{"data that is not there", func(s *Study) { s.Data = "nowhere" }, "no such file or directory"},
		{"a directory without policies", func(s *Study) { s.Dir, s.Policies = "nowhere", s.Policies[:1] }, "nowhere/default-scores.yaml: no such file or directory"},
		{"gangs beyond the fleet", func(s *Study) { s.OneOf = 60 }, "a job of training-gang-2 has 2 pods of 8 GPUs, 48 cpu: the empty fleet holds 1"},
		{"pods that never ran", func(s *Study) {
			write(t, filepath.Join(s.Data, podList), "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,1000\n")
		}, "no job of the kind one-gpu has ever run"},
		{"bad lines", func(s *Study) {
			write(t, filepath.Join(s.Data, nodeList), "sn,cpu_milli,memory_mib,gpu,model\na,x,1,1,T4\nb,1,y,1,T4\n")
		}, `gpu_node.csv:3:5: memory_mib: "y"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := madeUp(t)
			tt.spoil(&s)
			if _, err := s.Run(t.Context(), func(steady.Entry, bool) {}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, not %q", err, tt.want)
			}
		})
	}
}

// What is followed over a whole run is what the metrics of the run say.
func TestFollowerIsTheLedger(t *testing.T) {
	s := madeUp(t)
	s.Scenarios, s.Loads, s.WarmUp = []string{"openb"}, []int{95}, 0
	written, err := s.write()
	if err != nil {
		t.Fatal(err)
	}
	build := func() *scenarios.Run {
		run, err := written[0].scenario.Build(scenarios.Options{Recipe: recipe.Recipe{Policy: "../policies/gpu/default-scores.yaml"}})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	run := build()
	defer run.Close()
	result, err := s.measure(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := experiment.Runner{}.Run(t.Context(), build(), "")
	if err != nil {
		t.Fatal(err)
	}
	for metric, got := range map[string]float64{
		"devices.allocated": result.Allocated + result.Held,
		"placement.arrived": float64(result.Waits[steady.All].Jobs), "placement.pending": float64(result.Waits[steady.All].Pending),
	} {
		if want, _ := outcome.Summary.Value(metric, ""); math.Abs(got-want) > 1e-9*want || want == 0 {
			t.Errorf("%s is %v, followed %v", metric, want, got)
		}
	}
	// These metrics leave out a little: how long bindings take, and the time without target workload
	// until the first pod comes.
	for metric, got := range map[string]float64{"throughput.pendingMean": result.Pods, "devices.fragmentedMean": result.Fragmented} {
		if want, _ := outcome.Summary.Value(metric, ""); math.Abs(got-want) > 0.02*want || want == 0 {
			t.Errorf("%s is %v, followed %v", metric, want, got)
		}
	}
}
