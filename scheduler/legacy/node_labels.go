package legacy

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonLabels = "node(s) didn't have the requested labels"

// LabelsArgs are the arguments of CheckNodeLabelPresence, and of NodeLabelPriority with one
// label.
type LabelsArgs struct {
	Name   string // of the rule; empty: its own
	Labels []string
	// Presence: nodes must have the labels; else they must have none of them.
	Presence bool
}

// nodeLabels tells nodes that have labels, or have them not, from others.
type nodeLabels struct {
	named
	cluster  *cluster.Cluster
	keys     []cluster.Symbol
	presence bool
}

func newNodeLabels(h *scheduler.Handle, name string, a LabelsArgs) nodeLabels {
	if a.Name != "" {
		name = a.Name
	}
	p := nodeLabels{named: named(name), cluster: h.Cluster(), presence: a.Presence}
	for _, label := range a.Labels {
		p.keys = append(p.keys, p.cluster.Symbol(label))
	}
	return p
}

func (p *nodeLabels) DependsOn() scheduler.Dependencies { return scheduler.NodeLabels }

// satisfied reports whether the node has all the labels, or none of them.
func (p *nodeLabels) satisfied(node cluster.NodeID) bool {
	labels := p.cluster.Node(node).Labels
	for _, key := range p.keys {
		if _, has := labels.Get(key); has != p.presence {
			return false
		}
	}
	return true
}

// labelsPresence rejects nodes that lack one of the labels, whatever its value; or that
// have one.
//
// Upstream: CheckNodeLabelPresence, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: it is honored under any name, as from 1.17 on; 1.16 skips rules with
// names that are not in its list.
type labelsPresence struct{ nodeLabels }

func newLabelsPresence(h *scheduler.Handle, args LabelsArgs) (scheduler.Plugin, error) {
	return &labelsPresence{newNodeLabels(h, CheckNodeLabelPresence, args)}, nil
}

func (p *labelsPresence) Checks() scheduler.Checks { return scheduler.CheckOther }

func (p *labelsPresence) Filter(_ *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	if p.satisfied(node) {
		return scheduler.Fits
	}
	return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
}

func (p *labelsPresence) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonLabels}
}

// labelPreference prefers nodes that have a label, whatever its value; or that have it
// not.
//
// Upstream: pkg/scheduler/algorithm/priorities/node_label.go, v1.16.15. Differs: none.
type labelPreference struct{ nodeLabels }

func newLabelPreference(h *scheduler.Handle, args LabelsArgs) (scheduler.Plugin, error) {
	return &labelPreference{newNodeLabels(h, NodeLabelPriority, args)}, nil
}

func (p *labelPreference) Score(_ *scheduler.Cycle, node cluster.NodeID) int64 {
	if p.satisfied(node) {
		return scheduler.MaxLegacyScore
	}
	return 0
}
