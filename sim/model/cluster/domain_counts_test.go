package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// countingCluster is a cluster whose pods declare terms and are counted.
type countingCluster struct {
	*Cluster
	*rand.Rand
	zone, app Symbol
	terms     []*PodTerm
	classes   []*Class
	nodes     []NodeID
	pods      []PodID
	held      []*Partition // that a test holds, dropped or not
	serial    int64
}

func newCountingCluster(seed uint64) *countingCluster {
	w := &countingCluster{Cluster: New(NewVocabulary()), Rand: rand.New(rand.NewPCG(seed, 1))}
	w.zone, w.app = w.Symbol("zone"), w.Symbol("app")
	for i := range 4 {
		t := PodTerm{TopologyKey: []Symbol{w.zone, w.Hostname}[i%2], Namespaces: []Symbol{w.Symbol("default")}}
		t.Selector.Requirements = []Requirement{{Key: w.app, Op: []Operator{In, NotIn}[i/2], Values: []Symbol{w.Symbol(fmt.Sprint("app", i))}}}
		w.terms = append(w.terms, w.AddPodTerm(t))
	}
	for i := range 12 {
		c := Class{Namespace: w.Symbol([]string{"default", "other"}[i%2]), Labels: w.NewLabelSet(map[string]string{"app": fmt.Sprint("app", i%5)})}
		if i%3 == 0 {
			c.AntiAffinity = []*PodTerm{w.terms[i%4], w.terms[i%4]}
		}
		if i%4 == 1 {
			c.PreferredAffinity = []WeightedPodTerm{{int64(i), w.terms[i%3]}}
		}
		w.classes = append(w.classes, w.AddClass(fmt.Sprint(i), c))
	}
	return w
}

// spec is what a node is now; some have no zone, some a taint.
func (w *countingCluster) spec(name string) NodeSpec {
	labels := map[string]string{"kubernetes.io/hostname": name}
	if z := w.IntN(4); z > 0 {
		labels["zone"] = fmt.Sprint("z", z)
	}
	s := NodeSpec{Name: name, Labels: w.NewLabelSet(labels)}
	if w.IntN(3) == 0 {
		s.Taints = []Taint{{Key: w.app, Effect: NoSchedule}}
	}
	return s
}

func (w *countingCluster) ask() *DomainCounts {
	rule := NodeInclusionPolicy{}
	switch w.IntN(3) {
	case 1:
		rule.HonorNodeTaints = true
	case 2:
		rule.Keys, rule.Unlabeled = []Symbol{w.zone}, true
	}
	p := w.Topology.Partition([]Symbol{w.zone, w.Hostname}[w.IntN(2)], rule)
	if len(w.held) > 0 && w.IntN(3) == 0 {
		p = w.held[w.IntN(len(w.held))]
	}
	w.held = append(w.held, p)
	if w.IntN(6) == 0 {
		p = w.Topology.EachNode()
	}
	term := w.terms[w.IntN(4)]
	switch w.IntN(3) {
	case 0:
		return w.Topology.Counts(p, w.PodsSelected(w.terms[:1+w.IntN(3)], w.IntN(2) == 0))
	case 1:
		return w.Topology.Counts(p, w.PodsDeclaring(DeclaredTerm{term, RequiredAntiAffinity, 0}))
	}
	if w.IntN(3) == 0 {
		return w.Topology.Counts(p, w.SpreadPods(w.Symbol("default"), LabelSelector{}))
	}
	return w.Topology.Counts(p, w.ActivePods(w.Symbol("default"), term.Selector))
}

// step changes something at random.
func (w *countingCluster) step() {
	if len(w.nodes) == 0 || w.IntN(12) == 0 {
		id, err := w.AddNode(w.spec(fmt.Sprint("n", w.serial)))
		if err != nil {
			panic(err)
		}
		w.serial++
		w.nodes = append(w.nodes, id)
		return
	}
	at := w.IntN(len(w.nodes))
	node := w.nodes[at]
	if w.IntN(10) == 0 {
		w.UpdateNode(node, w.spec(w.Node(node).Name))
		return
	}
	if len(w.PodsOn(node)) == 0 && w.IntN(4) == 0 {
		w.RemoveNode(node)
		w.nodes = slices.Delete(w.nodes, at, at+1)
		return
	}
	if len(w.pods) == 0 || w.IntN(3) == 0 {
		w.pods = append(w.pods, w.AddPod(Pod{Serial: w.serial, Class: w.classes[w.IntN(len(w.classes))]}))
		w.serial++
	}
	w.live(w.IntN(len(w.pods)), node)
}

// live takes one pod a step further.
func (w *countingCluster) live(at int, node NodeID) {
	pod := w.pods[at]
	switch p := w.Pod(pod); {
	case w.IntN(5) == 0:
		w.RemovePod(pod)
		w.pods = slices.Delete(w.pods, at, at+1)
	case p.Phase == Pending:
		w.Assume(pod, node)
	case p.Phase == Assumed && w.IntN(3) == 0:
		w.Forget(pod)
	case p.Phase == Assumed:
		w.Bind(pod, 0)
	case p.Phase == Bound:
		w.Terminate(pod, false)
	}
}

// try moves pods away and back, and checks that nothing is left of it.
func (w *countingCluster) try() error {
	mark := w.Mark()
	for range w.IntN(4) {
		if len(w.pods) == 0 {
			break
		}
		pod := w.pods[w.IntN(len(w.pods))]
		if w.Pod(pod).Node == None {
			w.TryPlace(pod, w.nodes[w.IntN(len(w.nodes))])
		} else {
			w.TryRemove(pod)
		}
		w.ask().Min()
	}
	w.Rollback(mark)
	return w.Verify()
}

// TestDomainCountsAgainstPlainCount compares the counts that are kept with those made from scratch, over
// random lives of nodes and pods.
func TestDomainCountsAgainstPlainCount(t *testing.T) {
	for seed := range uint64(20) {
		w := newCountingCluster(seed)
		for i := range 300 {
			w.step()
			w.ask().Min()
			if i%50 == 49 {
				w.Topology.age += minIdle - 20
				w.Topology.sweepCounts()
			}
			if err := w.Verify(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, i, err)
			}
			if len(w.nodes) > 0 {
				if err := w.try(); err != nil {
					t.Fatalf("seed %d, after a trial at step %d: %v", seed, i, err)
				}
			}
		}
	}
}

func TestDomainCountsVerifyTrips(t *testing.T) {
	for name, corrupt := range map[string]func(*countingCluster, *DomainCounts){
		"count":    func(_ *countingCluster, s *DomainCounts) { s.count[0]++ },
		"total":    func(_ *countingCluster, s *DomainCounts) { s.total-- },
		"minimum":  func(_ *countingCluster, s *DomainCounts) { s.Min(); s.lowest-- },
		"at it":    func(_ *countingCluster, s *DomainCounts) { s.Min(); s.atMin++ },
		"domain":   func(_ *countingCluster, s *DomainCounts) { s.partition.domains[0]++ },
		"nodes":    func(_ *countingCluster, s *DomainCounts) { s.partition.nodes[0]++ },
		"domains":  func(_ *countingCluster, s *DomainCounts) { s.partition.occupied++ },
		"class":    func(w *countingCluster, _ *DomainCounts) { w.placedOf[0]++ },
		"declared": func(w *countingCluster, _ *DomainCounts) { w.Topology.terms[0].pods++ },
	} {
		t.Run(name, func(t *testing.T) {
			w := newCountingCluster(3)
			for range 200 {
				w.step()
			}
			s := w.Topology.Counts(w.Topology.Partition(w.Hostname, NodeInclusionPolicy{}), w.ActivePods(w.Symbol("default"), w.terms[2].Selector))
			if err := w.Verify(); err != nil {
				t.Fatal(err)
			}
			if corrupt(w, s); w.Verify() == nil {
				t.Error("nobody noticed")
			}
		})
	}
}

// TestTerminatingPodInTrial: a pod that terminates is not active, but a trial
// moves it as if it were.
func TestTerminatingPodInTrial(t *testing.T) {
	w := newCountingCluster(1)
	id, err := w.AddNode(NodeSpec{Name: "a", Labels: w.NewLabelSet(map[string]string{"zone": "z"})})
	if err != nil {
		t.Fatal(err)
	}
	s := w.Topology.Counts(w.Topology.Partition(w.zone, NodeInclusionPolicy{}), w.ActivePods(w.Symbol("default"), LabelSelector{}))
	pod := w.AddPod(Pod{Class: w.classes[0]})
	w.Assume(pod, id)
	w.Bind(pod, 0)
	if n := s.On(id); n != 1 {
		t.Errorf("a pod that runs counts %d times", n)
	}
	w.Terminate(pod, false)
	if n := s.On(id); n != 0 {
		t.Errorf("a pod that terminates counts %d times", n)
	}
	mark := w.Mark()
	w.TryRemove(pod)
	if n := s.On(id); n != -1 {
		t.Errorf("without it there are %d pods, kube-scheduler says -1", n)
	}
	w.Rollback(mark)
	if n := s.On(id); n != 0 {
		t.Errorf("after the trial it counts %d times", n)
	}
}

// TestEmptySelectorInTrial: pods that an empty selector of a spread constraint selects are
// counted by trials alone.
func TestEmptySelectorInTrial(t *testing.T) {
	w := newCountingCluster(1)
	id, err := w.AddNode(NodeSpec{Name: "a", Labels: w.NewLabelSet(map[string]string{"zone": "z"})})
	if err != nil {
		t.Fatal(err)
	}
	s := w.Topology.Counts(w.Topology.Partition(w.zone, NodeInclusionPolicy{}), w.SpreadPods(w.Symbol("default"), LabelSelector{}))
	pod := w.AddPod(Pod{Class: w.classes[0]})
	w.Assume(pod, id)
	if n := s.On(id); n != 0 {
		t.Errorf("a pod counts %d times", n)
	}
	mark := w.Mark()
	w.TryRemove(pod)
	if n := s.On(id); n != -1 {
		t.Errorf("without it there are %d pods, kube-scheduler says -1", n)
	}
	w.Rollback(mark)
	if err := w.Verify(); err != nil {
		t.Error(err)
	}
}

// TestPartitionsAreGivenUp: those of rules that only some pods have go with their counts,
// and come back for who still has them.
func TestPartitionsAreGivenUp(t *testing.T) {
	w := newCountingCluster(1)
	rule := NodeInclusionPolicy{NodeSelector: []Label{{w.zone, w.Symbol("z")}}}
	p, plain := w.Topology.Partition(w.zone, rule), w.Topology.Partition(w.zone, NodeInclusionPolicy{})
	pods := w.SpreadPods(w.Symbol("default"), w.terms[0].Selector)
	w.Topology.Counts(p, pods)
	w.Topology.sweepCounts()
	if len(w.Topology.list) != 1 {
		t.Fatal("counts that are in use were dropped")
	}
	w.Topology.age += minIdle + 1
	w.Topology.sweepCounts()
	if len(w.Topology.partitions) != 1 || w.Topology.partitions[0] != plain {
		t.Fatalf("%d partitions are left", len(w.Topology.partitions))
	}
	id, err := w.AddNode(NodeSpec{Name: "a", Labels: w.NewLabelSet(map[string]string{"zone": "z"})})
	if err != nil {
		t.Fatal(err)
	}
	if s := w.Topology.Counts(p, pods); p.Domain(id) == NoDomain || s.On(id) != 0 || p.NumDomains() != 1 {
		t.Errorf("the partition did not come back: domain %d, %d pods", p.Domain(id), s.On(id))
	}
	if w.Topology.Partition(w.zone, rule) != p {
		t.Error("there are two of them")
	}
	if err := w.Verify(); err != nil {
		t.Error(err)
	}
}

// TestTermsAreGivenUp: pods with terms of their own, such as those of jobs, leave nothing.
func TestTermsAreGivenUp(t *testing.T) {
	w := newCountingCluster(1)
	for i := range 3 * minSweep {
		term := w.AddPodTerm(PodTerm{TopologyKey: w.zone, Namespaces: []Symbol{w.Symbol(fmt.Sprint("ns", i))}})
		pod := w.AddPod(Pod{Class: w.AddClass(fmt.Sprint("job", i), Class{AntiAffinity: []*PodTerm{term}})})
		if before := w.Topology.DeclaredVersion(); i%100 != 0 {
			w.RemovePod(pod)
			if swept := w.Topology.withoutPods == 0; swept != (w.Topology.DeclaredVersion() != before) {
				t.Fatalf("terms were dropped: %v; the version went from %d to %d", swept, before, w.Topology.DeclaredVersion())
			}
		}
	}
	if n := len(w.Topology.terms); n > minSweep+100 {
		t.Errorf("%d terms are left", n)
	}
	if err := w.Verify(); err != nil {
		t.Error(err)
	}
}
