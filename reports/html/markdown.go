package html

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/berth-sim/berth/reports/chart"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/summary"
	"github.com/berth-sim/berth/reports/table"
)

// MarkdownMark is in the first line of every report in Markdown, where it does not show.
const MarkdownMark = "<!-- berth report -->"

// WriteMarkdown writes a short report for a pull request: the answers, and the headlines,
// of several runs side by side. Its errors are those of the writer.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(MarkdownMark + "\n")
	for _, run := range r.runs {
		answer := summary.Answer(run.Summary)
		b.WriteString("## " + table.EscapeMarkdown(r.heading(run, answer[0])) + "\n\n")
		for _, line := range answer[1:] {
			b.WriteString(table.EscapeMarkdown(line) + ".\n")
		}
		b.WriteString("\n")
	}
	if len(r.runs) == 1 {
		for _, section := range summary.Sections(r.runs[0].Summary, false) {
			fmt.Fprintf(&b, "<details><summary>%s</summary>\n", section.Title)
			for _, t := range section.Tables {
				b.WriteString("\n" + t.Markdown())
			}
			b.WriteString("\n</details>\n")
		}
	} else {
		if text := r.whyIncomparable(); text != "" {
			b.WriteString("**" + table.EscapeMarkdown(text) + "**\n\n")
		}
		r.compareInMarkdown(&b)
	}
	_, err := b.WriteTo(w)
	return err
}

// heading names a run: its title, and its label where there are several.
func (r *Report) heading(run *run, title string) string {
	if len(r.runs) == 1 {
		return title
	}
	for _, other := range r.runs {
		if other.Manifest.Scenario != run.Manifest.Scenario {
			return title + strings.TrimPrefix(run.label, run.Manifest.Scenario) // the label has the name too
		}
	}
	return title + ": " + run.label
}

// compareInMarkdown shows what differs, and says how much does not.
func (r *Report) compareInMarkdown(b *bytes.Buffer) {
	t := table.Table{Head: []string{"metric"}}
	for i, run := range r.runs {
		t.Head = append(t.Head, run.label)
		if i > 0 {
			t.Head = append(t.Head, "difference")
		}
	}
	same := 0
	for _, group := range r.compared() {
		for _, row := range group.Rows {
			if !row.Differs {
				same++
				continue
			}
			name := row.Title
			if row.Label != "" {
				name += ", " + row.Label
			}
			cells := []string{name}
			for i, c := range row.Cells {
				cells = append(cells, c.Text)
				if i > 0 {
					cells = append(cells, c.change())
				}
			}
			t.Rows = append(t.Rows, cells)
		}
	}
	if len(t.Rows) > 0 {
		b.WriteString(t.Markdown() + "\n")
	}
	fmt.Fprintf(b, "%s the same in all runs. A difference between single runs may be chance.\n", human.Counted(same, "figure"))
}

// change is the difference to the first run, and which way it points.
func (c cell) change() string {
	if c.Verdict == metric.Unjudged {
		return c.Change
	}
	return c.Change + ", " + string(c.Verdict)
}

// Picture is a chart of the report.
type Picture struct {
	Name  string // fit for a file
	Chart chart.Chart
}

// Pictures are all charts of the report that show anything, in order.
func (r *Report) Pictures() []Picture {
	var out []Picture
	for _, figures := range append(r.timeFigures(), r.latencyFigures(), r.gangFigures(), r.lossFigures()) {
		for _, f := range figures {
			if len(f.chart.Marks) > 0 {
				out = append(out, Picture{f.name, f.chart})
			}
		}
	}
	return out
}
