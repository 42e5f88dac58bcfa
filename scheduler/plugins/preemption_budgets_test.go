package plugins_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/scheduler/preemption"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// addBudgets adds the budgets of the lines:
//
//	db allowed=1 select=app:db select=tier:prod disrupted=db-1 ns=prod
//
// Without a select the selector is empty.
func (w *world) addBudgets(lines ...string) {
	w.t.Helper()
	for _, line := range lines {
		name, fields := split(line)
		b := cluster.Budget{Name: name, Namespace: w.cl.Symbol("default"), DisruptedPods: map[string]bool{}}
		for _, f := range fields {
			switch f.key {
			case "allowed":
				b.DisruptionsAllowed = int32(w.amount("allowed", f.value))
			case "select":
				key, value, _ := strings.Cut(f.value, ":")
				b.Selector.Requirements = append(b.Selector.Requirements, cluster.Requirement{
					Key: w.cl.Symbol(key), Op: cluster.In, Values: []cluster.Symbol{w.cl.Symbol(value)},
				})
			case "disrupted":
				b.DisruptedPods[f.value] = true
			case "ns":
				b.Namespace = w.cl.Symbol(f.value)
			default:
				w.t.Fatalf("a budget has no %s", f.key)
			}
		}
		w.cl.Budgets.Add(b)
	}
}

// plainPod and plainBudget are what the plain twin knows.
type plainPod struct {
	name       string
	cpu, start int
	priority   int
	labels     map[string]string
}

type plainBudget struct {
	name      string
	allowed   int
	selects   map[string]string
	disrupted string
}

// plainBudgets are the budgets of a case. Where all are charged, those after a violated one are too.
type plainBudgets struct {
	list []plainBudget
	all  bool
}

// plainViolating splits pods as upstream does, with a count per budget that is re-created.
func plainViolating(pods []plainPod, budgets plainBudgets) (violating, others []plainPod) {
	allowed := make([]int, len(budgets.list))
	for i, b := range budgets.list {
		allowed[i] = b.allowed
	}
	for _, p := range pods {
		violated := false
		for i, b := range budgets.list {
			matches := len(p.labels) > 0 && len(b.selects) > 0 && b.disrupted != p.name
			for key, value := range b.selects {
				matches = matches && p.labels[key] == value
			}
			if matches {
				allowed[i]--
				violated = violated || allowed[i] < 0
			}
			if violated && !budgets.all {
				break
			}
		}
		if violated {
			violating = append(violating, p)
		} else {
			others = append(others, p)
		}
	}
	return violating, others
}

func moreImportant(a, b plainPod) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.start, b.start), strings.Compare(a.name, b.name))
}

// plainVictims are the victims on a node of that many cpus for a pod of that size and
// priority; false where there is no way.
func plainVictims(capacity int, on []plainPod, boss plainPod, budgets plainBudgets) (victims []plainPod, violations int, ok bool) {
	var lower []plainPod
	free := capacity
	for _, p := range on {
		if p.priority < boss.priority {
			lower = append(lower, p)
		} else {
			free -= p.cpu
		}
	}
	if len(lower) == 0 || free < boss.cpu {
		return nil, 0, false
	}
	slices.SortFunc(lower, moreImportant)
	violating, others := plainViolating(lower, budgets)
	for i, p := range append(slices.Clone(violating), others...) {
		switch {
		case free-p.cpu >= boss.cpu:
			free -= p.cpu
		default:
			victims = append(victims, p)
			if i < len(violating) {
				violations++
			}
		}
	}
	slices.SortFunc(victims, moreImportant)
	return victims, violations, true
}

// plainChoice goes through the nodes until there are enough candidates and one that violates
// nothing, and takes the best.
func plainChoice(capacity int, nodes [][]plainPod, boss plainPod, budgets plainBudgets, enough int) string {
	type option struct {
		node, violations, highest, sum, latest int
		victims                                []plainPod
	}
	var options []option
	clean := 0
	for n, on := range nodes {
		victims, violations, ok := plainVictims(capacity, on, boss, budgets)
		if !ok {
			continue
		}
		o := option{node: n, violations: violations, highest: victims[0].priority, latest: 1 << 30, victims: victims}
		for _, v := range victims {
			o.sum += v.priority + 1<<31
			if v.priority == o.highest {
				o.latest = min(o.latest, v.start)
			}
		}
		if violations > 0 && len(options)-clean >= enough {
			continue
		}
		options = append(options, o)
		if violations == 0 {
			clean++
		}
		if clean > 0 && len(options) >= enough {
			break
		}
	}
	if len(options) == 0 {
		return "none"
	}
	best := slices.MinFunc(options, func(a, b option) int {
		return cmp.Or(cmp.Compare(a.violations, b.violations), cmp.Compare(a.highest, b.highest), cmp.Compare(a.sum, b.sum),
			cmp.Compare(len(a.victims), len(b.victims)), cmp.Compare(b.latest, a.latest), cmp.Compare(a.node, b.node))
	})
	out := fmt.Sprintf("n%02d", best.node)
	for _, v := range best.victims {
		out += " " + v.name
	}
	return out
}

// Preemption with budgets against the rule written out plainly, on full nodes.
func TestPreemptionAgainstThePlainRule(t *testing.T) {
	const capacity = 8
	outcomes := map[bool]int{}
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		args := preemption.Args{MinCandidateNodesPercentage: rnd.IntN(60), MinCandidateNodesAbsolute: 1 + rnd.IntN(4)}
		all := seed%2 == 0
		rules := rulesOf(t, "", fmt.Sprintf("budgetsAfterViolation=%t", all))
		w := newWorld(t, worldConfig{args: map[string]any{"DefaultPreemption": args}, rules: rules})
		budgets := randomBudgets(rnd)
		nodes := make([][]plainPod, 2+rnd.IntN(9))
		for n := range nodes {
			w.addNodes(fmt.Sprintf("n%02d cpu=%d memory=64Gi pods=110", n, capacity))
			nodes[n] = fillNode(rnd, n, capacity)
			for _, p := range nodes[n] {
				line := fmt.Sprintf("%s node=n%02d cpu=%d priority=%d start=%ds", p.name, n, p.cpu, p.priority, p.start)
				for _, key := range []string{"app", "tier"} {
					if value, has := p.labels[key]; has {
						line += fmt.Sprintf(" with=%s:%s", key, value)
					}
				}
				w.addPods(line)
			}
		}
		for _, b := range budgets {
			line := fmt.Sprintf("%s allowed=%d disrupted=%s", b.name, b.allowed, b.disrupted)
			for _, key := range []string{"app", "tier"} {
				if value, has := b.selects[key]; has {
					line += fmt.Sprintf(" select=%s:%s", key, value)
				}
			}
			w.addBudgets(line)
		}
		boss := plainPod{name: "boss", cpu: 1 + rnd.IntN(capacity), priority: rnd.IntN(7)}
		w.addPods(fmt.Sprintf("boss cpu=%d priority=%d", boss.cpu, boss.priority))
		got := nominationOf(w, takeAndSchedule(w, w.pods["boss"]))
		helpful := len(nodes) // all are full, and none is too small
		enough := min(max(helpful*args.MinCandidateNodesPercentage/100, args.MinCandidateNodesAbsolute), helpful)
		want := plainChoice(capacity, nodes, boss, plainBudgets{budgets, all}, enough)
		if got != want {
			t.Fatalf("seed %d: %s, want %s", seed, got, want)
		}
		if err := w.cl.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		outcomes[got == "none"]++
	}
	if outcomes[true] < 20 || outcomes[false] < 200 {
		t.Errorf("the cases are one-sided: %v", outcomes)
	}
}

func nominationOf(w *world, a *scheduler.Attempt) string {
	if a.Nominated == cluster.None {
		return "none"
	}
	out := w.cl.Node(a.Nominated).Name
	for _, v := range a.Victims {
		out += " " + w.cl.Pod(v).Name
	}
	return out
}

func randomBudgets(rnd *rand.Rand) []plainBudget {
	budgets := make([]plainBudget, rnd.IntN(5))
	for i := range budgets {
		b := &budgets[i]
		*b = plainBudget{name: fmt.Sprintf("b%d", i), allowed: rnd.IntN(3), selects: map[string]string{}}
		if rnd.IntN(8) > 0 { // else the selector is empty
			b.selects["app"] = []string{"web", "db"}[rnd.IntN(2)]
		}
		if rnd.IntN(3) == 0 {
			b.selects["tier"] = "prod"
		}
		b.disrupted = fmt.Sprintf("p%d-%d", rnd.IntN(4), rnd.IntN(3))
	}
	return budgets
}

// fillNode is pods that leave nothing of a node.
func fillNode(rnd *rand.Rand, node, capacity int) []plainPod {
	var pods []plainPod
	for left := capacity; left > 0; {
		p := plainPod{
			name: fmt.Sprintf("p%d-%d", node, len(pods)), cpu: 1 + rnd.IntN(left), start: rnd.IntN(5), priority: rnd.IntN(6),
			labels: map[string]string{},
		}
		if rnd.IntN(4) > 0 {
			p.labels["app"] = []string{"web", "db"}[rnd.IntN(2)]
		}
		if rnd.IntN(2) == 0 {
			p.labels["tier"] = "prod"
		}
		left -= p.cpu
		pods = append(pods, p)
	}
	return pods
}

// A pod whose victims all terminate already clears nobody's nomination: it waits.
func TestTerminatingVictims(t *testing.T) {
	for boss, want := range map[string]struct {
		victims string
		cleared int
	}{
		"boss cpu=2 priority=9": {"n00", 0},
		"boss cpu=4 priority=9": {"n00 busy", 1},
	} {
		w := newWorld(t, worldConfig{})
		w.addNodes("n00 cpu=4 memory=8Gi pods=10")
		w.addPods("slow node=n00 cpu=2 priority=1 start=2s", "busy node=n00 cpu=2 priority=1 start=1s",
			"nominee cpu=1 priority=2 nominated=n00", boss)
		w.cl.Terminate(w.pods["slow"], false)
		a := takeAndSchedule(w, w.pods["boss"])
		if got := nominationOf(w, a); got != want.victims || len(a.ClearedNominations) != want.cleared {
			t.Errorf("%s: %s, %d nominations cleared", boss, got, len(a.ClearedNominations))
		}
	}
}

// BenchmarkBudgets is BenchmarkPreemption at 100 nodes, with budgets that select all pods
// on them.
func BenchmarkBudgets(b *testing.B) {
	for _, budgets := range []int{0, 1, 100} {
		b.Run(fmt.Sprintf("nodes=100/budgets=%d", budgets), func(b *testing.B) {
			w := newWorld(b, worldConfig{percentage: 100})
			for i := range 100 {
				w.addNodes(fmt.Sprintf("n%d cpu=8 memory=64Gi pods=110", i))
			}
			for i := range budgets {
				w.addBudgets(fmt.Sprintf("b%d allowed=3 select=app:app%d", i, i))
			}
			var low []*cluster.Class
			for i := range max(budgets, 1) {
				low = append(low, w.cl.AddClass(fmt.Sprint("low", i), w.class(fieldsOf(fmt.Sprintf("cpu=1 memory=1Gi priority=1 with=app:app%d", i)))))
			}
			for i := range 800 {
				pod := w.cl.AddPod(cluster.Pod{Class: low[i%len(low)]})
				w.cl.Assume(pod, cluster.NodeID(i%100))
				w.cl.Bind(pod, clock.Time(i))
			}
			high := w.cl.AddClass("high", w.class(fieldsOf("cpu=1 memory=1Gi priority=9")))
			b.ReportAllocs()
			for b.Loop() {
				pod := w.cl.AddPod(cluster.Pod{Class: high})
				w.s.Add(pod, 0)
				if a := takeAndSchedule(w, pod); len(a.Victims) != 1 || a.Outcome != scheduler.Rejected {
					b.Fatal(a.Message())
				}
				w.s.Remove(pod)
				w.cl.RemovePod(pod)
			}
		})
	}
}

// grumpy rejects every pod before nodes are looked at.
type grumpy struct{}

func (grumpy) Name() string                      { return "Grumpy" }
func (grumpy) DependsOn() scheduler.Dependencies { return 0 }
func (grumpy) PreFilter(*scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{Status: scheduler.Status{Code: scheduler.Unschedulable, Message: "not today"}}
}

// Nodes that fit the pod with all that is on them were rejected by a plugin whose answer no
// preemption can change: upstream calls that an error, node by node.
func TestPreemptionWithoutNeed(t *testing.T) {
	registry := plugins.Registry()
	registry["Grumpy"] = func(*scheduler.Handle, any) (scheduler.Plugin, error) { return grumpy{}, nil }
	w := newWorld(t, worldConfig{registry: registry, plugins: []string{"NodeResourcesFit", "Grumpy", "DefaultPreemption"}})
	w.addNodes("n1 cpu=4 memory=8Gi pods=10", "n2 cpu=4 memory=8Gi pods=10", "n3 cpu=4 memory=8Gi pods=10")
	w.addPods("a node=n1 cpu=1 priority=1", "b node=n2 cpu=1 priority=1", "boss cpu=2 priority=9")
	const want = `0/3 nodes are available: not today. preemption: [expected at least one victim pod on node "n1", expected at least one victim pod on node "n2"]`
	if got := takeAndSchedule(w, w.pods["boss"]).Message(); got != want {
		t.Errorf("message %q", got)
	}
}
