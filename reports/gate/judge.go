package gate

import (
	"cmp"
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
	Checks          []Check // failed checks first, then those that are not shown
}

// Check is the result of one rule.
type Check struct {
	metric.Key
	Rule string // "tolerance 5 %", "at most 0"
	// Baseline and Mean are the means of the baseline and of the runs over the seeds that have a value in both. NaN: no seed
	// has one, or the rule is a limit, which has no baseline.
	Baseline, Mean float64
	Pairs          int // number of these seeds
	// Effect is the smallest difference that counts, in the metric's unit; 0 for a limit.
	Effect  float64
	Verdict Verdict
	Failed  bool
	Message string // of a check that failed or is not shown: what is wrong
	// SeedsNeeded is how many seeds would probably show it, of a check that is not shown; 0: there are too few to tell.
	SeedsNeeded float64

	worse float64 // mean difference for the worse
}

// Failed returns the failed checks.
func (r *Result) Failed() []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return !c.Failed })
}

// Judge checks runs against the rules. b is the baseline with the same seeds. Without one (nil) every tolerance fails.
func Judge(rules Rules, b *Baseline, runs []*metric.Summary, policy string) *Result {
	r := &Result{Scenario: runs[0].Run.Scenario, Policy: policy, Seeds: len(runs)}
	if b != nil {
		r.Baseline, r.BaselineVersion = b.Policy, b.Version
	}
	r.tolerances(&rules, b, runs)
	for _, l := range rules.Limits {
		r.limit(l, runs)
	}
	slices.SortStableFunc(r.Checks, func(x, y Check) int { return cmp.Compare(x.rank(), y.rank()) })
	return r
}

// rank orders checks: failed ones, then those that are not shown, the suspicious ones before the others.
func (c *Check) rank() int {
	switch {
	case c.Failed && c.Verdict != NotShown:
		return 0
	case c.suspicious():
		return 1
	case c.Verdict == NotShown:
		return 2
	}
	return 3
}

// NotShown returns the checks that are neither shown to be worse nor to be no worse.
func (r *Result) NotShown() []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return c.Verdict != NotShown })
}

// tolerances checks whether values are worse than in the baseline, by more than the tolerances. The tests account for the
// number of rules.
func (r *Result) tolerances(rules *Rules, b *Baseline, runs []*metric.Summary) {
	list := rules.Tolerances
	figures := make([]compare.Pairs, len(list))
	known := make([]bool, len(list))
	tests := 0
	for i, t := range list {
		f := &figures[i]
		*f = compare.Pairs{Key: t.Key, Baseline: slices.Repeat([]float64{math.NaN()}, len(runs)), Values: values(t.Key, runs)}
		if b != nil {
			f.Baseline, known[i] = b.of(t.Key)
		}
		if f.Effect = t.effectOf(f); f.Differ() {
			tests++
		}
	}
	exact := b != nil && b.withoutChance() && compare.SameFigures(runs)
	for i, d := range compare.Differences(figures) {
		c := list[i].check(&figures[i], d, judging{exact, tests})
		if !known[i] {
			c.Verdict, c.Message = Worse, list[i].unknown()
		}
		c.Failed = c.Verdict == Worse || c.Verdict == NotShown && rules.NotShown == NotShownFails
		r.Checks = append(r.Checks, c)
	}
}

// judging is how the values of a gate are judged.
type judging struct {
	exact bool // the runs do not depend on their seeds, and differences are as they are
	tests int  // number of values that differ
}

// unknown returns the message for a value that the baseline does not have.
func (t Tolerance) unknown() string {
	if t.Part != (metric.Part{}) {
		return "is not in the baseline: re-create it with --update and these rules"
	}
	return "is not in the baseline: re-create it with --update"
}

// check checks one value; d is its difference from the baseline.
func (t Tolerance) check(figure *compare.Pairs, d paired.Difference, how judging) Check {
	seeds, had, has := len(figure.Values), count(figure.Baseline), count(figure.Values)
	c := Check{Key: t.Key, Rule: "tolerance " + t.String(), Pairs: d.Pairs, Effect: figure.Effect, worse: t.worse(d.Mean)}
	c.Baseline, c.Mean = figure.Means()
	switch {
	case d.Pairs == 0 && had > 0:
		c.Verdict, c.Message = Worse, "has no value any more"
	case d.Pairs < paired.MinPairs && had >= paired.MinPairs:
		c.Verdict = Worse
		c.Message = fmt.Sprintf("has a value in %d of %s, where the baseline has one in %d", d.Pairs, human.Counted(seeds, "seed"), had)
	case had+has == 0:
		c.Verdict = NoWorse
	case how.exact && d.Pairs > 0:
		c.Verdict = t.exactly(figure, d)
	default:
		c.Verdict = t.shown(figure, d)
	}
	switch {
	case c.Message != "":
	case c.Verdict == Worse:
		c.Message = fmt.Sprintf("is %s%s, %s than in the baseline (%s), which allows %s",
			c.Text(c.Mean), c.among(seeds), t.higher(c.Mean-c.Baseline), c.Text(c.Baseline), t)
	case c.Verdict == NotShown:
		c.Message = t.notShownMessage(&c, d, seeds, how.tests)
	}
	return c
}

// count returns how many values there are.
func count(values []float64) int {
	return len(values) - len(slices.DeleteFunc(slices.Clone(values), isNumber))
}

// among returns in how many seeds there is a value, or nothing if it is in all.
func (c *Check) among(seeds int) string {
	if c.Pairs == seeds || c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf(" in %d of %s", c.Pairs, human.Counted(seeds, "seed"))
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
	c.Verdict = Beyond
	switch {
	case len(there) == 0:
		c.Message = fmt.Sprintf("has no value, it must be %s", l)
	case c.Mean < l.Min || c.Mean > l.Max:
		c.Message = fmt.Sprintf("is %s%s, it must be %s", l.Text(c.Mean), c.among(r.Seeds), l)
	default:
		c.Verdict = Within
	}
	c.Failed = c.Verdict == Beyond
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
