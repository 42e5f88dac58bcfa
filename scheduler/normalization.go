package scheduler

import "math"

// Normalization declares how raw scores become scores of 0 to the highest of the family. The score of a node
// follows from its raw score and the Extremes of the feasible nodes alone: an index that keeps the extremes can
// normalize one node at a time.
type Normalization uint8

// The normalizations. Division cuts towards zero; top is the highest score, 100 or 10.
const (
	// NoNormalization leaves raw scores as they are: they are in range already.
	NoNormalization Normalization = iota
	// ByMaximum is top × raw / highest; where the highest is 0 all stay 0.
	//
	// Upstream: DefaultNormalizeScore, framework/plugins/helper/normalize_score.go, v1.36.3.
	ByMaximum
	// ByMaximumReversed is top minus what ByMaximum gives.
	ByMaximumReversed
	// MinMax is top × ((raw − lowest) / (highest − lowest)) in floating point, the ratio first; all become 0 where they
	// are equal.
	//
	// Upstream: NormalizeScore of framework/plugins/interpodaffinity/scoring.go, v1.36.3.
	MinMax
	// MinMaxInteger is top × (raw − lowest) / (highest − lowest) in integers; all become top where they are equal.
	MinMaxInteger
	// MinMaxIntegerZero is MinMaxInteger, but all become 0 where they are equal.
	//
	// Upstream: NormalizeScore of pkg/noderesources/allocatable.go and pkg/podstate/pod_state.go,
	// sigs.k8s.io/scheduler-plugins v0.33.5.
	MinMaxIntegerZero
	// MinMaxReversed is top × (highest + lowest − raw) / highest; all become top where the highest is 0. Nodes whose raw
	// score is ScoreIgnored become 0 and are not among the extremes.
	//
	// Upstream: NormalizeScore of framework/plugins/podtopologyspread/scoring.go, v1.36.3.
	MinMaxReversed
)

// ScoreIgnored is the raw score of a node that MinMaxReversed leaves out.
const ScoreIgnored = -1

// NormalizedScorePlugin is a score plugin that declares how its raw scores are normalized. A plugin whose scores do not
// follow from their extremes is a NormalizeScorePlugin instead; one that is neither has scores in range.
type NormalizedScorePlugin interface {
	ScorePlugin
	Normalization() Normalization
}

// Extremes are the lowest and the highest raw score of the feasible nodes.
type Extremes struct{ Lowest, Highest int64 }

// Extremes returns those of raw scores, as far as the normalization asks for them.
func (n Normalization) Extremes(raw []int64) Extremes {
	switch n {
	case NoNormalization:
		return Extremes{}
	case ByMaximum, ByMaximumReversed:
		return Extremes{Highest: highestOf(raw)}
	case MinMaxReversed:
		e := Extremes{Lowest: math.MaxInt64}
		for _, s := range raw {
			if s != ScoreIgnored {
				e.Lowest, e.Highest = min(e.Lowest, s), max(e.Highest, s)
			}
		}
		return e
	}
	e := Extremes{Lowest: math.MaxInt64, Highest: math.MinInt64}
	for _, s := range raw {
		e.Lowest, e.Highest = min(e.Lowest, s), max(e.Highest, s)
	}
	return e
}

// highestOf is the highest of scores, at least 0.
func highestOf(scores []int64) (highest int64) {
	for _, s := range scores {
		highest = max(highest, s)
	}
	return highest
}

// NormalizeOne returns the score of a node from its raw score and the extremes of all feasible nodes.
func (n Normalization) NormalizeOne(raw int64, e Extremes, top int64) int64 {
	switch n {
	case ByMaximum:
		return byMaximum(raw, e, top)
	case ByMaximumReversed:
		return top - byMaximum(raw, e, top)
	case MinMax:
		return minMax(raw, e, top)
	case MinMaxInteger:
		return minMaxInteger(raw, e, top)
	case MinMaxIntegerZero:
		return minMaxIntegerZero(raw, e, top)
	case MinMaxReversed:
		return minMaxReversed(raw, e, top)
	}
	return raw
}

// NormalizeAll normalizes the raw scores of all feasible nodes in place.
func (n Normalization) NormalizeAll(scores []int64, top int64) {
	e := n.Extremes(scores)
	switch n { // outside the loops, of which each calls one function
	case ByMaximum:
		for i, s := range scores {
			scores[i] = byMaximum(s, e, top)
		}
	case ByMaximumReversed:
		for i, s := range scores {
			scores[i] = top - byMaximum(s, e, top)
		}
	case MinMax:
		for i, s := range scores {
			scores[i] = minMax(s, e, top)
		}
	case MinMaxInteger:
		for i, s := range scores {
			scores[i] = minMaxInteger(s, e, top)
		}
	case MinMaxIntegerZero:
		for i, s := range scores {
			scores[i] = minMaxIntegerZero(s, e, top)
		}
	case MinMaxReversed:
		for i, s := range scores {
			scores[i] = minMaxReversed(s, e, top)
		}
	}
}

func byMaximum(raw int64, e Extremes, top int64) int64 {
	if e.Highest == 0 {
		return raw
	}
	return top * raw / e.Highest
}

func minMax(raw int64, e Extremes, top int64) int64 {
	if e.Lowest == e.Highest {
		return 0
	}
	return int64(float64(top) * (float64(raw-e.Lowest) / float64(e.Highest-e.Lowest)))
}

func minMaxInteger(raw int64, e Extremes, top int64) int64 {
	if raw == e.Highest {
		return top
	}
	return (raw - e.Lowest) * top / (e.Highest - e.Lowest)
}

func minMaxIntegerZero(raw int64, e Extremes, top int64) int64 {
	if e.Lowest == e.Highest {
		return 0
	}
	return (raw - e.Lowest) * top / (e.Highest - e.Lowest)
}

func minMaxReversed(raw int64, e Extremes, top int64) int64 {
	switch {
	case raw == ScoreIgnored:
		return 0
	case e.Highest == 0:
		return top
	}
	return top * (e.Highest + e.Lowest - raw) / e.Highest
}

// Normalize brings raw scores of the feasible nodes into range in the way of the plugin. It is for plugins that wrap
// others.
func Normalize(p ScorePlugin, c *Cycle, scores []int64) {
	if own, has := p.(NormalizeScorePlugin); has {
		own.NormalizeScore(c, scores)
		return
	}
	if declared, has := p.(NormalizedScorePlugin); has {
		declared.Normalization().NormalizeAll(scores, c.profile.family.MaxScore())
	}
}
