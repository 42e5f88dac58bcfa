package plugins_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// FuzzTwins holds the plugins against their plain twins: on equal clusters, two schedulers must
// come to the same feasible nodes, reasons, scores, nodes and victims, pod after pod.
func FuzzTwins(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		args := randomArgs(rnd)
		nodes, pods := randomNodes(rnd), randomPods(rnd)
		fast := newWorld(t, worldConfig{args: args})
		slow := newWorld(t, worldConfig{args: args, registry: plainRegistry()})
		for _, w := range []*world{fast, slow} {
			w.affinity = randomAffinity(w.cl)
			w.addNodes(nodes...)
		}
		for i, pod := range pods {
			fast.addPods(pod)
			slow.addPods(pod)
			if !strings.Contains(pod, " node=") {
				compareTwins(t, fast, slow, fmt.Sprintf("p%d", i))
			}
		}
	})
}

// compareTwins schedules a pod in both worlds; its victims are gone at once.
func compareTwins(t *testing.T, fast, slow *world, pod string) {
	t.Helper()
	a, b := fast.try(pod), slow.try(pod)
	if x, y := report(fast, a), report(slow, b); x != y {
		t.Fatalf("%s: %s\ntwins:\n%s", pod, x, y)
	}
	for _, w := range []struct {
		*world
		a *scheduler.Attempt
	}{{fast, a}, {slow, b}} {
		w.s.EndAttempt(w.a, w.now)
		if w.a.Outcome == scheduler.Scheduled {
			w.s.RunBindingCycle(w.a.Pod, w.now)
		}
		for _, v := range w.a.Victims {
			w.s.Remove(v)
			w.cl.RemovePod(v)
		}
		if err := w.cl.Verify(); err != nil {
			t.Fatal(err)
		}
	}
}

// report is all that an attempt says.
func report(w *world, a *scheduler.Attempt) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s on %d, %d feasible of %d, from %d, max %d, ties %v, victims %v, nominated %d\n%s\n",
		a.Outcome, a.Node, a.Feasible, a.Evaluated, a.StartIndex, a.MaxScore, a.Ties, a.Victims, a.Nominated, a.Message())
	for _, r := range a.Reasons() {
		fmt.Fprintf(&out, "%+v\n", r)
	}
	a.EachScore(func(node cluster.NodeID, plugin string, score int64) {
		fmt.Fprintf(&out, "%d %s %d\n", node, plugin, score)
	})
	return out.String()
}

func pick(rnd *rand.Rand, from ...string) string { return from[rnd.IntN(len(from))] }

func randomArgs(rnd *rand.Rand) map[string]any {
	weight := func() int64 { return 1 + rnd.Int64N(4) }
	list := []plugins.ResourceWeight{{Name: "cpu", Weight: weight()}, {Name: "memory", Weight: weight()}}
	for _, more := range []string{"example.com/gpu", "ephemeral-storage", "pods"} {
		if rnd.IntN(4) == 0 {
			list = append(list, plugins.ResourceWeight{Name: more, Weight: weight()})
		}
	}
	if rnd.IntN(3) == 0 {
		list = plugins.DefaultResources()
	}
	s := plugins.Strategy{Type: plugins.LeastAllocated, Resources: list}
	switch rnd.IntN(3) {
	case 0:
		s.Type = plugins.MostAllocated
	case 1:
		s.Type = plugins.RequestedToCapacityRatio
		for u := rnd.Int64N(20); u <= 100; u += 1 + rnd.Int64N(60) {
			s.Shape = append(s.Shape, plugins.ShapePoint{Utilization: u, Score: rnd.Int64N(11)})
		}
	}
	fit := plugins.FitArgs{Strategy: s}
	if rnd.IntN(4) == 0 {
		fit.IgnoredGroups = []string{"example.com"}
	}
	return map[string]any{"NodeResourcesFit": fit, "NodeResourcesBalancedAllocation": plugins.BalancedArgs{Resources: list}}
}

func randomNodes(rnd *rand.Rand) []string {
	var out []string
	maybe := func(n int, s string) string {
		if rnd.IntN(n) == 0 {
			return " " + s
		}
		return ""
	}
	soft, hard := rnd.IntN(2) == 0, rnd.IntN(2) == 0
	for i := range 2 + rnd.IntN(20) {
		line := fmt.Sprintf("n%d pods=%d zone=%d label=disk:%s", i, 2+rnd.IntN(6), rnd.IntN(3), pick(rnd, "ssd", "hdd"))
		if rnd.IntN(8) > 0 {
			line += fmt.Sprintf(" cpu=%d", 1+rnd.IntN(8))
		}
		if rnd.IntN(8) > 0 {
			line += fmt.Sprintf(" memory=%dMi", 500+rnd.IntN(9000))
		}
		line += maybe(3, fmt.Sprintf("example.com/gpu=%d", rnd.IntN(5))) + maybe(3, "ephemeral-storage=10Gi") + maybe(8, "unschedulable") +
			maybe(2, fmt.Sprintf("label=size:%d", rnd.IntN(9))) + maybe(2, "image=web:1@"+pick(rnd, "40", "300", "900")+"Mi") + maybe(3, "image=db:1@700Mi")
		if soft {
			line += maybe(2, "taint=a::PreferNoSchedule") + maybe(3, "taint=b:x:PreferNoSchedule")
		}
		if hard {
			line += maybe(4, "taint=c:y:"+pick(rnd, "NoSchedule", "NoExecute"))
		}
		out = append(out, line)
	}
	return out
}

func randomPods(rnd *rand.Rand) []string {
	var out []string
	maybe := func(n int, s string) string {
		if rnd.IntN(n) == 0 {
			return " " + s
		}
		return ""
	}
	for i := range 40 {
		line := fmt.Sprintf("p%d priority=%d containers=%d", i, rnd.IntN(4), 1+rnd.IntN(2))
		line += maybe(8, fmt.Sprintf("node=n%d start=%ds", rnd.IntN(2), i))
		line += maybe(2, fmt.Sprintf("cpu=%dm", 100*rnd.IntN(25))) + maybe(2, fmt.Sprintf("memory=%dMi", rnd.IntN(3000))) +
			maybe(5, fmt.Sprintf("example.com/gpu=%d", rnd.IntN(3))) + maybe(5, "ephemeral-storage=2Gi") + maybe(6, "port=80") +
			maybe(4, "tolerate="+pick(rnd, "a:*", "b:x", "c:y", "c:*:NoSchedule", ":*", "b:x:NoSchedule", "node.kubernetes.io/unschedulable:*")) +
			maybe(5, "selector=disk:ssd") + maybe(3, "image=web:1") + maybe(4, "image=db:1") + maybe(10, "never")
		out = append(out, line)
	}
	return out
}

// randomAffinity gives some pods a node affinity, for labels or the host name.
func randomAffinity(cl *cluster.Cluster) func(string, *cluster.Class) {
	return func(pod string, class *cluster.Class) {
		size := cluster.Requirement{Key: cl.Symbol("size"), Op: cluster.Gt, Bound: 3}
		host := cluster.Requirement{Key: cl.Hostname, Op: cluster.NotIn, Values: []cluster.Symbol{cl.Symbol("n1"), cl.Symbol("n2")}}
		switch pod[len(pod)-1] {
		case '3':
			class.HasRequired, class.Required = true, cluster.NodeSelector{{Labels: []cluster.Requirement{size}}}
		case '7', '8':
			class.Preferred = []cluster.PreferredTerm{
				{Weight: 7, Term: cluster.NodeTerm{Labels: []cluster.Requirement{size}}},
				{Weight: 20, Term: cluster.NodeTerm{Labels: []cluster.Requirement{host}}}, {Weight: 90},
			}
		case '5':
			class.HasRequired, class.Required = true, cluster.NodeSelector{{Labels: []cluster.Requirement{host}}, {}}
		}
	}
}

// crooked is a plain twin with a fault: it likes the last node more.
type crooked struct{ plainTaints }

func (p crooked) NormalizeScore(c *scheduler.Cycle, scores []int64) {
	p.plainTaints.NormalizeScore(c, scores)
	scores[len(scores)-1] ^= 1
}

func TestTwinsThatDifferAreToldApart(t *testing.T) {
	registry := plainRegistry()
	registry["TaintToleration"] = func(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
		return crooked{plainTaints{plain{"TaintToleration", h.Cluster()}}}, nil
	}
	fast, slow := newWorld(t, worldConfig{}), newWorld(t, worldConfig{registry: registry})
	for _, w := range []*world{fast, slow} {
		w.addNodes("n1 cpu=4 memory=4Gi pods=10", "n2 cpu=4 memory=4Gi pods=10")
		w.addPods("p cpu=1")
	}
	if report(fast, fast.try("p")) == report(slow, slow.try("p")) {
		t.Error("a score that is off by one was not noticed")
	}
}
