package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// library is where the bundled scenarios are.
const library = "../../scenarios"

// bundledRun is what a bundled scenario did.
type bundledRun struct {
	summary *metric.Summary
	log     [sha256.Size]byte // hash of the records
}

// runBundled runs a scenario to its end and holds its log to the laws.
func runBundled(t *testing.T, name, policy string, cores int) bundledRun {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	s, err := scenarios.Load(filepath.Join(library, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var o scenarios.Options
	if policy != "" {
		o.Policy = filepath.Join(library, "policies", policy+".yaml")
	}
	run, err := s.Build(o)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	for _, w := range run.Warnings {
		t.Error("warning:", w)
	}
	ledger, hash := metric.NewLedger(), sha256.New()
	writer := record.NewWriter(hash)
	cfg := run.Config
	cfg.Record = func(r *record.Record) {
		ledger.Observe(r)
		if err := writer.Write(r); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	end, err := world.New(cfg).Run(ctx)
	if err != nil || end != "done" && end != "horizon" {
		t.Fatalf("it ended %q, %v", end, err)
	}
	if err := ledger.Err(); err != nil {
		t.Error(err)
	}
	if n, first := run.SkippedLines(); n > 0 {
		t.Errorf("%d lines are broken, the first: %v", n, first)
	}
	out := bundledRun{summary: ledger.Summary(metric.Facts{Policy: run.Policy.Name, Seed: *run.Recipe.Seed})}
	hash.Sum(out.log[:0])
	return out
}

// claim says that a value of a metric lies between two bounds. Without a scope it is
// about the whole run; a scope is the name of a workload or pool.
type claim struct {
	scope, metric, label string
	low, high            float64
}

// fault says why a claim is not so; empty if it is.
func (c claim) fault(s *metric.Summary) string {
	for _, scope := range s.Scopes {
		if scope.Name != c.scope {
			continue
		}
		for _, v := range scope.Values {
			if v.Metric.Name != c.metric || v.Label != c.label {
				continue
			}
			if v.Value >= c.low && v.Value <= c.high {
				return ""
			}
			return fmt.Sprintf("%s %s %s is %v, want it between %v and %v", c.scope, c.metric, c.label, v.Value, c.low, c.high)
		}
	}
	return fmt.Sprintf("%s %s %s: there is no such value", c.scope, c.metric, c.label)
}

// TestBundledScenarios runs each of them: it teaches what its comment says, warns of
// nothing, obeys the laws, and is the same on one core and on two.
func TestBundledScenarios(t *testing.T) {
	for _, l := range lessons {
		name := l.scenario
		if l.policy != "" {
			name += " with " + l.policy
		}
		t.Run(name, func(t *testing.T) {
			one := runBundled(t, l.scenario, l.policy, 1)
			for _, c := range l.claims {
				if fault := c.fault(one.summary); fault != "" {
					t.Error(fault)
				}
			}
			if two := runBundled(t, l.scenario, l.policy, 2); two.log != one.log {
				t.Error("the records differ between one core and two")
			}
		})
	}
}

// TestEveryBundledScenarioHasALesson looks for files that TestBundledScenarios does not
// know.
func TestEveryBundledScenarioHasALesson(t *testing.T) {
	for pattern, ignored := range map[string]string{"*.yaml": "priorityclasses", "policies/*.yaml": ""} {
		paths, err := filepath.Glob(filepath.Join(library, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			name := filepath.Base(path[:len(path)-len(".yaml")])
			if name != ignored && !slices.ContainsFunc(lessons, func(l lesson) bool { return l.scenario == name || l.policy == name }) {
				t.Errorf("%s has no lesson", path)
			}
		}
	}
}

// TestClaimsCanFail plants claims that are not so.
func TestClaimsCanFail(t *testing.T) {
	run := runBundled(t, "gang-deadlock", "", 1)
	for _, c := range []claim{
		{"", "placement.gangs", "", 0, 11},
		{"", "placement.gangs", "", 13, 20},
		{"", "placement.nothing", "", 0, 1},
		{"nobody", "placement.arrived", "", 0, 1},
		{"research", "placement.waitToBind", "p50", 0, 1e9}, // NaN: none was bound
	} {
		if c.fault(run.summary) == "" {
			t.Errorf("%v was not noticed", c)
		}
	}
	if other := runBundled(t, "quickstart", "", 1); other.log == run.log {
		t.Error("two scenarios have one hash")
	}
}
