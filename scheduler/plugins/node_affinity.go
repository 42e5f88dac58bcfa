package plugins

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	reasonAffinity         = "node(s) didn't match Pod's node affinity/selector"
	reasonAddedAffinity    = "node(s) didn't match scheduler-enforced node affinity"
	reasonAffinityConflict = "pod affinity terms conflict"

	detailAddedAffinity = 1
)

// NodeAffinityArgs are the arguments of NodeAffinity: an affinity that every pod of
// the profile has besides its own.
type NodeAffinityArgs struct {
	Added     cluster.NodeSelector // nil: none
	Preferred []cluster.PreferredTerm
}

// nodeAffinity rejects nodes that spec.nodeSelector, the required node affinity or
// the added affinity do not match, and prefers those that preferred terms match.
// Nodes whose labels are equal except for the host name are judged once, unless the pod
// asks for a host name.
//
// Upstream: framework/plugins/nodeaffinity/node_affinity.go, v1.36.3.
// Differs: none.
type nodeAffinity struct {
	cluster *cluster.Cluster
	args    NodeAffinityArgs
	state   scheduler.Slot[affinityState]
}

type affinityState struct {
	verdicts []scheduler.Verdict // by label class, where known
	known    []bool
	perNode  bool // the answer may differ within a label class
}

func newNodeAffinity(h *scheduler.Handle, a NodeAffinityArgs) (scheduler.Plugin, error) {
	return &nodeAffinity{h.Cluster(), a, scheduler.NewSlot[affinityState](h)}, nil
}

func (p *nodeAffinity) Name() string { return "NodeAffinity" }

func (p *nodeAffinity) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.NodeName
}

func (p *nodeAffinity) Checks() scheduler.Checks { return scheduler.CheckNodeSelector }

func (p *nodeAffinity) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	if !p.applies(c.Class) {
		return scheduler.PreFilterResult{Skip: true}
	}
	names, all := requiredNames(c.Class.Required)
	if all {
		return scheduler.PreFilterResult{}
	}
	if len(names) == 0 {
		return scheduler.PreFilterResult{
			Status: scheduler.Status{Code: scheduler.UnschedulableAndUnresolvable, Message: reasonAffinityConflict},
		}
	}
	return scheduler.PreFilterResult{Restrict: true, Names: names}
}

func (p *nodeAffinity) applies(class *cluster.Class) bool {
	return class.HasRequired || p.args.Added != nil || len(class.NodeSelector) > 0
}

// requiredNames are the node names that terms ask for by metadata.name, when every
// term does; else all is true.
func requiredNames(terms cluster.NodeSelector) (names []cluster.Symbol, all bool) {
	for i := range terms {
		var own []cluster.Symbol
		limited := false
		for _, r := range terms[i].Names {
			if r.Op != cluster.In {
				continue
			}
			if !limited {
				own, limited = slices.Clone(r.Values), true
				continue
			}
			own = slices.DeleteFunc(own, func(s cluster.Symbol) bool { return !slices.Contains(r.Values, s) })
		}
		if !limited {
			return nil, true
		}
		names = append(names, own...)
	}
	return names, len(terms) == 0
}

func (p *nodeAffinity) PrepareFilter(c *scheduler.Cycle) bool {
	if !p.applies(c.Class) {
		return false
	}
	s := p.state.In(c)
	n := p.cluster.NumLabelClasses()
	s.verdicts = slices.Grow(s.verdicts[:0], n)[:n]
	s.known = slices.Grow(s.known[:0], n)[:n]
	clear(s.known)
	host := p.cluster.Hostname
	perNode := func(t cluster.NodeTerm) bool { return len(t.Names) > 0 || t.UsesKey(host) }
	s.perNode = slices.ContainsFunc(c.Class.Required, perNode) || slices.ContainsFunc(p.args.Added, perNode) ||
		slices.ContainsFunc(c.Class.NodeSelector, func(l cluster.Label) bool { return l.Key == host })
	return true
}

func (p *nodeAffinity) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	n := p.cluster.Node(node)
	if s.perNode {
		return p.judge(c.Class, n.Labels, n.Symbol)
	}
	if !s.known[n.LabelClass] {
		s.verdicts[n.LabelClass] = p.judge(c.Class, n.Labels, n.Symbol)
		s.known[n.LabelClass] = true
	}
	return s.verdicts[n.LabelClass]
}

func (p *nodeAffinity) judge(class *cluster.Class, labels cluster.LabelSet, name cluster.Symbol) scheduler.Verdict {
	if p.args.Added != nil && !p.args.Added.Matches(labels, name, &p.cluster.Symbols) {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, detailAddedAffinity)
	}
	if !p.matchesPod(class, labels, name) {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	return scheduler.Fits
}

func (p *nodeAffinity) matchesPod(class *cluster.Class, labels cluster.LabelSet, name cluster.Symbol) bool {
	for _, want := range class.NodeSelector {
		if value, has := labels.Get(want.Key); !has || value != want.Value {
			return false
		}
	}
	return !class.HasRequired || class.Required.Matches(labels, name, &p.cluster.Symbols)
}

func (p *nodeAffinity) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	if v.Detail() == detailAddedAffinity {
		return []string{reasonAddedAffinity}
	}
	return []string{reasonAffinity}
}

func (p *nodeAffinity) PreScore(c *scheduler.Cycle) scheduler.Status {
	if len(c.Class.Preferred) == 0 && len(p.args.Preferred) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	for i := range c.Class.Preferred {
		if fault := c.Class.Preferred[i].Term.Fault; fault != "" {
			return scheduler.Status{Code: scheduler.Error, Message: fault}
		}
	}
	return scheduler.Status{}
}

func (p *nodeAffinity) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	n := p.cluster.Node(node)
	var sum int64
	for _, terms := range [2][]cluster.PreferredTerm{p.args.Preferred, c.Class.Preferred} {
		for i := range terms {
			if terms[i].Term.Matches(n.Labels, n.Symbol, &p.cluster.Symbols) {
				sum += terms[i].Weight
			}
		}
	}
	return sum
}

// Normalization implements scheduler.NormalizedScorePlugin.
func (p *nodeAffinity) Normalization() scheduler.Normalization { return scheduler.ByMaximum }

func (p *nodeAffinity) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	class, n := p.cluster.Pod(pod).Class, p.cluster.Node(e.Node)
	if p.judge(class, n.Labels, n.Symbol) != scheduler.Fits {
		return false
	}
	return e.Kind == scheduler.NodeAdded || !p.matchesPod(class, e.Before.Labels, n.Symbol)
}
