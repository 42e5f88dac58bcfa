package reports

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	_ "github.com/cockroachdb/datadriven" // registers -rewrite

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// golden compares with a file, or writes it under -rewrite.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date; rewrite it with -rewrite. It should be\n%s", file, got)
	}
}

func TestMetricReferenceIsUpToDate(t *testing.T) {
	var b bytes.Buffer
	if err := WriteMetrics(&b, output.View{Format: output.Markdown}); err != nil {
		t.Fatal(err)
	}
	golden(t, "../docs/metrics.md", b.Bytes())
}

func TestRenderedSummaries(t *testing.T) {
	l := NewLedger()
	recordtest.Random(1, 4000, 24, l.Observe)
	s := l.Summary(Facts{Scenario: "toy", Policy: "default", Seed: 7})
	for _, view := range []output.View{
		{Format: output.Table, Width: 80, All: false}, {Format: output.Table, Width: 160, All: false}, {Format: output.Table, Width: 80, All: true}, {Format: output.Table, Width: 160, All: true},
		{Format: output.Markdown, Width: 0, All: false}, {Format: output.JSON, Width: 0, All: false}, {Format: output.CSV, Width: 0, All: false},
	} {
		var b bytes.Buffer
		if err := Render(&b, s, view); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); view.Format == output.Table && width > view.Width {
				t.Errorf("a line has %d columns, there are %d: %s", width, view.Width, line)
			}
		}
		if !view.All {
			golden(t, fmt.Sprintf("testdata/summary-%d.%s", view.Width, view.Format), b.Bytes())
		}
	}
	if err := Render(&bytes.Buffer{}, s, output.View{Format: "html"}); err == nil {
		t.Error("an unknown format is not an error")
	}
}

func TestSummaryOfNothing(t *testing.T) {
	for _, format := range output.Formats {
		if err := Render(&bytes.Buffer{}, NewLedger().Summary(Facts{}), output.View{Format: format, Width: 80, All: true}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestUnitsForPeople(t *testing.T) {
	for _, c := range []struct {
		unit  Unit
		label string
		value float64
		want  string
	}{
		{UnitPods, "", 1234567, "1,234,567"}, {UnitPods, "", 2.25, "2.2"}, {UnitPods, "", -1000, "-1,000"}, {UnitPods, "", noValue, human.None},
		{UnitShare, "", 0.1234, "12.3 %"}, {UnitRatio, "", 0.5, "0.500"}, {UnitCost, "", 1234.5, "1,234.50"},
		{UnitSeconds, "", 0, "0 s"}, {UnitSeconds, "", 0.00025, "250 µs"}, {UnitSeconds, "", 0.0425, "42.5 ms"},
		{UnitSeconds, "", 1e-9, "1 ns"}, {UnitSeconds, "", 1.5e-9, "1.5 ns"}, {UnitSeconds, "", 999e-9, "999 ns"}, {UnitSeconds, "", 1e-6, "1.00 µs"},
		{UnitSeconds, "", 119.4, "119 s"}, {UnitSeconds, "", 119.97, "2.00 min"}, {UnitSeconds, "", 120, "2.00 min"},
		{UnitSeconds, "", 119.7 * 60, "2.00 h"}, {UnitSeconds, "", 71.96 * 3600, "3.00 d"}, {UnitPodSeconds, "", 119.97, "2.00 pod·min"},
		{UnitSeconds, "", 61, "61.0 s"}, {UnitSeconds, "", 300, "5.00 min"}, {UnitSeconds, "", 7200, "2.00 h"}, {UnitSeconds, "", 864000, "10.0 d"},
		{UnitPerSecond, "", 12.34, "12.3 /s"}, {UnitPerSecond, "", 0.05, "3.00 /min"}, {UnitPerSecond, "", 0.001, "3.60 /h"}, {UnitPerSecond, "", 0, "0 /s"},
		{UnitAmount, "cpu", 250, "250m"}, {UnitAmount, "cpu", 1500, "1.5 cores"}, {UnitAmount, "memory", 3 << 29, "1.5 GiB"},
		{UnitAmount, "memory", 512, "512 B"}, {UnitAmount, "gpu", 8, "8"}, {UnitAmount, "hugepages-2Mi", 2 << 20, "2 MiB"},
		{UnitAmountSeconds, "cpu", 7.2e9, "2,000 core·h"}, {UnitAmountSeconds, "memory", 60 << 30, "60.0 GiB·s"}, {UnitAmountSeconds, "gpu", 600, "10.0 unit·min"},
		{UnitNodeHours, "", 2.5, "2.5"}, {UnitPodSeconds, "", 90, "90.0 pod·s"},
	} {
		if got := c.unit.Text(c.label, c.value); got != c.want {
			t.Errorf("human(%s, %s, %v) = %q, want %q", c.unit, c.label, c.value, got, c.want)
		}
	}
}

func TestPlacements(t *testing.T) {
	attempts := []PlaceAttempt{
		{
			Pod: "default/a", Attempt: 1, Node: "n2", Feasible: 2, Evaluated: 3, TieSet: []string{"n2", "n1"}, MaxScore: 190, StartIndex: 1,
			Scores: []NodeScores{
				{"n2", []PluginScore{{"TaintToleration", 100}, {"ImageLocality", 90}}, 190},
				{"n1", []PluginScore{{"ImageLocality", 90}, {"TaintToleration", 100}}, 190},
			},
		},
		{
			Pod: "kube-system/b", Attempt: 1, Evaluated: 3, Nominated: "n1", Victims: []string{"default/a", "default/c"},
			Reasons: []record.ReasonCount{{Plugin: "NodeName", Reason: "b", Nodes: 1}, {Plugin: "Fit", Reason: "z", Nodes: 2}, {Plugin: "Fit", Reason: "y", Nodes: 1}},
			Message: "0/3 nodes are available: 1 b, 1 y, 2 z.",
		},
		{Pod: "kube-system/b", Attempt: 2, Node: "n1", Feasible: 1, Evaluated: 3, TieSet: []string{"n1"}},
		{Pod: "default/<d>", Attempt: 1, Evaluated: 3, Message: "no"},
	}
	for _, c := range []struct {
		file   string
		view   output.View
		scores bool
	}{
		{"place.jsonl", output.View{Format: output.JSONL}, false},
		{"place-scores.jsonl", output.View{Format: output.JSONL}, true},
		{"place.table", output.View{Format: output.Table, Width: 80}, false},
	} {
		var b bytes.Buffer
		w := NewPlaceWriter(&b, c.view, c.scores)
		for i := range attempts {
			if err := w.Attempt(&attempts[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.RolledBack("default/d", "another member lost its node"); err != nil {
			t.Fatal(err)
		}
		if err := w.Gated("default/e", "waiting for scheduling gates: [quota]"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(place.Result{Pods: 6, Placed: 2, Pending: 1, Gated: 1, Waiting: 1, Gone: 1}); err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/"+c.file, b.Bytes())
	}
	if err := NewPlaceWriter(&bytes.Buffer{}, output.View{Format: "csv"}, false).Attempt(&attempts[0]); err == nil {
		t.Error("an unknown format is not an error")
	}
}

func TestMetricLists(t *testing.T) {
	for _, format := range output.Formats {
		var b bytes.Buffer
		if err := WriteMetrics(&b, output.View{Format: format, Width: 80}); err != nil {
			t.Fatal(err)
		}
		for i := range Metrics {
			if !strings.Contains(b.String(), Metrics[i].Name) {
				t.Errorf("%s: %s is missing", format, Metrics[i].Name)
			}
		}
	}
	if err := WriteMetrics(&bytes.Buffer{}, output.View{Format: "html"}); err == nil {
		t.Error("an unknown format is not an error")
	}
}

func BenchmarkPlaceTable(b *testing.B) {
	const pods = 8000
	b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			w := NewPlaceWriter(&out, output.View{Format: output.Table, Width: 80}, false)
			for i := range pods {
				if err := w.Attempt(&PlaceAttempt{Pod: fmt.Sprintf("default/pod-%d", i), Node: "n", Feasible: 5, Evaluated: 5}); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(place.Result{Pods: pods, Placed: pods}); err != nil || out.Len() < pods*20 {
				b.Fatal("the table is not whole")
			}
		}
	})
}
