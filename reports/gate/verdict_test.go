package gate_test

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/gate"
)

// The three verdicts of a tolerance, by what the seeds have.
func TestVerdictsOfTolerances(t *testing.T) {
	const victims, allocated, waits = "placement.victims", "utilization.allocated[cpu]", "placement.waitToBind[p99]"
	share := func(values []float64, by float64) []float64 {
		out := add(make([]float64, len(values)), values)
		for i := range out {
			out[i] = values[i]/100 + by
		}
		return out
	}
	for _, tt := range []struct {
		name, metric string
		before, now  []float64
		want         gate.Verdict
		says         string
	}{
		{"the same in one seed", victims, ten[:1], ten[:1], gate.NoWorse, ""},
		{"worse in one seed", victims, ten[:1], []float64{50}, gate.NotShown, "which takes at least 3 seeds"},
		{"7 to 19, five seeds that vary", victims, []float64{3, 9, 14, 2, 7}, []float64{31, 9, 25, 8, 22}, gate.NotShown,
			"is 19, 12 pods higher than in the baseline (7): not shown to be worse or no worse by 1 pod and 20 %, which would probably take about 10 seeds"},
		{"7 to 19, five seeds that vary little", victims, []float64{7, 8, 7, 6, 7}, []float64{19, 20, 18, 20, 18}, gate.Worse, "which allows 1 pod and 20 %"},
		{"7 to 19 in each of three seeds", victims, []float64{7, 7, 7}, []float64{19, 19, 19}, gate.Worse, "12 pods higher"},
		{"less than a hundredth of a point lower", allocated, share(ten, 0.4), share(ten, 0.39999), gate.NoWorse, ""},
		{"less than half a point lower", allocated, share(ten, 0.4), share(add(ten, wobble), 0.398), gate.NoWorse, ""},
		{"much lower", allocated, share(ten, 0.4), share(add(ten, wobble), 0.37), gate.Worse, "3.00 points lower"},
		{"milliseconds longer", waits, share(ten, 0), share(ten, 0.1), gate.NoWorse, ""},
		{"longer or not", waits, []float64{10, 700, 30, 5, 90}, []float64{600, 20, 700, 80, 10}, gate.NotShown, "which would probably take"},
		{"better", victims, ten, shifted(ten, -5), gate.NoWorse, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, now := figures{"placement.arrived": ten[:len(tt.now)], tt.metric: tt.before}, figures{"placement.arrived": ten[:len(tt.now)], tt.metric: tt.now}
			for _, when := range []gate.WhenNotShown{gate.NotShownPasses, gate.NotShownFails} {
				rules := tolerance(t, tt.metric, "default")
				rules.NotShown = when
				r := gate.Judge(rules, baselineOf(t, before, gate.Rules{}), now.runs(t), "p")
				c := r.Checks[0]
				if c.Verdict != tt.want || !strings.Contains(c.Message, tt.says) || (tt.says == "") != (c.Message == "") {
					t.Errorf("%q: %q, want %q: %q", c.Verdict, c.Message, tt.want, tt.says)
				}
				if fails := tt.want == gate.Worse || tt.want == gate.NotShown && when == gate.NotShownFails; c.Failed != fails {
					t.Errorf("not shown: %s, and %q has failed: %t", when, c.Verdict, c.Failed)
				}
			}
		})
	}
}

// All formats distinguish the three verdicts, and none calls a value that is not shown passed.
func TestFormatsTellThreeVerdicts(t *testing.T) {
	const worse, noWorse, open = "placement.pending", "placement.completed", "placement.victims"
	before := figures{worse: ten, noWorse: shifted(ten, 4000), open: {3, 9, 14, 2, 7, 3, 9, 14, 2, 7}}
	now := figures{worse: shifted(ten, 30), noWorse: shifted(ten, 4000.5), open: {31, 0, 25, 0, 22, 2, 1, 40, 3, 12}}
	rules := rulesOf(t, `tolerances: {"placement.*": default}`)
	rules, err := rules.For(now.runs(t))
	if err != nil {
		t.Fatal(err)
	}
	r := gate.Judge(rules, baselineOf(t, before, rules), now.runs(t), "p")
	if len(r.Failed()) != 1 || len(r.NotShown()) != 1 || r.Checks[2].Verdict != gate.NoWorse {
		t.Fatalf("the checks are %+v", r.Checks)
	}
	for _, f := range gate.Formats {
		text := render(t, r, f)
		wants := map[string][]string{
			"table":    {"1 of 3 checks failed, 1 not shown", "worse", "no worse", "not shown ("},
			"markdown": {"1 of 3 checks failed, 1 not shown", "| worse |", "| no worse |", "| not shown ("},
			"json":     {`"verdict": "worse"`, `"verdict": "no worse"`, `"verdict": "not shown"`, `"seedsNeeded": `},
			"junit":    {`failures="1" skipped="1"`, "<failure ", "<skipped "},
			"sarif":    {`"level": "error"`, `"level": "warning"`},
			"github":   {"::error file", "::warning file"},
		}[string(f)]
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %q in\n%s", f, want, text)
			}
		}
		if len(wants) == 0 {
			t.Errorf("the format %s is not tested", f)
		}
	}
	rules.NotShown = gate.NotShownFails
	strict := gate.Judge(rules, baselineOf(t, before, rules), now.runs(t), "p")
	if text := render(t, strict, "github"); len(strict.Failed()) != 2 || strings.Contains(text, "::warning") {
		t.Errorf("a strict gate warns:\n%s", text)
	}
}
