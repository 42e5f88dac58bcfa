package conformance

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// flaw is what is wrong with a plugin's answers; what is nil is right.
type flaw struct {
	verdict func(cluster.NodeID, scheduler.Verdict) scheduler.Verdict
	reason  func(string) string
	scores  func([]int64) // of all feasible nodes, after normalization
	status  func(scheduler.Status) scheduler.Status
	result  func(scheduler.PostFilterResult) scheduler.PostFilterResult
}

// withFlaw is berth's registry with one plugin that errs.
func withFlaw(name string, f flaw) scheduler.Registry {
	r := plugins.Registry()
	right := r[name]
	r[name] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		p, err := right(h, args)
		if err != nil {
			return nil, err
		}
		return flawed(p, &f), nil
	}
	return r
}

// flawed wraps a plugin so that it extends the points that it did: a type for each
// combination that there is.
func flawed(p scheduler.Plugin, f *flaw) scheduler.Plugin {
	w := wrapped{p, f}
	_, preFilters := p.(scheduler.PreFilterPlugin)
	_, filters := p.(scheduler.FilterPlugin)
	_, preScores := p.(scheduler.PreScorePlugin)
	_, scores := p.(scheduler.ScorePlugin)
	reserves, _ := p.(scheduler.ReservePlugin)
	waits, _ := p.(scheduler.WaitingPreBindPlugin)
	gates, _ := p.(scheduler.PreEnqueuePlugin)
	_, postFilters := p.(scheduler.PostFilterPlugin)
	switch {
	case postFilters:
		return struct {
			wrapped
			postFilter
			preEnqueue
		}{w, postFilter{w}, preEnqueue{gates}}
	case reserves != nil:
		return struct {
			wrapped
			preFilter
			filter
			preScore
			score
			reserve
			wait
		}{w, preFilter{w}, filter{w}, preScore{w}, score{w}, reserve{reserves}, wait{waits}}
	case preFilters && scores:
		return struct {
			wrapped
			preFilter
			filter
			preScore
			score
		}{w, preFilter{w}, filter{w}, preScore{w}, score{w}}
	case filters && scores:
		return struct {
			wrapped
			filter
			preScore
			score
		}{w, filter{w}, preScore{w}, score{w}}
	case preFilters:
		return struct {
			wrapped
			preFilter
			filter
		}{w, preFilter{w}, filter{w}}
	case filters:
		return struct {
			wrapped
			filter
		}{w, filter{w}}
	case preScores:
		return struct {
			wrapped
			preScore
			score
		}{w, preScore{w}, score{w}}
	}
	return struct {
		wrapped
		score
	}{w, score{w}}
}

// wrapped is a plugin and its flaw; the other types are it at one extension point.
type wrapped struct {
	scheduler.Plugin
	f *flaw
}

type (
	preFilter  struct{ w wrapped }
	filter     struct{ w wrapped }
	postFilter struct{ w wrapped }
	preScore   struct{ w wrapped }
	score      struct{ w wrapped }
	preEnqueue struct{ inner scheduler.PreEnqueuePlugin }
	reserve    struct{ inner scheduler.ReservePlugin }
	wait       struct {
		inner scheduler.WaitingPreBindPlugin
	}
)

func (p preFilter) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	r := p.w.Plugin.(scheduler.PreFilterPlugin).PreFilter(c)
	if p.w.f.status != nil && r.Status.Code != scheduler.Success {
		r.Status = p.w.f.status(r.Status)
	}
	return r
}

func (p filter) PrepareFilter(c *scheduler.Cycle) bool {
	prepare, has := p.w.Plugin.(scheduler.FilterPreparer)
	return !has || prepare.PrepareFilter(c)
}

func (p filter) Checks() scheduler.Checks { return p.w.Plugin.(scheduler.FilterPlugin).Checks() }

func (p filter) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	v := p.w.Plugin.(scheduler.FilterPlugin).Filter(c, node)
	if p.w.f.verdict != nil && v != scheduler.Fits {
		v = p.w.f.verdict(node, v)
	}
	return v
}

func (p filter) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	reasons := slices.Clone(p.w.Plugin.(scheduler.FilterPlugin).Reasons(c, v)) // it may be the plugin's own
	if p.w.f.reason != nil {
		for i := range reasons {
			reasons[i] = p.w.f.reason(reasons[i])
		}
	}
	return reasons
}

func (p preScore) PreScore(c *scheduler.Cycle) scheduler.Status {
	return p.w.Plugin.(scheduler.PreScorePlugin).PreScore(c)
}

func (p score) PrepareScore(c *scheduler.Cycle) bool {
	if prepare, has := p.w.Plugin.(scheduler.ScorePreparer); has {
		prepare.PrepareScore(c)
	}
	return false // a flaw may make the nodes differ
}

func (p score) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	return p.w.Plugin.(scheduler.ScorePlugin).Score(c, node)
}

func (p score) NormalizeScore(c *scheduler.Cycle, scores []int64) {
	scheduler.Normalize(p.w.Plugin.(scheduler.ScorePlugin), c, scores)
	if p.w.f.scores != nil {
		p.w.f.scores(scores)
	}
}

func (p postFilter) PostFilter(c *scheduler.Cycle) scheduler.PostFilterResult {
	r := p.w.Plugin.(scheduler.PostFilterPlugin).PostFilter(c)
	if p.w.f.result != nil {
		r = p.w.f.result(r)
	}
	return r
}

func (p preEnqueue) PreEnqueue(pod cluster.PodID) string { return p.inner.PreEnqueue(pod) }

func (p reserve) Reserve(state *scheduler.CycleState, pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	return p.inner.Reserve(state, pod, node)
}

func (p reserve) Unreserve(state *scheduler.CycleState, pod cluster.PodID, node cluster.NodeID) {
	p.inner.Unreserve(state, pod, node)
}

func (p wait) PreBind(pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	return p.inner.PreBind(pod, node)
}

func (p wait) PreBindTimeout() clock.Time { return p.inner.PreBindTimeout() }
