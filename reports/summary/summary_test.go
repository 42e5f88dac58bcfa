package summary

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	_ "github.com/cockroachdb/datadriven" // registers -rewrite

	"github.com/berth-sim/berth/reports/goldentest"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

func TestRenderedSummaries(t *testing.T) {
	l := metric.NewLedger()
	recordtest.Random(1, 4000, 24, l.Observe)
	s := l.Summary(metric.Facts{Scenario: "toy", Policy: "default", Seed: 7})
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
			goldentest.Compare(t, fmt.Sprintf("testdata/summary-%d.%s", view.Width, view.Format), b.Bytes())
		}
	}
	if err := Render(&bytes.Buffer{}, s, output.View{Format: "html"}); err == nil {
		t.Error("an unknown format is not an error")
	}
}

func TestSummaryOfNothing(t *testing.T) {
	for _, format := range output.Formats {
		if err := Render(&bytes.Buffer{}, metric.NewLedger().Summary(metric.Facts{}), output.View{Format: format, Width: 80, All: true}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}
