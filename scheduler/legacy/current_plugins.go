package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// current are the current plugins.
var current = plugins.Registry()

// unchanged are current plugins that a profile of this generation has under their own names.
// Gates and pod groups are younger, but no pod that asks for them is run as if it did not.
var unchanged = []string{"SchedulingGates", "PrioritySort", "Coscheduling", "DefaultBinder"}

// currentFilter is a current filter under its old name and in the words of that time. What
// its PreFilter would limit the search to is found out node by node.
type currentFilter struct {
	named
	scheduler.FilterPlugin
	words func(today []string) []string // nil: those of the current plugin
}

// wrapFilter makes a current plugin into a predicate.
func wrapFilter(h *scheduler.Handle, name, today string, args any, words func([]string) []string) (*currentFilter, error) {
	plugin, err := current[today](h, args)
	if err != nil {
		return nil, err
	}
	return &currentFilter{named(name), plugin.(scheduler.FilterPlugin), words}, nil
}

// always are the words of a rule that has one reason only.
func always(reason string) func([]string) []string {
	reasons := []string{reason}
	return func([]string) []string { return reasons }
}

// Name is the old name.
func (p *currentFilter) Name() string { return p.named.Name() }

// PrepareFilter does what the current plugin does for itself.
func (p *currentFilter) PrepareFilter(c *scheduler.Cycle) bool {
	prepare, has := p.FilterPlugin.(scheduler.FilterPreparer)
	return !has || prepare.PrepareFilter(c)
}

// DomainRules are those of the current plugin.
func (p *currentFilter) DomainRules(c *scheduler.Cycle, f func(scheduler.DomainRule)) {
	if ruler, has := p.FilterPlugin.(scheduler.DomainRuler); has {
		ruler.DomainRules(c, f)
	}
}

// WorthRetrying is what the current plugin says.
func (p *currentFilter) WorthRetrying(pod cluster.PodID, e scheduler.Event) bool {
	retry, has := p.FilterPlugin.(scheduler.RetryPlugin)
	return !has || retry.WorthRetrying(pod, e)
}

// Reasons are those of that time.
func (p *currentFilter) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	reasons := p.FilterPlugin.Reasons(c, v)
	if p.words == nil {
		return reasons
	}
	return p.words(reasons)
}

// currentScore is a current score under its old name, scaled to 0..10 as it was then.
type currentScore struct {
	named
	scheduler.ScorePlugin
	scale func(scores []int64)
}

// wrapScore makes a current plugin into a priority.
func wrapScore(h *scheduler.Handle, name, today string, args any, scale func([]int64)) (*currentScore, error) {
	plugin, err := current[today](h, args)
	if err != nil {
		return nil, err
	}
	return &currentScore{named(name), plugin.(scheduler.ScorePlugin), scale}, nil
}

// Name is the old name.
func (p *currentScore) Name() string { return p.named.Name() }

// PreScore does what the current plugin does for itself.
func (p *currentScore) PreScore(c *scheduler.Cycle) scheduler.Status {
	if pre, has := p.ScorePlugin.(scheduler.PreScorePlugin); has {
		return pre.PreScore(c)
	}
	return scheduler.Status{}
}

// PrepareScore does what the current plugin does for itself.
func (p *currentScore) PrepareScore(c *scheduler.Cycle) bool {
	prepare, has := p.ScorePlugin.(scheduler.ScorePreparer)
	return has && prepare.PrepareScore(c)
}

// ScoreMany does what the current plugin does for itself, or asks it node by node.
func (p *currentScore) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	if many, has := p.ScorePlugin.(scheduler.ScoreManyPlugin); has {
		many.ScoreMany(c, nodes, out)
		return
	}
	for i, node := range nodes {
		out[i] = p.ScorePlugin.Score(c, node)
	}
}

// NormalizeScore scales to 0..10.
func (p *currentScore) NormalizeScore(_ *scheduler.Cycle, scores []int64) { p.scale(scores) }

// toTen scales scores so that the highest becomes 10, cutting fractions. Where all are 0
// they stay so.
//
// Upstream: NormalizeReduce, pkg/scheduler/algorithm/priorities/reduce.go, v1.16.15.
func toTen(scores []int64) {
	highest := slices.Max(scores)
	if highest == 0 {
		return
	}
	for i, s := range scores {
		scores[i] = scheduler.MaxLegacyScore * s / highest
	}
}

// toTenReversed is toTen turned round, for scores of which a low one is the good one.
func toTenReversed(scores []int64) {
	toTen(scores)
	for i, s := range scores {
		scores[i] = scheduler.MaxLegacyScore - s
	}
}
