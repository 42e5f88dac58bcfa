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
	// Allowed is how much worse than the baseline the values may be, in the metric's unit.
	Allowed float64
}

// PairsOf returns the pairs of a value in runs, which must be in the same order of seeds.
func PairsOf(key metric.Key, baseline, runs []*metric.Summary) Pairs {
	return Pairs{Key: key, Baseline: valuesOf(baseline, key), Values: valuesOf(runs, key)}
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

// lostInRounding is the share of a value that the order of a sum may change.
const lostInRounding = 1e-12

// differences returns, by seed, the values minus those of the baseline; NaN if one is
// missing.
func (p *Pairs) differences() []float64 {
	out := make([]float64, len(p.Values))
	for i, v := range p.Values {
		out[i] = v - p.Baseline[i]
		if math.Abs(out[i]) <= lostInRounding*math.Abs(v) {
			out[i] = 0
		}
	}
	return out
}

// Differ reports whether the values of any pair differ.
func (p *Pairs) Differ() bool {
	return slices.ContainsFunc(p.differences(), func(d float64) bool { return d != 0 && !math.IsNaN(d) })
}

// Difference judges the values minus those of the baseline, and minus what is allowed
// beyond them. The random draws depend on the key only, so that neither the names of policies nor
// other keys change an interval.
func (p *Pairs) Difference() paired.Difference {
	differences := p.differences()
	for i := range differences {
		differences[i] += float64(p.Allowed * float64(p.Metric.Better))
	}
	return paired.Of(differences, clock.NewStreams(0).Rand("bootstrap/"+p.Key.String()))
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
