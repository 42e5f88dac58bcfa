package metric

import (
	"bytes"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // registers -rewrite

	"github.com/berth-sim/berth/reports/goldentest"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
)

func TestMetricReferenceIsUpToDate(t *testing.T) {
	var b bytes.Buffer
	if err := WriteList(&b, output.View{Format: output.Markdown}); err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "../../docs/metrics.md", b.Bytes())
}

func TestMetricLists(t *testing.T) {
	for _, format := range output.Formats {
		var b bytes.Buffer
		if err := WriteList(&b, output.View{Format: format, Width: 80}); err != nil {
			t.Fatal(err)
		}
		for i := range All {
			if !strings.Contains(b.String(), All[i].Name) {
				t.Errorf("%s: %s is missing", format, All[i].Name)
			}
		}
	}
	if err := WriteList(&bytes.Buffer{}, output.View{Format: "html"}); err == nil {
		t.Error("an unknown format is not an error")
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
