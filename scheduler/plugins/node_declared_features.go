package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonFeatures = "node(s) didn't match Pod's required features"

// nodeDeclaredFeatures rejects nodes whose kubelet does not declare a feature that the pod
// needs.
//
// Upstream: framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go, v1.36.3.
// Differs: none.
type nodeDeclaredFeatures struct{ cluster *cluster.Cluster }

func newNodeDeclaredFeatures(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &nodeDeclaredFeatures{h.Cluster()}, nil
}

func (p *nodeDeclaredFeatures) Name() string { return "NodeDeclaredFeatures" }

func (p *nodeDeclaredFeatures) DependsOn() scheduler.Dependencies { return scheduler.NodeFeatures }

func (p *nodeDeclaredFeatures) Checks() scheduler.Checks { return scheduler.CheckOther }

func (p *nodeDeclaredFeatures) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{Skip: c.Class.Features == 0}
}

func (p *nodeDeclaredFeatures) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if c.Class.Features&^p.cluster.Node(node).Features != 0 {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p *nodeDeclaredFeatures) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonFeatures}
}
