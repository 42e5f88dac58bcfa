package compare

import (
	"fmt"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/paired"
)

// maxClauses is the most differences that the answer names for a policy, half of them better and half of them worse if there are
// that many.
const maxClauses = 4

// answer returns a sentence that says how a policy compares with the baseline.
func (c *Comparison) answer(contrast *Contrast) string {
	policy, baseline, t := c.Policies[contrast.Policy], c.Policies[c.Baseline], contrast.tally()
	runs := fmt.Sprintf("(%s, %s)", c.Scenario, human.Counted(len(c.Seeds), "seed"))
	differing := "the " + human.Counted(t.metrics, "metric") + " that " + human.Verb(t.metrics, "differ")
	switch {
	case t.metrics == 0:
		return fmt.Sprintf("%s and %s do not differ in any metric that is judged %s", policy, baseline, runs)
	case !c.Exact && len(c.Seeds) < paired.MinPairs:
		return fmt.Sprintf("Too few seeds for a verdict on %s against %s in any of %s, it takes %d %s", policy, baseline, differing, paired.MinPairs, runs)
	case t.better+t.worse == 0 && t.undecided == 0:
		return fmt.Sprintf("%s and %s are equal as far as it matters in %s %s", policy, baseline, differing, runs)
	case t.better+t.worse == 0:
		return fmt.Sprintf("No difference that matters is shown between %s and %s in any of %s%s %s", policy, baseline, differing, equalIn(t.equal), runs)
	}
	text := fmt.Sprintf("%s is better than %s in %d and worse in %d of %s%s %s", policy, baseline, t.better, t.worse, differing, equalIn(t.equal), runs)
	better, worse := contrast.clauses()
	switch {
	case better != "" && worse != "":
		return text + ": it " + better + ", but " + worse
	case better+worse != "":
		return text + ": it " + better + worse
	}
	return text
}

// equalIn returns in how many metrics the policies are equal as far as it matters; "" if in none.
func equalIn(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", equal in %d", n)
}

// clauses returns what is better and what is worse, the largest differences of primary metrics first.
func (c *Contrast) clauses() (better, worse string) {
	found := map[metric.Verdict][]string{}
	for _, row := range c.headlines() {
		if row.rank() == shownPrimary && row.weight >= smallDifference {
			found[row.Verdict()] = append(found[row.Verdict()], row.sentence())
		}
	}
	list := func(v, other metric.Verdict) string {
		room := maxClauses - min(maxClauses/2, len(found[other]))
		return human.List(found[v][:min(len(found[v]), room)])
	}
	return list(metric.Better, metric.Worse), list(metric.Worse, metric.Better)
}

// sentence returns the difference as a part of a sentence about the policy.
func (r *Row) sentence() string {
	says := r.Metric.More
	if r.Difference.Mean < 0 {
		says = r.Metric.Less
	}
	size := strings.TrimLeft(r.difference(), "+−")
	switch r.Metric.Unit { // the sentence has a word for them
	case metric.UnitPods, metric.UnitNodes, metric.UnitGangs:
		one := strings.TrimSuffix(string(r.Metric.Unit), "s")
		if size, _, _ = strings.Cut(size, " "+one); size == "1" {
			says = strings.Replace(says, one+"s", one, 1)
		}
	}
	label := r.Label
	if r.Metric.Label == metric.ByStatistic {
		what := "pods"
		if r.Metric.Group() == "placement" && strings.HasPrefix(r.Metric.Name, "placement.gang") {
			what = "gangs"
		}
		label = map[string]string{"p50": "half of the " + what, "p90": "90 % of " + what, "p99": "99 % of " + what}[label]
	}
	return strings.NewReplacer("{}", size, "{label}", label).Replace(says)
}
