package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

const (
	messageNoClaims = "no new claims to deallocate"
	messageDisabled = "plugin disabled"
	messageNoState  = "not found"
)

// dynamicResources is what upstream's plugin does for a pod without resource claims:
// it rejects nothing, scores every node 0, and is the first to be asked when no node is feasible. Up to 1.36 it then gives a
// reason, which is part of every message. Pods with claims are refused when they are read.
//
// When an earlier plugin ends PreFilter, upstream's PostFilter finds no state, fails, and
// DefaultPreemption is not asked.
//
// Upstream: framework/plugins/dynamicresources/dynamicresources.go, v1.36.3 and v1.37.2; v1.34.4 without the score, and
// v1.33.13, where it is disabled.
// Differs: resource claims, and devices that stand for extended resources, are not
// supported yet.
type dynamicResources struct {
	state    scheduler.Slot[uint64] // number of the cycle that PreFilter ran in
	noClaims string                 // what PostFilter says of a pod without claims
	disabled bool
}

// scoringDynamicResources also has the point Score.
type scoringDynamicResources struct{ *dynamicResources }

func newDynamicResources(h *scheduler.Handle) (scheduler.Plugin, error) {
	p := &dynamicResources{state: scheduler.NewSlot[uint64](h)}
	if h.Rules().ClaimsMessage {
		p.noClaims = messageNoClaims
	}
	switch h.Rules().DynamicResources {
	case release.DynamicResourcesAbsent:
		p.disabled = true
		return p, nil
	case release.DynamicResourcesFilters:
		return p, nil
	}
	return &scoringDynamicResources{p}, nil
}

func (p *dynamicResources) Name() string { return "DynamicResources" }

func (p *dynamicResources) DependsOn() scheduler.Dependencies { return 0 }

func (p *dynamicResources) Checks() scheduler.Checks { return scheduler.CheckOther }

func (p *dynamicResources) PreEnqueue(cluster.PodID) string { return "" }

func (p *dynamicResources) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	*p.state.In(c) = c.Number
	return scheduler.PreFilterResult{Skip: true}
}

func (p *dynamicResources) PrepareFilter(*scheduler.Cycle) bool { return false }

func (p *dynamicResources) Filter(*scheduler.Cycle, cluster.NodeID) scheduler.Verdict {
	return scheduler.Fits
}

func (p *dynamicResources) Reasons(*scheduler.Cycle, scheduler.Verdict) []string { return nil }

func (p *dynamicResources) PostFilter(c *scheduler.Cycle) scheduler.PostFilterResult {
	if p.disabled {
		return scheduler.PostFilterResult{Status: scheduler.Status{Code: scheduler.Unschedulable, Message: messageDisabled}}
	}
	if *p.state.In(c) != c.Number {
		return scheduler.PostFilterResult{Status: scheduler.Status{Code: scheduler.Error, Message: messageNoState}}
	}
	return scheduler.PostFilterResult{Status: scheduler.Status{Code: scheduler.Unschedulable, Message: p.noClaims}}
}

// PrepareScore: every node scores 0.
func (p *scoringDynamicResources) PrepareScore(*scheduler.Cycle) bool { return true }

// Score is that of a pod without claims.
func (p *scoringDynamicResources) Score(*scheduler.Cycle, cluster.NodeID) int64 { return 0 }

// Normalization implements scheduler.NormalizedScorePlugin.
func (p *scoringDynamicResources) Normalization() scheduler.Normalization { return scheduler.ByMaximum }

func (p *dynamicResources) Reserve(*scheduler.CycleState, cluster.PodID, cluster.NodeID) scheduler.Status {
	return scheduler.Status{}
}

func (p *dynamicResources) Unreserve(*scheduler.CycleState, cluster.PodID, cluster.NodeID) {}

func (p *dynamicResources) PreBind(cluster.PodID, cluster.NodeID) scheduler.Status {
	return scheduler.Status{}
}
