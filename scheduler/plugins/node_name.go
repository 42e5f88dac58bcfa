package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonNodeName = "node(s) didn't match the requested node name"

// nodeName rejects every node but the one that spec.nodeName names. A pod with
// spec.nodeName does not come to the scheduler as a rule: it runs already.
//
// Upstream: framework/plugins/nodename/node_name.go, v1.36.3 and v1.37.2.
// Differs: none.
type nodeName struct{ cluster *cluster.Cluster }

func newNodeName(h *scheduler.Handle) (scheduler.Plugin, error) {
	p := &nodeName{h.Cluster()}
	if h.Rules().NodeNameFirst {
		return &preFilteringNodeName{p}, nil
	}
	return p, nil
}

// preFilteringNodeName also has the point PreFilter.
type preFilteringNodeName struct{ *nodeName }

// PreFilter limits the search to the node that is named.
func (p *preFilteringNodeName) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	if c.Class.NodeName == "" {
		return scheduler.PreFilterResult{}
	}
	return scheduler.PreFilterResult{Restrict: true, Names: []cluster.Symbol{p.cluster.Symbol(c.Class.NodeName)}}
}

func (p *nodeName) Name() string { return "NodeName" }

func (p *nodeName) DependsOn() scheduler.Dependencies { return scheduler.NodeName }

func (p *nodeName) Checks() scheduler.Checks { return scheduler.CheckOther }

func (p *nodeName) PrepareFilter(c *scheduler.Cycle) bool { return c.Class.NodeName != "" }

func (p *nodeName) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if c.Class.NodeName == p.cluster.Node(node).Name {
		return scheduler.Fits
	}
	return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
}

func (p *nodeName) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonNodeName}
}
