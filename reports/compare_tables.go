package reports

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/paired"
)

// maxSentences is how many differences the short answer names of a policy.
const maxSentences = 4

// Render writes the comparison in the view's format.
func (c *Comparison) Render(w io.Writer, view View) error {
	switch view.Format {
	case FormatJSON:
		return c.writeJSON(w)
	case FormatCSV:
		return c.writeCSV(w)
	case FormatMarkdown:
		return c.renderMarkdown(w, view.All)
	case FormatTable:
		return c.renderTables(w, max(view.Width, minWidth), view.All)
	}
	return fmt.Errorf("there is no format %q", view.Format)
}

func (c *Comparison) renderTables(w io.Writer, width int, all bool) error {
	var b bytes.Buffer
	b.WriteString(strings.Join(wrap(c.head(), width), "\n") + "\n")
	for i := range c.Contrasts {
		b.WriteString("\n" + strings.Join(wrap(c.answer(&c.Contrasts[i]), width), "\n") + "\n")
	}
	for i := range c.Contrasts {
		contrast := &c.Contrasts[i]
		for _, section := range c.sections(contrast, all) {
			fmt.Fprintf(&b, "\n%s\n\n", strings.ToUpper(section.title))
			for _, part := range section.grids[0].fit(width).split(width) {
				drawn, err := part.block()
				if err != nil {
					return err
				}
				b.WriteString(strings.Join(drawn.lines, "\n") + "\n")
			}
		}
	}
	b.WriteString("\n" + strings.Join(wrap(c.method(), width), "\n") + "\n")
	_, err := w.Write(b.Bytes())
	return err
}

func (c *Comparison) renderMarkdown(w io.Writer, all bool) error {
	var b bytes.Buffer
	b.WriteString("# " + c.head() + "\n")
	for i := range c.Contrasts {
		b.WriteString("\n" + c.answer(&c.Contrasts[i]) + "\n")
	}
	for i := range c.Contrasts {
		for _, section := range c.sections(&c.Contrasts[i], all) {
			b.WriteString("\n## " + strings.ToUpper(section.title[:1]) + section.title[1:] + "\n\n" + section.grids[0].markdown())
		}
	}
	b.WriteString("\n" + c.method() + "\n")
	_, err := w.Write(b.Bytes())
	return err
}

func (c *Comparison) head() string {
	return fmt.Sprintf("%s: %s, with %s each", c.Scenario, strings.Join(c.Policies, ", "), counted(float64(len(c.Seeds)), "seed"))
}

// verdicts are what there can be, in the order of the tables, with their headings.
var verdicts = []struct {
	Verdict
	heading string
}{{Better, "better"}, {Worse, "worse"}, {NoDifference, string(NoDifference)}, {Unjudged, "no verdict"}}

// sections are tables of what is better, what is worse, and what is not known to be
// either. Only if all is wanted they have what is always the same, or has no verdict.
func (c *Comparison) sections(contrast *Contrast, all bool) []section {
	head := []string{"", c.Policies[c.Baseline], c.Policies[contrast.Policy], "difference"}
	if all {
		head = append(head, "95 % interval")
	}
	head = append(head, "effect")
	var out []section
	for _, v := range verdicts {
		g := grid{head: head, rows: contrast.cells(v.Verdict, all)}
		title := v.heading
		if len(c.Contrasts) > 1 {
			title = c.Policies[contrast.Policy] + ": " + title
		}
		if len(g.rows) > 0 {
			out = append(out, section{title, []grid{g}})
		}
	}
	return out
}

// cells are the rows of one verdict. Unless all are wanted, those of pod classes are only the
// ones with the largest effects: a trace has dozens of classes.
func (c *Contrast) cells(v Verdict, all bool) [][]string {
	shown := func(r *ContrastRow) bool { return r.Verdict() == v && (all || r.Judged && !r.same()) }
	classes := map[*Metric]int{}
	for i := range c.Rows {
		if row := &c.Rows[i]; shown(row) && row.Metric.Label == ByClass && !all {
			classes[row.Metric]++
		}
	}
	var rows [][]string
	met := map[*Metric]int{}
	for i := range c.Rows {
		row := &c.Rows[i]
		if !shown(row) {
			continue
		}
		met[row.Metric]++
		switch at, of := met[row.Metric], classes[row.Metric]; {
		case of <= maxRows+1 || at <= maxRows:
			rows = append(rows, row.cells(all))
		case at == of:
			rows = append(rows, []string{fmt.Sprintf("%s, %d more classes", row.Metric.Title, of-maxRows)})
		}
	}
	return rows
}

// same says whether the policy has the baseline's value with every seed.
func (r *ContrastRow) same() bool {
	return r.Difference.Mean == 0 && (r.High == r.Low || r.Pairs < paired.MinPairs)
}

// fit shortens the names of rows as far as need be for the table to be as wide as that,
// unless nothing of them would be left.
func (g grid) fit(width int) grid {
	used := 0
	for _, w := range g.widths()[1:] {
		used += columnPadding + w
	}
	const least = 24
	for i := range g.rows {
		g.rows[i][0] = shorten(g.rows[i][0], max(least, width-used))
	}
	return g
}

// answer says in a sentence what the policy does differently.
func (c *Comparison) answer(contrast *Contrast) string {
	var says []string
	better, worse, judged := 0, 0, 0
	for i := range contrast.Rows {
		row := &contrast.Rows[i]
		if !row.Judged {
			continue
		}
		judged++
		switch row.Verdict() {
		case Better:
			better++
		case Worse:
			worse++
		default:
			continue
		}
		if row.Metric.first() && len(says) < maxSentences {
			says = append(says, row.sentence())
		}
	}
	name := c.Policies[contrast.Policy]
	switch {
	case len(c.Seeds) < paired.MinPairs:
		return fmt.Sprintf("%s: no verdict with fewer than %d seeds", name, paired.MinPairs)
	case better+worse == 0:
		return fmt.Sprintf("%s: no difference shown in any of %s", name, counted(float64(judged), "figure"))
	}
	count := fmt.Sprintf("better in %d and worse in %d of %s", better, worse, counted(float64(judged), "figure"))
	if len(says) == 0 {
		return name + " is " + count
	}
	return name + " " + strings.Join(says, ", ") + "; " + count
}

// sentence is the difference as a part of a sentence about the policy.
func (r *ContrastRow) sentence() string {
	says := r.Metric.More
	if r.Difference.Mean < 0 {
		says = r.Metric.Less
	}
	size := strings.TrimLeft(r.difference(), "+−")
	switch r.Metric.Unit { // the sentence has a word for them
	case UnitPods, UnitNodes, UnitGangs:
		size, _, _ = strings.Cut(size, " "+strings.TrimSuffix(string(r.Metric.Unit), "s"))
	}
	label := r.Label
	if r.Metric.Label == ByStatistic {
		what := "pods"
		if r.Metric.Group() == "placement" && strings.HasPrefix(r.Metric.Name, "placement.gang") {
			what = "gangs"
		}
		label = map[string]string{"p50": "half of the " + what, "p90": "90 % of " + what, "p99": "99 % of " + what}[label]
	}
	return strings.NewReplacer("{}", size, "{label}", label).Replace(says)
}

// difference words the difference with half its interval: "+4.1 ± 0.6 points".
func (r *ContrastRow) difference() string {
	mean, half := r.Difference.Mean, (r.High-r.Low)/2
	switch text := r.size(mean); {
	case math.IsNaN(mean):
		return none
	case r.same():
		return "="
	case math.IsNaN(half) || half == 0:
		return signed(mean, text)
	default:
		return signed(mean, spread(text, r.size(half), " ± "))
	}
}

// interval words the interval: "+3.5 … +4.7 points".
func (r *ContrastRow) interval() string {
	if math.IsNaN(r.Low) {
		return none
	}
	low, high := signed(r.Low, r.size(r.Low)), signed(r.High, r.size(r.High))
	return spread(low, high, " … ")
}

// spread joins two numbers; a unit that both have is written once.
func spread(a, b, between string) string {
	number, unit, has := strings.Cut(a, " ")
	if has && strings.HasSuffix(b, " "+unit) {
		a = number
	}
	return a + between + b
}

// size words the size of a difference, without its sign; that of shares is in
// percentage points.
func size(m *Metric, label string, v float64) string {
	v = math.Abs(v)
	switch m.Unit {
	case UnitShare:
		return hundredths(v) + " points"
	case UnitPods, UnitNodes, UnitGangs, UnitDevices:
		if text := trimZeros(three(v)); text != "1" {
			return text + " " + string(m.Unit)
		}
		return "1 " + strings.TrimSuffix(string(m.Unit), "s")
	case UnitPerSecond:
		return three(v) + " /s"
	}
	return human(m.Unit, label, v)
}

// sizeBeside words the size of a difference between values of which the larger one is given.
func sizeBeside(m *Metric, label string, v, larger float64) string {
	if m.Unit == UnitPerSecond {
		return rateBeside(math.Abs(v), larger)
	}
	return size(m, label, v)
}

// size words the size of a difference between the policies' means, or of a part of it.
func (r *ContrastRow) size(v float64) string {
	return sizeBeside(r.Metric, r.Label, v, max(r.Baseline, r.Mean))
}

// hundredths writes a share, which is not negative, in percent: with more digits than three
// where it would read as nothing, down to what rounding in sums may amount to.
func hundredths(v float64) string {
	if v >= 0.00005 {
		return three(100 * v)
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*v, 'f', 4, 64), "00")
}

// cells are the row of a table.
func (r *ContrastRow) cells(all bool) []string {
	m := r.Metric
	cells := []string{r.title(), human(m.Unit, r.Label, r.Baseline), human(m.Unit, r.Label, r.Mean), r.difference()}
	if all {
		cells = append(cells, r.interval())
	}
	effect := none
	if e := r.Effect(); e == 0 {
		effect = "="
	} else if !math.IsNaN(e) && !math.IsInf(e, 0) {
		effect = signed(e, hundredths(math.Abs(e))+" %")
	}
	return append(cells, effect)
}

// title names the row for people.
func (r *ContrastRow) title() string {
	if r.Label == "" {
		return r.Metric.Title
	}
	return r.Metric.Title + ", " + r.Label
}

// method says what the verdicts rest on.
func (c *Comparison) method() string {
	return fmt.Sprintf("Differences are of runs with the same seed, and so the same arrivals; ± is half the interval that a bootstrap over "+
		"seeds gives for 95 %%. A verdict wants an interval without 0, and p ≤ %g in a paired t-test after Holm's correction for the %d "+
		"figures that matter most, or for the other %d.", paired.Level, len(c.judged(true)), len(c.judged(false)))
}
