package curves

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// shown are the columns of the tables for people.
var shown = []int{50, 80, 85, 90, 95, 100, 110, 120, 130}

// WriteMarkdown writes the means over the seeds for people: for each list and each table a row
// for each policy, what was published below it.
func WriteMarkdown(w io.Writer, entries, published []Entry) error {
	var b strings.Builder
	groups, publishedGroups := Groups(entries), Groups(published)
	titles := []string{"Allocated, % of all GPUs", "Fragmented, % of all GPUs", "Fragmented, % of idle GPUs"}
	for _, list := range lists(groups) {
		fmt.Fprintf(&b, "## %s\n\n", list)
		for i, t := range Tables() {
			fmt.Fprintf(&b, "%s, by GPU demand arrived (%% of capacity):\n\n| policy | seeds |", titles[i])
			for _, j := range shown {
				fmt.Fprintf(&b, " %d |", j)
			}
			b.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(shown)+1) + "\n")
			for _, g := range groups {
				if g.Workload != list {
					continue
				}
				g.writeRow(&b, g.Short(), t)
				if k := g.in(publishedGroups); k >= 0 {
					publishedGroups[k].writeRow(&b, "published", t)
				}
			}
			b.WriteString("\n")
		}
	}
	writeBars(&b, groups, publishedGroups)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeBars writes what is not allocated at a demand of 100 %: figures 11 to 14 in numbers.
func writeBars(b *strings.Builder, groups, publishedGroups []Group) {
	b.WriteString("## Unallocated GPUs at a demand of 100 %\n\nMean and standard deviation over the seeds, in % of all GPUs:\n\n")
	b.WriteString("| list | policy | unallocated | published |\n| --- | --- | ---: | ---: |\n")
	cell := func(g *Group) string {
		mean, deviation := g.Mean(func(r *Result) *Curve { return &r.Allocated }, 100)
		switch {
		case math.IsNaN(mean):
			return ""
		case math.IsNaN(deviation):
			return fmt.Sprintf("%.2f", 100-mean)
		}
		return fmt.Sprintf("%.2f ± %.2f", 100-mean, deviation)
	}
	for i := range groups {
		g, published := &groups[i], ""
		if k := g.in(publishedGroups); k >= 0 {
			published = cell(&publishedGroups[k])
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", Short(g.Workload), g.Short(), cell(g), published)
	}
}

func (g *Group) writeRow(b *strings.Builder, name string, t Table) {
	fmt.Fprintf(b, "| %s | %d |", name, g.Seeds())
	for _, j := range shown {
		if mean, _ := g.Mean(t.Of, j); math.IsNaN(mean) {
			b.WriteString(" |")
		} else {
			fmt.Fprintf(b, " %.2f |", hundredths(mean))
		}
	}
	b.WriteString("\n")
}
