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

// Result is the result of a gate: its checks of some runs.
type Result struct {
	Scenario string
	Policy   string
	Baseline string // the policy of the baseline; empty: no baseline
	// BaselineVersion is the version of berth that made the baseline.
	BaselineVersion string
	Seeds           int
	Checks          []Check // failed checks first
}

// Check is the result of one rule.
type Check struct {
	metric.Key
	Rule string // "tolerance 5 %", "at most 0"
	// Baseline and Mean are the means of the baseline and of the runs over the seeds that have a value in both. NaN: no seed
	// has one, or the rule is a limit, which has no baseline.
	Baseline, Mean float64
	Pairs          int // number of these seeds
	Failed         bool
	Message        string // of a failed check: what is wrong
}

// Failed returns the failed checks.
func (r *Result) Failed() []Check {
	n := slices.IndexFunc(r.Checks, func(c Check) bool { return !c.Failed })
	if n < 0 {
		n = len(r.Checks)
	}
	return r.Checks[:n]
}

// Judge checks runs against the rules. b is the baseline with the same seeds. Without one (nil) every tolerance fails.
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

// tolerances checks whether values are significantly worse than their tolerances allow. The test accounts for the number
// of rules.
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

// unknown returns the message for a value that the baseline does not have.
func (t Tolerance) unknown() string {
	if t.Part != (metric.Part{}) {
		return "is not in the baseline: re-create it with --update and these rules"
	}
	return "is not in the baseline: re-create it with --update"
}

// check checks one value. beyond is its difference from the worst allowed value. With exact, the runs do not depend on
// their seeds, and every difference is significant.
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

// among returns in how many seeds there is a value, or nothing if it is in all.
func (c *Check) among(seeds int) string {
	if c.Pairs == seeds || c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf(" in %d of %s", c.Pairs, human.Counted(seeds, "seed"))
}

// allowed returns the tolerance in the metric's unit.
func (t Tolerance) allowed(baseline float64) float64 {
	if t.Relative {
		return t.Amount * math.Abs(baseline)
	}
	return t.Amount
}

// higher returns a difference as text.
func (t Tolerance) higher(difference float64) string {
	if difference > 0 {
		return t.Size(difference) + " higher"
	}
	return t.Size(difference) + " lower"
}

// limit checks whether the mean over the seeds is within the limit.
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
