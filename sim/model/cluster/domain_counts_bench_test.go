package cluster

import (
	"fmt"
	"testing"
)

// BenchmarkDomainCounts brings a pod of so many terms, which select its like, onto a node, asks for
// the counts, and takes it away again: by the counts that are kept, and by their plain twin,
// which counts the pods from scratch. 500 other counts, which do not include the pod, cost it nothing.
func BenchmarkDomainCounts(b *testing.B) {
	const nodes, pods, others = 1000, 5000, 500
	for _, way := range []string{"kept", "afresh"} {
		for _, terms := range []int{0, 1, 4, 16} {
			if way == "afresh" && terms == 0 {
				continue // nothing would be counted
			}
			b.Run(fmt.Sprintf("%s/terms=%d/nodes=%d/pods=%d", way, terms, nodes, pods), func(b *testing.B) {
				w := newCountingCluster(1)
				class, counts := w.village(b, nodes, pods, terms, others)
				var counted int64
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					node := w.nodes[i%nodes]
					pod := w.AddPod(Pod{Class: class})
					w.Assume(pod, node)
					for _, s := range counts {
						if way == "afresh" {
							counted += w.afresh(s)[s.partition.Domain(node)]
						} else {
							counted += s.On(node)
						}
					}
					w.RemovePod(pod)
				}
				// On the node of the pod are itself and as many as are on every node.
				if want := int64(b.N*len(counts)) * (1 + pods/nodes); counted != want {
					b.Fatalf("counted %d pods, want %d", counted, want)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pods/s")
			})
		}
	}
}

// village is nodes with pods of a class, dealt out evenly, that exclude each other from
// their node, by so many terms. It returns the class and the counts by node that its pods are
// in; there are others.
func (w *countingCluster) village(b *testing.B, nodes, pods, terms, others int) (*Class, []*DomainCounts) {
	b.Helper()
	for i := range nodes {
		name := fmt.Sprintf("n%04d", i)
		id, err := w.AddNode(NodeSpec{Name: name, Labels: w.NewLabelSet(map[string]string{"kubernetes.io/hostname": name})})
		if err != nil {
			b.Fatal(err)
		}
		w.nodes = append(w.nodes, id)
	}
	label := w.Symbol("number")
	class := Class{Namespace: w.Symbol("default"), Labels: w.NewLabelSet(map[string]string{"number": "in"})}
	term := func(op Operator, value string) *PodTerm {
		t := PodTerm{TopologyKey: w.Hostname, Namespaces: []Symbol{class.Namespace}}
		t.Selector.Requirements = []Requirement{{Key: label, Op: op, Values: []Symbol{w.Symbol(value)}}}
		return w.AddPodTerm(t)
	}
	byNode := w.Topology.Partition(w.Hostname, NodeInclusionPolicy{})
	var counts []*DomainCounts
	for i := range terms {
		t := term(NotIn, fmt.Sprint("another ", i))
		class.AntiAffinity = append(class.AntiAffinity, t)
		counts = append(counts, w.Topology.Counts(byNode, w.PodsSelected([]*PodTerm{t}, false)), w.Topology.Counts(byNode, w.PodsDeclaring(DeclaredTerm{t, RequiredAntiAffinity, 0})))
	}
	for i := range others {
		w.Topology.Counts(byNode, w.PodsSelected([]*PodTerm{term(In, fmt.Sprint("other ", i))}, false))
	}
	added := w.AddClass("village", class)
	for i := range pods {
		w.Assume(w.AddPod(Pod{Class: added}), w.nodes[i%nodes])
	}
	return added, counts
}

// afresh is what the counts are, by domain, without its help.
func (w *countingCluster) afresh(s *DomainCounts) []int64 {
	count := make([]int64, s.partition.DomainIDs())
	for _, node := range w.nodes {
		for _, pod := range w.PodsOn(node) {
			count[s.partition.Domain(node)] += s.of.times(w.Pod(pod).Class)
		}
	}
	return count
}
