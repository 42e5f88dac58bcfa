package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonUnschedulable = "node(s) were unschedulable"

// nodeUnschedulable rejects nodes with spec.unschedulable, unless the pod tolerates
// the taint node.kubernetes.io/unschedulable:NoSchedule.
//
// Upstream: framework/plugins/nodeunschedulable/node_unschedulable.go, v1.36.3 and v1.37.2.
// Differs: none.
type nodeUnschedulable struct {
	cluster *cluster.Cluster
	taint   cluster.Taint
}

func newNodeUnschedulable(h *scheduler.Handle) (scheduler.Plugin, error) {
	key := h.Cluster().Symbol(cluster.UnschedulableTaint)
	p := &nodeUnschedulable{h.Cluster(), cluster.Taint{Key: key, Effect: cluster.NoSchedule}}
	if h.Rules().NodeNameFirst {
		return &preFilteringNodeUnschedulable{p}, nil
	}
	return p, nil
}

// preFilteringNodeUnschedulable also has the point PreFilter.
type preFilteringNodeUnschedulable struct{ *nodeUnschedulable }

// PreFilter has nothing to do for a pod without a node.
func (*preFilteringNodeUnschedulable) PreFilter(*scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{}
}

func (p *nodeUnschedulable) Name() string { return "NodeUnschedulable" }

func (p *nodeUnschedulable) DependsOn() scheduler.Dependencies { return scheduler.NodeTaints }

func (p *nodeUnschedulable) Checks() scheduler.Checks { return scheduler.CheckCordon }

func (p *nodeUnschedulable) PrepareFilter(c *scheduler.Cycle) bool {
	return p.cluster.AnyUnschedulable() && !cluster.Tolerated(c.Class.Tolerations, p.taint)
}

func (p *nodeUnschedulable) Filter(_ *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if p.cluster.Node(node).Unschedulable {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p *nodeUnschedulable) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonUnschedulable}
}

func (p *nodeUnschedulable) QueueingHint(_ cluster.PodID, e scheduler.ClusterEvent) bool {
	now := p.cluster.Node(e.Node).Unschedulable
	if e.Kind == scheduler.NodeAdded {
		return !now
	}
	return e.Before.Unschedulable && !now
}
