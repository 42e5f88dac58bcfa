package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/upgrades"
)

// What upgrade says of two releases is what runs under each of them show, and what the rule that it names does is what a
// run with that rule alone shows.
func TestUpgradeAgreesWithRuns(t *testing.T) {
	const scenario = "../../scenarios/bin-packing.yaml"
	answer := berth(t.Context(), 80, "upgrade", scenario, "--kubernetes", "1.35,1.36", "-q", "-o", "json")
	var u struct{ Steps []upgrades.Step }
	if err := json.Unmarshal([]byte(answer.out), &u); err != nil || len(u.Steps) != 1 {
		t.Fatalf("%v: %s%s", err, answer.out, answer.err)
	}
	step := u.Steps[0]
	nodes := func(flags ...string) map[string]string {
		r := berth(t.Context(), 80, append([]string{"run", scenario, "--pods", "--all", "-o", "csv", "-q", "--tie", "rank"}, flags...)...)
		rows, err := csv.NewReader(strings.NewReader(r.out)).ReadAll()
		if err != nil {
			t.Fatal(err, r.err)
		}
		out := map[string]string{}
		for _, row := range rows[1:] {
			if row[5] != "" { // bound
				out[row[0]] = row[3]
			}
		}
		return out
	}
	before, after := nodes("--kubernetes", "1.35"), nodes("--kubernetes", "1.36")
	if n := countMoved(before, after); n == 0 || n != step.Change.Moved {
		t.Errorf("%d pods moved by the runs, %d by upgrade", n, step.Change.Moved)
	}
	if len(step.Rules) != 1 || step.Rest {
		t.Fatalf("the rules are %+v, rest %t", step.Rules, step.Rest)
	}
	rule := step.Rules[0]
	alone := nodes("--kubernetes", "1.35", "--rule", rule.Rule+"="+rule.Values[1])
	if n := countMoved(before, alone); n != rule.Change.Moved {
		t.Errorf("%d pods moved by the run with %s alone, %d by upgrade", n, rule.Rule, rule.Change.Moved)
	}
	if pod := step.Divergence.Pod; before[pod] == after[pod] || !strings.Contains(step.Divergence.What[0], before[pod]) || !strings.Contains(step.Divergence.What[1], after[pod]) {
		t.Errorf("pod %s is on %s and %s in the runs, and upgrade says %q", pod, before[pod], after[pod], step.Divergence.What)
	}
}

// countMoved counts the pods that have another node.
func countMoved(before, after map[string]string) int {
	n := 0
	for pod, node := range before {
		if other := after[pod]; node != other && node != "" && other != "" {
			n++
		}
	}
	return n
}
