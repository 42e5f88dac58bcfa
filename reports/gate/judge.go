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
	Seeds    int
	Checks   []Check // those that failed first
}

// Check is one rule held against the runs.
type Check struct {
	reports.Key
	Rule     string  // "tolerance 5 %", "at most 0"
	Baseline float64 // mean over the seeds; NaN for limits
	Mean     float64
	Failed   bool
	Message  string // what is wrong, for one that failed
}

// Failed are the checks that failed.
func (r *Result) Failed() []Check {
	n := slices.IndexFunc(r.Checks, func(c Check) bool { return !c.Failed })
	if n < 0 {
		n = len(r.Checks)
	}
	return r.Checks[:n]
}

// Judge holds runs against the rules and, if there is one, the baseline of the same seeds.
func Judge(rules Rules, b *Baseline, runs []*reports.Summary, policy string) *Result {
	r := &Result{Scenario: runs[0].Run.Scenario, Policy: policy, Seeds: len(runs)}
	if b != nil {
		r.Baseline = b.Policy
		r.tolerances(rules.Tolerances, b, runs)
	}
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
	streams := clock.NewStreams(0)
	beyond := make([]paired.Difference, len(list)) // of the tolerance, positive: worse
	var family []*paired.Difference
	for i, t := range list {
		before, _ := b.of(t.Key)
		now := values(t.Key, runs)
		differences := make([]float64, len(now))
		for k := range now {
			differences[k] = (before[k]-now[k])*float64(t.Metric.Better) - t.allowed(paired.Mean(before))
		}
		beyond[i] = paired.Of(differences, streams.Rand("bootstrap/"+t.Key.String()))
		family = append(family, &beyond[i])
	}
	paired.Adjust(family)
	for i, t := range list {
		before, known := b.of(t.Key)
		now := values(t.Key, runs)
		c := Check{Key: t.Key, Rule: "tolerance " + t.String(), Baseline: paired.Mean(before), Mean: paired.Mean(now)}
		switch d := beyond[i]; {
		case !known:
			c.Message = "the baseline does not have it: make it anew with --update"
		case d.Pairs == 0 && slices.ContainsFunc(before, isNumber):
			c.Message = "has no value any more"
		case d.Pairs > 0 && worse(d):
			c.Message = fmt.Sprintf("is %s, %s than in the baseline (%s), which allows %s", c.Text(c.Mean), t.worse(c.Mean-c.Baseline), c.Text(c.Baseline), t)
		}
		c.Failed = c.Message != ""
		r.Checks = append(r.Checks, c)
	}
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
	m := paired.Mean(values(l.Key, runs))
	c := Check{Key: l.Key, Rule: l.String(), Baseline: math.NaN(), Mean: m}
	switch {
	case math.IsNaN(m):
		c.Message = fmt.Sprintf("has no value, it must be %s", l)
	case m < l.Min || m > l.Max:
		c.Message = fmt.Sprintf("is %s, it must be %s", l.Text(m), l)
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
