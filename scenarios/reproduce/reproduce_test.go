package reproduce

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/curves"
)

// madeUp writes a small fleet and two lists of pods that share its GPUs.
func madeUp(t *testing.T) Study {
	t.Helper()
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(5, 6))
	var nodes strings.Builder
	nodes.WriteString("sn,cpu_milli,memory_mib,gpu,model\n")
	for i := range 24 {
		fmt.Fprintf(&nodes, "node-%02d,%d,%d,%d,%s\n", i, 32000+32000*rnd.IntN(3), 131072, 1<<rnd.IntN(4), []string{"T4", "P100"}[rnd.IntN(2)])
	}
	write(t, filepath.Join(dir, "openb", nodeList), nodes.String())
	for _, list := range []string{"few", "many"} {
		var pods strings.Builder
		pods.WriteString("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n")
		for i := range map[string]int{"few": 60, "many": 400}[list] {
			gpus, milli, spec := 1, 50*(1+rnd.IntN(20)), []string{"", "", "T4", "T4|P100"}[rnd.IntN(4)]
			switch rnd.IntN(5) {
			case 0:
				gpus, milli, spec = 0, 0, ""
			case 1:
				gpus, milli = 1<<rnd.IntN(3), 1000
			}
			fmt.Fprintf(&pods, "pod-%03d,%d,%d,%d,%d,%s,LS,Running,0,1,0\n", i, 1000*(1+rnd.IntN(16)), 1024*(1+rnd.IntN(8)), gpus, milli, spec)
		}
		write(t, filepath.Join(dir, "openb", list+".csv"), pods.String())
	}
	return Study{
		Data: dir, Lists: []string{"few", "many"}, Policies: policyNames(), Seeds: []uint64{1, 2}, Dir: policies, Out: filepath.Join(dir, "out"),
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

// tables runs the study and returns its tables as one text, and how many results were reused.
func tables(t *testing.T, s Study) (text string, reused int) {
	t.Helper()
	entries, err := s.Run(t.Context(), func(_ curves.Entry, was bool) {
		if was {
			reused++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := curves.WriteFinals(&b, entries); err != nil {
		t.Fatal(err)
	}
	for _, table := range curves.Tables() {
		if err := table.Write(&b, entries); err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), reused
}

// A study gives the same tables however many runs go on side by side, and when it goes on
// from what is reused; what is reused of other inputs, or cut, is computed again.
func TestStudy(t *testing.T) {
	s := madeUp(t)
	all := len(s.Lists) * len(s.Policies) * len(s.Seeds)
	s.Workers = 1
	want, reused := tables(t, s)
	if reused != 0 || strings.Count(want, "\n") != 4*(all+1) {
		t.Fatalf("%d results were there at the beginning; the tables are\n%s", reused, want)
	}
	if got, reused := tables(t, s); got != want || reused != all {
		t.Errorf("from what is reused, %d of %d results, the tables are others", reused, all)
	}
	s.Workers = 3
	stored := func(seed string) string { return filepath.Join(s.Out, "runs", "few", "FGD", seed+".json") }
	text, err := os.ReadFile(stored("1"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, stored("1"), string(text[:len(text)/2]))
	write(t, stored("2"), strings.Replace(string(text), `"inputs":"`, `"inputs":"0`, 1))
	if got, reused := tables(t, s); got != want || reused != all-2 {
		t.Errorf("with two results spoilt %d are reused, the tables are the same: %v", reused, got == want)
	}
	text, err = os.ReadFile(stored("1"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, stored("1"), strings.Replace(string(text), checkpointSchema, "berth/fgd/v0", 1))
	if got, reused := tables(t, s); got != want || reused != all-1 {
		t.Errorf("with a result of another schema %d are reused, the tables are the same: %v", reused, got == want)
	}
	s.Version = "another"
	if got, reused := tables(t, s); got != want || reused != 0 {
		t.Errorf("%d results of another version are reused, the tables are the same: %v", reused, got == want)
	}
	list := filepath.Join(s.Data, "openb", "few.csv")
	pods, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	write(t, list, strings.Replace(string(pods), "pod-000,", "pod-999,", 1))
	if _, reused := tables(t, s); reused != all/2 {
		t.Errorf("with a list changed %d results of %d are reused", reused, all)
	}
}

// All seven policies do something of their own.
func TestPoliciesDiffer(t *testing.T) {
	s := madeUp(t)
	s.Lists, s.Seeds = s.Lists[1:], s.Seeds[:1]
	entries, err := s.Run(t.Context(), func(curves.Entry, bool) {})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, e := range entries {
		figures := fmt.Sprint(e.Result.Lost)
		if other, same := said[figures]; same {
			t.Errorf("%s has the curves of %s", e.Policy, other)
		}
		said[figures] = e.Policy
	}
}

// A list of very many small pods runs to its end, too.
func TestManySmallPods(t *testing.T) {
	s := madeUp(t)
	var pods strings.Builder
	pods.WriteString("name,cpu_milli,memory_mib,num_gpu,gpu_milli\n")
	for i := range 100 {
		fmt.Fprintf(&pods, "pod-%03d,1,1,1,3\n", i)
	}
	write(t, filepath.Join(s.Data, "openb", "few.csv"), pods.String())
	s.Lists, s.Policies, s.Seeds = []string{"few"}, []string{"BestFit"}, []uint64{1}
	entries, err := s.Run(t.Context(), func(curves.Entry, bool) {})
	if err != nil {
		t.Fatal(err)
	}
	if r := entries[0].Result; r.Pods < 30_002 || math.IsNaN(r.Allocated[130]) {
		t.Errorf("%d pods were tried; the last column is %v", r.Pods, r.Allocated[130])
	}
}

func TestInterruptedStudyKeepsWhatItHas(t *testing.T) {
	s := madeUp(t)
	s.Workers = 1
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	n := 0
	entries, err := s.Run(ctx, func(curves.Entry, bool) {
		if n++; n == 3 {
			stop()
		}
	})
	if err == nil || len(entries) < 3 || len(entries) > 4 {
		t.Fatalf("%d results, error %v", len(entries), err)
	}
	if _, reused := tables(t, s); reused != len(entries) {
		t.Errorf("%d results were reused of %d", reused, len(entries))
	}
}

func TestBadStudies(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*Study)
		want  string
	}{
		{"an unknown policy", func(s *Study) { s.Policies = []string{"FDG"} }, `there is no policy "FDG"; there are: Random, DotProd,`},
		{"a policy twice", func(s *Study) { s.Policies = []string{"FGD", "FGD"} }, "the policy FGD is named twice"},
		{"a seed twice", func(s *Study) { s.Seeds = []uint64{1, 2, 1} }, "the seed 1 is named twice"},
		{"a path", func(s *Study) { s.Lists = []string{"../few"} }, `the list "../few" must be a name, not a path`},
		{"a list that is not there", func(s *Study) { s.Lists = []string{"none"} }, "none.csv: no such file or directory"},
		{"data that is not there", func(s *Study) { s.Data = "nowhere" }, "no such file or directory"},
		{"a directory without policies", func(s *Study) { s.Dir = "nowhere" }, "nowhere/fgd.yaml: no such file or directory"},
		{"an output that cannot be", func(s *Study) { s.Out = filepath.Join(s.Data, "openb", nodeList, "out") }, "not a directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := madeUp(t)
			s.Policies = []string{"FGD"}
			tt.spoil(&s)
			if _, err := s.Run(t.Context(), func(curves.Entry, bool) {}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, not %q", err, tt.want)
			}
		})
	}
}
