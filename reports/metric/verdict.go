package metric

import (
	"math"
	"slices"
	"strings"
)

// Verdict is what a difference amounts to.
type Verdict string

// The verdicts.
const (
	Better       Verdict = "better"
	Worse        Verdict = "worse"
	Equal        Verdict = "equal" // the difference is below the smallest difference of interest
	NoDifference Verdict = "no difference shown"
	Differs      Verdict = "differs" // two single runs, by what matters: more seeds would tell which policy is better
	Unjudged     Verdict = ""        // the metric has no direction, there are too few seeds, or nothing differs
)

// Primary reports whether the metric is one of those that comparisons name first.
func (m *Declaration) Primary() bool { return m.More != "" }

// Judge returns whether a difference is for the better or the worse.
func (m *Declaration) Judge(difference float64) Verdict {
	switch {
	case difference == 0 || math.IsNaN(difference) || m.Better == Neutral:
		return Unjudged
	case (difference > 0) == (m.Better == Higher):
		return Better
	}
	return Worse
}

// Differs returns Differs if the value and another of the same metric and label, each of a single run, differ by the smallest
// difference of interest or more. It is Unjudged if they do not, as far as they are shown, or the metric has no direction.
func (v Value) Differs(from Value) Verdict {
	if v.Metric.Better == Neutral || !Visible(v.Difference(from)) || !v.Metric.Matters.Met(from.Value, v.Value) {
		return Unjudged
	}
	return Differs
}

// Visible reports whether the text of a difference is not rounded to zero.
func Visible(difference string) bool { return strings.ContainsAny(difference, "123456789") }

// Judged reports whether comparisons give a verdict on the value. Of the statistics of a distribution they do for
// the median and the 99th percentile only.
func (k Key) Judged() bool {
	return k.Metric.Better != Neutral && (k.Metric.Primary() || k.Metric.Headline&ScopeRun != 0) &&
		(k.Metric.Label != ByStatistic || k.Label == "p50" || k.Label == "p99")
}

// Keys returns the keys of all values that any of the runs has for the whole run, in the order of the declarations. Resources
// that no pod requests are left out.
func Keys(runs []*Summary) []Key {
	byMetric := map[*Declaration][]Key{}
	for _, s := range runs {
		for _, v := range s.Scopes[0].Values {
			key := Key{Metric: v.Metric, Label: v.Label}
			if !slices.Contains(byMetric[v.Metric], key) && s.worthComparing(v) {
				byMetric[v.Metric] = append(byMetric[v.Metric], key)
			}
		}
	}
	var keys []Key
	for i := range All {
		keys = append(keys, byMetric[&All[i]]...)
	}
	return keys
}

// PrimaryKeys returns those of Keys that are judged and of primary metrics.
func PrimaryKeys(runs []*Summary) []Key {
	return slices.DeleteFunc(Keys(runs), func(k Key) bool { return !k.Judged() || !k.Metric.Primary() })
}

func (s *Summary) worthComparing(v Value) bool {
	return v.Metric.Label != ByResource || s.Requested(v.Label) && !(v.Metric.Relative && s.Idle(v.Label))
}

// Requested reports whether any pod ever took some of the resource. The number of pods does not count as a resource here.
func (s *Summary) Requested(resource string) bool {
	peak, known := s.Value("utilization.allocatedPeak", resource)
	mean, _ := s.Value("utilization.allocated", resource)
	return resource != PodsResource && (!known || peak > 0 || mean > 0)
}

// leastAllocated is the mean allocated share below which values relative to it mean nothing.
const leastAllocated = 0.01

// Idle reports whether next to nothing of the resource was allocated on average.
func (s *Summary) Idle(resource string) bool {
	mean, known := s.Value("utilization.allocated", resource)
	return known && mean < leastAllocated
}
