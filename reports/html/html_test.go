package html

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	stdhtml "html"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// play runs a bundled scenario as berth run --out does.
func play(t testing.TB, name string, o scenarios.Options) string {
	t.Helper()
	s, err := scenarios.Load("../../scenarios/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Build(o)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	dir := filepath.Join(t.TempDir(), name)
	w, err := rundir.NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	ledger := metric.NewLedger()
	cfg := run.Config
	cfg.Record = func(r *record.Record) {
		ledger.Observe(r)
		w.Record(r)
	}
	if _, err := world.New(cfg).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	summary := ledger.Summary(metric.Facts{Scenario: cfg.Name, Policy: run.Policy.Name, Seed: *run.Recipe.Seed})
	m := rundir.Manifest{Version: "test", Scenario: cfg.Name, Recipe: run.Recipe, Ended: summary.Run.Ended}
	if err := w.Close(m, summary, ledger); err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t testing.TB, dirs ...string) *Report {
	t.Helper()
	r, err := Read(savedRuns(dirs...), func(int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t testing.TB, r *Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// seed is a seed for options.
var (
	rowPattern    = regexp.MustCompile(`<tr data-scope="([^"]*)" data-name="([^"]*)" data-key="([^"]*)">(.*)</tr>`)
	numberPattern = regexp.MustCompile(`data-number="([^"]*)"`)
)

// shownFigures are the figures that a page shows for one of its runs, by scope, name and
// key.
func shownFigures(page string, run int) map[[3]string]string {
	out := map[[3]string]string{}
	for _, row := range rowPattern.FindAllStringSubmatch(page, -1) {
		numbers := numberPattern.FindAllStringSubmatch(row[4], -1)
		out[[3]string{row[1], stdhtml.UnescapeString(row[2]), stdhtml.UnescapeString(row[3])}] = stdhtml.UnescapeString(numbers[run][1])
	}
	return out
}

// savedFigures are the figures of summary.json.
func savedFigures(t testing.TB, dir string) map[[3]string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, rundir.SummaryFile))
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Metrics map[string]json.RawMessage }
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	out := map[[3]string]string{}
	add := func(scope, name string, text json.RawMessage) {
		var values map[string]json.RawMessage
		if err := json.Unmarshal(text, &values); err != nil {
			t.Fatal(err)
		}
		for key, value := range values {
			out[[3]string{scope, name, key}] = strings.TrimPrefix(string(value), "null")
		}
	}
	for scope, text := range s.Metrics {
		if scope == "run" {
			add(scope, "", text)
			continue
		}
		var named map[string]json.RawMessage
		if err := json.Unmarshal(text, &named); err != nil {
			t.Fatal(err)
		}
		for name, values := range named {
			add(scope, name, values)
		}
	}
	return out
}

func compareFigures(t *testing.T, page, dir string, run int) {
	t.Helper()
	shown, saved := shownFigures(page, run), savedFigures(t, dir)
	if len(saved) < 100 {
		t.Fatalf("there are %d figures", len(saved))
	}
	for key, want := range saved {
		if got, ok := shown[key]; !ok || got != want {
			t.Errorf("%v is shown as %q (%v), want %q", key, got, ok, want)
		}
	}
}

func TestFiguresAreThoseOfTheSummary(t *testing.T) {
	for _, name := range []string{"quickstart", "preemption", "gpu-fleet"} {
		t.Run(name, func(t *testing.T) {
			dir := play(t, name, scenarios.Options{})
			page := written(t, read(t, dir))
			compareFigures(t, page, dir, 0)
			if shown, saved := len(shownFigures(page, 0)), len(savedFigures(t, dir)); shown != saved {
				t.Errorf("%d figures are shown, want %d", shown, saved)
			}
		})
	}
}

func TestSeveralRuns(t *testing.T) {
	dirs := []string{
		play(t, "quickstart", scenarios.Options{}),
		play(t, "quickstart", scenarios.Options{Recipe: recipe.Recipe{Seed: new(uint64(8))}}),
		play(t, "quickstart", scenarios.Options{Recipe: recipe.Recipe{Seed: new(uint64(9))}}),
		play(t, "preemption", scenarios.Options{}),
	}
	r := read(t, dirs...)
	page := written(t, r)
	for i, dir := range dirs {
		compareFigures(t, page, dir, i)
	}
	var labels []string
	for _, run := range r.runs {
		labels = append(labels, run.label)
	}
	if got := strings.Join(labels, "; "); got != "quickstart, seed 7; quickstart, seed 8; quickstart, seed 9; preemption, seed 3" {
		t.Errorf("the runs are called %s", got)
	}
	if _, err := Read(savedRuns(append(dirs, dirs[0])...), nil); err == nil {
		t.Error("five runs were taken")
	}
}

// What has the same name in two runs has the same ink.
func TestInksOfSeveralRuns(t *testing.T) {
	r := read(t, play(t, "quickstart", scenarios.Options{}), play(t, "gang-deadlock", scenarios.Options{}))
	for _, family := range r.timeFigures()[2:4] {
		inks := map[string]chart.Ink{}
		for _, f := range family {
			for _, m := range f.chart.Marks {
				if was, known := inks[m.Name]; known && was != m.Ink {
					t.Errorf("%s: %s has the inks %d and %d", f.title, m.Name, was, m.Ink)
				}
				inks[m.Name] = m.Ink
			}
		}
	}
}

// A difference between runs with the same arrivals is marked where it matters. No single run is called better or worse than
// another.
func TestVerdictsOfSeveralRuns(t *testing.T) {
	packing := scenarios.Options{Recipe: recipe.Recipe{Policy: "../../scenarios/policies/most-allocated.yaml"}}
	first := play(t, "quickstart", scenarios.Options{})
	r := read(t, first, play(t, "quickstart", packing), play(t, "quickstart", scenarios.Options{Recipe: recipe.Recipe{Seed: new(uint64(8))}}))
	words := map[metric.Verdict]int{}
	for _, m := range []string{"placement.pending", "placement.completed", "placement.arrived", "utilization.cost"} {
		declared := metric.Named(m)
		cells := r.cells(func(s *metric.Summary) metric.Value { return s.Scopes[0].Of(declared, "") })
		want := map[string]metric.Verdict{
			"placement.pending": metric.Differs, "placement.completed": metric.Unjudged, // 8 fewer; 3 more of some 4,000
			"placement.arrived": metric.Unjudged, "utilization.cost": metric.Unjudged, // none is better; they are the same
		}[m]
		if got := [3]metric.Verdict{cells[0].Verdict, cells[1].Verdict, cells[2].Verdict}; got != [3]metric.Verdict{"", want, ""} {
			t.Errorf("%s: the verdicts are %q, want %q on the second run alone: %+v", m, got, want, cells)
		}
	}
	for _, group := range r.compared() {
		for _, row := range group.Rows {
			words[row.Cells[1].Verdict]++
		}
	}
	page, text := written(t, r), &bytes.Buffer{}
	if err := r.WriteMarkdown(text); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), ", differs |"); n != words[metric.Differs] || n == 0 {
		t.Errorf("%q is in Markdown %d times, want %d", metric.Differs, n, words[metric.Differs])
	}
	if word := `<span class="verdict differs"> differs</span>`; strings.Count(page, word) < words[metric.Differs] {
		t.Errorf("the page has %s less than %d times", word, words[metric.Differs])
	}
	for _, v := range []metric.Verdict{metric.Better, metric.Worse} {
		if strings.Contains(page, fmt.Sprintf(`"verdict %s"`, v)) || strings.Contains(text.String(), ", "+string(v)) {
			t.Errorf("a single run is called %s", v)
		}
	}
}

// A run twice differs in nothing.
func TestTheSameRunTwice(t *testing.T) {
	dir := play(t, "gang-deadlock", scenarios.Options{})
	r := read(t, dir, dir)
	for _, group := range r.compared() {
		for _, row := range group.Rows {
			if row.Differs || row.Cells[1].Change != "=" && row.Cells[1].Number != "" {
				t.Errorf("%s %s differs: %+v", row.Title, row.Label, row.Cells)
			}
		}
	}
	if r.runs[0].label == r.runs[1].label {
		t.Errorf("both runs are called %s", r.runs[0].label)
	}
}

func TestSameBytes(t *testing.T) {
	dir := play(t, "quickstart", scenarios.Options{})
	var pages []string
	for range 2 {
		r := read(t, dir)
		var text bytes.Buffer
		if err := r.WriteMarkdown(&text); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, written(t, r)+text.String())
	}
	if pages[0] != pages[1] {
		t.Error("the second report differs from the first")
	}
}

// A page opens from a disk without a network.
func TestSelfContained(t *testing.T) {
	page := written(t, read(t, play(t, "quickstart", scenarios.Options{})))
	for _, pattern := range []string{`https?://`, `\bsrc=`, `url\(`, `@import`, `<link`, `\bfetch\(`, `XMLHttpRequest`, `ZgotmplZ`} {
		if found := regexp.MustCompile(pattern).FindString(page); found != "" {
			t.Errorf("the page has %s", found)
		}
	}
	if policy := `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-`; !strings.Contains(page, policy) || strings.Index(page, policy) > strings.Index(page, "<style>") {
		t.Errorf("the page may load what it likes: %s", page[:512])
	}
	if !strings.Contains(page[:512], Mark) {
		t.Errorf("the mark is not at the beginning: %s", page[:512])
	}
	if ids := regexp.MustCompile(`\sid="([^"]+)"`).FindAllStringSubmatch(page, -1); true {
		seen := map[string]bool{}
		for _, id := range ids {
			if seen[id[1]] {
				t.Errorf("there are two elements of id %s", id[1])
			}
			seen[id[1]] = true
		}
	}
}

// near reports whether two figures are equal except for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b), 1e-3) }

// What a page shows beside the metrics must add up to them.
func TestViewsAddUpToMetrics(t *testing.T) {
	for _, name := range []string{"quickstart", "preemption", "gang-deadlock", "gpu-fleet", "heterogeneous", "diurnal"} {
		t.Run(name, func(t *testing.T) {
			run := read(t, play(t, name, scenarios.Options{})).runs[0]
			addUpHeat(t, run)
			sum := 0.0
			for _, reason := range run.pending.reasons {
				for _, mean := range reason.means {
					sum += mean / float64(run.pending.count)
				}
			}
			if want := run.Figure("throughput.pendingMean", ""); math.Abs(sum-want) > 1e-4*max(want, 1) {
				t.Errorf("%v pods are pending in the mean, want %v", sum, want)
			}
			compareMainReasons(t, run)
			whole := 0
			for _, g := range run.gangs.gangs {
				if g.whole >= 0 {
					whole++
				}
			}
			if want := run.Figure("placement.gangsWhole", ""); float64(whole) != want {
				t.Errorf("%d gangs became whole, want %v", whole, want)
			}
			if want := run.Figure("placement.preemptions", ""); float64(run.losses.attempts) != want {
				t.Errorf("%d attempts chose victims, want %v", run.losses.attempts, want)
			}
			victims := 0
			for _, p := range run.losses.costly {
				victims += p.taken
			}
			if want := run.Figure("placement.victims", ""); run.losses.attempts < 1000 && float64(victims) != want {
				t.Errorf("there are %d victims, want %v", victims, want)
			}
			if most, want := slices.Max(run.pending.peaks), run.Figure("throughput.pendingMax", ""); most != want {
				t.Errorf("%v pods are pending at most, want %v", most, want)
			}
			unbound := run.Figure("placement.pending", "") + run.Figure("placement.waiting", "")
			if got := run.worst.unboundAll; float64(got) < unbound || len(run.worst.unbound.pods) != min(got, run.limits.pods/2) {
				t.Errorf("%d of %d pods that are not bound at the end are shown; %v are pending or wait in Permit", len(run.worst.unbound.pods), got, unbound)
			}
			if longest := run.worst.byWait.pods; len(longest) > 0 {
				if want := run.Figure("placement.waitToBind", "max"); longest[0].bound >= 0 && longest[0].waited(run.end).Seconds() != want {
					t.Errorf("the longest wait is %v, want %v", longest[0].waited(run.end), want)
				}
			}
		})
	}
}

// compareMainReasons compares the pods that are pending at the end, by reason, with the metric of them.
func compareMainReasons(t *testing.T, run *run) {
	t.Helper()
	got, want := map[string]float64{}, map[string]float64{}
	for _, reason := range run.pending.reasons {
		if reason.level != 0 {
			got[reason.label] += float64(reason.level)
		}
	}
	for _, v := range run.Summary.Scopes[0].Values {
		if v.Metric.Name == "placement.pendingMainReason" {
			want[v.Label] = v.Value
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("pods are pending at the end for %v, want %v", got, want)
	}
}

func addUpHeat(t *testing.T, run *run) {
	t.Helper()
	for i, resource := range run.heat.resources {
		want := run.Figure("utilization.allocated", resource)
		if resource == devicesRow {
			want = run.Figure("devices.allocated", "")
		}
		for _, g := range run.heat.groupings() {
			used, whole, all := 0.0, 0.0, 0
			rows, nodes := run.heat.sums(&g, i)
			for row, sum := range rows {
				all += nodes[row]
				for column := range sum.used {
					used, whole = used+sum.used[column], whole+sum.whole[column]
				}
			}
			if !near(used/whole, want) || all != len(run.nodes) {
				t.Errorf("%s by %s: %v was allocated on %d nodes in the mean, want %v on %d", resource, g.name, used/whole, all, want, len(run.nodes))
			}
		}
	}
	for _, n := range run.nodes {
		if len(n.levels) != run.heat.count*len(run.heat.resources) {
			t.Errorf("node %s has %d levels", n.name, len(n.levels))
		}
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		used, whole float64
		want        byte
	}{
		{0, 0, levelAbsent}, {0, 10, levelEmpty}, {0.1, 10, 2}, {1, 10, 2}, {1.01, 10, 3}, {5, 10, 6}, {9.5, 10, 11}, {10, 10, 11}, {10.1, 10, levelOver},
	} {
		if got := level(c.used, c.whole); got != c.want {
			t.Errorf("level of %v of %v is %d, want %d", c.used, c.whole, got, c.want)
		}
	}
}

func TestColumns(t *testing.T) {
	for _, end := range []clock.Time{0, 1, 7, 10 * clock.Second, 24 * clock.Hour} {
		c := newColumns(end, 240)
		if c.edge(c.count) != end {
			t.Errorf("%v: the last column ends at %v", end, c.edge(c.count))
		}
		for i := range c.count {
			if end > 0 && (c.of(c.edge(i)) != i || c.edge(i) > c.edge(i+1)) {
				t.Errorf("%v: column %d begins at %v, which is in column %d", end, i, c.edge(i), c.of(c.edge(i)))
			}
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string]string{
		"default/web-12": "default/web- 13", "web-0": "web- 1", "web-007": "web-00 8", "web": "web 0", "12345678901": "12 345678902", "": " 0",
	} {
		prefix, n := splitName(name)
		if got := fmt.Sprintf("%s %d", prefix, n); got != want {
			t.Errorf("%q is split into %s, want %s", name, got, want)
		}
	}
}

// Of more stays than a page has room for, the longest are shown, and the others counted.
func TestLongestStaysAreTold(t *testing.T) {
	c := newCollector(1000, nil, limits{columns: 1, heatColumns: 1, occupancies: 3})
	c.nodes = make([]node, 2)
	for i, length := range []clock.Time{5, 900, 7, 300, 6, 301} {
		c.occupancies = append(c.occupancies, occupancy{node: int32(i % 2), number: int64(i), name: "p", from: clock.Time(i), to: clock.Time(i) + length})
	}
	shown := ""
	for _, s := range c.longestOccupancies() {
		shown += fmt.Sprintf(" %d on %d", s.number, s.node)
	}
	if want := " 1 on 1 3 on 1 5 on 1"; shown != want {
		t.Errorf("shown are%s, want%s", shown, want)
	}
	out := c.encodeOccupancies(c.longestOccupancies(), &nodesHeader{})
	if !bytes.HasPrefix(out, []byte{0, 3, 3, 0}) {
		t.Errorf("counts are %v, want 0 of 3 on the first node, 3 of 3 on the second", out[:4])
	}
}

func TestMarkdownOfSeveralRuns(t *testing.T) {
	r := read(t, play(t, "quickstart", scenarios.Options{}), play(t, "quickstart", scenarios.Options{Recipe: recipe.Recipe{Seed: new(uint64(8))}}))
	var b bytes.Buffer
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		MarkdownMark + "\n", "## quickstart: seed 7\n", "## quickstart: seed 8\n",
		"| metric | seed 7 | seed 8 | difference |", "| arrived | 5,016 |", " the same in all runs. ",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, b.String())
		}
	}
}

func BenchmarkReport(b *testing.B) {
	dir := play(b, "quickstart", scenarios.Options{})
	records := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		r := read(b, dir)
		if records = r.runs[0].Records; records == 0 || written(b, r) == "" {
			b.Fatal("nothing was reported")
		}
	}
	b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// savedRuns are saved runs under the names of their directories.
func savedRuns(dirs ...string) []Source {
	out := make([]Source, len(dirs))
	for i, dir := range dirs {
		out[i].Dir = dir
	}
	return out
}
