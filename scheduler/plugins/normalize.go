package plugins

import "github.com/berth-sim/berth/scheduler"

// normalize scales scores so that the highest becomes 100, cutting fractions, and
// turns them round when a low score is the good one. Where all are 0 they stay so,
// or become 100 when turned round.
//
// Upstream: DefaultNormalizeScore, framework/plugins/helper/normalize_score.go, v1.36.3.
func normalize(scores []int64, reverse bool) {
	var highest int64
	for _, s := range scores {
		highest = max(highest, s)
	}
	for i, s := range scores {
		if highest > 0 {
			s = scheduler.MaxNodeScore * s / highest
		}
		if reverse {
			s = scheduler.MaxNodeScore - s
		}
		scores[i] = s
	}
}
