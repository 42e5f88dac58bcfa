package compare

import (
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/paired"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Pairs are the values of one metric in runs with the same seeds: in those of a baseline, and in
// those that are compared with it; NaN if a run has none.
type Pairs struct {
	metric.Key
	Baseline, Values []float64 // by seed
	// Effect is the smallest difference of interest, in the metric's unit.
	Effect float64
}

// PairsOf returns the pairs of a value in runs, which must be in the same order of seeds. The effect is the one that the
// metric declares.
func PairsOf(key metric.Key, baseline, runs []*metric.Summary) Pairs {
	p := Pairs{Key: key, Baseline: valuesOf(baseline, key), Values: valuesOf(runs, key)}
	before, _ := p.Means()
	p.Effect = key.Metric.Matters.Of(before)
	return p
}

func valuesOf(runs []*metric.Summary, key metric.Key) []float64 {
	out := make([]float64, len(runs))
	for i, s := range runs {
		out[i] = key.In(s)
	}
	return out
}

// Means returns both means over the pairs without NaN. If
// there is no such pair, each is the mean of the values that are not NaN.
func (p *Pairs) Means() (baseline, values float64) {
	var before, after []float64
	for i, v := range p.Baseline {
		if !math.IsNaN(v - p.Values[i]) {
			before, after = append(before, v), append(after, p.Values[i])
		}
	}
	if len(before) == 0 {
		before, after = p.Baseline, p.Values
	}
	return paired.Mean(before), paired.Mean(after)
}

// Differ reports whether the values of any pair differ by more than the rounding of sums.
func (p *Pairs) Differ() bool { return paired.Differ(p.Baseline, p.Values) }

// Difference judges the values minus those of the baseline. The random draws depend on the key only, so that neither the names of
// policies nor other keys change an interval.
func (p *Pairs) Difference() paired.Difference {
	return paired.Compare(p.Baseline, p.Values, p.Effect, clock.NewStreams(0).Rand("bootstrap/"+p.Key.String()))
}

// Differences judges several pairs as one family of tests: the more there are, the smaller P each needs.
// Pairs whose values are the same in every run do not count, and have no P.
func Differences(figures []Pairs) []paired.Difference {
	out := make([]paired.Difference, len(figures))
	var family []*paired.Difference
	for i := range figures {
		out[i] = figures[i].Difference()
		if !figures[i].Differ() {
			out[i].P, out[i].Adjusted = math.NaN(), math.NaN()
			continue
		}
		family = append(family, &out[i])
	}
	paired.Adjust(family)
	return out
}

// SameFigures reports whether runs with several seeds all have the same values. Then nothing in them
// depends on chance.
func SameFigures(runs []*metric.Summary) bool {
	same := func(a, b metric.ScopeValues) bool {
		return a.Name == b.Name && slices.EqualFunc(a.Values, b.Values, func(x, y metric.Value) bool {
			return x.Metric == y.Metric && x.Label == y.Label && sameValue(x.Value, y.Value)
		})
	}
	for _, s := range runs[1:] {
		if !slices.EqualFunc(s.Scopes, runs[0].Scopes, same) {
			return false
		}
	}
	return len(runs) > 1
}

func sameValue(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
