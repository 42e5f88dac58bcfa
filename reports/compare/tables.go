package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/paired"
	"github.com/berth-sim/berth/reports/table"
)

// Render writes the comparison in the view's format.
func (c *Comparison) Render(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{
		Table:    func(width int) (string, error) { return c.text(width, view.All) },
		Markdown: func() string { return c.markdown(view.All) },
		JSON:     func() any { return c.object() },
		CSV:      c.csv,
	})
}

func (c *Comparison) text(width int, all bool) (string, error) {
	var b strings.Builder
	for i := range c.Contrasts {
		b.WriteString(strings.Repeat("\n", min(i, 1)) + table.Paragraph(c.answer(&c.Contrasts[i]), width))
	}
	if !all {
		var groups []table.Group
		for i := range c.Contrasts {
			groups = append(groups, c.groups(&c.Contrasts[i])...)
		}
		b.WriteString(table.DrawGroups(groups, width) + "\n" + table.Paragraph(c.reading(), width))
		return b.String(), nil
	}
	for i := range c.Contrasts {
		for _, section := range c.sections(&c.Contrasts[i]) {
			drawn, err := section.rows.Draw(width)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "\n%s\n%s", table.Paragraph(strings.ToUpper(section.title), width), drawn)
		}
	}
	b.WriteString("\n" + table.Paragraph(c.method(), width))
	return b.String(), nil
}

func (c *Comparison) markdown(all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n", c.Scenario, strings.Join(c.Policies, ", "))
	for i := range c.Contrasts {
		b.WriteString("\n" + c.answer(&c.Contrasts[i]) + "\n")
	}
	heading := func(title string) string { return "\n## " + strings.ToUpper(title[:1]) + title[1:] + "\n\n" }
	for i := range c.Contrasts {
		if all {
			for _, section := range c.sections(&c.Contrasts[i]) {
				b.WriteString(heading(section.title) + section.rows.Markdown())
			}
			continue
		}
		for _, g := range c.groups(&c.Contrasts[i]) {
			t := table.Table{Head: []string{"", c.Policies[c.Baseline] + " → " + c.Policies[c.Contrasts[i].Policy]}}
			for _, row := range g.Rows {
				t.Rows = append(t.Rows, row[:])
			}
			b.WriteString(heading(g.Title) + t.Markdown())
		}
	}
	closing := c.reading()
	if all {
		closing = c.method()
	}
	b.WriteString("\n" + closing + "\n")
	return b.String()
}

// verdicts are the verdicts in the order of their tables, with the headings of these.
var verdicts = []struct {
	metric.Verdict
	heading string
}{{metric.Better, "better"}, {metric.Worse, "worse"}, {metric.NoDifference, string(metric.NoDifference)}, {metric.Equal, "equal within the smallest difference of interest"}, {metric.Unjudged, "no verdict"}}

// section is the differences of one verdict.
type section struct {
	title string
	rows  table.Table
}

// title returns a heading: that of the verdict, with the policy if there are several.
func (c *Comparison) title(contrast *Contrast, heading string) string {
	if len(c.Contrasts) > 1 {
		return c.Policies[contrast.Policy] + ": " + heading
	}
	return heading
}

// groups returns the headlines by verdict, each as "old → new (difference ± interval)".
func (c *Comparison) groups(contrast *Contrast) []table.Group {
	headlines := contrast.headlines()
	var out []table.Group
	for _, v := range verdicts {
		g := table.Group{Title: c.title(contrast, v.heading)}
		for _, row := range headlines {
			if row.Verdict() == v.Verdict {
				g.Rows = append(g.Rows, [2]string{row.title(), row.line(c.spread())})
			}
		}
		if len(g.Rows) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// line writes the row as "old → new (difference ± interval)".
func (r *Row) line(spread spreadColumn) string {
	between := joinNumbers(r.Metric.Unit.Text(r.Label, r.Baseline), r.Metric.Unit.Text(r.Label, r.Mean), " → ")
	if spread == rangeColumn {
		return fmt.Sprintf("%s (%s; %s)", between, r.difference(), r.interval(r.Least, r.Most))
	}
	return fmt.Sprintf("%s (%s)", between, r.difference())
}

// sections returns a table for each verdict that a row has.
func (c *Comparison) sections(contrast *Contrast) []section {
	head := []string{"", c.Policies[c.Baseline], c.Policies[contrast.Policy], "difference"}
	if c.longNames() {
		head[1], head[2] = "old", "new"
	}
	spread := c.spread()
	if spread != noSpread {
		head = append(head, map[spreadColumn]string{rangeColumn: "least … most", intervalColumn: "95 % interval"}[spread])
	}
	head = append(head, "effect")
	var out []section
	for _, v := range verdicts {
		var rows [][]string
		for i := range contrast.Rows {
			if row := &contrast.Rows[i]; row.Verdict() == v.Verdict {
				rows = append(rows, row.cells(spread))
			}
		}
		if len(rows) > 0 {
			out = append(out, section{c.title(contrast, v.heading), table.Table{Head: head, Rows: rows, WrapTitles: true}})
		}
	}
	return out
}

// longName is the longest name of a policy that heads a column of numbers.
const longName = 20

// longNames reports whether the columns of the policies are headed "old" and "new": names are not cut, and do not make
// columns of numbers wide.
func (c *Comparison) longNames() bool {
	return slices.ContainsFunc(c.Policies, func(name string) bool { return utf8.RuneCountInString(name) > longName })
}

// spreadColumn is the column of a table that shows how much differences vary between seeds.
type spreadColumn int

const (
	noSpread spreadColumn = iota
	rangeColumn
	intervalColumn
)

// spread returns the column of such a table: with too few seeds for an interval it is the range.
func (c *Comparison) spread() spreadColumn {
	switch {
	case c.Exact || len(c.Seeds) == 1:
		return noSpread
	case len(c.Seeds) < paired.MinPairs:
		return rangeColumn
	}
	return intervalColumn
}

// same reports whether the policy has the baseline's value with every seed.
func (r *Row) same() bool { return r.Least == 0 && r.Most == 0 }

// difference writes the difference with half its interval: "+4.1 ± 0.6 points".
func (r *Row) difference() string {
	mean, half := r.Difference.Mean, (r.High-r.Low)/2
	switch text := r.size(mean); {
	case math.IsNaN(mean):
		return human.None
	case r.same():
		return "="
	case math.IsNaN(half) || half == 0:
		return human.Signed(mean, text)
	default:
		return human.Signed(mean, joinNumbers(text, r.size(half), " ± "))
	}
}

// interval writes an interval: "+3.5 … +4.7 points".
func (r *Row) interval(low, high float64) string {
	if math.IsNaN(low) {
		return human.None
	}
	return joinNumbers(r.signed(low), r.signed(high), " … ")
}

func (r *Row) signed(v float64) string {
	if v == 0 {
		return r.size(v)
	}
	return human.Signed(v, r.size(v))
}

// joinNumbers joins two numbers. A unit that both have is written once.
func joinNumbers(a, b, between string) string {
	number, unit, has := strings.Cut(a, " ")
	if has && strings.HasSuffix(b, " "+unit) {
		a = number
	}
	return a + between + b
}

// size writes the size of a difference between the policies' means, or of a part of it.
func (r *Row) size(v float64) string {
	return r.key().SizeBeside(v, max(r.Baseline, r.Mean))
}

// key returns the key of the row's value.
func (r *Row) key() metric.Key { return metric.Key{Metric: r.Metric, Label: r.Label} }

// title returns the name of the row, with the number of pod classes that it stands for, and of seeds if some have no value.
func (r *Row) title() string {
	title := r.key().Title()
	if r.Copies > 0 {
		title = fmt.Sprintf("%s, %s (%d classes)", r.Metric.Title, metric.RequestsOfClass(r.Label), r.Copies+1)
	}
	if r.Pairs > 0 && r.Pairs < r.Seeds {
		title += " (" + human.Counted(r.Pairs, "seed") + ")"
	}
	return title
}

// cells returns the row of a table.
func (r *Row) cells(spread spreadColumn) []string {
	cells := []string{r.title(), r.Metric.Unit.Text(r.Label, r.Baseline), r.Metric.Unit.Text(r.Label, r.Mean), r.difference()}
	switch spread {
	case rangeColumn:
		cells = append(cells, r.interval(r.Least, r.Most))
	case intervalColumn:
		cells = append(cells, r.interval(r.Low, r.High))
	}
	return append(cells, r.effect())
}

// effect writes the difference as a share of the baseline's mean. Beside a baseline that is less than what matters, a share
// says nothing.
func (r *Row) effect() string {
	e := r.Share()
	switch {
	case e == 0:
		return "="
	case math.IsNaN(e) || math.IsInf(e, 0) || math.Abs(r.Baseline) < r.Metric.Matters.Absolute:
		return human.None
	}
	return human.Signed(e, human.Percent(math.Abs(e))+" %")
}
