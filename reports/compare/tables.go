package compare

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/paired"
	"github.com/berth-sim/berth/reports/table"
)

// maxSentences is the most differences that the answer names for a policy.
const maxSentences = 4

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
	b.WriteString(table.Paragraph(c.head(), width))
	for i := range c.Contrasts {
		b.WriteString("\n" + table.Paragraph(c.answer(&c.Contrasts[i]), width))
	}
	for i := range c.Contrasts {
		for _, section := range c.sections(&c.Contrasts[i], all) {
			drawn, err := section.rows.ShortenHeads(width, 1, 2).Draw(width)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "\n%s\n\n%s", strings.ToUpper(section.title), drawn)
		}
	}
	b.WriteString("\n" + table.Paragraph(c.method(), width))
	return b.String(), nil
}

func (c *Comparison) markdown(all bool) string {
	var b strings.Builder
	b.WriteString("# " + c.head() + "\n")
	for i := range c.Contrasts {
		b.WriteString("\n" + c.answer(&c.Contrasts[i]) + "\n")
	}
	for i := range c.Contrasts {
		for _, section := range c.sections(&c.Contrasts[i], all) {
			b.WriteString("\n## " + strings.ToUpper(section.title[:1]) + section.title[1:] + "\n\n" + section.rows.Markdown())
		}
	}
	b.WriteString("\n" + c.method() + "\n")
	return b.String()
}

func (c *Comparison) head() string {
	return fmt.Sprintf("%s: %s, with %s each", c.Scenario, strings.Join(c.Policies, ", "), human.Counted(len(c.Seeds), "seed"))
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

// sections returns a table for each verdict that a row has. Rows that are equal, the same with every seed, or have no verdict
// are shown only if all are wanted.
func (c *Comparison) sections(contrast *Contrast, all bool) []section {
	head := []string{"", c.Policies[c.Baseline], c.Policies[contrast.Policy], "difference"}
	spread := c.spread(all)
	if spread != noSpread {
		head = append(head, map[spreadColumn]string{rangeColumn: "least … most", intervalColumn: "95 % interval"}[spread])
	}
	head = append(head, "effect")
	var out []section
	for _, v := range verdicts {
		rows := contrast.cells(v.Verdict, all, spread)
		title := v.heading
		if len(c.Contrasts) > 1 {
			title = c.Policies[contrast.Policy] + ": " + title
		}
		if len(rows) > 0 {
			out = append(out, section{title, table.Table{Head: head, Rows: rows}})
		}
	}
	return out
}

// spreadColumn is the column of a table that shows how much differences vary between seeds.
type spreadColumn int

const (
	noSpread spreadColumn = iota
	rangeColumn
	intervalColumn
)

// spread returns the column of such a table: with too few seeds for an interval it is the range.
func (c *Comparison) spread(all bool) spreadColumn {
	switch {
	case c.Exact || len(c.Seeds) == 1:
		return noSpread
	case len(c.Seeds) < paired.MinPairs:
		return rangeColumn
	case all:
		return intervalColumn
	}
	return noSpread
}

// cells returns the rows of one verdict. Unless all are wanted, only the pod classes with
// the largest weight are shown, since a trace has dozens of classes.
func (c *Contrast) cells(v metric.Verdict, all bool, spread spreadColumn) [][]string {
	shown := func(r *Row) bool {
		return r.Verdict() == v && (all || r.Judged && !r.same() && r.SameAs == "" && v != metric.Equal)
	}
	classes := map[*metric.Declaration]int{}
	for i := range c.Rows {
		if row := &c.Rows[i]; shown(row) && row.Metric.Label == metric.ByClass && !all {
			classes[row.Metric]++
		}
	}
	var rows [][]string
	met := map[*metric.Declaration]int{}
	for i := range c.Rows {
		row := &c.Rows[i]
		if !shown(row) {
			continue
		}
		met[row.Metric]++
		switch at, of := met[row.Metric], classes[row.Metric]; {
		case of <= table.MaxRows+1 || at <= table.MaxRows:
			rows = append(rows, row.cells(all, spread))
		case at == of:
			rows = append(rows, []string{fmt.Sprintf("%s, %d more classes", row.Metric.Title, of-table.MaxRows)})
		}
	}
	return rows
}

// same reports whether the policy has the baseline's value with every seed.
func (r *Row) same() bool { return r.Least == 0 && r.Most == 0 }

// answer returns a sentence about what the policy does differently.
func (c *Comparison) answer(contrast *Contrast) string {
	var clauses []string
	found, judged := map[metric.Verdict]int{}, 0
	for i := range contrast.Rows {
		row := &contrast.Rows[i]
		if !row.Judged || row.SameAs != "" {
			continue
		}
		judged++
		found[row.Verdict()]++
		if !row.hasWinner() {
			continue
		}
		if row.Metric.Primary() && row.weight >= smallDifference && len(clauses) < maxSentences {
			clauses = append(clauses, row.sentence())
		}
	}
	name := c.Policies[contrast.Policy]
	differing := human.Counted(judged, "figure") + " that differ"
	if judged == 1 {
		differing += "s"
	}
	switch {
	case judged == 0:
		return name + ": no figure that is judged differs with any seed"
	case !c.Exact && len(c.Seeds) < paired.MinPairs:
		return fmt.Sprintf("%s: too few seeds for a verdict on any of the %s, it takes %d", name, differing, paired.MinPairs)
	case found[metric.Better]+found[metric.Worse] == 0:
		return fmt.Sprintf("%s: no difference that matters is shown in any of the %s%s", name, differing, equalIn(found[metric.Equal]))
	}
	count := fmt.Sprintf("better in %d and worse in %d of the %s%s", found[metric.Better], found[metric.Worse], differing, equalIn(found[metric.Equal]))
	if len(clauses) == 0 {
		return name + " is " + count
	}
	return name + " " + strings.Join(clauses, ", ") + "; " + count
}

// equalIn returns in how many figures the policies are equal as far as it matters; "" if in none.
func equalIn(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", equal in %d", n)
}

// sentence returns the difference as a part of a sentence about the policy.
func (r *Row) sentence() string {
	says := r.Metric.More
	if r.Difference.Mean < 0 {
		says = r.Metric.Less
	}
	size := strings.TrimLeft(r.difference(), "+−")
	switch r.Metric.Unit { // the sentence has a word for them
	case metric.UnitPods, metric.UnitNodes, metric.UnitGangs:
		size, _, _ = strings.Cut(size, " "+strings.TrimSuffix(string(r.Metric.Unit), "s"))
	}
	label := r.Label
	if r.Metric.Label == metric.ByStatistic {
		what := "pods"
		if r.Metric.Group() == "placement" && strings.HasPrefix(r.Metric.Name, "placement.gang") {
			what = "gangs"
		}
		label = map[string]string{"p50": "half of the " + what, "p90": "90 % of " + what, "p99": "99 % of " + what}[label]
	}
	return strings.NewReplacer("{}", size, "{label}", label).Replace(says)
}

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

// cells returns the row of a table.
func (r *Row) cells(all bool, spread spreadColumn) []string {
	m := r.Metric
	title := r.key().Title()
	if r.Copies > 0 && !all {
		title = fmt.Sprintf("%s, %s (%d classes)", r.Metric.Title, metric.RequestsOfClass(r.Label), r.Copies+1)
	}
	if r.Pairs > 0 && r.Pairs < r.Seeds {
		title += " (" + human.Counted(r.Pairs, "seed") + ")"
	}
	cells := []string{title, m.Unit.Text(r.Label, r.Baseline), m.Unit.Text(r.Label, r.Mean), r.difference()}
	switch spread {
	case rangeColumn:
		cells = append(cells, r.interval(r.Least, r.Most))
	case intervalColumn:
		cells = append(cells, r.interval(r.Low, r.High))
	}
	effect := human.None
	if e := r.Share(); e == 0 {
		effect = "="
	} else if !math.IsNaN(e) && !math.IsInf(e, 0) {
		effect = human.Signed(e, human.Percent(math.Abs(e))+" %")
	}
	return append(cells, effect)
}

// method returns sentences about how the verdicts were found.
func (c *Comparison) method() string {
	seeds := len(c.Seeds)
	if c.Exact {
		return fmt.Sprintf("All %d seeds give the same figures under each policy: the differences are exact for this scenario, and say "+
			"nothing of other days.", seeds)
	}
	same := "Differences are of runs with the same seed, and so the same arrivals"
	switch {
	case seeds == 1:
		return same + ". What one seed shows may be luck."
	case seeds < paired.MinPairs:
		return fmt.Sprintf("%s; the least and the most are of %d seeds, and more seeds will go beyond them.", same, seeds)
	}
	interval := "a bootstrap over seeds"
	if seeds < paired.MinResampled {
		interval = "Student's t over so few seeds"
	}
	return fmt.Sprintf("%s; ± is half the interval that %s gives for 95 %%. Better and worse want an interval beyond the smallest difference "+
		"of interest (berth metrics lists them), and p ≤ %g in a paired t-test after Holm's correction, among the figures that matter most "+
		"(%d) or among the others (%d). Equal wants both one-sided tests of less than it.",
		same, interval, paired.Level, c.tested(true), c.tested(false))
}

// tested returns how many rows are one family of tests.
func (c *Comparison) tested(first bool) int {
	n := 0
	for _, row := range c.judged(first) {
		if !math.IsNaN(row.P) {
			n++
		}
	}
	return n
}
