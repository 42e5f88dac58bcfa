package gate

import (
	"fmt"
	"math"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/paired"
)

// Verdict is what a check found.
type Verdict string

// The verdicts. A tolerance has one of the first three, a limit one of the last two.
const (
	// Worse: the value is shown to be worse than in the baseline, by more than the tolerance.
	Worse Verdict = "worse"
	// NoWorse: the value is shown not to be worse by more than the tolerance.
	NoWorse Verdict = "no worse"
	// NotShown: neither is shown; more seeds would tell.
	NotShown Verdict = "not shown"
	Within   Verdict = "within the limit"
	Beyond   Verdict = "beyond the limit"
)

// mostSeeds is the largest number of seeds that a message names.
const mostSeeds = 1000

// exactly returns the verdict on runs that do not depend on their seeds.
func (t Tolerance) exactly(figure *compare.Pairs, d paired.Difference) Verdict {
	if worse := t.worse(d.Mean); worse > 0 && worse >= figure.Effect {
		return Worse
	}
	return NoWorse
}

// shown returns the verdict that the seeds show.
func (t Tolerance) shown(figure *compare.Pairs, d paired.Difference) Verdict {
	switch toWorse := -int(t.Metric.Better); {
	case d.Pairs > 0 && !figure.Differ():
		return NoWorse
	case d.Beyond(toWorse):
		return Worse
	case d.Within(toWorse):
		return NoWorse
	}
	return NotShown
}

// worse returns by how much a difference is for the worse; negative: for the better.
func (t Tolerance) worse(difference float64) float64 {
	return -difference * float64(t.Metric.Better)
}

// notShownMessage returns the message of a value of which neither is shown.
func (t Tolerance) notShownMessage(c *Check, d paired.Difference, seeds, tests int) string {
	if d.Pairs == 0 {
		return fmt.Sprintf("is %s, and has no value in the baseline: not shown to be no worse", t.Text(c.Mean))
	}
	text := fmt.Sprintf("is %s%s, %s than in the baseline (%s): not shown to be worse or no worse by %s",
		t.Text(c.Mean), c.among(seeds), t.higher(c.Mean-c.Baseline), t.Text(c.Baseline), t)
	switch c.SeedsNeeded = d.PairsToShow(-int(t.Metric.Better), tests); {
	case c.SeedsNeeded == 0:
		return fmt.Sprintf("%s, which takes at least %s", text, human.Counted(paired.MinPairs, "seed"))
	case c.SeedsNeeded > mostSeeds:
		return fmt.Sprintf("%s, which would probably take more than %s", text, human.Counted(mostSeeds, "seed"))
	}
	return fmt.Sprintf("%s, which would probably take about %s", text, human.Counted(int(c.SeedsNeeded), "seed"))
}

// suspicious reports whether the mean of a value of which neither is shown is worse by more than the tolerance.
func (c *Check) suspicious() bool {
	return c.Verdict == NotShown && !(c.worse < c.Effect) && !math.IsNaN(c.worse)
}

// effectOf returns the tolerance in the metric's unit, beside the mean of the baseline.
func (t Tolerance) effectOf(figure *compare.Pairs) float64 {
	before, _ := figure.Means()
	return t.Effect.Of(before)
}
