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
	NoDifference Verdict = "no difference shown"
	Unjudged     Verdict = "" // the metric has no direction, there are too few seeds, or nothing differs
)

// Primary reports whether the metric is one to look at first.
func (m *Declaration) Primary() bool { return m.More != "" }

// Judge is whether a difference of that size is one for the better.
func (m *Declaration) Judge(difference float64) Verdict {
	switch {
	case difference == 0 || math.IsNaN(difference) || m.Better == Neutral:
		return Unjudged
	case (difference > 0) == (m.Better == Higher):
		return Better
	}
	return Worse
}

// Direction is whether the value is better than another of the same metric and label, or worse; empty if it is not
// known, or they differ by no more than is lost in rounding.
func (v Value) Direction(from Value) Verdict {
	if !Visible(v.Difference(from)) {
		return Unjudged
	}
	return v.Metric.Judge(v.Value - from.Value)
}

// Visible reports whether the text of a difference shows more than is lost in rounding.
func Visible(difference string) bool { return strings.ContainsAny(difference, "123456789") }

// Judged reports whether the value is one of those that a verdict is given on: of the statistics of a distribution only
// the median and the 99th percentile are.
func (k Key) Judged() bool {
	return k.Metric.Better != Neutral && (k.Metric.Primary() || k.Metric.Headline&ScopeRun != 0) &&
		(k.Metric.Label != ByStatistic || k.Label == "p50" || k.Label == "p99")
}

// Keys are those of all values that any of the runs has as a whole, in the order of the declarations. Resources that
// nobody requests are left out.
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

// PrimaryKeys are those of Keys that comparisons judge and that are to be looked at first.
func PrimaryKeys(runs []*Summary) []Key {
	return slices.DeleteFunc(Keys(runs), func(k Key) bool { return !k.Judged() || !k.Metric.Primary() })
}

func (s *Summary) worthComparing(v Value) bool {
	return v.Metric.Label != ByResource || s.Requested(v.Label) && !(v.Metric.Relative && s.Idle(v.Label))
}

// Requested reports whether any pod ever took some of the resource. The number of pods is no resource in this sense.
func (s *Summary) Requested(resource string) bool {
	peak, known := s.Value("utilization.allocatedPeak", resource)
	mean, _ := s.Value("utilization.allocated", resource)
	return resource != PodsResource && (!known || peak > 0 || mean > 0)
}

// leastAllocated is the mean allocated share below which what is relative to it means nothing.
const leastAllocated = 0.01

// Idle reports whether about nothing of the resource is allocated in the mean.
func (s *Summary) Idle(resource string) bool {
	mean, known := s.Value("utilization.allocated", resource)
	return known && mean < leastAllocated
}
