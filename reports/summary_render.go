package reports

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Render writes the summary in the view's format.
func (s *Summary) Render(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{
		Table:    func(width int) (string, error) { return s.text(width, view.All) },
		Markdown: func() string { return s.markdown(view.All) },
		JSON:     func() any { return s },
		CSV:      s.csv,
	})
}

func (s *Summary) markdown(all bool) string {
	var b strings.Builder
	for i, line := range s.answer(math.MaxInt) {
		line = table.EscapeMarkdown(line)
		if i == 0 {
			line = "# " + line + "\n"
		}
		b.WriteString(line + "\n")
	}
	for _, section := range s.Sections(all) {
		b.WriteString(section.Markdown())
	}
	return b.String()
}

// text is the short answer, then the tables, side by side where there is room.
func (s *Summary) text(width int, all bool) (string, error) {
	var b strings.Builder
	b.WriteString(strings.Join(s.answer(width), "\n") + "\n")
	for _, section := range s.Sections(all) {
		text, err := section.Text(width)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Answer is what ran and how it went: a title and two sentences.
func (s *Summary) Answer() []string { return s.answer(math.MaxInt) }

// answer is the title and the lines of the two sentences.
func (s *Summary) answer(width int) []string {
	title := s.Run.Scenario
	if title == "" {
		title = "run"
	}
	if s.Run.Partial {
		title += " (partial)"
	}
	return append([]string{title}, append(table.Wrap(s.ran(), width), table.Wrap(s.went(), width)...)...)
}

// figure is the value of a metric without labels for the whole run.
func (s *Summary) figure(metric string) float64 { v, _ := s.Value(metric, ""); return v }

// ran is what ran.
func (s *Summary) ran() string {
	text := fmt.Sprintf("%s on %s, %s of virtual time", human.Counted(s.figure("placement.arrived"), "pod"),
		human.Counted(s.figure("utilisation.nodes"), "node"), human.Seconds(s.Run.VirtualSeconds))
	if s.Run.Policy != "" {
		text += ", policy " + s.Run.Policy
	}
	return text + fmt.Sprintf(", seed %d", s.Run.Seed)
}

// went is how it went.
func (s *Summary) went() string {
	scheduled, pending := s.figure("placement.scheduled"), s.figure("placement.pending")
	tried := s.figure("placement.arrived") - s.figure("placement.found")
	text := fmt.Sprintf("%s of %s scheduled", human.Number(scheduled, 0), human.Counted(tried, "pod"))
	if tried > 0 {
		text += fmt.Sprintf(" (%s)", human.Share(scheduled/tried))
	}
	if waits := s.figure("placement.waiting"); waits > 0 {
		text += fmt.Sprintf(", %s waiting in Permit", human.Number(waits, 0))
	}
	text += fmt.Sprintf(", %s pending%s", human.Number(pending, 0), map[string]string{
		"horizon": " at the horizon", "done": " at the end", "interrupted": " when it was interrupted",
	}[s.Run.Ended])
	for _, v := range s.Scopes[0].Values {
		if v.Metric.Name == "placement.pendingReason" {
			return text + fmt.Sprintf("; most for %q (%s)", v.Label, human.Number(v.Value, 0))
		}
	}
	return text
}
