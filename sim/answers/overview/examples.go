package overview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// maxExplained bounds how many attempts are explained: each takes as long as many attempts.
const maxExplained = 32

// notExplained is why no change was tried for any pod of a reason.
const notExplained = "no pod of this reason was explained"

// examples explain one pod for each reason. Only the last attempt of a pod counts, so a pod that is tried again is no
// example any more for the reason of its earlier attempt.
type examples struct {
	placement *place.Placement
	options   explain.Options
	of        map[string]*explain.Explanation // by reason
	reason    map[cluster.PodID]string        // of the pods that are examples
	explained int
}

func newExamples(p *place.Placement, o explain.Options) *examples {
	return &examples{placement: p, options: o, of: map[string]*explain.Explanation{}, reason: map[cluster.PodID]string{}}
}

// attempted explains the attempt if there is no example for its reason yet. It must be called before anything else
// happens in the cluster.
func (x *examples) attempted(a *scheduler.Attempt, p *Pod) {
	if reason, is := x.reason[a.Pod]; is {
		delete(x.of, reason)
		delete(x.reason, a.Pod)
	}
	if a.Outcome != scheduler.Rejected || x.explained == maxExplained {
		return
	}
	reason := key(p)
	if x.of[reason] != nil {
		return
	}
	found, err := explain.Attempt(x.placement.Scheduler, x.placement.Cluster, a, x.options)
	if err != nil {
		return // the options ask for nothing that could fail
	}
	x.explained++
	x.of[reason], x.reason[a.Pod] = found, reason
}

// key returns what pods have in common that have no node for the same reason.
func key(p *Pod) string {
	if len(p.Reasons) == 0 {
		return p.Message
	}
	var parts []string
	for _, r := range p.Reasons { // sorted
		parts = append(parts, r.Plugin, r.Reason)
	}
	return strings.Join(parts, "\x00")
}

// reasons returns why the pods that have no node have none.
func (x *examples) reasons(pods []Pod) []Reason {
	var out []Reason
	type group struct {
		end place.End
		key string
	}
	at := map[group]int{}
	for i := range pods {
		p := &pods[i]
		if p.Placed() {
			continue
		}
		g := group{p.End, key(p)}
		k, known := at[g]
		if !known {
			k = len(out)
			at[g] = k
			out = append(out, Reason{End: p.End, Example: p.Name, Reasons: p.Reasons, Message: p.Message})
			if p.End == place.Unschedulable {
				out[k].Untried = notExplained
			}
		}
		out[k].Pods++
		if found := x.of[g.key]; found != nil && found.Pod == p.Name && p.End == place.Unschedulable {
			out[k].Example, out[k].Reasons, out[k].Message = p.Name, p.Reasons, p.Message
			out[k].Changes, out[k].Untried = found.Changes, found.Untried
		}
	}
	for i := range out {
		out[i].Reasons = slices.SortedStableFunc(slices.Values(out[i].Reasons), func(a, b record.ReasonCount) int { return b.Nodes - a.Nodes })
	}
	slices.SortStableFunc(out, func(a, b Reason) int { return cmp.Compare(b.Pods, a.Pods) })
	return out
}
