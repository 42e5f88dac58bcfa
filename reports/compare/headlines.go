package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/metric"
)

// maxHeadlines is the most differences that are shown of a policy, unless all are asked for.
const maxHeadlines = 10

// sizeInEffects returns the difference as a multiple of the smallest difference of interest beside the larger of both means. A
// share of the larger one keeps a value that was next to nothing from outweighing all others.
func (r *Row) sizeInEffects() float64 {
	size := math.Abs(r.Difference.Mean)
	if size == 0 || math.IsNaN(size) {
		return 0
	}
	return size / r.Metric.Matters.Of(max(math.Abs(r.Baseline), math.Abs(r.Mean)))
}

// headlines returns the differences to show first, at most maxHeadlines: those that are shown, the primary metrics before the
// others, then primary metrics without a verdict for either side. Each is led by the largest, measured by sizeInEffects.
// Figures of one metric with the same verdict tell one story, such as the cpu and the memory that the same gangs hold: the
// largest stands for all.
func (c *Contrast) headlines() []*Row {
	var rows []*Row
	for i := range c.Rows {
		if row := &c.Rows[i]; row.rank() < notHeadline && metric.Visible(row.difference()) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), -cmp.Compare(a.sizeInEffects(), b.sizeInEffects()))
	})
	type story struct {
		*metric.Declaration
		metric.Verdict
	}
	told := map[story]bool{}
	rows = slices.DeleteFunc(rows, func(r *Row) bool {
		s := story{r.Metric, r.Verdict()}
		was := told[s]
		told[s] = true
		return was
	})
	return rows[:min(len(rows), maxHeadlines)]
}

// Ranks of headlines.
const (
	shownPrimary = iota
	shownOther
	undecided
	notHeadline
)

// rank returns the rank of a row among headlines.
func (r *Row) rank() int {
	switch {
	case !r.Judged || r.SameAs != "":
		return notHeadline
	case r.hasWinner() && r.Metric.Primary():
		return shownPrimary
	case r.hasWinner():
		return shownOther
	case r.Metric.Primary() && r.Verdict() != metric.Equal:
		return undecided
	}
	return notHeadline
}

// tally is in how many metrics a policy is better or worse than the baseline in one figure or more. The other metrics are
// undecided, or equal in all figures that differ.
type tally struct{ better, worse, undecided, equal, metrics, figures int }

// tally counts the metrics with figures that are judged.
func (c *Contrast) tally() tally {
	found := map[*metric.Declaration]map[metric.Verdict]bool{}
	var t tally
	for i := range c.Rows {
		row := &c.Rows[i]
		if !row.Judged || row.SameAs != "" {
			continue
		}
		t.figures++
		if found[row.Metric] == nil {
			found[row.Metric] = map[metric.Verdict]bool{}
		}
		found[row.Metric][row.Verdict()] = true
	}
	for _, of := range found {
		t.metrics++
		if of[metric.Better] {
			t.better++
		}
		if of[metric.Worse] {
			t.worse++
		}
		switch {
		case of[metric.Better] || of[metric.Worse]:
		case of[metric.NoDifference] || of[metric.Unjudged]:
			t.undecided++
		default:
			t.equal++
		}
	}
	return t
}
