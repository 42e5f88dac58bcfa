package html

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/clock"
)

// figureNamed is a figure over time of a report.
func figureNamed(t *testing.T, r *Report, name string) figure {
	t.Helper()
	for _, f := range append(slices.Concat(r.timeFigures()...), r.lossFigures()...) {
		if f.name == name {
			return f
		}
	}
	t.Fatalf("there is no figure %s", name)
	return figure{}
}

// column is a column of a table as numbers: those of the spans, and the last one.
func column(t *testing.T, table table.Table, name string) (spans []float64, last float64) {
	t.Helper()
	at := slices.Index(table.Head, name)
	if at < 0 {
		t.Fatalf("there is no column %s in %q", name, table.Head)
	}
	for _, row := range table.Rows {
		v, err := strconv.ParseFloat(row[at], 64)
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, v)
	}
	return spans[:len(spans)-1], spans[len(spans)-1]
}

func sum(list []float64) float64 {
	all := 0.0
	for _, v := range list {
		all += v
	}
	return all
}

// The tables below charts drop nothing: sums are those of all that happened, and peaks are there.
func TestTablesHaveAllValues(t *testing.T) {
	r := read(t, play(t, "quickstart", scenarios.Options{}))
	run := r.runs[0]
	losses := figureNamed(t, r, "losses").table
	for _, cause := range run.losses.ordered() {
		spans, inAll := column(t, losses, cause.label)
		if want := sum(cause.counts); sum(spans) != want || inAll != want || len(spans) != maxTimes {
			t.Errorf("%s: %d rows sum up to %v, the last row has %v, want %v", cause.label, len(spans), sum(spans), inAll, want)
		}
	}
	if spans, _ := column(t, losses, "evicted: drain"); sum(spans) != run.Figure("placement.evictions", "drain") {
		t.Errorf("%v pods were evicted by the drain", sum(spans))
	}
	queue := figureNamed(t, r, "queue").table
	for _, part := range []string{"active", "backoff", "unschedulable", "waiting"} {
		spans, most := column(t, queue, part)
		if want := run.Figure("throughput.queueMax", part); slices.Max(spans) != want || most != want {
			t.Errorf("%s: the most is %v, in the last row %v, want %v", part, slices.Max(spans), most, want)
		}
	}
	rate, ok := run.column("throughput.scheduledNow", "")
	spans, most := column(t, figureNamed(t, r, "scheduled").table, "pods scheduled per second")
	if want := fmt.Sprintf("%.2f", rate.extreme(1)); !ok || fmt.Sprintf("%.2f", most) != want || slices.Max(spans) < most {
		t.Errorf("the most is %v, in the last row %v, want %v", slices.Max(spans), most, want)
	}
	pending := figureNamed(t, r, "pending").table
	means := 0.0
	for _, name := range pending.Head[1:] {
		_, m := column(t, pending, name)
		means += m
	}
	if want := run.Figure("throughput.pendingMean", ""); means < want-0.02 || means > want+0.02 {
		t.Errorf("%v pods are pending in the mean, want %v", means, want)
	}
	if _, m := column(t, figureNamed(t, r, "pending-most").table, "most pending pods"); m != run.Figure("throughput.pendingMax", "") {
		t.Errorf("at most %v pods are pending", m)
	}
}

// Spans that are no multiple of each other lose nothing either; a run that ends early has no
// values after its end.
func TestJoin(t *testing.T) {
	spans := line{x: []float64{0, 3, 6, 9}, to: []float64{3, 6, 9, 10}, y: []float64{1, 2, 4, 8}}
	instants := line{x: []float64{0, 2.5, 5, 6}, y: []float64{5, 1, 7, 2}}
	for _, c := range []struct {
		l    line
		how  aggregation
		rows int
		want string
	}{
		{spans, total, 2, "[3 12]"}, {spans, total, 1, "[15]"}, {spans, mean, 1, "[2.9]"}, {spans, highest, 2, "[2 8]"},
		{spans, total, 5, "[1 NaN 2 4 8]"},
		{instants, asOfEnd, 4, "[1 7 2 NaN]"}, {instants, highest, 4, "[5 7 2 NaN]"}, {instants, asOfEnd, 2, "[7 2]"},
	} {
		if got := fmt.Sprint(c.l.aggregate(10, c.rows, c.how)); got != c.want {
			t.Errorf("%v of %+v in %d rows is %s, want %s", c.how, c.l, c.rows, got, c.want)
		}
	}
}

// A single series has its name in the legend, unless the title says it.
func TestLegends(t *testing.T) {
	r := read(t, play(t, "gang-timeouts", scenarios.Options{}))
	names := map[string]string{}
	for _, v := range figureViews(append(slices.Concat(r.timeFigures()...), r.lossFigures()...)) {
		for _, entry := range v.Legend {
			names[v.ID] += entry.Name + "; "
		}
	}
	if names["running"] != "" || !strings.Contains(names["pending"], "NodeResourcesFit: Insufficient cpu; ") {
		t.Errorf("the legends are %q", names)
	}
	one := figure{name: "x", title: "X"}
	one.chart.Marks = figureNamed(t, r, "pending").chart.Marks[:1]
	if v := one.view(); len(v.Legend) != 1 || v.Legend[0].Name != one.chart.Marks[0].Name {
		t.Errorf("the legend of a single series is %v", v.Legend)
	}
}

// Nothing at the sampling instants does not mean that there was nothing.
func TestEmptyQueueAtSamplingInstants(t *testing.T) {
	r := read(t, play(t, "diurnal", scenarios.Options{}))
	queue, most := figureNamed(t, r, "queue"), figureNamed(t, r, "pending-most")
	if v := queue.view(); v.None != "It was empty at each sampling instant." || v.Drawings != nil {
		t.Errorf("the queue has the view %+v", v)
	}
	if _, m := column(t, most.table, "most pending pods"); m == 0 || m != r.runs[0].Figure("throughput.pendingMax", "") {
		t.Errorf("at most %v pods were pending", m)
	}
}

// Gangs that did not become whole have places of their own, however late they came.
func TestGangsThatAreNotWhole(t *testing.T) {
	gangs := func(whole, never int) *gangLog {
		l := &gangLog{}
		for i := range whole {
			l.gangs = append(l.gangs, gang{declared: true, name: "w", first: clock.Time(i), whole: clock.Time(50 + 2*i)})
		}
		for i := range never {
			l.gangs = append(l.gangs, gang{declared: true, name: "n", first: clock.Time(90 + i), whole: -1})
		}
		return l
	}
	for _, c := range []struct {
		whole, never int
		want         string
	}{
		{9, 1, "wwwn"}, {9, 9, "wwnn"}, {0, 9, "nnnn"}, {1, 9, "wnnn"}, {2, 1, "wwn"},
	} {
		shown, all := gangs(c.whole, c.never).slowest(4, 100)
		got := ""
		for _, g := range shown {
			got += g.name
		}
		if got != c.want || all != c.whole+c.never {
			t.Errorf("of %d gangs that became whole and %d that did not, %q of %d are shown, want %q", c.whole, c.never, got, all, c.want)
		}
	}
}

// Runs that cannot be compared say so first, and what they differ in.
func TestUnlikeRuns(t *testing.T) {
	quick, other := play(t, "quickstart", scenarios.Options{}), play(t, "preemption", scenarios.Options{})
	r := read(t, quick, other)
	const want = "These runs are of different scenarios (quickstart, preemption), seeds (7, 3) and horizons (2 h, 3.5 h): their differences do not say which policy is better."
	text := &bytes.Buffer{}
	if err := r.WriteMarkdown(text); err != nil {
		t.Fatal(err)
	}
	if page := written(t, r); !strings.Contains(page, want) || !strings.Contains(text.String(), "**"+want+"**") {
		t.Errorf("there is no note in\n%.900s", text)
	}
	for _, heading := range []string{"\n## quickstart, seed 7\n", "\n## preemption, seed 3\n"} {
		if !strings.Contains(text.String(), heading) {
			t.Errorf("there is no heading %q in\n%.900s", heading, text)
		}
	}
	for _, row := range r.compared()[1].Rows {
		if row.Title == "cost" && (row.Cells[1].Text != "–" || row.Cells[1].Change != "–") {
			t.Errorf("a scenario without prices has the cost %+v", row.Cells)
		}
	}
	if text := read(t, quick, quick).whyIncomparable(); text != "" {
		t.Errorf("the same run twice: %s", text)
	}
}

// Names that are markup stay names.
func TestHostileNames(t *testing.T) {
	r := read(t, play(t, "gang-timeouts", scenarios.Options{}))
	r.runs[0].Summary.Run.Scenario = "</script><img src=x> @user `x`"
	r.runs[0].Summary.Run.Policy = "a/_b_/<c>.yaml"
	var text bytes.Buffer
	if err := r.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n## &lt;/script>&lt;img src=x> @&#8203;user \\`x\\`\n", `policy a/\_b\_/&lt;c>.yaml, Kubernetes 1.37, seed`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no %q in\n%.600s", want, &text)
		}
	}
	if page := written(t, r); strings.Contains(page, "<img") {
		t.Error("the name is markup in the page")
	}
}

// Every table says what it is to those who do not see where it stands, and no head of a column is
// without a scope.
func TestTablesHaveNames(t *testing.T) {
	page := written(t, read(t, play(t, "quickstart", scenarios.Options{})))
	if tables, named := strings.Count(page, "<table "), strings.Count(page, `><caption class="hidden">`); tables < 20 || tables != named {
		t.Errorf("%d of %d tables have names", named, tables)
	}
	if bare := regexp.MustCompile(`<th>`).FindAllString(page, -1); bare != nil {
		t.Errorf("%d heads have no scope", len(bare))
	}
	seen := map[string]bool{}
	for _, summary := range regexp.MustCompile(`<summary>Data.*?</summary>`).FindAllString(page, -1) {
		if seen[summary] {
			t.Errorf("%s is there twice", summary)
		}
		seen[summary] = true
	}
	if len(seen) < 10 {
		t.Errorf("there are %d tables of data", len(seen))
	}
}

// Lines of several runs can be distinguished without colors, and one is seen below another.
func TestDashesOfSeveralRuns(t *testing.T) {
	dir := play(t, "gang-timeouts", scenarios.Options{})
	figures := slices.Concat(read(t, dir, dir, dir).timeFigures()...)
	for _, m := range figures[0].chart.Marks {
		if int(m.Dash) != int(m.Ink)-2 {
			t.Errorf("line %s has the dash %d and the ink %d", m.Name, m.Dash, m.Ink)
		}
	}
	if body := string(figures[0].view().Drawings[0].Body); strings.Count(body, "stroke-dasharray") != 2 {
		t.Errorf("of three lines %d have dashes", strings.Count(body, "stroke-dasharray"))
	}
}
