package goal_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/metric"
)

// summaryOf has the values that lines like "placement.pending 3" give, some of them of parts
// of the run; "-" is none.
func summaryOf(t *testing.T, lines string) *metric.Summary {
	t.Helper()
	s := &metric.Summary{Scopes: []metric.ScopeValues{{Scope: metric.ScopeRun}}}
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		space := strings.LastIndex(line, " ")
		number := line[space+1:]
		key, err := metric.ParseKey(line[:space])
		if err != nil {
			t.Fatal(err)
		}
		v := math.NaN()
		if number != "-" {
			if v, err = strconv.ParseFloat(number, 64); err != nil {
				t.Fatal(err)
			}
		}
		at := slices.IndexFunc(s.Scopes, func(of metric.ScopeValues) bool {
			return of.Scope == max(key.Scope, metric.ScopeRun) && of.Name == key.Name
		})
		if at < 0 {
			at = len(s.Scopes)
			s.Scopes = append(s.Scopes, metric.ScopeValues{Scope: key.Scope, Name: key.Name})
		}
		s.Scopes[at].Values = append(s.Scopes[at].Values, metric.Value{Metric: key.Metric, Label: key.Label, Value: v})
	}
	return s
}

// TestScript: "run" gives the figures of a run; "goal" judges it by a goal, "parse" shows
// its terms.
func TestScript(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var s *metric.Summary
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "run" {
				s = summaryOf(t, d.Input)
				return ""
			}
			var b strings.Builder
			for line := range strings.Lines(d.Input) {
				g, err := goal.Parse(strings.TrimRight(line, "\n"))
				if err != nil {
					fmt.Fprintln(&b, err)
					continue
				}
				if d.Cmd == "parse" {
					for _, term := range g.Terms {
						fmt.Fprintf(&b, "%s  reads %v\n", term.Text, term.Keys)
					}
					continue
				}
				if err := g.Check([]*metric.Summary{s}); err != nil {
					fmt.Fprintln(&b, err)
				}
				for i, o := range g.Judge(s) {
					fmt.Fprintf(&b, "%v: %s\n", o.Holds, g.Terms[i].Explain(o.Values))
				}
			}
			return b.String()
		})
	})
}

// The terms that the documentation shows are terms.
func TestDocumentedTerms(t *testing.T) {
	page, err := os.ReadFile("../../docs/plan.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| term | meaning |")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(table, -1)
	if len(rows) < 5 {
		t.Fatalf("there are %d of them", len(rows))
	}
	for _, row := range rows {
		if _, err := goal.Parse(row[1]); err != nil {
			t.Errorf("%s: %v", row[1], err)
		}
	}
}

// FuzzParse: whatever is read, a goal or its faults come of it, and a goal can be judged.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"placement.pending == 0 && placement.waitToBind[p99] < 30s", "utilization.allocated[cpu] > 60% ", "!(placement.pending>1 or true)",
		`fragmentation.largest["memory"] >= 8Gi`, "((", "a[", "1e-3 < placement.pending", "placement.pending % 2 == 0", "'", "0x1p-2", "and", "5m",
		"placement.pending == 0 and placement.found == 0", "placement?.pending > 1", "placement.pending{workload=web} == 0", "placement.waitToBind[p99]{priority=-1}<1 && {", "{pool=\"}", "𝟘 < 1", "()", "placement.pending in [1,2]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := goal.Parse(text)
		if err != nil {
			var e *goal.Error
			if !errors.As(err, &e) || e.Column < 1 || e.Column > len([]rune(text))+1 {
				t.Errorf("%q: %#v", text, err)
			}
			return
		}
		for i, o := range g.Judge(&metric.Summary{Scopes: make([]metric.ScopeValues, 1)}) {
			g.Terms[i].Explain(o.Values)
		}
	})
}
