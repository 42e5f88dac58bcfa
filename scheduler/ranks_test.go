package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// rankedOrder adds nodes and says in what order of their ranks they are.
func rankedOrder(t *testing.T, r *ranks, cl *cluster.Cluster, names ...string) string {
	t.Helper()
	for _, name := range names {
		if _, err := cl.AddNode(cluster.NodeSpec{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	left := slices.Clone(cl.Order())
	var out []string
	for len(left) > 0 {
		first := r.smallest(cl, left)
		out = append(out, cl.Node(first).Name)
		left = slices.DeleteFunc(left, func(n cluster.NodeID) bool { return n == first })
	}
	return strings.Join(out, " ")
}

func TestRanksThatAreGiven(t *testing.T) {
	r := newRanks(map[string]int{"a": 7, "b": 2, "c": 7}, rand.New(rand.NewPCG(1, 1)))
	cl := cluster.New(cluster.NewVocabulary())
	if got := rankedOrder(t, &r, cl, "c", "a", "b"); got != "b a c" {
		t.Errorf("the order is %s", got)
	}
	if got := rankedOrder(t, &r, cl, "0"); got != "b a c 0" {
		t.Errorf("with a node that is not named the order is %s", got)
	}
}

func TestRanksThatAreDrawn(t *testing.T) {
	names := strings.Fields("a b c d e f g h")
	orders := map[string]bool{}
	for seed := range uint64(20) {
		drawn := func() *ranks { r := newRanks(nil, clock.NewStreams(seed).Rand("rank")); return &r }
		first, second := drawn(), drawn()
		one, two := cluster.New(cluster.NewVocabulary()), cluster.New(cluster.NewVocabulary())
		order := rankedOrder(t, first, one, names...)
		backwards := slices.Clone(names)
		slices.Reverse(backwards)
		if other := rankedOrder(t, second, two, backwards...); other != order {
			t.Errorf("seed %d: the ranks depend on the order in which nodes are added: %s, %s", seed, order, other)
		}
		if later := rankedOrder(t, first, one, "0"); strings.ReplaceAll(" "+later, " 0", "") != " "+order {
			t.Errorf("seed %d: a node that was added later changed the order of the others: %s, not %s", seed, later, order)
		}
		id, _ := one.NodeByName("0")
		one.RemoveNode(id)
		id, _ = one.NodeByName("c")
		one.RemoveNode(id)
		if again := rankedOrder(t, first, one, "c"); again != order {
			t.Errorf("seed %d: a node that was added again lost its rank: %s, not %s", seed, again, order)
		}
		orders[order] = true
	}
	if len(orders) < 19 {
		t.Errorf("20 seeds draw %d orders", len(orders))
	}
}

// Of equally good nodes that of the smallest rank takes every pod; a better one takes
// precedence.
func TestTheSmallestRankWins(t *testing.T) {
	m := newMoody(t, TieRank)
	m.s.ranks = newRanks(map[string]int{"a": 2, "b": 1, "c": 3}, clock.NewStreams(1).Rand("rank"))
	for _, n := range []string{"c", "b", "a", "later"} {
		m.addNode(n)
	}
	for i, tt := range []struct{ best, want string }{{"a b c", "b"}, {"a b c", "b"}, {"c a", "a"}, {"c later", "c"}} {
		pod := fmt.Sprintf("p%d", i)
		m.addPod(pod, 0)
		for _, n := range strings.Fields(tt.best) {
			m.behavior["A"].answers["score "+pod+"/"+n] = "7"
		}
		next, _ := m.s.Pop(0)
		a := m.s.Schedule(next, 0)
		if got := m.cl.Node(a.Node).Name; got != tt.want || a.TieBreak != TieRank {
			t.Errorf("of %s %s was taken by %s, not %s", tt.best, got, a.TieBreak, tt.want)
		}
	}
}

// TestAQuestionShiftsNoRanks: a node that is added and removed again, as an explanation does that
// asks about one node more, changes no later choice.
func TestAQuestionShiftsNoRanks(t *testing.T) {
	for seed := range uint64(20) {
		var orders [2]string
		for i := range orders {
			r := newRanks(nil, clock.NewStreams(seed).Rand("rank"))
			cl := cluster.New(cluster.NewVocabulary())
			rankedOrder(t, &r, cl, "a", "b", "c")
			if i == 1 {
				rankedOrder(t, &r, cl, "<one more>")
				id, _ := cl.NodeByName("<one more>")
				cl.RemoveNode(id)
			}
			orders[i] = rankedOrder(t, &r, cl, "d", "e", "f", "g")
		}
		if orders[0] != orders[1] {
			t.Errorf("seed %d: the order was %s, and is %s after a question", seed, orders[0], orders[1])
		}
	}
}
