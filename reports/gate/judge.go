package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/reports/paired"
	"github.com/berth-sim/berth/sim/clock"
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
	reports.Key
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
func Judge(rules Rules, b *Baseline, runs []*reports.Summary, policy string) *Result {
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
func (r *Result) tolerances(list []Tolerance, b *Baseline, runs []*reports.Summary) {
	held := make([]comparison, len(list))
	var family []*paired.Difference
	for i, t := range list {
		held[i] = t.hold(b, runs)
		if !held[i].zero() {
			family = append(family, &held[i].beyond)
		}
	}
	paired.Adjust(family)
	for i, t := range list {
		r.Checks = append(r.Checks, t.check(&held[i], r.Seeds))
	}
}

// comparison is a value now and in the baseline, in the seeds in which it is there in both.
type comparison struct {
	known       bool // to the baseline
	had         int  // in how many seeds the baseline has a value
	before, now []float64
	beyond      paired.Difference // of the tolerance, positive: worse
}

// hold compares the value with the baseline.
func (t Tolerance) hold(b *Baseline, runs []*reports.Summary) comparison {
	c := comparison{}
	if b == nil {
		return c
	}
	before, known := b.of(t.Key)
	c.known = known
	for i, now := range values(t.Key, runs) {
		if isNumber(before[i]) {
			c.had++
		}
		if isNumber(before[i]) && isNumber(now) {
			c.before, c.now = append(c.before, before[i]), append(c.now, now)
		}
	}
	beyond := make([]float64, len(c.now))
	for i := range beyond {
		beyond[i] = (c.before[i]-c.now[i])*float64(t.Metric.Better) - t.allowed(paired.Mean(c.before))
	}
	c.beyond = paired.Of(beyond, clock.NewStreams(0).Rand("bootstrap/"+t.Key.String()))
	return c
}

// zero says whether there is nothing to judge: the value is 0 throughout.
func (c *comparison) zero() bool {
	return !slices.ContainsFunc(slices.Concat(c.before, c.now), func(v float64) bool { return v != 0 })
}

// check says whether the value has become worse.
func (t Tolerance) check(held *comparison, seeds int) Check {
	pairs := len(held.now)
	c := Check{Key: t.Key, Rule: "tolerance " + t.String(), Baseline: paired.Mean(held.before), Mean: paired.Mean(held.now), Pairs: pairs}
	switch {
	case !held.known:
		c.Message = "is not in the baseline: make it anew with --update"
		if t.Part != (reports.Part{}) {
			c.Message += " and these rules"
		}
	case pairs == 0 && held.had > 0:
		c.Message = "has no value any more"
	case pairs < paired.MinPairs && held.had >= paired.MinPairs:
		c.Message = fmt.Sprintf("has a value in %d of %s, where the baseline has one in %d", pairs, reports.Counted(int64(seeds), "seed"), held.had)
	case pairs > 0 && worse(held.beyond):
		c.Message = fmt.Sprintf("is %s%s, %s than in the baseline (%s), which allows %s",
			c.Text(c.Mean), c.among(seeds), t.worse(c.Mean-c.Baseline), c.Text(c.Baseline), t)
	}
	c.Failed = c.Message != ""
	return c
}

// among says in how many seeds there is a value, if not in all.
func (c *Check) among(seeds int) string {
	if c.Pairs == seeds || c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf(" in %d of %s", c.Pairs, reports.Counted(int64(seeds), "seed"))
}

// worse says whether a difference is shown to be positive. With too few seeds to show
// anything it must be so in the mean.
func worse(d paired.Difference) bool {
	if d.Pairs < paired.MinPairs {
		return d.Mean > 0
	}
	return d.Shown() && d.Mean > 0
}

// allowed is the tolerance in the metric's unit.
func (t Tolerance) allowed(baseline float64) float64 {
	if t.Relative {
		return t.Amount * math.Abs(baseline)
	}
	return t.Amount
}

// worse words a difference.
func (t Tolerance) worse(difference float64) string {
	if difference > 0 {
		return t.Size(difference) + " higher"
	}
	return t.Size(difference) + " lower"
}

// limit asks whether the mean over the seeds is within the limit.
func (r *Result) limit(l Limit, runs []*reports.Summary) {
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

func values(key reports.Key, runs []*reports.Summary) []float64 {
	out := make([]float64, len(runs))
	for i, s := range runs {
		out[i] = key.In(s)
	}
	return out
}

func isNumber(v float64) bool { return !math.IsNaN(v) }
