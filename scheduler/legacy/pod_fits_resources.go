package legacy

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonInsufficient = "Insufficient %s"

// FitArgs are the arguments of PodFitsResources, and of GeneralPredicates.
type FitArgs struct {
	// Ignored are extended resources that an extender takes care of.
	Ignored []string
}

// podFitsResources rejects nodes with less free than the pod asks for, where free is what
// the node can allocate less what its pods ask for.
//
// Upstream: PodFitsResources, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: a pod that asks for more than 20 resources beside cpu, memory and ephemeral
// storage is an error; 0 of an extended resource is no request.
//
// Unlike with the current plugin a pod that asks for anything fits on no node that has promised more cpu,
// memory or ephemeral storage than it has, be it only one that the pod does not ask for;
// and preemption is tried on nodes that are too small.
type podFitsResources struct {
	named
	cluster *cluster.Cluster
	ignored []string
	state   scheduler.Slot[fitState]
}

type fitState struct{ needs []need }

// need is an amount of one resource that a node must have free.
type need struct {
	resource               cluster.Resource
	amount                 int64
	allocatable, requested []int64
}

// maxNeeds is how many resources the detail of a verdict can speak of: a bit for each.
const maxNeeds = 24

func newPodFitsResources(h *scheduler.Handle, a FitArgs) (scheduler.Plugin, error) {
	return &podFitsResources{PodFitsResources, h.Cluster(), a.Ignored, scheduler.NewSlot[fitState](h)}, nil
}

func (p *podFitsResources) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods | scheduler.Nominations
}

func (p *podFitsResources) Checks() scheduler.Checks {
	if len(p.ignored) > 0 {
		return scheduler.CheckResources
	}
	return scheduler.CheckResources | scheduler.CheckAllResources
}

// PreFilter lists what is needed: first room for one pod.
func (p *podFitsResources) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	s := p.state.In(c)
	s.needs = s.needs[:0]
	p.need(s, cluster.Pods, 1)
	if len(c.Class.Requests) > 0 {
		for _, r := range []cluster.Resource{cluster.CPU, cluster.Memory, cluster.EphemeralStorage} {
			p.need(s, r, c.Class.Request(r))
		}
	}
	for _, q := range c.Class.Requests {
		if q.Resource.IsScalar() && !slices.Contains(p.ignored, p.cluster.ResourceName(q.Resource)) {
			p.need(s, q.Resource, q.Amount)
		}
	}
	if n := len(s.needs); n > maxNeeds {
		message := fmt.Sprintf("the pod asks for %d different resources, at most %d are supported", len(c.Class.Requests), maxNeeds-1)
		return scheduler.PreFilterResult{Status: scheduler.Status{Code: scheduler.Error, Message: message}}
	}
	return scheduler.PreFilterResult{}
}

func (p *podFitsResources) need(s *fitState, r cluster.Resource, amount int64) {
	s.needs = append(s.needs, need{r, amount, p.cluster.Allocatable(r), p.cluster.Requested(r)})
}

func (p *podFitsResources) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	var lacking uint32
	for i, n := range p.state.In(c).needs {
		if n.amount > n.allocatable[node]-n.requested[node] {
			lacking |= 1 << i
		}
	}
	if lacking == 0 {
		return scheduler.Fits
	}
	return scheduler.NewRejection(scheduler.Unschedulable, lacking)
}

func (p *podFitsResources) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	var reasons []string
	for i, n := range p.state.In(c).needs {
		if v.Detail()&(1<<i) != 0 {
			reasons = append(reasons, fmt.Sprintf(reasonInsufficient, p.cluster.ResourceName(n.resource)))
		}
	}
	return reasons
}

// QueueingHint reports whether the pod asks for no more than the node has at all.
func (p *podFitsResources) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	if e.Kind != scheduler.NodeAdded && e.Kind != scheduler.NodeUpdated {
		return true
	}
	return !slices.ContainsFunc(p.cluster.Pod(pod).Class.Requests, func(q cluster.Quantity) bool {
		return q.Amount > p.cluster.Allocatable(q.Resource)[e.Node] && !slices.Contains(p.ignored, p.cluster.ResourceName(q.Resource))
	})
}
