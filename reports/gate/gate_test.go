package gate_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/metric"
)

// none stands for a value that is not there.
var none = math.NaN()

// figures are the values of runs, by name and then by seed.
type figures map[string][]float64

// runs have the figures.
func (f figures) runs(t *testing.T) []*metric.Summary {
	t.Helper()
	var runs []*metric.Summary
	for _, name := range slices.Sorted(maps.Keys(f)) {
		key, err := metric.ParseKey(name)
		if err != nil {
			t.Fatalf("%s %v", name, err)
		}
		for seed, v := range f[name] {
			if seed == len(runs) {
				s := &metric.Summary{Scopes: []metric.ScopeValues{{Scope: metric.ScopeRun}}}
				s.Run.Scenario, s.Run.Seed = "s", uint64(seed)
				runs = append(runs, s)
			}
			part := partOf(runs[seed], key.Part)
			part.Values = append(part.Values, metric.Value{Metric: key.Metric, Label: key.Label, Value: v})
		}
	}
	return runs
}

// partOf is the part of the run, which is made if need be.
func partOf(s *metric.Summary, p metric.Part) *metric.ScopeValues {
	if p == (metric.Part{}) {
		return &s.Scopes[0]
	}
	i := slices.IndexFunc(s.Scopes, func(of metric.ScopeValues) bool { return of.Scope == p.Scope && of.Name == p.Name })
	if i < 0 {
		i = len(s.Scopes)
		s.Scopes = append(s.Scopes, metric.ScopeValues{Scope: p.Scope, Name: p.Name})
	}
	return &s.Scopes[i]
}

// rulesOf are the rules of a file with these lines behind its header.
func rulesOf(t *testing.T, lines ...string) gate.Rules {
	t.Helper()
	r, err := gate.ReadRules(rulesFile(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rulesFile(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gate.yaml")
	text := "apiVersion: berth/v1alpha1\nkind: Gate\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// tolerance is a rule with one tolerance.
func tolerance(t *testing.T, metric, amount string) gate.Rules {
	t.Helper()
	return rulesOf(t, fmt.Sprintf("tolerances: {%q: %s}", metric, amount))
}

// baselineOf is a baseline of the figures, for the rules.
func baselineOf(t *testing.T, f figures, rules gate.Rules) *gate.Baseline {
	t.Helper()
	return gate.NewBaseline(gate.Baseline{Version: "v", Policy: "p", Horizon: "1h"}, f.runs(t), rules)
}

// failed is what the checks that failed say, one a line.
func failed(r *gate.Result) string {
	var lines []string
	for _, c := range r.Failed() {
		lines = append(lines, c.Key.String()+" "+c.Message)
	}
	return strings.Join(lines, "\n")
}

// shifted has the same amount more everywhere.
func shifted(values []float64, by float64) []float64 {
	out := slices.Clone(values)
	for i := range out {
		out[i] += by
	}
	return out
}

// wobble is noise of the mean 0: what it is added to differs from seed to seed.
var wobble = []float64{0.4, -0.3, 0.1, -0.5, 0.2, 0.3, -0.1, -0.4, 0.5, -0.2}

func add(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i := range out {
		out[i] += b[i]
	}
	return out
}
