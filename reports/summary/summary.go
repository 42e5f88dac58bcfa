// Package summary shows the summary of a run: a short answer and tables of its metrics.
package summary

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Render writes the summary in the view's format.
func Render(w io.Writer, s *metric.Summary, view output.View) error {
	return view.Write(w, output.Forms{
		Table:    func(width int) (string, error) { return text(s, width, view.All) },
		Markdown: func() string { return markdown(s, view.All) },
		JSON:     func() any { return s },
		CSV:      func() [][]string { return csvRows(s) },
	})
}

func markdown(s *metric.Summary, all bool) string {
	var b strings.Builder
	for i, line := range answer(s, math.MaxInt) {
		line = table.EscapeMarkdown(line)
		if i == 0 {
			line = "# " + line + "\n"
		}
		b.WriteString(line + "\n")
	}
	for _, section := range Sections(s, all) {
		b.WriteString(section.Markdown())
	}
	return b.String()
}

// text returns the answer, then the tables, side by side if there is room.
func text(s *metric.Summary, width int, all bool) (string, error) {
	var b strings.Builder
	b.WriteString(strings.Join(answer(s, width), "\n") + "\n")
	for _, section := range Sections(s, all) {
		text, err := section.Text(width)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Answer returns a title and two sentences: what ran, and what came of its pods.
func Answer(s *metric.Summary) []string { return answer(s, math.MaxInt) }

// answer returns the title and the lines of the two sentences.
func answer(s *metric.Summary, width int) []string {
	title := s.Run.Scenario
	if title == "" {
		title = "run"
	}
	if s.Run.Partial {
		title += " (partial)"
	}
	return append([]string{title}, append(table.Wrap(describeRun(s), width), table.Wrap(describeResult(s), width)...)...)
}

// figure returns the value of a metric without labels for the whole run.
func figure(s *metric.Summary, metric string) float64 { v, _ := s.Value(metric, ""); return v }

// describeRun says how large the run was and how it was made.
func describeRun(s *metric.Summary) string {
	text := fmt.Sprintf("%s on %s, %s of virtual time", human.Counted(figure(s, "placement.arrived"), "pod"),
		human.Counted(figure(s, "utilization.nodes"), "node"), human.Seconds(s.Run.VirtualSeconds))
	if s.Run.Policy != "" {
		text += ", policy " + s.Run.Policy
	}
	if s.Run.Kubernetes != "" {
		text += ", Kubernetes " + s.Run.Kubernetes
	}
	return text + fmt.Sprintf(", seed %d", s.Run.Seed)
}

// describeResult says how many pods were scheduled, and why most of the others were not.
func describeResult(s *metric.Summary) string {
	scheduled, pending := figure(s, "placement.scheduled"), figure(s, "placement.pending")
	tried := figure(s, "placement.arrived") - figure(s, "placement.found")
	text := fmt.Sprintf("%s of %s scheduled", human.Number(scheduled, 0), human.Counted(tried, "pod"))
	if tried > 0 {
		text += fmt.Sprintf(" (%s)", human.Share(scheduled/tried))
	}
	if waits := figure(s, "placement.waiting"); waits > 0 {
		text += fmt.Sprintf(", %s waiting in Permit", human.Number(waits, 0))
	}
	text += fmt.Sprintf(", %s pending%s", human.Number(pending, 0), map[string]string{
		"horizon": " at the horizon", "done": " at the end", "interrupted": " when it was interrupted",
	}[s.Run.Ended])
	for _, v := range s.Scopes[0].Values {
		if v.Metric.Name == "placement.pendingMainReason" {
			return text + fmt.Sprintf("; most for %q (%s)", v.Label, human.Number(v.Value, 0))
		}
	}
	return text
}

// csvRows returns one value a row: metric, scope, name of the scope, label, unit, value. The value is empty for NaN.
func csvRows(s *metric.Summary) [][]string {
	rows := [][]string{{"metric", "scope", "name", "label", "unit", "value"}}
	for _, values := range s.Scopes {
		for _, v := range values.Values {
			rows = append(rows, []string{
				v.Metric.Name, values.Scope.String(), values.Name, v.Label, v.Metric.Unit.Of(v.Label), v.Number(),
			})
		}
	}
	return rows
}
