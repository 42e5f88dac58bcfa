package compare_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
)

var nan = math.NaN()

// noise are ten values about 0, different ones for each number.
func noise(number int) []float64 {
	out := make([]float64, 10)
	for i := range out {
		out[i] = math.Sin(float64(7*i + 13*number + i*i))
	}
	return out
}

// plus adds to each of the values.
func plus(values []float64, more float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v + more
	}
	return out
}

// Intervals are those of the figures: neither the names of policies nor other policies change
// them, and two figures with the same values do not share their draws.
func TestDrawsAreThoseOfTheFigure(t *testing.T) {
	before := observed{"placement.pending": plus(noise(1), 20), "placement.victims": plus(noise(1), 20)}
	after := observed{"placement.pending": plus(noise(2), 20), "placement.victims": plus(noise(2), 20)}
	two := before.compared(t, after)
	three := compare.Policies([]string{"a", "b", "c"}, [][]*metric.Summary{before.summaries(t), after.summaries(t), after.summaries(t)}, 0)
	pending, victims := row(t, two, "placement.pending", ""), row(t, two, "placement.victims", "")
	if other := row(t, three, "placement.pending", ""); pending.Low != other.Low || pending.High != other.High {
		t.Errorf("under other names the interval is another one: %+v, %+v", pending.Difference, other.Difference)
	}
	if pending.Low == victims.Low && pending.High == victims.High {
		t.Error("two figures have the same draws")
	}
}

// What matters most and the rest are judged apart, each allowing for its own number of figures,
// and figures judged by Differences come out the same.
func TestFamilies(t *testing.T) {
	before, after := observed{}, observed{}
	first := []string{"placement.pending", "placement.victims", "placement.completed"}
	rest := []string{"placement.evicted", "placement.preemptions", "placement.permitTimeouts", "throughput.attempts", "throughput.busy"}
	for i, name := range append(first, rest...) {
		before[name], after[name] = plus(noise(i), 5), plus(noise(100+i), 6.6)
	}
	before["utilization.nodeHours"], after["utilization.nodeHours"] = plus(noise(1), 8), plus(noise(1), 8) // always the same
	c := before.compared(t, after)
	for _, names := range [][]string{first, rest} {
		var pairs []compare.Pairs
		least := 1.0
		for _, name := range append(names, "utilization.nodeHours") {
			key := metric.Key{Metric: metric.Named(name)}
			pairs = append(pairs, compare.PairsOf(key, before.summaries(t), after.summaries(t)))
			if p := row(t, c, name, "").P; !math.IsNaN(p) && name != "utilization.nodeHours" {
				least = min(least, p)
			}
		}
		for i, d := range compare.Differences(pairs) {
			r := row(t, c, pairs[i].Metric.Name, "")
			if i == len(names) {
				if r.Judged || r.Verdict() != metric.Unjudged || !math.IsNaN(d.P) {
					t.Errorf("what is always the same is judged: %+v, %+v", r, d)
				}
				continue
			}
			if d != r.Difference {
				t.Errorf("%s: judged together %+v, compared %+v", pairs[i].Metric.Name, d, r.Difference)
			}
			if want := least * float64(len(names)); r.P == least && math.Abs(r.Adjusted-want) > 1e-12 {
				t.Errorf("%s: p %v is adjusted to %v, want %v", r.Metric.Name, r.P, r.Adjusted, want)
			}
		}
	}
}

// A difference that is shown and does not matter is equal, in both directions; one that may matter is not.
func TestEqual(t *testing.T) {
	small := []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}
	before := observed{"placement.completed": plus(noise(1), 4000), "placement.pending": plus(noise(1), 500), "placement.victims": plus(noise(1), 500)}
	after := observed{"placement.completed": plus(noise(1), 4000), "placement.pending": plus(noise(1), 500), "placement.victims": plus(noise(1), 500)}
	for i, d := range small {
		after["placement.completed"][i] += 2 * d  // 0.1 %
		after["placement.pending"][i] -= 2 * d    // 0.6 %
		after["placement.victims"][i] += 66.6 * d // 20 %
	}
	c := before.compared(t, after)
	for name, want := range map[string]metric.Verdict{"placement.completed": metric.Equal, "placement.pending": metric.Equal, "placement.victims": metric.NoDifference} {
		if r := row(t, c, name, ""); r.Verdict() != want || r.P == 0 {
			t.Errorf("%s is %q, want %q: %+v", name, r.Verdict(), want, r.Difference)
		}
	}
	out := rendered(t, c, output.View{Format: output.Markdown})
	if !strings.Contains(out, "No difference that matters is shown between new and old in any of the 3 metrics that differ, equal in 2") || strings.Contains(out, "completed |") {
		t.Errorf("the answer counts nothing-differences:\n%s", out)
	}
	if all := rendered(t, c, output.View{Format: output.Markdown, All: true}); !strings.Contains(all, "## Equal within the smallest difference") {
		t.Errorf("--all does not show what is equal:\n%s", all)
	}
}

// The effect is a share of the baseline's mean, and JSON has p as it is and as adjusted.
func TestEffectAndJSON(t *testing.T) {
	before := observed{"placement.pending": plus(noise(1), 10), "placement.victims": plus(noise(2), 10)}
	after := observed{"placement.pending": plus(noise(1), 15.5), "placement.victims": plus(noise(3), 10)}
	after["placement.pending"][0]++
	c := before.compared(t, after)
	r := row(t, c, "placement.pending", "")
	if want := r.Difference.Mean / r.Baseline; math.Abs(r.Share()-want) > 1e-12 || want < 0.5 {
		t.Errorf("the effect is %v, want %v", r.Share(), want)
	}
	var object struct {
		Exact     bool
		Contrasts []struct {
			Metrics []struct {
				Metric             string
				P, PAdjusted       float64
				Least, Most, Pairs float64
			}
		}
	}
	if err := json.Unmarshal([]byte(rendered(t, c, output.View{Format: output.JSON})), &object); err != nil {
		t.Fatal(err)
	}
	m := object.Contrasts[0].Metrics[0]
	if object.Exact || m.Metric != "placement.pending" || m.P != r.P || m.PAdjusted != 2*r.P || m.Least != r.Least || m.Most != r.Most || m.Pairs != 10 {
		t.Errorf("JSON has %+v of %+v", m, r)
	}
}

// Seeds without a value on one side are no part of any number of the row, which says so.
func TestMissingValues(t *testing.T) {
	before := observed{"placement.pending": plus(noise(1), 10), "placement.victims": {0, 0, 0, 0, 0, nan, nan, nan, nan, nan}}
	after := observed{"placement.pending": plus(noise(2), 10), "placement.victims": {10, 11, 12, 11, 10, 0, 0, 0, 0, 0}}
	c := before.compared(t, after)
	r := row(t, c, "placement.victims", "")
	if r.Pairs != 5 || r.Baseline != 0 || r.Mean != 10.8 || r.Difference.Mean != 10.8 {
		t.Errorf("means are not those of the pairs: %+v", r)
	}
	if out := rendered(t, c, output.View{Format: output.Markdown}); !strings.Contains(out, "victims (5 seeds) |") {
		t.Errorf("it is not said how many seeds have a value:\n%s", out)
	}
}

// Runs that are the same with every seed have no probabilities, and no other days.
func TestExact(t *testing.T) {
	before := observed{"placement.pending": {8, 8, 8}, "placement.victims": {3, 3, 3}, "placement.gangTime[p99]": {nan, nan, nan}}
	after := observed{"placement.pending": {6, 6, 6}, "placement.victims": {9, 9, 9}, "placement.gangTime[p99]": {nan, nan, nan}}
	c := before.compared(t, after)
	if pending := row(t, c, "placement.pending", ""); !c.Exact || pending.Verdict() != metric.Better || !math.IsNaN(pending.P) || !math.IsNaN(pending.Low) {
		t.Errorf("%+v", pending)
	}
	out := rendered(t, c, output.View{Format: output.Table, Width: 100, All: true})
	for _, want := range []string{"new is better than old in 1 and worse in 1 of the 2 metrics that differ", "All 3 seeds give the same figures", "say nothing of other days"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	for _, never := range []string{"Holm", "interval", "±", "bootstrap"} {
		if strings.Contains(out, never) {
			t.Errorf("there is %q in\n%s", never, out)
		}
	}
	before["placement.victims"][1]++
	if before.compared(t, after).Exact {
		t.Error("a comparison of which one policy varies is exact")
	}
}

// Too few seeds have no verdict and no test, only what was seen.
func TestFewSeeds(t *testing.T) {
	before := observed{"placement.pending": {8, 9}, "utilization.nodes": {40, 40}}
	after := observed{"placement.pending": {6, 6}, "utilization.nodes": {40, 40}}
	c := before.compared(t, after)
	if r := row(t, c, "placement.pending", ""); r.Verdict() != metric.Unjudged || !math.IsNaN(r.P) || r.Least != -3 || r.Most != -2 {
		t.Errorf("%+v", r)
	}
	out := rendered(t, c, output.View{Format: output.Table, Width: 100})
	for _, want := range []string{"Too few seeds for a verdict on new against old in any of the 1 metric that differs, it takes 3", "8.5 → 6 (−2.5 pods; −3 … −2 pods)"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "Holm") || strings.Contains(out, "±") {
		t.Errorf("a test is explained that was not made:\n%s", out)
	}
}

// Classes of pods that request the same and have the same values are one figure.
func TestSameClasses(t *testing.T) {
	const copies = 30
	before, after := observed{"placement.pending": plus(noise(1), 10)}, observed{"placement.pending": plus(noise(2), 10)}
	label := "fragmentation.fits[cpu 1 core, memory 1 GiB%s]"
	for i := range copies {
		key := fmt.Sprintf(label, fmt.Sprintf(" (class %d)", i+2))
		if i == 0 {
			key = fmt.Sprintf(label, "")
		}
		before[key], after[key] = plus(noise(3), 100), plus(noise(4), 120)
	}
	other := fmt.Sprintf(label, " (class 99)")
	before[other], after[other] = plus(noise(5), 100), plus(noise(6), 115)
	c := before.compared(t, after)
	counted, adjusted := 0, map[float64]bool{}
	for _, r := range c.Contrasts[0].Rows {
		if r.Metric.Name == "fragmentation.fits" {
			adjusted[r.Adjusted] = true
			if r.SameAs == "" {
				counted++
			}
			if r.Adjusted > 2*r.P+1e-12 {
				t.Errorf("%s: p %v became %v: copies are counted", r.Label, r.P, r.Adjusted)
			}
		}
	}
	if counted != 2 || len(adjusted) != 2 {
		t.Errorf("%d figures count, with %d adjusted p; want 2", counted, len(adjusted))
	}
	out := rendered(t, c, output.View{Format: output.Markdown})
	if strings.Count(out, "pods that still fit") != 1 || !strings.Contains(out, " (30 classes) |") || !strings.Contains(out, "--all shows the 3 figures that differ") {
		t.Errorf("the same figure is there more than once:\n%s", out)
	}
	if all := rendered(t, c, output.View{Format: output.CSV}); strings.Count(all, "fragmentation.fits[") != copies+1+copies-1 {
		t.Errorf("CSV lacks some:\n%s", all)
	}
}

// A difference that nobody would notice does not lead, however large it is beside next to
// nothing, and is not named in the answer.
func TestWhatMattersLeads(t *testing.T) {
	before := observed{
		"placement.pending":          plus(noise(1), 60),
		"placement.arrived":          {5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000},
		"placement.gangTime[p50]":    plus(make([]float64, 10), 0.002),
		"placement.victims":          make([]float64, 10),
		"utilization.nodes":          {40, 40, 40, 40, 40, 40, 40, 40, 40, 40},
		"utilization.emptyNodesMean": plus(noise(2), 9),
	}
	after := observed{
		"placement.pending":          plus(noise(1), 50),
		"placement.arrived":          before["placement.arrived"],
		"placement.gangTime[p50]":    {0.0041, 0.0042, 0.0041, 0.004, 0.0041, 0.0042, 0.0041, 0.0043, 0.0041, 0.0042},
		"placement.victims":          {3, 3, 3, 4, 3, 3, 3, 3, 3, 3},
		"utilization.nodes":          before["utilization.nodes"],
		"utilization.emptyNodesMean": plus(noise(3), 2),
	}
	after["placement.pending"][3]--
	out := rendered(t, before.compared(t, after), output.View{Format: output.Markdown})
	if want := "new is better than old in 1 and worse in 2 of the 4 metrics that differ, equal in 1 (, 10 seeds): it leaves 10.1 ± 0.2 fewer pods pending, but keeps 6.93 ± 0.21 fewer nodes empty and preempts 3.1 ± 0.2 more pods"; !strings.Contains(out, want) {
		t.Errorf("there is no %q in\n%s", want, out)
	}
}

// Names of policies and rows are never cut, however little room there is.
func TestLongNames(t *testing.T) {
	before := observed{"placement.pending": plus(noise(1), 10)}
	after := observed{"placement.pending": plus(noise(2), 10)}
	for key, more := range map[string]float64{
		"placement.gangTime[p50]": 20, "placement.gangTime[p99]": -20, "placement.held[example.com/" + strings.Repeat("gpu-", 4) + "count]": 30,
	} {
		before[key], after[key] = plus(noise(3), 100), plus(noise(4), 100+more)
	}
	long := "policies/of/the/platform/team/pack"
	names := []string{long + "-nodes.yaml", long + "-pods.yaml"}
	c := compare.Policies(names, [][]*metric.Summary{before.summaries(t), after.summaries(t)}, 0)
	for _, width := range []int{60, 80, 100, 160} {
		for _, all := range []bool{false, true} {
			out := rendered(t, c, output.View{Format: output.Table, Width: width, All: all})
			words := strings.Join(strings.Fields(out), " ")
			for _, want := range []string{"gang, p50 ", "gang, p99 ", names[0], names[1], "example.com/" + strings.Repeat("gpu-", 4) + "count"} {
				if !strings.Contains(words, want) {
					t.Errorf("width %d, all %t: there is no %q in\n%s", width, all, want, out)
				}
			}
			if strings.Contains(strings.ReplaceAll(out, " … ", ""), "…") {
				t.Errorf("width %d, all %t: something is cut in\n%s", width, all, out)
			}
			for line := range strings.Lines(out) {
				if n := utf8.RuneCountInString(line) - 1; n > width {
					t.Errorf("width %d, all %t: a line has %d characters: %s", width, all, n, line)
				}
			}
		}
	}
}

// The first screen has at most ten differences: those that are shown before all others, primary ones first, one of each metric
// and verdict; JSON and CSV mark them.
func TestHeadlines(t *testing.T) {
	before, after := observed{}, observed{}
	for i, d := range []struct {
		key  string
		more float64
	}{
		{"placement.pending", 30}, {"placement.victims", 0.2}, {"placement.completed", -20}, {"placement.workLost", 900}, {"placement.gangsWhole", -20},
		{"placement.gangTime[p99]", 40}, {"placement.preemptions", 60}, {"placement.permitTimeouts", 80}, {"placement.held[cpu]", 80},
		{"placement.held[memory]", 70}, {"throughput.pendingMax", 50}, {"throughput.attempts", 90}, {"placement.evicted", 70}, {"utilization.nodeHours", 0},
	} {
		before[d.key], after[d.key] = plus(noise(i), 100), plus(noise(50+i), 100+d.more)
	}
	c := before.compared(t, after)
	var object struct {
		Contrasts []struct {
			Headlines []string
		}
	}
	if err := json.Unmarshal([]byte(rendered(t, c, output.View{Format: output.JSON})), &object); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"placement.completed", "placement.pending", "placement.workLost", "placement.gangsWhole", "placement.gangTime[p99]", // primary ones
		"throughput.pendingMax", "throughput.attempts", "placement.held[cpu]", "placement.permitTimeouts", "placement.evicted",
	}
	got := object.Contrasts[0].Headlines
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	csv := rendered(t, c, output.View{Format: output.CSV})
	if n := strings.Count(csv, ",true\n"); n != len(got) {
		t.Errorf("CSV marks %d headlines:\n%s", n, csv)
	}
	table := rendered(t, c, output.View{Format: output.Table, Width: 80})
	if n := strings.Count(table, " (+") + strings.Count(table, " (−"); n != len(got) || !strings.HasPrefix(table, "new is better than old in 0 and worse in ") {
		t.Errorf("the table has %d lines:\n%s", n, table)
	}
}
