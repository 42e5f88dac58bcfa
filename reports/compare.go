package reports

import (
	"cmp"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/paired"
	"github.com/berth-sim/berth/sim/clock"
)

// Comparison is how policies differ from one of them, the baseline, in runs of one scenario
// with the same seeds.
type Comparison struct {
	Scenario  string
	Seeds     []uint64 // of the runs
	Policies  []string // names
	Baseline  int      // index
	Contrasts []Contrast
}

// Contrast is how a policy differs from the baseline, what matters most first.
type Contrast struct {
	Policy int // index
	Rows   []ContrastRow
}

// ContrastRow is the difference in one value of a metric for the whole run.
type ContrastRow struct {
	Metric         *Metric
	Label          string
	Baseline, Mean float64 // means over the seeds: of the baseline, of the policy
	// Difference is of the policy from the baseline. Adjusted allows for all rows of the
	// comparison that are judged together.
	paired.Difference
	// Judged rows are the headline metrics of which some values are better than others; the
	// rest only informs.
	Judged bool
}

// Verdict is what a difference amounts to.
type Verdict string

// The verdicts.
const (
	Better       Verdict = "better"
	Worse        Verdict = "worse"
	NoDifference Verdict = "no difference shown"
	Unjudged     Verdict = "" // the metric has no direction, or there are too few seeds
)

// Verdict is what the difference amounts to.
func (r *ContrastRow) Verdict() Verdict {
	switch {
	case !r.Judged || math.IsNaN(r.P):
		return Unjudged
	case !r.Shown():
		return NoDifference
	case (r.Difference.Mean > 0) == (r.Metric.Better == Higher):
		return Better
	}
	return Worse
}

// Effect is the difference as a share of the baseline's mean; infinite where that is 0.
func (r *ContrastRow) Effect() float64 {
	if r.Difference.Mean == 0 {
		return 0
	}
	return r.Difference.Mean / math.Abs(r.Baseline)
}

// Compare compares policies with one of them. The summaries are by policy, then by seed,
// all of them there.
func Compare(names []string, summaries [][]*Summary, baseline int) *Comparison {
	first := summaries[baseline]
	c := &Comparison{Scenario: first[0].Run.Scenario, Policies: names, Baseline: baseline}
	for _, s := range first {
		c.Seeds = append(c.Seeds, s.Run.Seed)
	}
	for policy := range summaries {
		if policy != baseline {
			c.Contrasts = append(c.Contrasts, Contrast{policy, contrastRows(names[policy], first, summaries[policy])})
		}
	}
	for _, first := range []bool{true, false} {
		var family []*paired.Difference
		for _, row := range c.judged(first) {
			family = append(family, &row.Difference)
		}
		paired.Adjust(family)
	}
	for i := range c.Contrasts {
		slices.SortStableFunc(c.Contrasts[i].Rows, byImportance)
	}
	return c
}

// judged are the rows of the metrics to look at first, or those of the others. Each of
// the two is a family for itself, so that many details do not hide what matters.
func (c *Comparison) judged(first bool) []*ContrastRow {
	var out []*ContrastRow
	for i := range c.Contrasts {
		for k := range c.Contrasts[i].Rows {
			if row := &c.Contrasts[i].Rows[k]; row.Judged && row.Metric.first() == first {
				out = append(out, row)
			}
		}
	}
	return out
}

// first says whether the metric is one to look at first.
func (m *Metric) first() bool { return m.More != "" }

// contrastRows has a row for each value that any of the runs has, in the order of Metrics.
func contrastRows(name string, baseline, policy []*Summary) []ContrastRow {
	streams := clock.NewStreams(0)
	var rows []ContrastRow
	for _, key := range valueKeys(append(slices.Clone(baseline), policy...)) {
		ours, theirs := valuesOf(policy, key), valuesOf(baseline, key)
		differences := make([]float64, len(ours))
		for i := range ours {
			differences[i] = ours[i] - theirs[i]
		}
		row := ContrastRow{Metric: key.Metric, Label: key.Label, Baseline: paired.Mean(theirs), Mean: paired.Mean(ours)}
		row.Difference = paired.Of(differences, streams.Rand("bootstrap/"+name+"/"+key.Metric.Key(key.Label)))
		row.Judged = key.judged() && row.Pairs > 0 && !always(theirs, ours, 0)
		rows = append(rows, row)
	}
	return rows
}

// valueKeys are the metrics and labels of the values that runs have as a whole.
func valueKeys(runs []*Summary) []Value {
	byMetric := map[*Metric][]Value{}
	for _, s := range runs {
		for _, v := range s.Scopes[0].Values {
			of := byMetric[v.Metric]
			if !slices.ContainsFunc(of, func(k Value) bool { return k.Label == v.Label }) && s.worthComparing(v) {
				byMetric[v.Metric] = append(of, Value{Metric: v.Metric, Label: v.Label})
			}
		}
	}
	var keys []Value
	for i := range Metrics {
		keys = append(keys, byMetric[&Metrics[i]]...)
	}
	return keys
}

// worthComparing leaves out the resources that nobody requests.
func (s *Summary) worthComparing(v Value) bool {
	return v.Metric.Label != ByResource || s.requested(v.Label) && !(v.Metric.Relative && s.idleResource(v.Label))
}

// judged says whether the value is one of those that a verdict is given on: of the
// statistics of a distribution only the median and the 99th percentile are.
func (v Value) judged() bool {
	return v.Metric.Better != Neutral && (v.Metric.first() || v.Metric.Headline&ScopeRun != 0) &&
		(v.Metric.Label != ByStatistic || v.Label == "p50" || v.Label == "p99")
}

func valuesOf(runs []*Summary, key Value) []float64 {
	out := make([]float64, len(runs))
	for i, s := range runs {
		out[i] = s.Reading(key.Metric, key.Label).Value
	}
	return out
}

// countsLabels says whether a label that is not there means that nothing of it occurred.
func (m *Metric) countsLabels() bool {
	return m.Label == ByReason || m.Label == ByCauseOfLoss || m.Label == ByKind
}

// always says whether all values are v or missing.
func always(a, b []float64, v float64) bool {
	return !slices.ContainsFunc(slices.Concat(a, b), func(x float64) bool { return x != v && !math.IsNaN(x) })
}

// byImportance puts what is shown before what is not, the metrics to look at first before
// the others, and then large effects before small ones.
func byImportance(a, b ContrastRow) int {
	return cmp.Or(
		-compareBools(a.Judged, b.Judged),
		-compareBools(a.Judged && a.Shown(), b.Judged && b.Shown()),
		-compareBools(a.Metric.first(), b.Metric.first()),
		-cmp.Compare(math.Abs(a.Effect()), math.Abs(b.Effect())),
	)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
