package cluster

import (
	"fmt"
	"slices"
)

// NodeInclusionPolicy selects the nodes of a partition. The zero value selects all.
type NodeInclusionPolicy struct {
	Keys []Symbol // labels that the node must have
	// Unlabeled takes in nodes without the label of the topology key, as if they had it
	// with the empty value.
	Unlabeled    bool
	NodeSelector []Label
	Required     NodeSelector
	HasRequired  bool
	// HonorNodeTaints leaves out nodes with a NoSchedule or NoExecute taint that Tolerations
	// do not cover.
	HonorNodeTaints bool
	Tolerations     []Toleration
}

func (r *NodeInclusionPolicy) admits(n *Node, symbols *Symbols) bool {
	for _, key := range r.Keys {
		if _, has := n.Labels.Get(key); !has {
			return false
		}
	}
	for _, want := range r.NodeSelector {
		if value, has := n.Labels.Get(want.Key); !has || value != want.Value {
			return false
		}
	}
	if r.HasRequired && !r.Required.Matches(n.Labels, n.Symbol, symbols) {
		return false
	}
	return !r.HonorNodeTaints || !slices.ContainsFunc(n.Taints, func(t Taint) bool {
		return t.Effect != PreferNoSchedule && !Tolerated(r.Tolerations, t)
	})
}

// NoDomain is the domain of a node that a partition leaves out.
const NoDomain int32 = -1

// Partition divides the nodes into the domains of a topology key: nodes of one value of
// that label. It is kept up to date as nodes come, change and go. A domain has the same
// number in all partitions of its key.
//
// One whose rule is about node selectors or tolerations is dropped with its last counts,
// and made from scratch when counts by it are asked for: it is read through its counts only.
type Partition struct {
	topology *topology
	rule     NodeInclusionPolicy
	key      string
	domains  []int32 // by node
	nodes    []int32 // how many there are, by domain
	occupied int     // domains that have a node
	counts   []*DomainCounts
	dropped  bool
}

// Domain returns the domain of a node, or NoDomain.
func (p *Partition) Domain(id NodeID) int32 { return p.domains[id] }

// Domains returns the column of Domain, by node. Callers read it only, and not past the next change
// of a node.
func (p *Partition) Domains() []int32 { return p.domains }

// NumDomains returns the number of domains that have a node.
func (p *Partition) NumDomains() int { return p.occupied }

// DomainIDs returns the length of a column by domain: domains are below it.
func (p *Partition) DomainIDs() int { return len(p.topology.values) }

// Partition returns the partition by a topology key of the nodes that the rule takes in;
// those without the label are left out. To find it again takes some work: callers keep it.
func (t *Topology) Partition(topology Symbol, rule NodeInclusionPolicy) *Partition {
	return t.partition(fmt.Sprint(topology, rule), topology, rule)
}

// EachNode returns the partition in which every node is a domain of its own.
func (t *Topology) EachNode() *Partition { return t.partition("", 0, NodeInclusionPolicy{}) }

func (t *Topology) partition(key string, topology Symbol, rule NodeInclusionPolicy) *Partition {
	if p := t.byPartitionKey[key]; p != nil {
		return p
	}
	p := &Partition{topology: t.domainsOf(topology), rule: rule, key: key}
	t.divide(p)
	return p
}

// divide finds the domain of every node, and keeps it up to date from now on.
func (t *Topology) divide(p *Partition) {
	p.dropped = false
	t.byPartitionKey[p.key] = p
	t.partitions = append(t.partitions, p)
	for id := range NodeID(len(t.nodes.nodes)) {
		p.move(id, p.find(id, &t.nodes.nodes[id], &t.vocabulary.Symbols))
	}
}

// dropPartitions drops those that are read through counts and have none.
func (t *Topology) dropPartitions() {
	t.partitions = slices.DeleteFunc(t.partitions, func(p *Partition) bool {
		own := len(p.rule.NodeSelector) > 0 || p.rule.HasRequired || p.rule.HonorNodeTaints
		if !own || len(p.counts) > 0 {
			return false
		}
		if t.byPartitionKey[p.key] == p {
			delete(t.byPartitionKey, p.key)
		}
		p.domains, p.nodes, p.occupied, p.dropped = nil, nil, 0, true
		return true
	})
}

// find returns the domain that a node belongs to now.
func (p *Partition) find(id NodeID, n *Node, symbols *Symbols) int32 {
	if key := p.topology.key; key != 0 && !p.rule.Unlabeled {
		if _, has := n.Labels.Get(key); !has {
			return NoDomain
		}
	}
	if !n.Exists || !p.rule.admits(n, symbols) {
		return NoDomain
	}
	return p.topology.of[id]
}

// move puts a node into another domain.
func (p *Partition) move(id NodeID, to int32) {
	for int(id) >= len(p.domains) {
		p.domains = append(p.domains, NoDomain)
	}
	for int(to) >= len(p.nodes) {
		p.nodes = append(p.nodes, 0)
	}
	from := p.domains[id]
	p.domains[id] = to
	if from != NoDomain {
		if p.nodes[from]--; p.nodes[from] == 0 {
			p.occupied--
		}
	}
	if to != NoDomain {
		if p.nodes[to]++; p.nodes[to] == 1 {
			p.occupied++
		}
	}
	for _, s := range p.counts {
		s.grow()
		s.atMin = 0 // domains may have come or gone
	}
}

// moveNode finds the domains of a node that has changed, its pods with it.
func (t *Topology) moveNode(id NodeID) {
	n := &t.nodes.nodes[id]
	for _, d := range t.topologies {
		d.enter(id, n)
	}
	for _, p := range t.partitions {
		to := p.find(id, n, &t.vocabulary.Symbols)
		if int(id) < len(p.domains) && p.domains[id] == to {
			continue
		}
		t.recount(p, id, -1)
		p.move(id, to)
		t.recount(p, id, 1)
	}
	for _, d := range t.topologies {
		d.removePrevious()
	}
}

// recount adds the pods on a node to the counts of a partition, or takes them off.
func (t *Topology) recount(p *Partition, id NodeID, sign int64) {
	for _, pod := range t.nodes.pods[id] {
		for _, s := range p.counts {
			if t.includes(s, &t.pods.table[pod]) {
				s.add(id, sign*s.of.times(t.pods.table[pod].Class))
			}
		}
	}
}
