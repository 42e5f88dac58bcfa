package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonPorts = "node(s) didn't have free ports for the requested pod ports"

// nodePorts rejects nodes on which a host port that the pod asks for is taken: the
// same port and protocol, on the same address or where either has them all.
//
// Upstream: framework/plugins/nodeports/node_ports.go, v1.36.3.
// Differs: none.
type nodePorts struct {
	cluster  *cluster.Cluster
	wildcard cluster.Symbol
}

func newNodePorts(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &nodePorts{h.Cluster(), h.Cluster().Symbol("0.0.0.0")}, nil
}

func (p *nodePorts) Name() string { return "NodePorts" }

func (p *nodePorts) DependsOn() scheduler.Dependencies {
	return scheduler.NodePods | scheduler.Nominations
}

func (p *nodePorts) Checks() scheduler.Checks { return scheduler.CheckPorts }

func (p *nodePorts) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{Skip: len(c.Class.Ports) == 0}
}

func (p *nodePorts) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if p.conflict(c.Class.Ports, p.cluster.PortsOn(node)) {
		return scheduler.NewRejection(scheduler.Unschedulable, 0)
	}
	return scheduler.Fits
}

func (p *nodePorts) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonPorts}
}

func (p *nodePorts) conflict(want, taken []cluster.HostPort) bool {
	for _, w := range want {
		for _, t := range taken {
			if w.Port == t.Port && w.Protocol == t.Protocol &&
				(w.IP == t.IP || w.IP == p.wildcard || t.IP == p.wildcard) {
				return true
			}
		}
	}
	return false
}

func (p *nodePorts) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	return e.Kind == scheduler.NodeAdded || p.conflict(p.cluster.Pod(pod).Class.Ports, e.Class.Ports)
}
