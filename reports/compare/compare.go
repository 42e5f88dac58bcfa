// Package compare says how policies differ in runs with the same seeds: the paired differences of all metrics, the verdicts
// on them, and tables of both.
package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/paired"
	"github.com/berth-sim/berth/sim/files/parallel"
)

// Comparison is how policies differ from one of them, the baseline, in runs of one scenario
// with the same seeds.
type Comparison struct {
	Scenario  string
	Seeds     []uint64 // of the runs
	Policies  []string // names
	Baseline  int      // index
	Contrasts []Contrast
	// Exact is true if each policy has the same values with every seed. Then there are no intervals and probabilities, and
	// verdicts hold for this one course of events.
	Exact bool
}

// Contrast is how a policy differs from the baseline, the most important differences first.
type Contrast struct {
	Policy int // index
	Rows   []Row
}

// Row is the difference in one value of a metric for the whole run.
type Row struct {
	Metric         *metric.Declaration
	Label          string
	Baseline, Mean float64 // of the baseline, of the policy: means over the pairs
	Seeds          int     // of the comparison; there are fewer pairs if some have no value
	// Difference is of the policy from the baseline. Adjusted allows for all rows of the
	// comparison that are judged together.
	paired.Difference
	// Judged rows get a verdict: those of primary and headline metrics that have a direction, if any pair
	// differs. The other rows inform only.
	Judged bool
	// SameAs is the label of an earlier row of a pod class with the same requests and the same
	// values; "" if there is none. Such a row adds nothing.
	SameAs string
	Copies int // how many rows have this one's label as SameAs

	exact  bool    // see Comparison
	weight float64 // see relativeSize
}

// Verdict returns whether the policy is better or worse than the baseline in this value by more than the smallest difference of
// interest, or equal: shown to differ by less.
func (r *Row) Verdict() metric.Verdict {
	switch {
	case !r.Judged || math.IsNaN(r.P) && !r.exact:
		return metric.Unjudged
	case r.exact && math.Abs(r.Difference.Mean) >= r.Difference.Effect || r.Shown():
		return r.Metric.Judge(r.Difference.Mean)
	case r.exact || r.Equivalent():
		return metric.Equal
	}
	return metric.NoDifference
}

// Share returns the difference as a share of the baseline's mean; infinite if that is 0.
func (r *Row) Share() float64 {
	if r.Difference.Mean == 0 {
		return 0
	}
	return r.Difference.Mean / math.Abs(r.Baseline)
}

// Policies compares policies with one of them, the baseline. The summaries are by policy, then by seed;
// none may be missing.
func Policies(names []string, summaries [][]*metric.Summary, baseline int) *Comparison {
	before := summaries[baseline]
	c := &Comparison{Scenario: before[0].Run.Scenario, Policies: names, Baseline: baseline}
	c.Exact = !slices.ContainsFunc(summaries, func(of []*metric.Summary) bool { return !SameFigures(of) })
	for _, s := range before {
		c.Seeds = append(c.Seeds, s.Run.Seed)
	}
	for policy := range summaries {
		if policy != baseline {
			c.Contrasts = append(c.Contrasts, Contrast{policy, contrastRows(before, summaries[policy])})
		}
	}
	c.adjust()
	for i := range c.Contrasts {
		slices.SortStableFunc(c.Contrasts[i].Rows, byImportance)
	}
	return c
}

// adjust corrects the p-values for the number of rows: the primary metrics are one family of tests, the others
// another, so that many details do not hide the primary ones.
func (c *Comparison) adjust() {
	if c.Exact {
		for _, row := range c.rows() {
			row.exact = true
			row.Low, row.High, row.P, row.PLess, row.PMore, row.Adjusted = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
		}
		return
	}
	for _, primary := range []bool{true, false} {
		var family []*paired.Difference
		for _, row := range c.judged(primary) {
			family = append(family, &row.Difference)
		}
		paired.Adjust(family)
	}
	adjusted := map[string]float64{}
	for i := range c.Contrasts {
		for k := range c.Contrasts[i].Rows { // what a row is the same as is before it
			row := &c.Contrasts[i].Rows[k]
			if row.SameAs != "" {
				row.Adjusted = adjusted[row.Metric.Key(row.SameAs)]
			}
			adjusted[row.Metric.Key(row.Label)] = row.Adjusted
		}
	}
}

// rows returns the rows of all contrasts.
func (c *Comparison) rows() []*Row {
	var out []*Row
	for i := range c.Contrasts {
		for k := range c.Contrasts[i].Rows {
			out = append(out, &c.Contrasts[i].Rows[k])
		}
	}
	return out
}

// judged returns the judged rows of the primary metrics, or those of the others.
func (c *Comparison) judged(primary bool) []*Row {
	return slices.DeleteFunc(c.rows(), func(row *Row) bool {
		return !row.Judged || row.SameAs != "" || row.Metric.Primary() != primary
	})
}

// contrastRows returns a row for each value that any of the runs has, in the order of the declarations.
func contrastRows(baseline, policy []*metric.Summary) []Row {
	keys := metric.Keys(append(slices.Clone(baseline), policy...))
	rows, figures := make([]Row, len(keys)), make([]Pairs, len(keys))
	parallel.Each(len(rows), func(i int) { // each row has random draws of its own
		figures[i] = PairsOf(keys[i], baseline, policy)
		rows[i] = contrastRow(&figures[i], baseline)
	})
	findCopies(rows, figures)
	return rows
}

func contrastRow(p *Pairs, runs []*metric.Summary) Row {
	row := Row{Metric: p.Metric, Label: p.Label, Seeds: len(runs), Difference: p.Difference()}
	row.Baseline, row.Mean = p.Means()
	row.Judged = p.Key.Judged() && p.Differ()
	row.weight = row.relativeSize(runs)
	return row
}

// findCopies sets SameAs and Copies of the rows of pod classes. Classes with the same requests differ in something else, such
// as their labels; if their values are the same too, that difference does not matter.
func findCopies(rows []Row, figures []Pairs) {
	firsts := map[string][]int{} // by metric and request
	for i := range rows {
		row := &rows[i]
		if row.Metric.Label != metric.ByClass {
			continue
		}
		key := row.Metric.Key(metric.RequestsOfClass(row.Label))
		same := func(first int) bool {
			return slices.EqualFunc(figures[first].Baseline, figures[i].Baseline, sameValue) &&
				slices.EqualFunc(figures[first].Values, figures[i].Values, sameValue)
		}
		if at := slices.IndexFunc(firsts[key], same); at >= 0 {
			first := &rows[firsts[key][at]]
			first.Copies++
			row.SameAs = first.Label
			continue
		}
		firsts[key] = append(firsts[key], i)
	}
}

// byImportance orders rows: judged ones first, then those that are better or worse, then those of primary metrics, then
// by falling weight.
func byImportance(a, b Row) int {
	return cmp.Or(
		-compareBools(a.Judged, b.Judged),
		-compareBools(a.hasWinner(), b.hasWinner()),
		-compareBools(a.Metric.Primary(), b.Metric.Primary()),
		-cmp.Compare(a.weight, b.weight),
	)
}

// hasWinner reports whether the verdict is better or worse.
func (r *Row) hasWinner() bool { v := r.Verdict(); return v == metric.Better || v == metric.Worse }

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
