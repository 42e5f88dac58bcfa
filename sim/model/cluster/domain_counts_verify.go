package cluster

import (
	"fmt"
	"maps"
	"slices"
)

// verifyDomains finds the value of every node for each topology key from scratch.
func (t *Topology) verifyDomains() error {
	for key, d := range t.topologies {
		nodes := make([]int32, len(d.values))
		for _, id := range t.nodes.byCreation {
			n := &t.nodes.nodes[id]
			value := n.Symbol
			if key != 0 {
				value, _ = n.Labels.Get(key)
			}
			if known, found := d.ids[value]; !found || known != d.of[id] || d.values[known] != value {
				return fmt.Errorf("node %q is said to be in domain %d of its topology key", n.Name, d.of[id])
			}
			nodes[d.of[id]]++
		}
		if !slices.Equal(nodes, d.nodes) || len(d.ids)+len(d.free) != len(d.values) {
			return fmt.Errorf("the domains of a topology key have %d nodes, counted %d", nodes, d.nodes)
		}
	}
	return nil
}

// verifyPartitions finds the domain of every node from scratch.
func (t *Topology) verifyPartitions() error {
	if err := t.verifyDomains(); err != nil {
		return err
	}
	for _, p := range t.partitions {
		nodes := make([]int32, len(p.nodes))
		for id := range t.nodes.nodes {
			d := p.find(NodeID(id), &t.nodes.nodes[id], &t.vocabulary.Symbols)
			if p.domains[id] != d {
				return fmt.Errorf("a partition has node %q in domain %d, it is in %d", t.nodes.nodes[id].Name, p.domains[id], d)
			}
			if d != NoDomain {
				nodes[d]++
			}
		}
		occupied := 0
		for d, n := range nodes {
			if p.nodes[d] != n {
				return fmt.Errorf("a partition says %d nodes in domain %d, there are %d", p.nodes[d], d, n)
			}
			occupied += int(indicator(n > 0))
		}
		if p.occupied != occupied {
			return fmt.Errorf("a partition says %d domains, there are %d", p.occupied, occupied)
		}
	}
	return nil
}

// verifyCounts counts the pods of all kept counts from scratch.
func (t *Topology) verifyCounts() error {
	for _, s := range t.list {
		count, total := make([]int64, len(s.partition.nodes)), int64(0)
		for node, pods := range t.nodes.pods {
			d := s.partition.domains[node]
			for _, pod := range pods {
				if p := &t.pods.table[pod]; d != NoDomain && t.includes(s, p) {
					count[d] += s.of.times(p.Class)
					total += s.of.times(p.Class)
				}
			}
		}
		for d, n := range count {
			if s.count[d] != n {
				return fmt.Errorf("%d pods are counted in domain %d, there are %d", s.count[d], d, n)
			}
		}
		if s.total != total {
			return fmt.Errorf("%d pods are counted, there are %d", s.total, total)
		}
		fresh := DomainCounts{partition: s.partition, count: count}
		fresh.findMin()
		if s.atMin != 0 && (s.lowest != fresh.lowest || s.atMin != fresh.atMin) {
			return fmt.Errorf("%d domains are said to have the minimum of %d pods, %d have %d", s.atMin, s.lowest, fresh.atMin, fresh.lowest)
		}
	}
	return t.verifyDeclared()
}

// verifyDeclared counts the pods with a node from scratch, by class, and all pods by term.
func (t *Topology) verifyDeclared() error {
	placed, declared := map[ClassID]int32{}, map[DeclaredTerm]int{}
	for i := range t.pods.table {
		p := &t.pods.table[i]
		if !p.live {
			continue
		}
		if p.Node != None {
			placed[p.Class.ID]++
		}
		for _, d := range p.Class.declared {
			declared[d]++
		}
	}
	for id, n := range t.pods.placedOf {
		if placed[ClassID(id)] != n {
			return fmt.Errorf("%d pods of class %d have a node, counted %d", placed[ClassID(id)], id, n)
		}
	}
	counted, without := map[DeclaredTerm]int{}, 0
	for _, d := range t.terms {
		if counted[d.DeclaredTerm] = d.pods; d.pods == 0 {
			delete(counted, d.DeclaredTerm)
			without++
		}
	}
	if !maps.Equal(counted, declared) || without != t.withoutPods {
		return fmt.Errorf("%d terms are declared, counted %d and %d that are not", len(declared), len(counted), t.withoutPods)
	}
	return nil
}
