package gate_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/sim/model/clock"
)

// ten are values of ten seeds, 10 in the mean, that vary with the seed.
var ten = []float64{10, 11, 9, 10, 12, 8, 10, 11, 9, 10}

// only has the first n values, and none in the other seeds.
func only(values []float64, n int) []float64 {
	out := slices.Clone(values)
	for i := n; i < len(out); i++ {
		out[i] = none
	}
	return out
}

func TestTolerance(t *testing.T) {
	const victims, completed, taint = "placement.victims", "placement.completed", "placement.evictions[taint]"
	worse, better := add(shifted(ten, 3), wobble), add(shifted(ten, -3), wobble)
	nothing := slices.Repeat([]float64{none}, 10)
	for _, tt := range []struct {
		name, metric, amount string
		before, now          []float64
		fails                string // with this; empty: it passes
	}{
		{"the same", victims, "0", ten, ten, ""},
		{"worse", victims, "0", ten, worse, "is 13, 3 pods higher than in the baseline (10), which allows none"},
		{"better", victims, "0", ten, better, ""},
		{"worse, by less than the tolerance", victims, "4", ten, worse, ""},
		{"worse, by more than the tolerance", victims, "2", ten, worse, "which allows 2 pods"},
		{"worse, by less than a share of the baseline", victims, "40%", ten, worse, ""},
		{"worse, by more than a share of the baseline", victims, "20%", ten, worse, "which allows 20 %"},
		{"worse by luck", victims, "0", ten, add(shifted(ten, 0.05), wobble), ""},
		{"fewer of what is better high", completed, "0", ten, better, "3 pods lower than in the baseline"},
		{"fewer, by less than the tolerance", completed, "4", ten, better, ""},
		{"fewer, by more than a share of the baseline", completed, "20%", ten, better, "which allows 20 %"},
		{"more of what is better high", completed, "0", ten, worse, ""},
		{"few seeds, worse", victims, "0", ten[:3], shifted(ten, 0.01)[:3], ""},
		{"few seeds, within the tolerance", victims, "1", ten[:3], shifted(ten, 0.9)[:3], ""},
		{"few seeds, better", victims, "0", ten[:3], shifted(ten, -1)[:3], ""},
		{"one seed, the same except for rounding", "utilization.cost", "0", []float64{0.3}, []float64{0.1 + 0.2}, ""},
		{"the same with each seed, worse", victims, "0", shifted(make([]float64, 5), 5), shifted(make([]float64, 5), 6), "is 6, 1 pod higher"},
		{"a value no more", victims, "0", ten, nothing, "has no value any more"},
		{"a value in few seeds now", victims, "0", ten, only(ten, 2), "has a value in 2 of 10 seeds, where the baseline has one in 10"},
		{"no value, then or now", victims, "0", nothing, nothing, ""},
		{"a value that was not there", victims, "0", nothing, ten, ""},
		{"worse in most seeds", victims, "0", ten, only(worse, 8), "in 8 of 10 seeds, "},
		{"few values in the baseline, worse", victims, "0", only(ten, 2), worse, ""},
		{"a cause that occurs no more", taint, "0", ten, nil, ""},
		{"a cause that did not occur and does not", taint, "0", nil, nil, ""},
		{"a cause that did not occur and does", taint, "0", nil, ten, "is 10, 10 pods higher than in the baseline (0), which allows none"},
		{"what the baseline does not know", "placement.workLost", "0", nil, ten, "is not in the baseline: re-create it with --update"},
		{"a part that the baseline does not know", victims + "{workload=w}", "0", nil, ten, "is not in the baseline: re-create it with --update and these rules"},
		{"a cause of a part that the baseline does not know", "placement.evictions[drain]{workload=w}", "0", nil, ten, "is not in the baseline"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := max(len(tt.before), len(tt.now), 1)
			before, now := figures{"placement.arrived": ten[:min(n, 10)]}, figures{"placement.arrived": ten[:min(n, 10)]}
			if strings.HasPrefix(tt.name, "the same with each seed") {
				before, now = figures{}, figures{}
			}
			if tt.before != nil {
				before[tt.metric] = tt.before
			}
			if tt.now != nil {
				now[tt.metric] = tt.now
			}
			rules := tolerance(t, tt.metric, tt.amount)
			r := gate.Judge(rules, baselineOf(t, before, gate.Rules{}), now.runs(t), "p")
			if got := failed(r); (got == "") != (tt.fails == "") || !strings.Contains(got, tt.fails) {
				t.Errorf("the gate says %q, and not %q", got, tt.fails)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		name, limit string
		now         []float64
		fails       string
	}{
		{"below the most", "max: 10", []float64{8, 12}, ""},
		{"above the most", "max: 9.9", []float64{8, 12}, "is 10, it must be at most 9.9"},
		{"above the least", "min: 10", []float64{8, 12}, ""},
		{"below the least", "min: 10.1", []float64{8, 12}, "is 10, it must be at least 10.1"},
		{"within both", "min: 9, max: 11", []float64{8, 12}, ""},
		{"below both", "min: 11, max: 12", []float64{8, 12}, "is 10, it must be 11 to 12"},
		{"no value", "max: 10", []float64{none, none}, "has no value, it must be at most 10"},
		{"a value in one seed", "max: 10", []float64{none, 12}, "is 12 in 1 of 2 seeds, it must be at most 10"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rules := rulesOf(t, "limits: {placement.pending: {"+tt.limit+"}}")
			r := gate.Judge(rules, nil, figures{"placement.pending": tt.now}.runs(t), "p")
			if got := failed(r); (got == "") != (tt.fails == "") || !strings.Contains(got, tt.fails) {
				t.Errorf("the gate says %q, and not %q", got, tt.fails)
			}
		})
	}
}

// judgedNames are names of values that gates look at.
func judgedNames() []string {
	names := []string{"placement.waitToBind[p50]", "placement.waitToBind[p99]"}
	for i := range metric.All {
		m := &metric.All[i]
		if m.Label == metric.NoLabel && m.More != "" && m.Better != metric.Neutral && m.Scopes&metric.ScopeRun != 0 {
			names = append(names, m.Name)
		}
	}
	return names
}

// Among many figures, each needs a higher confidence than alone: one of many is more likely to look worse by chance.
func TestManyRulesAreJudgedTogether(t *testing.T) {
	const victims = "placement.victims"
	before, now := figures{victims: ten}, figures{victims: add(shifted(ten, 0.32), wobble)}
	var lines []string
	for _, name := range judgedNames() {
		lines = append(lines, fmt.Sprintf("  %q: 0", name))
		if name != victims {
			before[name], now[name] = ten, add(ten, wobble)
		}
	}
	together := rulesOf(t, append([]string{"tolerances:"}, lines...)...)
	b := baselineOf(t, before, together)
	if got := failed(gate.Judge(tolerance(t, victims, "0"), b, now.runs(t), "p")); !strings.Contains(got, victims) {
		t.Errorf("alone it is not shown to be worse: %q", got)
	}
	if got := failed(gate.Judge(together, b, now.runs(t), "p")); got != "" {
		t.Errorf("among %d it fails: %q", len(lines), got)
	}
	// Figures that are the same in every run, as what is never used is, are no chances.
	for name := range now {
		if name != victims {
			now[name] = before[name]
		}
	}
	if got := failed(gate.Judge(together, b, now.runs(t), "p")); !strings.Contains(got, victims) {
		t.Errorf("among %d that are the same it is not shown to be worse: %q", len(lines), got)
	}
}

// random draws figures of the names for a number of seeds.
func random(draw func() float64, names []string, seeds int) figures {
	f := figures{}
	for _, name := range names {
		for range seeds {
			f[name] = append(f[name], 10+draw())
		}
	}
	return f
}

// A gate over random figures trips by luck in few of a hundred cases, and on what is planted in
// all.
func TestLuckTripsSeldomAndALossAlways(t *testing.T) {
	const repeats = 300
	names := judgedNames()
	draws := clock.NewStreams(7).Rand("gate")
	lucky, missed := 0, 0
	for i := range repeats {
		seeds := 5 + i%4
		before, now := random(draws.NormFloat64, names, seeds).runs(t), random(draws.NormFloat64, names, seeds).runs(t)
		b := gate.NewBaseline(gate.Baseline{}, before, gate.Rules{})
		rules := gate.Default(now, b)
		if len(gate.Judge(rules, b, now, "p").Failed()) > 0 {
			lucky++
		}
		for k := range now {
			part := &now[k].Scopes[0]
			v := &part.Values[i%len(part.Values)]
			v.Value -= 100 * float64(v.Metric.Better)
		}
		if len(gate.Judge(rules, b, now, "p").Failed()) == 0 {
			missed++
		}
	}
	if share := float64(lucky) / repeats; share > 0.05 {
		t.Errorf("%.1f %% of the gates trip on luck", 100*share)
	}
	if missed > 0 {
		t.Errorf("%d planted losses pass", missed)
	}
}

// The gate fails where compare says "worse" of the figures to look at first, and nowhere else.
func TestTheGateSaysWhatCompareSays(t *testing.T) {
	names := judgedNames()
	draws := clock.NewStreams(8).Rand("gate")
	told := 0
	for i := range 60 {
		seeds := 5 + i%6
		before, now := random(draws.NormFloat64, names, seeds), random(draws.NormFloat64, names, seeds)
		for k, name := range names {
			switch {
			case k%3 == i%3:
				before[name], now[name] = make([]float64, seeds), make([]float64, seeds)
			case k%5 == i%5:
				now[name] = shifted(now[name], 8*draws.NormFloat64())
			}
		}
		first, second := before.runs(t), now.runs(t)
		b := gate.NewBaseline(gate.Baseline{}, first, gate.Rules{})
		var gates, compares []string
		for _, c := range gate.Judge(gate.Default(second, b), b, second, "p").Failed() {
			gates = append(gates, c.Key.String())
		}
		rows := compare.Policies([]string{"a", "b"}, [][]*metric.Summary{first, second}, 0).Contrasts[0].Rows
		for k := range rows {
			if rows[k].Verdict() == metric.Worse {
				compares = append(compares, rows[k].Metric.Key(rows[k].Label))
			}
		}
		slices.Sort(gates)
		slices.Sort(compares)
		if !slices.Equal(gates, compares) {
			t.Errorf("with %d seeds the gate says that %q are worse, compare %q", seeds, gates, compares)
		}
		told += len(gates)
	}
	if told < 30 {
		t.Errorf("only %d differences were shown", told)
	}
}

// Every rule is a check, whatever the runs and the baseline have; no tolerance passes without a
// baseline.
func TestEveryRuleIsACheck(t *testing.T) {
	names := judgedNames()
	draws := clock.NewStreams(9).Rand("gate")
	holes := func() float64 {
		if draws.IntN(3) == 0 {
			return math.NaN()
		}
		return draws.NormFloat64()
	}
	for range 50 {
		some := names[:1+draws.IntN(len(names))]
		before, now := random(holes, some, 6), random(holes, names[draws.IntN(3):], 6).runs(t)
		lines := []string{"tolerances:"}
		for _, name := range names {
			lines = append(lines, fmt.Sprintf("  %q: %d", name, draws.IntN(3)))
		}
		lines = append(lines, "limits:")
		for _, name := range names[:3] {
			lines = append(lines, fmt.Sprintf("  %q: {max: 10}", name))
		}
		rules := rulesOf(t, lines...)
		if r := gate.Judge(rules, baselineOf(t, before, rules), now, "p"); len(r.Checks) != len(names)+3 {
			t.Errorf("%d rules make %d checks", len(names)+3, len(r.Checks))
		}
		r := gate.Judge(rules, nil, now, "p")
		if tolerances := slices.IndexFunc(r.Checks, func(c gate.Check) bool { return !c.Failed }); len(r.Checks) != len(names)+3 || tolerances >= 0 && tolerances < len(names) {
			t.Errorf("without a baseline: %d checks, %d failed", len(r.Checks), len(r.Failed()))
		}
	}
}

// What passes a tolerance passes a larger one.
func TestLargerTolerancesAreEasier(t *testing.T) {
	draws := clock.NewStreams(10).Rand("gate")
	const victims = "placement.victims"
	for range 30 {
		before, now := random(draws.NormFloat64, []string{victims}, 8), random(draws.NormFloat64, []string{victims}, 8)
		now[victims] = shifted(now[victims], 2*draws.NormFloat64())
		b, passed := baselineOf(t, before, gate.Rules{}), false
		for _, amount := range []string{"0", "1%", "0.5", "10%", "2", "50%", "8"} {
			passes := len(gate.Judge(tolerance(t, victims, amount), b, now.runs(t), "p").Failed()) == 0
			if passed && !passes {
				t.Errorf("%v to %v: fails with %s and passes with less", before, now, amount)
			}
			passed = passed || passes
		}
	}
}
