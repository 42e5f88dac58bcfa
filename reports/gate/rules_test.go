package gate_test

import (
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/metric"
)

// Amounts are written as in goals.
func TestAmounts(t *testing.T) {
	r := rulesOf(t,
		"tolerances:",
		"  placement.waitToBind[p99]: 1.5m",
		"  placement.waitToBind[p50]: 5 %",
		"  fragmentation.strandedMean[cpu]: 0.01",
		"  placement.victims: 2",
		"  placement.pending: 1 and 5%",
		"  placement.completed: default",
		"limits:",
		"  placement.waitToBind[p99]: {min: 500ms, max: 1h}",
		"  utilization.allocated[cpu]: {min: 60%}",
		"  fragmentation.largest[cpu]: {min: 1500m, max: 4}",
		"  fragmentation.largest[memory]: {min: \"8Gi\"}",
		"  placement.pending: {max: 1e3, min: null}",
	)
	for i, want := range []metric.Effect{{Absolute: 90}, {Relative: 0.05}, {Absolute: 0.01}, {Absolute: 2}, {Absolute: 1, Relative: 0.05}, {Absolute: 1, Relative: 0.01}} {
		if got := r.Tolerances[i]; got.Effect != want {
			t.Errorf("%s: %+v, and not %v", got.Key, got.Effect, want)
		}
	}
	least, most := math.Inf(-1), math.Inf(1)
	for i, want := range [][2]float64{{0.5, 3600}, {0.6, most}, {1500, 4000}, {8 << 30, most}, {least, 1000}} {
		if got := r.Limits[i]; got.Min != want[0] || got.Max != want[1] {
			t.Errorf("%s: %+v, and not %v", got.Key, got, want)
		}
	}
}

func TestReadRulesFaults(t *testing.T) {
	for _, tt := range []struct{ name, text, wrong string }{
		{"a tolerance twice", "tolerances:\n  placement.victims: 0\n  placement.victims: 5", `:5:22: tolerances["placement.victims"]: is set twice, first on line 4`},
		{"a limit twice", "limits:\n  placement.pending: {max: 1}\n  placement.pending: {max: 5}", ":5:22: "},
		{"a part twice, in other words", "limits:\n  placement.pending{workload=w}: {max: 1}\n  \"placement.pending{ workload = w }\": {max: 5}", "is set twice, first on line 4"},
		{"a time of pods", "tolerances: {placement.victims: 10s}", `"10s" is not a plain number, which a figure in pods needs; a share of the baseline is written as 5%`},
		{"bytes of time", "tolerances: {\"placement.waitToBind[p99]\": 1Gi}", `"1Gi" is not a time, as 30s, 5m or 2h; a share`},
		{"less than nothing", "tolerances: {placement.victims: -1}", `"-1" must be a number from 0 up`},
		{"less than a share of nothing", "tolerances: {placement.victims: -1%}", `"-1%" must be a number from 0 up`},
		{"forever", "tolerances: {placement.victims: 1e999}", "is not a plain number"},
		{"a share of words", "tolerances: {placement.victims: x%}", `"x%" must be an amount, a share of the baseline such as 5%`},
		{"nothing", "tolerances: {placement.victims: }", "must be an amount, a share of the baseline"},
		{"a mapping", "tolerances: {placement.victims: {max: 1}}", "must be an amount, a share of the baseline"},
		{"two amounts", "tolerances: {placement.victims: 1 and 2}", `must be one amount and one share at most, such as 1 and 5%`},
		{"three parts", "tolerances: {placement.victims: 1 and 2% and 3}", `must be one amount and one share at most, such as 1 and 5%`},
		{"an amount for a pattern", "tolerances: {\"placement.*\": 1}", `must be default or a share of the baseline such as 5%`},
		{"neither pass nor fail", "notShown: maybe\ntolerances: {placement.victims: 1}", `"maybe" must be pass or fail`},
		{"a limit for a pattern", "limits: {\"placement.*\": {max: 1}}", "is not a metric"},
		{"a limit in another unit", "limits: {placement.pending: {max: 60%}}", `limits["placement.pending"].max: "60%" is not a plain number`},
		{"a limit of both ends wrong", "limits: {placement.pending: {min: x, max: y}}", `.min: "x" is not`},
		{"a limit that is a list", "limits: {placement.pending: {max: [1]}}", ".max: must be an amount"},
		{"a limit beyond all", "limits: {placement.pending: {max: .inf}}", "is not a plain number"},
		{"min above max", "limits: {\"placement.waitToBind[p99]\": {min: 2m, max: 90s}}", "min is above max"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := gate.ReadRules(rulesFile(t, tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("the error is\n%v\nand not\n%s", err, tt.wrong)
			}
		})
	}
}

// A pattern stands for the values that it matches; a name goes first, and then what is written first.
func TestPatterns(t *testing.T) {
	f := figures{"placement.victims": ten, "placement.waitToBind[p99]": ten, "placement.waitToBind[p90]": ten, "utilization.cost": ten, "placement.arrived": ten}
	rules := rulesOf(t, "tolerances:", `  "placement.wait*": 30%`, `  "placement.*": default`, `  "*": 2%`, "  placement.victims: 3")
	rules, err := rules.For(f.runs(t))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]metric.Effect{}
	for _, tolerance := range rules.Tolerances {
		got[tolerance.Key.String()] = tolerance.Effect
	}
	want := map[string]metric.Effect{"placement.victims": {Absolute: 3}, "placement.waitToBind[p99]": {Relative: 0.3}, "utilization.cost": {Relative: 0.02}}
	if !maps.Equal(got, want) {
		t.Errorf("the tolerances are %v, want %v", got, want)
	}
	_, err = rulesOf(t, `tolerances: {"placment.*": default}`).For(f.runs(t))
	if err == nil || !strings.Contains(err.Error(), `:3:28: tolerances["placment.*"]: matches no metric of the runs`) {
		t.Errorf("a pattern that matches nothing: %v", err)
	}
	if err := rulesOf(t, `tolerances: {"placement.*": default}`).CheckWithoutBaseline(); err == nil {
		t.Error("a pattern needs no baseline")
	}
}

// What no run has is a fault of the rules, and no failed gate.
func TestCheck(t *testing.T) {
	f := figures{"utilization.allocated[cpu]": ten, "placement.victims{workload=web}": ten}
	for rule, wrong := range map[string]string{
		"tolerances: {\"utilization.allocated[cpuu]\": 0}":                 `there is no resource "cpuu" in the run; did you mean "cpu"?`,
		"limits: {\"utilization.allocated[gpu]\": {min: 0}}":               `there is no resource "gpu" in the run`,
		"limits: {\"placement.victims{workload=wbe}\": {max: 0}}":          `there is no workload "wbe" in the run; did you mean "web"?`,
		"tolerances: {\"utilization.allocated[cpu]\": 0}":                  "",
		"tolerances: {\"placement.evictions[taint]\": 0}":                  "",
		"limits: {\"placement.evictions[taint]{workload=web}\": {max: 0}}": "",
	} {
		err := rulesOf(t, rule).Check(f.runs(t))
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: the error is %v, and not %q", rule, err, wrong)
		}
	}
}

// Tolerances have no effect without a baseline, and say so.
func TestTolerancesNeedABaseline(t *testing.T) {
	if err := rulesOf(t, "limits: {placement.pending: {max: 0}}").CheckWithoutBaseline(); err != nil {
		t.Errorf("limits alone: %v", err)
	}
	err := rulesOf(t, "tolerances: {placement.victims: 0}", "limits: {placement.pending: {max: 0}}").CheckWithoutBaseline()
	if err == nil || !strings.Contains(err.Error(), `:3:33: tolerances["placement.victims"]: is a tolerance, which needs --baseline FILE`) {
		t.Errorf("the error is %v", err)
	}
}
