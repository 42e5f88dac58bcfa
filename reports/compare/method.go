package compare

import (
	"fmt"
	"math"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/paired"
)

// reading returns sentences about how to read the headlines, and what they leave out.
func (c *Comparison) reading() string {
	figures := 0
	for i := range c.Contrasts {
		figures = max(figures, c.Contrasts[i].tally().figures)
	}
	rest := "--all shows all figures."
	if figures > 0 {
		rest = fmt.Sprintf("--all shows the %s that %s, and how it is judged.", human.Counted(figures, "figure"), human.Verb(figures, "differ"))
	}
	switch seeds := len(c.Seeds); {
	case c.Exact:
		return c.exactness() + " " + rest
	case figures == 0:
		return rest
	case seeds == 1:
		return "Old → new, and the difference. What one seed shows may be luck. " + rest
	case seeds < paired.MinPairs:
		return fmt.Sprintf("Old → new as means of %d seeds, with the least and the most of their differences. ", seeds) + rest
	default:
		return fmt.Sprintf("Old → new as means of %d seeds with the same arrivals; ± is half the 95 %% interval of the difference. Better and "+
			"worse are shown to be beyond what matters (berth metrics lists it). ", seeds) + rest
	}
}

// exactness is the sentence about policies whose figures are the same with every seed.
func (c *Comparison) exactness() string {
	return fmt.Sprintf("All %d seeds give the same figures under each policy: the differences are exact for this scenario, and say "+
		"nothing of other days.", len(c.Seeds))
}

// method returns sentences about the columns and how the verdicts were found.
func (c *Comparison) method() string {
	if c.longNames() {
		return fmt.Sprintf("Old is %s, new is the policy that is compared with it. %s", c.Policies[c.Baseline], c.judging())
	}
	return c.judging()
}

// judging returns sentences about how the verdicts were found.
func (c *Comparison) judging() string {
	seeds := len(c.Seeds)
	if c.Exact {
		return c.exactness()
	}
	same := "Differences are of runs with the same seed, and so the same arrivals"
	switch {
	case seeds == 1:
		return same + ". What one seed shows may be luck."
	case seeds < paired.MinPairs:
		return fmt.Sprintf("%s; the least and the most are of %d seeds, and more seeds will go beyond them.", same, seeds)
	}
	interval := "a bootstrap over seeds"
	if seeds < paired.MinResampled {
		interval = "Student's t over so few seeds"
	}
	return fmt.Sprintf("%s; ± is half the interval that %s gives for 95 %%. Better and worse want an interval beyond the smallest difference "+
		"of interest (berth metrics lists them), and p ≤ %g in a paired t-test after Holm's correction, among the figures that matter most "+
		"(%d) or among the others (%d). Equal wants both one-sided tests of less than it.",
		same, interval, paired.Level, c.tested(true), c.tested(false))
}

// tested returns how many rows are one family of tests.
func (c *Comparison) tested(first bool) int {
	n := 0
	for _, row := range c.judged(first) {
		if !math.IsNaN(row.P) {
			n++
		}
	}
	return n
}
