package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// reasonInterPod stands before each of the current reasons of InterPodAffinity.
const reasonInterPod = "node(s) didn't match pod affinity/anti-affinity"

// matchInterPodAffinity is the current rule, with one more reason. The first of the pods that
// want each other may go anywhere, as far as that is concerned; in
// the current plugin its node needs the labels of the topology keys.
//
// Upstream: InterPodAffinityMatches, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: namespace selectors of terms are honored; of several rules that a node fails the
// one that is named first is the current.
type matchInterPodAffinity struct {
	*currentFilter
	first   *currentFilter // asked in its place about a pod that is the first
	cluster *cluster.Cluster
	state   scheduler.Slot[interPodState]
}

type interPodState struct {
	isFirst bool
	alone   []*cluster.Class // by class: it without required affinity
}

func newMatchInterPodAffinity(h *scheduler.Handle) (scheduler.Plugin, error) {
	var both [2]*currentFilter
	for i := range both {
		var err error
		both[i], err = wrapFilter(h, "MatchInterPodAffinity", "InterPodAffinity", nil, func(current []string) []string {
			return slices.Concat([]string{reasonInterPod}, current)
		})
		if err != nil {
			return nil, err
		}
	}
	return &matchInterPodAffinity{both[0], both[1], h.Cluster(), scheduler.NewSlot[interPodState](h)}, nil
}

func (p *matchInterPodAffinity) PrepareFilter(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	if s.isFirst = isFirst(c); !s.isFirst {
		return p.currentFilter.PrepareFilter(c)
	}
	defer s.withoutAffinity(c)()
	return p.first.PrepareFilter(c)
}

// withoutAffinity gives the pod of the cycle a class without required affinity, until the
// function that it returns is called.
func (s *interPodState) withoutAffinity(c *scheduler.Cycle) (undo func()) {
	class := c.Class
	for len(s.alone) <= int(class.ID) {
		s.alone = append(s.alone, nil)
	}
	if s.alone[class.ID] == nil {
		alone := *class
		alone.Affinity = nil
		s.alone[class.ID] = &alone
	}
	c.Class = s.alone[class.ID]
	return func() { c.Class = class }
}

// isFirst reports whether no pod is there that the pod requires, and it would do itself.
func isFirst(c *scheduler.Cycle) bool {
	terms := c.Class.Affinity
	others := func(t *cluster.PodTerm) bool { return !t.SelectsForIncoming(c.Class, c.Cluster.Vocabulary, false) }
	if len(terms) == 0 || slices.ContainsFunc(terms, others) {
		return false
	}
	them := c.Cluster.PodsSelected(terms, false)
	return !slices.ContainsFunc(terms, func(t *cluster.PodTerm) bool {
		return c.Cluster.Topology.Counts(c.Cluster.Topology.Partition(t.TopologyKey, cluster.NodeInclusionPolicy{}), them).Total() != 0
	})
}

func (p *matchInterPodAffinity) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if p.state.In(c).isFirst {
		return p.first.Filter(c, node)
	}
	return p.currentFilter.Filter(c, node)
}

// DomainRules are those of the current plugin for a pod that is not the first.
func (p *matchInterPodAffinity) DomainRules(c *scheduler.Cycle, f func(scheduler.DomainRule)) {
	if s := p.state.In(c); s.isFirst {
		defer s.withoutAffinity(c)()
		p.first.DomainRules(c, f)
		return
	}
	p.currentFilter.DomainRules(c, f)
}

// QueueingHint is what the current rule says of a pod without required affinity. Another one may
// have become the first of its kind, which any node may help.
func (p *matchInterPodAffinity) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	return len(p.cluster.Pod(pod).Class.Affinity) > 0 || p.currentFilter.QueueingHint(pod, e)
}

// InterPodAffinityPriorityArgs are the arguments of InterPodAffinityPriority.
type InterPodAffinityPriorityArgs struct {
	HardWeight int64 // hardPodAffinitySymmetricWeight, 1 to 100
}

// newInterPodAffinityPriority is the current sum of weights, scaled to 10 between the lowest and
// the highest; 0 is always between them.
//
// Upstream: pkg/scheduler/algorithm/priorities/interpod_affinity.go, v1.16.15.
// Differs: namespace selectors of terms are honored.
func newInterPodAffinityPriority(h *scheduler.Handle, a InterPodAffinityPriorityArgs) (scheduler.Plugin, error) {
	args := plugins.InterPodAffinityArgs{HardPodAffinityWeight: a.HardWeight}
	score, err := wrapScore(h, InterPodAffinityPriority, "InterPodAffinity", args, scheduler.NoNormalization)
	if err != nil {
		return nil, err
	}
	return &interPodAffinityPriority{score}, nil
}

// interPodAffinityPriority is the current score with 0 always among the extremes.
type interPodAffinityPriority struct{ *currentScore }

// NormalizeScore scales to 0..10 between the extremes.
func (p *interPodAffinityPriority) NormalizeScore(_ *scheduler.Cycle, scores []int64) {
	e := scheduler.MinMax.Extremes(scores)
	e.Lowest, e.Highest = min(e.Lowest, 0), max(e.Highest, 0)
	for i, s := range scores {
		scores[i] = scheduler.MinMax.NormalizeOne(s, e, scheduler.MaxLegacyScore)
	}
}
