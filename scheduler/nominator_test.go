package scheduler

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// nominations are the pods nominated to each node that exists.
func (s *Scheduler) nominations() map[cluster.NodeID]string {
	of := map[cluster.NodeID]string{}
	for ref, pods := range s.nominator.of {
		if node := s.cluster.Resolve(ref); node != cluster.None {
			of[node] = fmt.Sprint(slices.Sorted(slices.Values(pods)))
		}
	}
	return of
}

// unreported are the nodes whose nominations differ now from what they were at a position in the log, and of which the
// log does not say so.
func (s *Scheduler) unreported(before map[cluster.NodeID]string, since cluster.Position) []cluster.NodeID {
	now, reported := s.nominations(), map[cluster.NodeID]bool{}
	for node := range s.cluster.Changes().Since(since, cluster.NominationsChanged|cluster.ExistenceChanged) {
		reported[node] = true
	}
	var missing []cluster.NodeID
	for node := range cluster.NodeID(s.cluster.NodeIDs()) {
		if before[node] != now[node] && !reported[node] {
			missing = append(missing, node)
		}
	}
	return missing
}

// nominateSome nominates random pods to random nodes and to none, and replaces a node now and then.
func nominateSome(t *testing.T, s *Scheduler, pods []cluster.PodID, rnd *rand.Rand) {
	for range rnd.IntN(5) {
		node := s.cluster.ByCreation()[rnd.IntN(s.cluster.NumNodes())]
		switch rnd.IntN(6) {
		case 0:
			s.cluster.RemoveNode(node)
			if _, err := s.cluster.AddNode(cluster.NodeSpec{Name: fmt.Sprint("n", rnd.Int64())}); err != nil {
				t.Fatal(err)
			}
		case 1:
			s.clearLower(node, int32(rnd.IntN(2)))
		case 2, 3:
			s.nominate(pods[rnd.IntN(len(pods))], cluster.None)
		default:
			s.nominate(pods[rnd.IntN(len(pods))], node)
		}
	}
}

// TestNominationsAreInTheLogOfChanges: what is nominated to a node differs only if the log of the cluster's changes says so.
func TestNominationsAreInTheLogOfChanges(t *testing.T) {
	m, rnd := newMoody(t, TieFirst), rand.New(rand.NewPCG(5, 5))
	var pods []cluster.PodID
	for i := range 6 {
		m.addNode(fmt.Sprint("node-", i))
		pods = append(pods, m.addPod(fmt.Sprint("pod-", i), int32(i%2)))
	}
	differed := 0
	for range 300 {
		before, since := m.s.nominations(), m.cl.Changes().Position()
		nominateSome(t, m.s, pods, rnd)
		if missing := m.s.unreported(before, since); len(missing) > 0 {
			t.Fatalf("the nominations to %v have changed, the log does not say so", missing)
		}
		if !maps.Equal(before, m.s.nominations()) {
			differed++
		}
	}
	if differed < 100 {
		t.Errorf("the nominations changed %d times only", differed)
	}
	before, since := m.s.nominations(), m.cl.Changes().Position()
	ref := m.cl.Ref(m.cl.ByCreation()[0])
	m.s.nominator.of[ref] = append(m.s.nominator.of[ref], 99)
	if len(m.s.unreported(before, since)) != 1 {
		t.Error("a nomination that is not in the log is not found")
	}
}
