package scheduler

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

const countedNodes = 40

// countedCycle is a cycle in a cluster of countedNodes in which verdicts of two filters and of extenders can be noted.
func countedCycle(t *testing.T) *Cycle {
	cl := cluster.New(cluster.NewVocabulary())
	for i := range countedNodes {
		if _, err := cl.AddNode(cluster.NodeSpec{Name: fmt.Sprint("n", i)}); err != nil {
			t.Fatal(err)
		}
	}
	return &Cycle{Cluster: cl, profile: &profile{extender: 2}}
}

// noteSome begins a cycle and notes verdicts on random nodes, on some of them several times.
func noteSome(c *Cycle, rnd *rand.Rand) {
	c.rejections.reset(c.Cluster.NodeIDs())
	c.ext.reset()
	c.absent.Code = Code(rnd.IntN(3))
	for range rnd.IntN(3 * countedNodes) {
		node, code := cluster.NodeID(rnd.IntN(countedNodes)), Unschedulable+Code(rnd.IntN(2))
		if plugin := rnd.IntN(3); plugin == c.profile.extender {
			c.note(node, NewRejection(code, c.ext.detail(code, fmt.Sprint("message ", rnd.IntN(20)))).by(plugin))
		} else {
			c.reject(node, NewRejection(code, uint32(rnd.IntN(4))).by(plugin))
		}
	}
}

// checkCounts compares what is counted with the verdicts of the nodes, one by one.
func checkCounts(c *Cycle) error {
	rejected, byVerdict, byCode := 0, map[Verdict]int{}, map[Code]int{}
	for _, node := range c.Cluster.Order() {
		byCode[c.CodeOf(node)]++
		if v := c.rejections.of(node); v != Fits {
			rejected++
			byVerdict[v]++
		}
	}
	for _, t := range c.rejections.tallies {
		if byVerdict[t.verdict] != t.nodes {
			return fmt.Errorf("%d nodes have the verdict %x, counted %d", byVerdict[t.verdict], t.verdict, t.nodes)
		}
		delete(byVerdict, t.verdict)
	}
	for detail, a := range c.ext.answers {
		v := NewRejection(a.code, uint32(detail)).by(c.profile.extender)
		if byVerdict[v] != a.nodes {
			return fmt.Errorf("extenders say %q of %d nodes, counted %d", a.message, byVerdict[v], a.nodes)
		}
		delete(byVerdict, v)
	}
	if len(byVerdict) != 0 || rejected != c.rejections.nodes {
		return fmt.Errorf("%d nodes are rejected, counted %d; not counted at all: %v", rejected, c.rejections.nodes, byVerdict)
	}
	for code := Success; code <= UnschedulableAndUnresolvable; code++ {
		if n := c.CountOf(code); n != byCode[code] {
			return fmt.Errorf("%d nodes have the code %d, CountOf returns %d", byCode[code], code, n)
		}
	}
	return nil
}

// TestCountsFollowTheVerdicts: however often a node gets another verdict, the counts are those of the verdicts that hold, and
// nothing is left of earlier cycles, the stamp's beginning again among them.
func TestCountsFollowTheVerdicts(t *testing.T) {
	c, rnd := countedCycle(t), rand.New(rand.NewPCG(3, 7))
	for i := range 500 {
		if i == 250 {
			c.rejections.cycle = ^uint32(0) - 5
		}
		noteSome(c, rnd)
		if err := checkCounts(c); err != nil {
			t.Fatalf("cycle %d: %v", i, err)
		}
	}
}

func TestWrongCountsAreFound(t *testing.T) {
	planted := map[string]func(*Cycle){
		"a verdict that is not counted":      func(c *Cycle) { c.rejections.set(0, NewRejection(Unschedulable, 9)) },
		"a replaced verdict still counted":   func(c *Cycle) { c.rejections.tallies[0].nodes++ },
		"an extender's answer still counted": func(c *Cycle) { c.ext.answers[0].nodes++ },
		"a node counted twice":               func(c *Cycle) { c.rejections.nodes++ },
		"a verdict of an earlier cycle": func(c *Cycle) {
			clear(c.rejections.byNode)
			c.rejections.byNode[0] = nodeRejected{c.rejections.cycle, NewRejection(Unschedulable, 5)}
		},
	}
	for name, plant := range planted {
		c := countedCycle(t)
		for rnd := rand.New(rand.NewPCG(1, 1)); len(c.rejections.tallies) == 0 || len(c.ext.answers) == 0; {
			noteSome(c, rnd)
		}
		if err := checkCounts(c); err != nil {
			t.Fatalf("before: %v", err)
		}
		if plant(c); checkCounts(c) == nil {
			t.Errorf("%s is not found", name)
		}
	}
}
