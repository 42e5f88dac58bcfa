package experiment_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
)

var (
	reruns  = flag.Int("reruns", 20, "with how many sets of other seeds the gate on quickstart is tried")
	planted = flag.Int("planted", 6, "how many of the planted regressions the gate on quickstart is tried with")
)

// gateSeeds are the numbers of seeds of the gates.
var gateSeeds = []int{3, 5, 10}

// mostRunsOfRegression bounds the test without flags: the gates of ten seeds are tried only with all regressions.
func mostRunsOfRegression() int {
	if *planted < len(regressions) {
		return 5
	}
	return 10
}

// A gate on quickstart passes with other seeds than those of its baseline, which share nothing but the scenario, and fails for each
// planted regression with the same seeds.
//
//	go test ./scenarios/experiment -run TestGateOnQuickstart -v -args -reruns 100 -planted 20
func TestGateOnQuickstart(t *testing.T) {
	const most = 10
	all := quickstart(t, regression{name: "as it is"}, most+*reruns+most)
	before := all[:most]
	for _, n := range gateSeeds {
		failed, open := 0, 0
		for k := range *reruns {
			r := judged(before[:n], all[most+k:most+k+n])
			failed += min(1, len(r.Failed()))
			open += len(r.NotShown())
			for _, c := range r.Failed() {
				t.Errorf("%d seeds, rerun %d: %s %s", n, k, c.Title(), c.Message)
			}
		}
		t.Logf("%d seeds: %d of %d reruns with other seeds fail, %.1f checks are not shown in the mean", n, failed, *reruns, float64(open)/float64(*reruns))
		if r := judged(before[:n], before[:n]); len(r.Failed())+len(r.NotShown()) > 0 {
			t.Errorf("%d seeds: a rerun with the same seeds: %s", n, r.Answer())
		}
	}
	for _, of := range regressions[:min(*planted, len(regressions))] {
		runs := quickstart(t, of, mostRunsOfRegression())
		line := ""
		for _, n := range gateSeeds {
			if n > len(runs) {
				continue
			}
			r := judged(before[:n], runs[:n])
			if len(r.Failed()) == 0 {
				t.Errorf("%s: passes with %d seeds: %s", of.name, n, r.Answer())
				continue
			}
			first := r.Failed()[0]
			line += fmt.Sprintf(" | %d: %d failed, %s %s → %s", n, len(r.Failed()), first.Title(), first.Text(first.Baseline), first.Text(first.Mean))
		}
		t.Logf("%-45s%s", of.name, line)
	}
}

// judged judges runs by the default rules.
func judged(before, now []*metric.Summary) *gate.Result {
	b := gate.NewBaseline(gate.Baseline{}, before, gate.Rules{})
	return gate.Judge(gate.Default(now, b), b, now, "p")
}

// quickstart runs the scenario with the regression.
func quickstart(t *testing.T, of regression, seeds int) []*metric.Summary {
	t.Helper()
	text, err := os.ReadFile("../quickstart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	classes, err := filepath.Abs("../priorityclasses.yaml")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "[priorityclasses.yaml]", "["+classes+"]", 1)
	for i := 0; i < len(of.edits); i += 2 {
		if !strings.Contains(changed, of.edits[i]) {
			t.Fatalf("%s: there is no %q in the scenario", of.name, of.edits[i])
		}
		changed = strings.Replace(changed, of.edits[i], of.edits[i+1], 1)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	policy := scenarios.DefaultPolicy
	if of.policy != "" {
		policy = write("policy.yaml", "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"+of.policy)
	}
	scenario, err := scenarios.Load(write("scenario.yaml", changed))
	if err != nil {
		t.Fatal(err)
	}
	m := experiment.Matrix{Scenario: scenario, Seeds: experiment.Seeds(7, seeds), Policies: []string{policy}}
	results, err := m.Run(t.Context(), experiment.Runner{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return results.Summaries[0]
}
