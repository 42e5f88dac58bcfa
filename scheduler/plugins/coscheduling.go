package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	messageGangIncomplete = "waiting for minMember pods of the pod group to appear"
	messageGangWaits      = "waiting for minMember pods of the pod group to be reserved"
	messageGangGaveUp     = "another member of the pod group lost its node"
)

// coscheduling binds the pods of a PodGroup together or not at all: members stay out
// of the queue until minMember of them have come, and wait in Permit until minMember have
// a node. When one of them waits for too long, all that wait lose their node.
//
// Upstream: the plugin Coscheduling of sigs.k8s.io/scheduler-plugins (PodGroup with
// minMember and scheduleTimeoutSeconds), and PreEnqueue and Permit of
// framework/plugins/gangscheduling/gangscheduling.go, v1.36.3.
// Differs: the queue is not sorted by group; minResources is not looked at; members rejected by a timeout are tried
// again when a pod leaves a node, as the others of them do; there is no backoff of the
// group as a whole; members that have completed count as if they had a node; a wait
// lasts as long as the group says, where upstream's framework cuts it to 15 minutes.
type coscheduling struct {
	h       *scheduler.Handle
	cluster *cluster.Cluster
}

func newCoscheduling(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &coscheduling{h, h.Cluster()}, nil
}

func (p *coscheduling) Name() string { return "Coscheduling" }

func (p *coscheduling) DependsOn() scheduler.Dependencies {
	return scheduler.PodGroup | scheduler.NodePods | scheduler.Nominations
}

func (p *coscheduling) PreEnqueue(pod cluster.PodID) string {
	id := p.cluster.Pod(pod).Group
	if id == cluster.NoGroup {
		return ""
	}
	if g := p.cluster.Groups.Group(id); g.Arrived < g.MinMember {
		return messageGangIncomplete
	}
	return ""
}

func (p *coscheduling) Permit(pod cluster.PodID, _ cluster.NodeID) (scheduler.Status, clock.Time) {
	id := p.cluster.Pod(pod).Group
	if id == cluster.NoGroup {
		return scheduler.Status{}, 0
	}
	g := p.cluster.Groups.Group(id)
	if g.Reserved+g.Done < g.MinMember {
		for _, member := range g.Members {
			if !p.h.HasPodsOutsideActiveQueue() {
				break // all of them are on their way
			}
			if member != pod && p.cluster.Pod(member).Phase == cluster.Pending {
				p.h.Activate(member)
			}
		}
		return scheduler.Status{Code: scheduler.Wait, Message: messageGangWaits}, g.ScheduleTimeout
	}
	for _, member := range g.Members {
		p.h.Allow(member, p.Name())
	}
	return scheduler.Status{}, 0
}

func (p *coscheduling) Reserve(*scheduler.CycleState, cluster.PodID, cluster.NodeID) scheduler.Status {
	return scheduler.Status{}
}

// Unreserve makes the loss of one member the loss of all that still wait.
func (p *coscheduling) Unreserve(_ *scheduler.CycleState, pod cluster.PodID, _ cluster.NodeID) {
	id := p.cluster.Pod(pod).Group
	if id == cluster.NoGroup {
		return
	}
	for _, member := range p.cluster.Groups.Group(id).Members {
		if member != pod {
			p.h.Reject(member, p.Name(), messageGangGaveUp)
		}
	}
}

// QueueingHint: a member that came helps its own group only, freed room anyone.
func (p *coscheduling) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	return e.Kind != scheduler.GroupChanged || e.Group == p.cluster.Pod(pod).Group
}
