package scheduler

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// scored is the heap of upstream's schedule_one.go: nodes with their totals, best first.
type scored []struct {
	node  cluster.NodeID
	total int64
}

func (s scored) Len() int           { return len(s) }
func (s scored) Less(i, j int) bool { return s[i].total > s[j].total }
func (s scored) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *scored) Push(any)          { panic("nothing is pushed") }
func (s *scored) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last.node
}

func upstreamChoice(nodes []cluster.NodeID, totals []int64) cluster.NodeID {
	var h scored
	for i := range nodes {
		h = append(h, struct {
			node  cluster.NodeID
			total int64
		}{nodes[i], totals[i]})
	}
	heap.Init(&h)
	return heap.Pop(&h).(cluster.NodeID)
}

// FuzzHeapRoot holds the choice of upstream's heap against the heap itself; a byte is the
// total of a node.
func FuzzHeapRoot(f *testing.F) {
	f.Add([]byte{1})
	f.Add([]byte{1, 1, 1, 1, 1})
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 6})
	f.Add([]byte{3, 1, 3, 0, 3, 2, 3, 3, 1, 0, 3})
	rnd := rand.New(rand.NewPCG(1, 0))
	for n := range 60 {
		totals := make([]byte, 1+n*3)
		for i := range totals {
			totals[i] = byte(rnd.IntN(4))
		}
		f.Add(totals)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			t.Skip()
		}
		c := &Cycle{}
		for i, b := range data {
			c.feasible = append(c.feasible, cluster.NodeID(i*7%len(data)))
			c.totals = append(c.totals, int64(b))
		}
		if got, want := c.heapRoot(), upstreamChoice(c.feasible, c.totals); got != want {
			t.Errorf("totals %v: node %d, want %d", data, got, want)
		}
	})
}

func TestHeapRootIsNotTheFirstOfTheBest(t *testing.T) {
	// Node 3 rises to the place of node 1, which is asked before that of node 2.
	c := &Cycle{feasible: []cluster.NodeID{0, 1, 2, 3, 4, 5}, totals: []int64{1, 1, 2, 2, 1, 1}}
	if got := c.heapRoot(); got != 3 {
		t.Errorf("node %d, want 3", got)
	}
}

func TestTiesAreAlwaysReported(t *testing.T) {
	for _, tt := range []struct {
		tie  TieBreak
		want map[string]bool // names that may be chosen
	}{
		{TieFirst, map[string]bool{"a": true}},
		{TieUpstream, map[string]bool{"c": true}},
		{TieRandom, map[string]bool{"a": true, "b": true, "c": true}},
	} {
		chosen := map[string]bool{}
		for i := range 40 {
			m := newMoody(t, tt.tie)
			m.s.tieRand = rand.New(rand.NewPCG(uint64(i), 0))
			for _, n := range []string{"c", "b", "x", "a"} {
				m.addNode(n)
			}
			pod := m.addPod("p", 0)
			for _, n := range []string{"a", "b", "c"} {
				m.behavior["A"].answers["score p/"+n] = "7"
			}
			m.s.Pop(0)
			a := m.s.Schedule(pod, 0)
			if len(a.Ties) != 3 || a.MaxScore != 7 {
				t.Fatalf("%s: ties %v of %d", tt.tie, a.Ties, a.MaxScore)
			}
			chosen[m.cl.Node(a.Node).Name] = true
		}
		if fmt.Sprint(chosen) != fmt.Sprint(tt.want) {
			t.Errorf("%s: chosen were %v, want %v", tt.tie, chosen, tt.want)
		}
	}
}

func TestHowManyNodesAreWanted(t *testing.T) {
	scoring := []weighted{{}}
	tests := []struct {
		nodes, percentage, want int
		score                   []weighted
	}{
		{99, 10, 99, scoring},
		{100, 10, 100, scoring},
		{300, 0, 144, scoring}, // 50 - 2 percent
		{1000, 0, 420, scoring},
		{1000, 5, 100, scoring}, // never fewer than 100
		{5000, 0, 500, scoring},
		{6000, 0, 300, scoring}, // 50 - 48 is below 5
		{150, 100, 150, scoring},
		{150, 96, 144, scoring},
		{5000, 0, 1, nil}, // without scores the first will do
	}
	for _, tt := range tests {
		p := &profile{percentage: tt.percentage, score: tt.score}
		if got := (&Scheduler{}).wanted(p, tt.nodes); got != tt.want {
			t.Errorf("%d nodes, %d percent: %d wanted, want %d", tt.nodes, tt.percentage, got, tt.want)
		}
	}
}
