package plugins

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

const (
	reasonPodAffinity          = "node(s) didn't match pod affinity rules"
	reasonPodAntiAffinity      = "node(s) didn't match pod anti-affinity rules"
	reasonExistingAntiAffinity = "node(s) didn't satisfy existing pods anti-affinity rules"
)

// The details of verdicts.
const (
	detailPodAffinity = iota
	detailPodAntiAffinity
	detailExistingAntiAffinity
)

var podAffinityReasons = [...][]string{
	detailPodAffinity:          {reasonPodAffinity},
	detailPodAntiAffinity:      {reasonPodAntiAffinity},
	detailExistingAntiAffinity: {reasonExistingAntiAffinity},
}

// InterPodAffinityArgs are the arguments of InterPodAffinity.
type InterPodAffinityArgs struct {
	// HardPodAffinityWeight is what a required affinity term of a pod that is there
	// already adds to the score; 0 to 100.
	HardPodAffinityWeight int64
	// IgnorePreferredTermsOfExistingPods ignores them for pods that have
	// no preferred terms of their own.
	IgnorePreferredTermsOfExistingPods bool
}

// DefaultInterPodAffinityArgs returns a hard pod affinity weight of 1, with preferred terms of existing pods not
// ignored.
func DefaultInterPodAffinityArgs() InterPodAffinityArgs {
	return InterPodAffinityArgs{HardPodAffinityWeight: 1}
}

// interPodAffinity rejects nodes in whose topology domains there are no pods that the pod
// requires, or some that its anti-affinity or theirs excludes; it prefers domains by the preferred terms
// of the pod and of those that are there. Pods are not looked at: the cluster keeps count
// of them by domain. This file has the filter, inter_pod_affinity_score.go the score.
//
// Upstream: framework/plugins/interpodaffinity/*.go, v1.36.3 and v1.37.2.
// Differs: none.
type interPodAffinity struct {
	cluster *cluster.Cluster
	rules   *release.Rules
	args    InterPodAffinityArgs
	state   scheduler.Slot[podAffinityState]
}

type podAffinityState struct {
	plans []*podAffinityPlan // by class

	affinity                           []affinityCount
	first                              bool
	antiAffinity, existingAntiAffinity []*cluster.DomainCounts
	rows                               []scoreRow
}

// podAffinityPlan is whom to count for pods of a class. What the class itself says stays;
// what other pods say of it is found again when there are other terms.
type podAffinityPlan struct {
	class   *cluster.Class
	version uint64

	affinity     []matchingPods // by topology key: pods that match all required affinity terms
	first        bool           // pods of the class match their own required affinity terms
	antiAffinity []matchingPods // pods that match a required anti-affinity term
	preferred    []matchingPods // pods that match a preferred term

	existingAntiAffinity []matchingPods // pods with a required anti-affinity term that matches the class
	existingTerms        []matchingPods // pods with another term that matches the class
}

// matchingPods is a set of pods, counted by the domains of one topology key.
type matchingPods struct {
	partition *cluster.Partition
	of        *cluster.PodSet
	weight    int64 // what each adds to the score; 0 for sets of the filter
}

// affinityCount is the count of the pods that the pod wants to be with, by one topology key.
type affinityCount struct {
	partition *cluster.Partition
	counts    *cluster.DomainCounts
}

func newInterPodAffinity(h *scheduler.Handle, a InterPodAffinityArgs) (scheduler.Plugin, error) {
	return &interPodAffinity{h.Cluster(), h.Rules(), a, scheduler.NewSlot[podAffinityState](h)}, nil
}

func (p *interPodAffinity) Name() string { return "InterPodAffinity" }

func (p *interPodAffinity) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.NodePods | scheduler.Nominations | scheduler.DomainPods
}

func (p *interPodAffinity) Checks() scheduler.Checks { return scheduler.CheckPodAffinity }

// plan returns the plan for the pod of the cycle.
func (p *interPodAffinity) plan(c *scheduler.Cycle) *podAffinityPlan {
	s, class := p.state.In(c), c.Class
	for len(s.plans) <= int(class.ID) {
		s.plans = append(s.plans, nil)
	}
	plan := s.plans[class.ID]
	if plan == nil {
		plan = p.newPlan(class)
		s.plans[class.ID] = plan
	}
	if version := p.cluster.Topology.DeclaredVersion(); plan.version != version {
		plan.version = version
		p.updateExisting(plan)
	}
	return plan
}

func (p *interPodAffinity) newPlan(class *cluster.Class) *podAffinityPlan {
	v := p.cluster.Vocabulary
	plan := &podAffinityPlan{class: class}
	selects := func(t *cluster.PodTerm) bool { return t.SelectsForIncoming(class, v, p.rules.EmptyNamespacesMatch) }
	plan.first = !slices.ContainsFunc(class.Affinity, func(t *cluster.PodTerm) bool { return !selects(t) })
	for i, t := range class.Affinity {
		if !slices.ContainsFunc(class.Affinity[:i], func(o *cluster.PodTerm) bool { return o.TopologyKey == t.TopologyKey }) {
			plan.affinity = append(plan.affinity, p.matching(t, v.PodsSelected(class.Affinity, p.rules.EmptyNamespacesMatch), 0))
		}
	}
	for _, t := range class.AntiAffinity {
		plan.antiAffinity = append(plan.antiAffinity, p.matching(t, v.PodsSelected([]*cluster.PodTerm{t}, p.rules.EmptyNamespacesMatch), 0))
	}
	for _, t := range class.PreferredAffinity {
		plan.preferred = append(plan.preferred, p.matching(t.Term, v.PodsSelected([]*cluster.PodTerm{t.Term}, p.rules.EmptyNamespacesMatch), t.Weight))
	}
	for _, t := range class.PreferredAntiAffinity {
		plan.preferred = append(plan.preferred, p.matching(t.Term, v.PodsSelected([]*cluster.PodTerm{t.Term}, p.rules.EmptyNamespacesMatch), -t.Weight))
	}
	return plan
}

func (p *interPodAffinity) matching(t *cluster.PodTerm, of *cluster.PodSet, weight int64) matchingPods {
	return matchingPods{p.cluster.Topology.Partition(t.TopologyKey, cluster.NodeInclusionPolicy{}), of, weight}
}

// updateExisting notes whom the terms that pods declare make count for the class.
func (p *interPodAffinity) updateExisting(plan *podAffinityPlan) {
	v := p.cluster.Vocabulary
	plan.existingAntiAffinity, plan.existingTerms = plan.existingAntiAffinity[:0], plan.existingTerms[:0]
	p.cluster.Topology.DeclaredTerms(func(d cluster.DeclaredTerm) {
		weight := p.weight(d)
		if weight == 0 && d.Role != cluster.RequiredAntiAffinity || !d.Term.Selects(plan.class, v) {
			return
		}
		declaring := p.matching(d.Term, v.PodsDeclaring(d), weight)
		if d.Role == cluster.RequiredAntiAffinity {
			plan.existingAntiAffinity = append(plan.existingAntiAffinity, declaring)
		} else {
			plan.existingTerms = append(plan.existingTerms, declaring)
		}
	})
}

func (p *interPodAffinity) domainCounts(of matchingPods) *cluster.DomainCounts {
	return p.cluster.Topology.Counts(of.partition, of.of)
}

func (p *interPodAffinity) anyOf(sets []matchingPods) bool {
	return slices.ContainsFunc(sets, func(of matchingPods) bool { return p.domainCounts(of).Total() != 0 })
}

func (p *interPodAffinity) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	plan := p.plan(c)
	own := len(plan.affinity)+len(plan.antiAffinity) > 0
	return scheduler.PreFilterResult{Skip: !own && !p.anyOf(plan.existingAntiAffinity)}
}

func (p *interPodAffinity) PrepareFilter(c *scheduler.Cycle) bool {
	s, plan := p.state.In(c), p.plan(c)
	s.affinity, s.antiAffinity, s.existingAntiAffinity = s.affinity[:0], s.antiAffinity[:0], s.existingAntiAffinity[:0]
	s.first = plan.first
	for _, of := range plan.affinity {
		s.affinity = append(s.affinity, affinityCount{of.partition, p.domainCounts(of)})
	}
	for _, of := range plan.antiAffinity {
		s.antiAffinity = append(s.antiAffinity, p.domainCounts(of))
	}
	for _, of := range plan.existingAntiAffinity {
		s.existingAntiAffinity = append(s.existingAntiAffinity, p.domainCounts(of))
	}
	return len(s.affinity)+len(s.antiAffinity)+len(s.existingAntiAffinity) > 0
}

func (p *interPodAffinity) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	if len(s.affinity) > 0 && !s.satisfiesAffinity(node) {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, detailPodAffinity)
	}
	for _, antiAffinity := range s.antiAffinity {
		if antiAffinity.On(node) > 0 {
			return scheduler.NewRejection(scheduler.Unschedulable, detailPodAntiAffinity)
		}
	}
	for _, existingAntiAffinity := range s.existingAntiAffinity {
		if existingAntiAffinity.On(node) > 0 {
			return scheduler.NewRejection(scheduler.Unschedulable, detailExistingAntiAffinity)
		}
	}
	return scheduler.Fits
}

// satisfiesAffinity reports whether the required affinity terms allow the node. The first pod of those
// that want each other may go wherever the labels are.
func (s *podAffinityState) satisfiesAffinity(node cluster.NodeID) bool {
	all := true
	for i := range s.affinity {
		domain := s.affinity[i].partition.Domain(node)
		if domain == cluster.NoDomain {
			return false
		}
		all = all && s.affinity[i].counts.Count(domain) > 0
	}
	return all || s.first && !slices.ContainsFunc(s.affinity, func(a affinityCount) bool { return a.counts.Total() != 0 })
}

func (p *interPodAffinity) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	return podAffinityReasons[v.Detail()]
}

// QueueingHint follows upstream in that it does not look up the labels of namespaces: a
// term that finds its pods by a namespace selector is not heard of them.
func (p *interPodAffinity) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	class := p.cluster.Pod(pod).Class
	switch e.Kind {
	case scheduler.PodPlaced:
		return p.allSelect(class.Affinity, e.Class)
	case scheduler.PodFreed:
		return p.wakesWhenDeleted(class, e.Class)
	case scheduler.NominationLost:
		return p.rules.NominatedCountsAsAssigned && p.wakesWhenDeleted(class, e.Class)
	case scheduler.NodeAdded:
		labels := p.cluster.Node(e.Node).Labels
		return len(class.AntiAffinity) > 0 || slices.ContainsFunc(class.Affinity, func(t *cluster.PodTerm) bool {
			_, has := labels.Get(t.TopologyKey)
			return has
		})
	}
	now := p.cluster.Node(e.Node).Labels
	moves := func(key cluster.Symbol) (joined, left, other bool) {
		from, was := e.Before.Labels.Get(key)
		to, is := now.Get(key)
		return is && !was, was && !is, is && was && from != to
	}
	return slices.ContainsFunc(class.Affinity, func(t *cluster.PodTerm) bool {
		joined, _, other := moves(t.TopologyKey)
		return joined || other
	}) || slices.ContainsFunc(class.AntiAffinity, func(t *cluster.PodTerm) bool {
		_, left, other := moves(t.TopologyKey)
		return left || other
	})
}

// wakesWhenDeleted reports whether a pod of a class may fit when one of another class is deleted.
//
// Upstream: isSchedulableAfterPodChange and isSchedulableAfterAssignedPodChange, framework/plugins/interpodaffinity/plugin.go,
// v1.33.13 to v1.37.2.
func (p *interPodAffinity) wakesWhenDeleted(waiting, deleted *cluster.Class) bool {
	switch p.rules.DeletedAntiAffinity {
	case release.AntiAffinityOfWaiting:
		return p.allSelect(waiting.AntiAffinity, deleted)
	case release.AntiAffinityAllTerms:
		return p.allSelect(waiting.AntiAffinity, deleted) || p.allSelect(deleted.AntiAffinity, waiting)
	}
	return p.anySelects(waiting.AntiAffinity, deleted) || p.anySelects(deleted.AntiAffinity, waiting)
}

// anySelects reports whether one of the terms selects pods of the class.
func (p *interPodAffinity) anySelects(terms []*cluster.PodTerm, class *cluster.Class) bool {
	return slices.ContainsFunc(terms, func(t *cluster.PodTerm) bool { return t.SelectsByName(class, p.cluster.Vocabulary) })
}

// allSelect reports whether there are terms and all of them select pods of the class.
func (p *interPodAffinity) allSelect(terms []*cluster.PodTerm, class *cluster.Class) bool {
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t *cluster.PodTerm) bool {
		return !t.SelectsByName(class, p.cluster.Vocabulary)
	})
}
