package legacy

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// current are the current plugins.
var current = plugins.Registry()

// oldest are the rules that current plugins follow here: of all releases those nearest to that time.
var oldest = release.All()[0].Rules()

// newCurrent makes a current plugin that follows them.
func newCurrent(h *scheduler.Handle, name string, args any) (scheduler.Plugin, error) {
	return current.New(name, h.WithRules(&oldest), args)
}

// unchanged are current plugins that a profile of this family has under their own names.
// Gates and pod groups are younger, but no pod that asks for them is run as if it did not.
var unchanged = []string{"SchedulingGates", "PrioritySort", "Coscheduling", "DefaultBinder"}

// currentFilter is a current filter under its old name and in the words of that time. What
// its PreFilter would limit the search to is found out node by node.
type currentFilter struct {
	named
	scheduler.FilterPlugin
	words func(current []string) []string // nil: those of the current plugin
}

// wrapFilter makes a current plugin into a predicate.
func wrapFilter(h *scheduler.Handle, name, from string, args any, words func([]string) []string) (*currentFilter, error) {
	plugin, err := newCurrent(h, from, args)
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
	if ruler, has := p.FilterPlugin.(scheduler.DomainRulePlugin); has {
		ruler.DomainRules(c, f)
	}
}

// QueueingHint is what the current plugin says.
func (p *currentFilter) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	retry, has := p.FilterPlugin.(scheduler.QueueingHintPlugin)
	return !has || retry.QueueingHint(pod, e)
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
	normalization scheduler.Normalization
}

// wrapScore makes a current plugin into a priority.
func wrapScore(h *scheduler.Handle, name, from string, args any, n scheduler.Normalization) (*currentScore, error) {
	plugin, err := newCurrent(h, from, args)
	if err != nil {
		return nil, err
	}
	return &currentScore{named(name), plugin.(scheduler.ScorePlugin), n}, nil
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

// Normalization implements scheduler.NormalizedScorePlugin.
func (p *currentScore) Normalization() scheduler.Normalization { return p.normalization }
