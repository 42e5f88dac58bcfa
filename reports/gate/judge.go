package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/paired"
)

// Result is what a gate says of runs.
type Result struct {
	Scenario string
	Policy   string
	Baseline string // the policy of the baseline; empty: there is none
	// BaselineVersion is that of berth that made the baseline.
	BaselineVersion string
	Seeds           int
	Checks          []Check // those that failed first
}

// Check is one rule held against the runs.
type Check struct {
	metric.Key
	Rule string // "tolerance 5 %", "at most 0"
	// Baseline and Mean are means over the seeds that have a value, for tolerances in the baseline
	// and now; NaN where there is none. Limits have no baseline.
	Baseline, Mean float64
	Pairs          int // how many seeds these are
	Failed         bool
	Message        string // what is wrong, for one that failed
}

// Failed are the checks that failed.
func (r *Result) Failed() []Check {
	n := slices.IndexFunc(r.Checks, func(c Check) bool { return !c.Failed })
	if n < 0 {
		n = len(r.Checks)
	}
	return r.Checks[:n]
}

// Judge holds runs against the rules and, if there is one, the baseline of the same seeds. Each
// rule is a check; without a baseline, no tolerance passes.
func Judge(rules Rules, b *Baseline, runs []*metric.Summary, policy string) *Result {
	r := &Result{Scenario: runs[0].Run.Scenario, Policy: policy, Seeds: len(runs)}
	if b != nil {
		r.Baseline, r.BaselineVersion = b.Policy, b.Version
	}
	r.tolerances(rules.Tolerances, b, runs)
	for _, l := range rules.Limits {
		r.limit(l, runs)
	}
	slices.SortStableFunc(r.Checks, func(x, y Check) int {
		switch {
		case x.Failed == y.Failed:
			return 0
		case x.Failed:
			return -1
		}
		return 1
	})
	return r
}

// tolerances asks of each value whether it is shown to be worse than its tolerance allows.
// All of them are judged together, so that many rules do not make luck more likely.
func (r *Result) tolerances(list []Tolerance, b *Baseline, runs []*metric.Summary) {
	figures := make([]compare.Pairs, len(list))
	known := make([]bool, len(list))
	for i, t := range list {
		figures[i] = compare.Pairs{Key: t.Key, Baseline: slices.Repeat([]float64{math.NaN()}, len(runs)), Values: values(t.Key, runs)}
		if b != nil {
			figures[i].Baseline, known[i] = b.of(t.Key)
		}
		before, _ := figures[i].Means()
		figures[i].Allowed = t.allowed(before)
	}
	exact := b != nil && b.withoutChance() && compare.SameFigures(runs)
	for i, beyond := range compare.Differences(figures) {
		c := list[i].check(&figures[i], beyond, exact)
		if !known[i] {
			c.Message = list[i].unknown()
		}
		c.Failed = c.Message != ""
		r.Checks = append(r.Checks, c)
	}
}

// unknown says what to do about a value that the baseline does not have.
func (t Tolerance) unknown() string {
	if t.Part != (metric.Part{}) {
		return "is not in the baseline: re-create it with --update and these rules"
	}
	return "is not in the baseline: re-create it with --update"
}

// check reports whether the value is shown to be worse than allowed; beyond is its difference from
// what is. Where nothing is left to chance, any is shown.
func (t Tolerance) check(figure *compare.Pairs, beyond paired.Difference, exact bool) Check {
	seeds, had := len(figure.Values), 0
	for _, v := range figure.Baseline {
		if isNumber(v) {
			had++
		}
	}
	c := Check{Key: t.Key, Rule: "tolerance " + t.String(), Pairs: beyond.Pairs}
	c.Baseline, c.Mean = figure.Means()
	shown := exact || beyond.Pairs < paired.MinPairs || beyond.Shown()
	switch {
	case beyond.Pairs == 0 && had > 0:
		c.Message = "has no value any more"
	case beyond.Pairs < paired.MinPairs && had >= paired.MinPairs:
		c.Message = fmt.Sprintf("has a value in %d of %s, where the baseline has one in %d", beyond.Pairs, human.Counted(seeds, "seed"), had)
	case shown && beyond.Mean*float64(t.Metric.Better) < 0:
		c.Message = fmt.Sprintf("is %s%s, %s than in the baseline (%s), which allows %s",
			c.Text(c.Mean), c.among(seeds), t.higher(c.Mean-c.Baseline), c.Text(c.Baseline), t)
	}
	return c
}

// among says in how many seeds there is a value, if not in all.
func (c *Check) among(seeds int) string {
	if c.Pairs == seeds || c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf(" in %d of %s", c.Pairs, human.Counted(seeds, "seed"))
}

// allowed is the tolerance in the metric's unit.
func (t Tolerance) allowed(baseline float64) float64 {
	if t.Relative {
		return t.Amount * math.Abs(baseline)
	}
	return t.Amount
}

// higher words a difference.
func (t Tolerance) higher(difference float64) string {
	if difference > 0 {
		return t.Size(difference) + " higher"
	}
	return t.Size(difference) + " lower"
}

// limit asks whether the mean over the seeds is within the limit.
func (r *Result) limit(l Limit, runs []*metric.Summary) {
	there := slices.DeleteFunc(values(l.Key, runs), math.IsNaN)
	c := Check{Key: l.Key, Rule: l.String(), Baseline: math.NaN(), Mean: paired.Mean(there), Pairs: len(there)}
	switch {
	case len(there) == 0:
		c.Message = fmt.Sprintf("has no value, it must be %s", l)
	case c.Mean < l.Min || c.Mean > l.Max:
		c.Message = fmt.Sprintf("is %s%s, it must be %s", l.Text(c.Mean), c.among(r.Seeds), l)
	}
	c.Failed = c.Message != ""
	r.Checks = append(r.Checks, c)
}

func values(key metric.Key, runs []*metric.Summary) []float64 {
	out := make([]float64, len(runs))
	for i, s := range runs {
		out[i] = key.In(s)
	}
	return out
}

func isNumber(v float64) bool { return !math.IsNaN(v) }
