package steady

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteCSV writes every measure of every run, a row each.
func (e Entries) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"scenario", "load", "policy", "seed"}
	for _, m := range Measures() {
		header = append(header, m.Name)
	}
	rows := [][]string{header}
	for _, x := range e {
		row := []string{x.Scenario, strconv.Itoa(x.Load), x.Policy, strconv.FormatUint(x.Seed, 10)}
		for _, m := range Measures() {
			cell := ""
			if v := m.Of(x.Result); !math.IsNaN(v) {
				cell = strconv.FormatFloat(v, 'g', 8, 64)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return out.WriteAll(rows)
}

// compared are the measures that policies are compared by in tables for people.
var compared = []string{
	"fragmented", "allocated", "demand", "held", "wait.all.mean", "wait.all.p50", "wait.all.p99",
	"wait.several.mean", "wait.several.p50", "wait.several.p99", "wait.several.pending",
	"wait.gang.mean", "wait.gang.p50", "wait.gang.p99", "wait.one.mean", "wait.part.mean", "growth", "drift",
}

// WriteMarkdown writes tables for people: for each scenario and measure the policies by load,
// with the differences from the baseline.
func (e Entries) WriteMarkdown(w io.Writer, baseline string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Means over the seeds. In brackets: the difference from %s in pairs of equal seeds, with its 95 %% interval.\n"+
		"A star: it is shown, all differences of its table being judged together (Holm).\n\n", baseline)
	for _, scenario := range e.Scenarios() {
		fmt.Fprintf(&b, "## %s\n\n", scenario)
		for _, name := range compared {
			e.writeTable(&b, scenario, MeasureNamed(name), baseline)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (e Entries) writeTable(b *strings.Builder, scenario string, m Measure, baseline string) {
	grid := e.Compare(scenario, m, baseline)
	if !anyValue(grid) {
		return
	}
	fmt.Fprintf(b, "%s (`%s`), by load:\n\n| policy |", m.Title, m.Name)
	for _, c := range grid[0] {
		fmt.Fprintf(b, " %d %%, %d seeds |", c.Load, c.Seeds)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(grid[0])) + "\n")
	for _, row := range grid {
		fmt.Fprintf(b, "| %s |", row[0].Policy)
		for _, c := range row {
			b.WriteString(" " + c.text(m.Unit) + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

func anyValue(grid [][]Cell) bool {
	for _, row := range grid {
		for _, c := range row {
			if c.Seeds > 0 {
				return true
			}
		}
	}
	return false
}

// text is the cell as people read it.
func (c *Cell) text(u Unit) string {
	if c.Seeds == 0 {
		return "–"
	}
	text := u.text(c.Mean)
	if d := c.From; d != nil && d.Pairs > 0 {
		text += fmt.Sprintf(" (%s", u.signed(d.Mean))
		if !math.IsNaN(d.Low) {
			text += fmt.Sprintf("; %s to %s", u.signed(d.Low), u.signed(d.High))
		}
		text += ")"
		if d.Shown() {
			text += "\\*"
		}
	}
	return text
}

// text is a value with as many decimals as are worth reading.
func (u Unit) text(v float64) string {
	if u == Percent {
		return strconv.FormatFloat(100*v, 'f', 2, 64)
	}
	decimals := 0
	if math.Abs(v) < 100 {
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func (u Unit) signed(v float64) string {
	text := u.text(v)
	if v >= 0 {
		text = "+" + text
	}
	return text
}
