package fragment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomPod shares a device, asks for whole ones, or for none.
func randomPod(rnd *rand.Rand) Pod {
	p := Pod{MilliCPU: int64(rnd.IntN(20)) * 1000, Count: rnd.IntN(5)}
	switch {
	case p.Count == 1 && rnd.IntN(3) > 0:
		p.Milli = int32(1 + rnd.IntN(Whole))
	case p.Count > 0:
		p.Milli = Whole
	}
	if rnd.IntN(3) == 0 {
		p.Models = []int32{1, 2}
	}
	return p
}

func randomNode(rnd *rand.Rand) Node {
	n := Node{MilliCPU: int64(rnd.IntN(30000)), Free: make([]int32, rnd.IntN(9)), Model: int32(rnd.IntN(4))}
	for d := range n.Free {
		n.Free[d] = []int32{0, Whole, 500, int32(rnd.IntN(Whole))}[rnd.IntN(4)]
	}
	return n
}

func randomTarget(rnd *rand.Rand) *Target {
	t := &Target{}
	for range rnd.IntN(20) {
		c := Class{Pod: randomPod(rnd), Pods: int64(1 + rnd.IntN(50))}
		t.Classes, t.Pods = append(t.Classes, c), t.Pods+c.Pods
	}
	for i := range t.Classes {
		t.Classes[i].Share = float64(t.Classes[i].Pods) / float64(t.Pods)
	}
	return t
}

func fits(n *Node, p *Pod) bool { return p.find(n).fitting >= p.Count }

// A gauge says to the last bit what the target workload itself says.
func TestGaugeIsItsTwin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var g Gauge
	compared := 0
	for range 3000 {
		target, n := randomTarget(rnd), randomNode(rnd)
		g.Node = Node{n.MilliCPU, append(g.Node.Free[:0], n.Free...), n.Model}
		g.Prepare(target)
		if g.rounded != target.Rounded(&n) {
			t.Fatalf("F of %+v is %v, by the gauge %v", n, target.Rounded(&n), g.rounded)
		}
		for range 5 {
			p := randomPod(rnd)
			if !fits(&n, &p) {
				continue
			}
			compared++
			if got, want := g.Paper(&p), target.Paper(&n, &p); got != want {
				t.Errorf("%+v on %+v: the paper's descent is %+v, by the gauge %+v", p, n, want, got)
			}
			if got, want := g.Steepest(&p), target.Steepest(&n, &p); got != want {
				t.Errorf("%+v on %+v: the steepest descent is %+v, by the gauge %+v", p, n, want, got)
			}
			if !slices.Equal(g.Node.Free, n.Free) || g.Node.MilliCPU != n.MilliCPU {
				t.Fatalf("the node is %+v afterwards, it was %+v", g.Node, n)
			}
		}
	}
	if compared < 5000 {
		t.Errorf("only %d pods fitted", compared)
	}
}

// A gauge that is not prepared after a change of its node is wrong: the comparison would
// notice.
func TestGaugeThatIsStale(t *testing.T) {
	target := &Target{Classes: []Class{{Pod: Pod{Count: 1, Milli: 700}, Pods: 1, Share: 1}}, Pods: 1}
	g := Gauge{Node: Node{MilliCPU: 1000, Free: []int32{600, 600}}}
	g.Prepare(target)
	p := Pod{Count: 1, Milli: 400}
	g.Node.Free[0] = 1000
	if got, want := g.Steepest(&p), target.Steepest(&g.Node, &p); got == want {
		t.Errorf("both are %+v", got)
	}
}

// BenchmarkDescent finds the paper's descent for one pod on one node of 8 devices: the device with 300 thousandths free,
// of which the pod leaves the least.
func BenchmarkDescent(b *testing.B) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		classes int
		want    Descent
	}{{35, Descent{Device: 1, Score: 55}}, {90, Descent{Device: 1, Score: 56}}} {
		classes, want := c.classes, c.want
		target := &Target{Pods: int64(classes)}
		for range classes {
			target.Classes = append(target.Classes, Class{Pod: randomPod(rnd), Pods: 1, Share: 1 / float64(classes)})
		}
		n := Node{MilliCPU: 20000, Free: []int32{1000, 300, 1000, 600, 1000, 0, 0, 600}}
		p := Pod{MilliCPU: 1000, Count: 1, Milli: 250}
		b.Run(fmt.Sprintf("plain/classes=%d", classes), func(b *testing.B) {
			for b.Loop() {
				if got := target.Paper(&n, &p); got != want {
					b.Fatalf("the descent is %+v, want %+v", got, want)
				}
			}
		})
		b.Run(fmt.Sprintf("gauge/classes=%d", classes), func(b *testing.B) {
			g := Gauge{Node: n}
			g.Prepare(target)
			for b.Loop() {
				if got := g.Paper(&p); got != want {
					b.Fatalf("the descent is %+v, want %+v", got, want)
				}
			}
		})
	}
}
