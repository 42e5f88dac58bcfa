package plugins

import (
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

const (
	reasonFeatures    = "node(s) didn't match Pod's required features"
	oldReasonFeatures = "node declared features check failed - unsatisfied requirements: "
)

// nodeDeclaredFeatures rejects nodes whose kubelet does not declare a feature that the pod
// needs.
//
// Upstream: framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go, v1.36.3 and v1.37.2; v1.35.4 with its feature gate.
// Differs: options of bind mounts, which pods have only with the feature gate VolumeBindMountOptions of 1.37, are not known.
type nodeDeclaredFeatures struct {
	cluster *cluster.Cluster
	known   cluster.FeatureSet // features that a pod can need
	named   bool               // reasons name them
}

func newNodeDeclaredFeatures(h *scheduler.Handle) (scheduler.Plugin, error) {
	p := &nodeDeclaredFeatures{cluster: h.Cluster()}
	switch h.Rules().DeclaredFeatures {
	case release.FeaturesOfRestarts:
		p.known, p.named = cluster.RestartAllContainers, true
	case release.FeaturesOfPods:
		p.known = cluster.RestartAllContainers | cluster.UserNamespacesHostNetwork
	}
	return p, nil
}

func (p *nodeDeclaredFeatures) Name() string { return "NodeDeclaredFeatures" }

func (p *nodeDeclaredFeatures) DependsOn() scheduler.Dependencies { return scheduler.NodeFeatures }

func (p *nodeDeclaredFeatures) Checks() scheduler.Checks { return scheduler.CheckOther }

func (p *nodeDeclaredFeatures) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{Skip: c.Class.Features&p.known == 0}
}

func (p *nodeDeclaredFeatures) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if absent := c.Class.Features & p.known &^ p.cluster.Node(node).Features; absent != 0 {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, uint32(absent))
	}
	return scheduler.Fits
}

func (p *nodeDeclaredFeatures) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	if p.named {
		return []string{oldReasonFeatures + strings.Join(cluster.FeatureSet(v.Detail()).Names(), ", ")}
	}
	return []string{reasonFeatures}
}
