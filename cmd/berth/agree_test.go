package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
)

// What compare says of two policies is what check says of the same runs, and its means are those of the figures that run
// reports for each seed.
func TestCompareAgreesWithCheckAndRun(t *testing.T) {
	scenario, policy := filepath.Join("..", "..", "scenarios", "quickstart.yaml"), filepath.Join("..", "..", "scenarios", "policies", "most-allocated.yaml")
	baseline := filepath.Join(t.TempDir(), "baseline.json")
	answer := func(want int, to any, args ...string) {
		t.Helper()
		r := berth(t.Context(), 100, append(args, "--format", "json", "--quiet")...)
		if r.code != want {
			t.Fatalf("%v: exit %d: %s", args, r.code, r.err)
		}
		if err := json.Unmarshal([]byte(r.out), to); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	var compared struct {
		Seeds     []uint64
		Contrasts []struct {
			Metrics []struct {
				Metric         string
				Baseline, Mean *float64
				Verdict        metric.Verdict
			}
		}
	}
	answer(exitDone, &compared, "compare", scenario, "--policy", "default", "--policy", policy, "--seeds", "5", "--horizon", "1h")

	if r := berth(t.Context(), 100, "check", scenario, "--baseline", baseline, "--update", "--seeds", "5", "--horizon", "1h"); r.code != exitDone {
		t.Fatal(r.err)
	}
	var checked struct {
		Checks []struct {
			Metric string
			Passed bool
		}
	}
	answer(exitGate, &checked, "check", scenario, "--baseline", baseline, "--policy", policy, "--horizon", "1h")
	var worse, failed []string
	for _, m := range compared.Contrasts[0].Metrics {
		if m.Verdict == metric.Worse {
			worse = append(worse, m.Metric)
		}
	}
	gated := map[string]bool{}
	for _, c := range checked.Checks {
		gated[c.Metric] = true
		if !c.Passed {
			failed = append(failed, c.Metric)
		}
	}
	worse = slices.DeleteFunc(worse, func(name string) bool { return !gated[name] })
	slices.Sort(worse)
	slices.Sort(failed)
	if !slices.Equal(worse, failed) || len(worse) == 0 {
		t.Errorf("compare says that %q are worse, check that %q are", worse, failed)
	}

	const name = "fragmentation.strandedMean[memory]"
	sum := 0.0
	for i := range compared.Seeds {
		var run struct {
			Metrics struct{ Run map[string]*float64 }
		}
		answer(exitDone, &run, "run", scenario, "--policy", policy, "--horizon", "1h", "--seed", strconv.FormatUint(compared.Seeds[i], 10))
		sum += *run.Metrics.Run[name]
	}
	for _, m := range compared.Contrasts[0].Metrics {
		if want := sum / float64(len(compared.Seeds)); m.Metric == name && math.Abs(*m.Mean-want) > 1e-12 {
			t.Errorf("compare says that the mean of %s is %v, the runs that it is %v", m.Metric, *m.Mean, want)
		}
	}
}
