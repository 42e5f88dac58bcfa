package scheduler

import (
	"strings"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// Inspection runs the filters for a pod outside of a scheduling cycle, in more detail than a cycle
// does: all filters run, even after one has rejected the node. It disturbs no cycle. It is valid
// until the next question beside the cycles, or the next change of the cluster that is not a trial
// move.
type Inspection struct {
	c        *Cycle
	rejected Status
	searched map[cluster.NodeID]bool // nil: all nodes are
}

// Inspect prepares the filters for a pod as if it were of the class.
func (s *Scheduler) Inspect(pod cluster.PodID, class *cluster.Class) Inspection {
	c := s.probe
	c.reset(class)
	c.Pod = pod
	i := Inspection{c: c}
	if c.profile == nil {
		i.rejected = Status{Error, "no profile is responsible"}
		return i
	}
	i.rejected = c.runPreFilter()
	c.prepareFilters()
	if c.restrict != 0 && i.rejected.Code == Success {
		i.searched = map[cluster.NodeID]bool{}
		for _, node := range c.searched() {
			i.searched[node] = true
		}
	}
	return i
}

// Rejected returns why no node is searched; its Code is Success if some are.
func (i *Inspection) Rejected() (plugins string, st Status) {
	return strings.Join(i.c.names(i.c.rejectors), ","), i.rejected
}

// LeftOut reports whether PreFilter leaves the node out of the search, on account of which
// plugins and why.
func (i *Inspection) LeftOut(node cluster.NodeID) (plugins, why string, out bool) {
	if i.searched == nil || i.searched[node] {
		return "", "", false
	}
	return strings.Join(i.c.names(i.c.restrict), ","), i.c.absent.Message, true
}

// Fits reports whether a cycle would find the node feasible now, nominated pods and trial
// moves taken into account.
func (i *Inspection) Fits(node cluster.NodeID) bool {
	if i.rejected.Code != Success || i.searched != nil && !i.searched[node] {
		return false
	}
	return i.c.s.filterWithNominated(i.c, node) == Fits
}

// Verdicts appends to list the verdict of every filter that rejects the node, in the
// order in which a cycle asks them. Nominated pods are ignored.
func (i *Inspection) Verdicts(node cluster.NodeID, list []Verdict) []Verdict {
	if i.rejected.Code != Success {
		return list
	}
	for k := range i.c.filters {
		if v := i.c.filters[k].plugin.Filter(i.c, node); v != Fits {
			list = append(list, v.by(i.c.filters[k].index))
		}
	}
	return list
}

// EachNominatedPod calls f for every pod that is nominated to the node and whose requests count
// against the pod.
func (i *Inspection) EachNominatedPod(node cluster.NodeID, f func(cluster.PodID)) {
	s := i.c.s
	for _, pod := range s.nominator.of[s.cluster.Ref(node)] {
		if pod != i.c.Pod && s.cluster.Pod(pod).Class.Priority >= i.c.Class.Priority {
			f(pod)
		}
	}
}

// EachPostFilter calls f for every PostFilter plugin of the pod's profile, in order.
func (i *Inspection) EachPostFilter(f func(plugin string)) {
	if i.c.profile == nil {
		return
	}
	for _, p := range i.c.profile.postFilter {
		f(p.plugin.Name())
	}
}

// Plugin returns the name of the plugin that a verdict is of.
func (i *Inspection) Plugin(v Verdict) string { return i.c.profile.plugins[v.plugin()].Name() }

// Reasons returns the texts of a verdict.
func (i *Inspection) Reasons(v Verdict) []string { return i.c.ReasonsOf(v) }

// EachFilter calls f for every filter plugin of the pod's profile, in the order in which
// a cycle asks them; asked is false for one that has nothing to say to this pod.
func (i *Inspection) EachFilter(f func(plugin string, asked bool)) {
	if i.c.profile == nil {
		return
	}
	for _, p := range i.c.profile.filter {
		asked := false
		for k := range i.c.filters {
			asked = asked || i.c.filters[k].index == p.index
		}
		f(p.plugin.Name(), asked)
	}
}

// PreemptionOption is a node that preemption could free, and the pods that would have to
// go, by falling importance.
type PreemptionOption struct {
	Node       cluster.NodeID
	Victims    []cluster.PodID
	Violations int // of disruption budgets
	// Rule is the criterion that decided between the node and the chosen one, in favor of the one that comes
	// first; empty for the chosen one.
	Rule string
}

// PreemptionRanker is a PostFilter plugin that can list its candidates, the best first. It is not
// an extension point: configurations do not name it.
type PreemptionRanker interface {
	PostFilterPlugin
	RankPreemptions(c *Cycle, chosen cluster.NodeID) []PreemptionOption
}

// PreemptionOptions returns the nodes that preemption could free, the best first; none if no
// PreemptionRanker nominated the pod. It must be called right after the attempt.
func (a *Attempt) PreemptionOptions() []PreemptionOption {
	if a.Nominated == cluster.None {
		return nil
	}
	for _, p := range a.cycle.profile.postFilter {
		if ranker, can := p.plugin.(PreemptionRanker); can {
			return ranker.RankPreemptions(a.cycle, a.Nominated)
		}
	}
	return nil
}
