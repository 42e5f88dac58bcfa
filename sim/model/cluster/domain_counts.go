package cluster

import "slices"

// DomainCounts counts the pods of a set in every domain of a partition. It is kept up to date
// as pods get nodes and leave them, trial moves included, so that plugins do not count from scratch.
type DomainCounts struct {
	partition *Partition
	of        *PodSet
	count     []int64 // by domain
	total     int64
	// lowest is the smallest count of a domain that has a node, and atMin how many such
	// domains have it; 0: not known.
	lowest int64
	atMin  int
	asked  uint64 // when it was last asked for, by countsTable.age
}

// Count returns the number of pods of the set in a domain, 0 for NoDomain.
func (s *DomainCounts) Count(domain int32) int64 {
	if uint(domain) >= uint(len(s.count)) {
		return 0
	}
	return s.count[domain]
}

// On returns the Count of the domain of a node.
func (s *DomainCounts) On(id NodeID) int64 { return s.Count(s.partition.domains[id]) }

// AddTo adds the count of each domain, times weight, to sums, by domain.
func (s *DomainCounts) AddTo(sums []int64, weight int64) {
	for d, n := range s.count {
		sums[d] += n * weight
	}
}

// Total returns the number of pods of the set in all domains together.
func (s *DomainCounts) Total() int64 { return s.total }

// Min returns the smallest count of a domain that has a node; false if no domain has one.
func (s *DomainCounts) Min() (int64, bool) {
	if s.atMin == 0 {
		s.findMin()
	}
	return s.lowest, s.atMin > 0
}

func (s *DomainCounts) findMin() {
	s.lowest = 0
	for d, n := range s.count {
		switch {
		case s.partition.nodes[d] == 0:
		case s.atMin == 0 || n < s.lowest:
			s.lowest, s.atMin = n, 1
		case n == s.lowest:
			s.atMin++
		}
	}
}

func (s *DomainCounts) grow() {
	if missing := len(s.partition.nodes) - len(s.count); missing > 0 {
		s.count = append(s.count, make([]int64, missing)...)
	}
}

// add counts pods on a node.
func (s *DomainCounts) add(id NodeID, n int64) {
	d := s.partition.domains[id]
	if d == NoDomain || n == 0 {
		return
	}
	before := s.count[d]
	s.count[d] += n
	s.total += n
	if s.atMin == 0 || s.partition.nodes[d] == 0 {
		return
	}
	if before == s.lowest {
		s.atMin--
	}
	switch after := s.count[d]; {
	case after < s.lowest:
		s.lowest, s.atMin = after, 1
	case after == s.lowest:
		s.atMin++
	}
}

type countsKey struct {
	partition *Partition
	of        *PodSet
}

// countedIn says which counts include the pods of a class, and how often.
type countedIn struct {
	counts *DomainCounts
	times  int64
}

const (
	minSweep = 1024 // how many counts are kept before any is dropped
	minIdle  = 256  // how old its last use is then
)

// Counts returns the counts of a set of pods by the domains of a partition. They are
// counted from scratch the first time only. It is valid until the end of the scheduling cycle.
func (t *Topology) Counts(p *Partition, of *PodSet) *DomainCounts {
	key := countsKey{p, of}
	s := t.byKey[key]
	if s == nil {
		if len(t.list) >= max(t.sweepAt, minSweep) {
			t.sweepCounts()
		}
		if p.dropped {
			t.divide(p)
		}
		s = t.newCounts(key)
	}
	s.asked = t.age
	return s
}

func (t *Topology) newCounts(key countsKey) *DomainCounts {
	s := &DomainCounts{partition: key.partition, of: key.of}
	s.grow()
	t.byKey[key] = s
	t.list = append(t.list, s)
	key.partition.counts = append(key.partition.counts, s)
	some := false
	t.times = t.times[:0]
	for id := range t.byClass {
		times := s.of.times(t.vocabulary.classes[id])
		t.times = append(t.times, times)
		if times != 0 {
			t.byClass[id] = append(t.byClass[id], countedIn{s, times})
			some = some || t.pods.placedOf[id] > 0
		}
	}
	if !some && len(t.journal.entries) == 0 {
		return s
	}
	for node, pods := range t.nodes.pods {
		if s.partition.domains[node] == NoDomain {
			continue
		}
		for _, pod := range pods {
			p := &t.pods.table[pod]
			if times := t.times[p.Class.ID]; times != 0 && t.includes(s, p) {
				s.add(NodeID(node), times)
			}
		}
	}
	for i := range t.journal.entries {
		e := &t.journal.entries[i]
		if !e.isMove() {
			continue
		}
		if p := &t.pods.table[e.pod]; p.live && !t.includes(s, p) { // see countPod
			s.add(e.node, (1-2*indicator(e.lifted))*s.of.times(p.Class))
		}
	}
	return s
}

// Includes reports whether counts include a pod that has a node.
func (t *Topology) Includes(s *DomainCounts, id PodID) bool {
	p := &t.pods.table[id]
	return s.of.times(p.Class) != 0 && t.includes(s, p)
}

// includes reports whether counts may include a pod that has a node, whatever its class.
func (t *Topology) includes(s *DomainCounts, p *Pod) bool {
	return s.of.states == anyState || s.of.states == notTerminating && p.Phase != Terminating
}

// sweepCounts drops the counts that were not asked for lately, and so none that were
// asked for in this cycle.
func (t *Topology) sweepCounts() {
	dropped := func(s *DomainCounts) bool { return s.of == nil }
	for _, s := range t.list {
		if t.age-s.asked > minIdle {
			delete(t.byKey, countsKey{s.partition, s.of})
			s.of = nil
		}
	}
	t.list = slices.DeleteFunc(t.list, dropped)
	t.sweepAt = 2 * len(t.list)
	for id, list := range t.byClass {
		t.byClass[id] = slices.DeleteFunc(list, func(m countedIn) bool { return dropped(m.counts) })
	}
	for _, p := range t.partitions {
		p.counts = slices.DeleteFunc(p.counts, dropped)
	}
	t.dropPartitions()
}

// countsOf lists the counts that include pods of a class.
func (t *Topology) countsOf(class *Class) []countedIn {
	for id := len(t.byClass); id <= int(class.ID); id++ {
		var list []countedIn
		for _, s := range t.list {
			if times := s.of.times(t.vocabulary.classes[id]); times != 0 {
				list = append(list, countedIn{s, times})
			}
		}
		t.byClass = append(t.byClass, list)
	}
	return t.byClass[class.ID]
}

// countPod counts a pod that got a node, or, with -1, one that lost it. Of ActivePods, one
// that terminates is not counted, but a trial moves it as if it were.
//
// Upstream: updateWithPod and countPodsMatchSelector,
// framework/plugins/podtopologyspread, v1.36.3.
func (t *Topology) countPod(p *Pod, node NodeID, sign int64, trial bool) {
	for len(t.pods.placedOf) <= int(p.Class.ID) {
		t.pods.placedOf = append(t.pods.placedOf, 0)
	}
	t.pods.placedOf[p.Class.ID] += int32(sign)
	if !trial {
		t.age++
	}
	for _, m := range t.countsOf(p.Class) {
		if trial || t.includes(m.counts, p) {
			m.counts.add(node, sign*m.times)
		}
	}
}

// uncountTerminating removes a pod that begins to terminate from the counts of ActivePods.
func (t *Topology) uncountTerminating(p *Pod) {
	for _, m := range t.countsOf(p.Class) {
		if m.counts.of.states == notTerminating {
			m.counts.add(p.Node, -m.times)
		}
	}
}

type declaredCount struct {
	DeclaredTerm
	pods int
}

// declare counts the terms of a pod that was added, or, with -1, removed.
func (t *Topology) declare(class *Class, sign int) {
	t.age++
	known := len(t.terms)
	t.countDeclared(class, sign)
	if t.journal.isOpen() {
		t.journal.note(func() {
			t.countDeclared(class, -sign)
			t.forgetDeclared(known)
		})
		return
	}
	if t.withoutPods > minSweep && t.withoutPods > len(t.terms)/2 {
		t.sweepDeclared()
	}
}

func (t *Topology) countDeclared(class *Class, by int) {
	for _, d := range class.declared {
		i, known := t.declared[d]
		if !known {
			i = len(t.terms)
			t.declared[d] = i
			t.terms = append(t.terms, declaredCount{DeclaredTerm: d})
			t.withoutPods++
			t.version++
		}
		before := t.terms[i].pods
		t.terms[i].pods += by
		switch {
		case before == 0:
			t.withoutPods--
		case t.terms[i].pods == 0:
			t.withoutPods++
		}
	}
}

// forgetDeclared drops the terms except for the first n. No pod declares those that it drops.
func (t *Topology) forgetDeclared(n int) {
	if n == len(t.terms) {
		return
	}
	for _, d := range t.terms[n:] {
		delete(t.declared, d.DeclaredTerm)
	}
	t.withoutPods -= len(t.terms) - n
	t.terms = t.terms[:n]
	t.version++
}

// sweepDeclared gives up the terms that no pod declares any more.
func (t *Topology) sweepDeclared() {
	t.terms = slices.DeleteFunc(t.terms, func(d declaredCount) bool { return d.pods == 0 })
	clear(t.declared)
	for i, d := range t.terms {
		t.declared[d.DeclaredTerm] = i
	}
	t.withoutPods = 0
	t.version++
}

// DeclaredTerms calls f for every term that some pod declares, with a node or without, in
// the order of first sight; a term whose pods are all gone may be among them.
func (t *Topology) DeclaredTerms(f func(DeclaredTerm)) {
	for _, d := range t.terms {
		f(d.DeclaredTerm)
	}
}

// DeclaredVersion returns a number that changes whenever the terms of DeclaredTerms do; trial moves
// do not change it.
func (t *Topology) DeclaredVersion() uint64 { return t.version }
