package plugins_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/scheduler/preemption"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

func duration(t testing.TB, s string) clock.Time {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return clock.FromDuration(d)
}

// TestScripts runs the scripts in testdata/scripts. Commands:
//
//	world [kubernetes=R] [rules=(RULE=VALUE,…)] [tie=T] [percentage=N] [plugins=(P,…)] [strategy=S] [candidates=(P,N)] [hard=W] [ignore]
//	                          a new cluster under the default profile, or one of these plugins; the
//	                          strategy is that of NodeResourcesFit, the candidates are those of
//	                          DefaultPreemption, hard and ignore the arguments of InterPodAffinity,
//	                          hard-default=(C,…) and soft-default=(C,…) constraints of
//	                          PodTopologySpread (see world.constraint)
//	namespaces                give them labels (see world.setNamespace)
//	nodes, pods               add those of the input (see world); gated pods are shown
//	fleet N                   add N nodes like the one of the input, named n-000 and so on
//	at T                      go on to that time, flushing the queue on the way
//	schedule [N] [scores]     N pods that are next (1), or fewer; those that get a node are bound
//	budgets                   add those of the input (see addBudgets)
//	hold                      take the next pod and decide, but do not settle yet
//	settle                    settle the attempt held
//	remove NODE…              nodes without pods go
//	update                    change the nodes of the input
//	terminate, gone POD…      victims begin to end, or end
//	queue                     how many pods wait where
//	pods-on NODE              the pods on a node
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		var s script
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if s.world == nil || d.Cmd == "world" {
				s.world = newWorld(t, worldOf(t, d))
			}
			s.t = t
			s.out.Reset()
			s.run(d)
			if err := s.cl.Verify(); err != nil {
				t.Errorf("%s: %v", d.Pos, err)
			}
			return s.out.String()
		})
	})
}

type script struct {
	*world
	held *scheduler.Attempt
	out  strings.Builder
}

func (s *script) printf(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func worldOf(t *testing.T, d *datadriven.TestData) worldConfig {
	cfg := worldConfig{args: map[string]any{}}
	if d.Cmd != "world" {
		return cfg
	}
	var kubernetes string
	var rules []string
	affinity := plugins.DefaultInterPodAffinityArgs()
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "kubernetes":
			kubernetes = arg.Vals[0]
		case "rules":
			rules = arg.Vals
		case "hard":
			arg.Scan(t, 0, &affinity.HardPodAffinityWeight)
			cfg.args["InterPodAffinity"] = affinity
		case "ignore":
			affinity.IgnorePreferredTermsOfExistingPods = true
			cfg.args["InterPodAffinity"] = affinity
		case "hard-default", "soft-default":
			withDefaults(t, &cfg, arg)
		case "tie":
			cfg.tie = scheduler.TieBreak(arg.Vals[0])
		case "plugins":
			cfg.plugins = arg.Vals
		case "percentage":
			arg.Scan(t, 0, &cfg.percentage)
		case "strategy":
			cfg.args["NodeResourcesFit"] = plugins.FitArgs{Strategy: plugins.Strategy{
				Type: plugins.StrategyType(arg.Vals[0]), Resources: plugins.DefaultResources(),
			}}
		case "candidates":
			var a preemption.Args
			arg.Scan(t, 0, &a.MinCandidateNodesPercentage)
			arg.Scan(t, 1, &a.MinCandidateNodesAbsolute)
			cfg.args["DefaultPreemption"] = a
		default:
			t.Fatalf("%s: unknown argument %s", d.Pos, arg.Key)
		}
	}
	cfg.rules = rulesOf(t, kubernetes, rules...)
	return cfg
}

func (s *script) run(d *datadriven.TestData) {
	lines := strings.Split(strings.TrimSpace(d.Input), "\n")
	switch d.Cmd {
	case "world":
	case "nodes":
		s.addNodes(lines...)
		for _, line := range lines {
			name, _ := split(line)
			s.s.Observe(scheduler.ClusterEvent{Kind: scheduler.NodeAdded, Node: s.node(name)}, s.now)
		}
	case "fleet":
		n, _ := strconv.Atoi(d.CmdArgs[0].Key)
		name, _ := split(lines[0])
		for i := range n {
			s.addNodes(strings.Replace(lines[0], name, fmt.Sprintf("%s-%03d", name, i), 1))
		}
	case "namespaces":
		for _, line := range lines {
			s.setNamespace(line)
		}
	case "pods":
		s.addPods(lines...)
		s.showGated()
	case "at":
		s.goOn(s.span(d.CmdArgs[0].Key))
	case "schedule":
		s.schedule(d)
	case "hold":
		pod, _ := s.s.Pop(s.now)
		s.held = s.s.Schedule(pod, s.now)
		s.show(s.held, false)
	case "settle":
		s.finish(s.held)
	case "update":
		for _, line := range lines {
			s.update(line)
		}
	case "remove":
		for _, arg := range d.CmdArgs {
			id := s.node(arg.Key)
			s.cl.RemoveNode(id)
			s.s.Observe(scheduler.ClusterEvent{Kind: scheduler.NodeRemoved, Node: id}, s.now)
		}
	case "budgets":
		s.addBudgets(lines...)
	case "terminate":
		for _, arg := range d.CmdArgs {
			s.cl.Terminate(s.pods[arg.Key], true)
		}
	case "gone":
		for _, arg := range d.CmdArgs {
			s.gone(arg.Key)
		}
	case "queue":
		q := s.s.Depth()
		s.printf("active %d, backoff %d, unschedulable %d, gated %d, waiting %d", q.Active, q.Backoff, q.Unschedulable, q.Gated, q.Waiting)
	case "pods-on":
		s.printf("%s", strings.Join(s.names(s.cl.PodsOn(s.node(d.CmdArgs[0].Key))), " "))
	default:
		s.t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
	}
}

func (s *script) showGated() {
	for _, name := range slices.Sorted(maps.Keys(s.pods)) {
		if why := s.s.Gate(s.pods[name]); why != "" {
			s.printf("%s is gated: %s", name, why)
		}
	}
}

func (s *script) goOn(to clock.Time) {
	for at := s.s.NextFlush(); at <= to; at = s.s.NextFlush() {
		s.now = at
		s.s.Flush(at)
	}
	s.now = to
	for _, name := range slices.Sorted(maps.Keys(s.pods)) {
		if until, waits := s.s.WaitDeadline(s.pods[name]); waits && until <= to {
			s.s.Expire(s.pods[name], to)
		}
	}
	s.takeWaiting()
}

func (s *script) schedule(d *datadriven.TestData) {
	times, withScores := 1, false
	for _, arg := range d.CmdArgs {
		if arg.Key == "scores" {
			withScores = true
		} else if n, err := strconv.Atoi(arg.Key); err == nil {
			times = n
		}
	}
	for range times {
		pod, ok := s.s.Pop(s.now)
		if !ok {
			s.printf("no pod is ready")
			return
		}
		a := s.s.Schedule(pod, s.now)
		s.show(a, withScores)
		s.finish(a)
	}
}

func (s *script) show(a *scheduler.Attempt, withScores bool) {
	name := s.cl.Pod(a.Pod).Name
	if a.Node == cluster.None {
		s.printf("%s: %s: %s", name, a.Outcome, a.Message())
	} else {
		ties := strings.Join(s.nodeNames(a.Ties), " ")
		if len(a.Ties) > 5 {
			ties = fmt.Sprintf("%d nodes", len(a.Ties))
		}
		s.printf("%s: %s on %s, %d feasible of %d looked at from %d, ties %s", name, a.Outcome, s.cl.Node(a.Node).Name,
			a.Feasible, a.Evaluated, a.StartIndex, ties)
	}
	if a.Nominated != cluster.None {
		s.printf("  nominated to %s, victims %s", s.cl.Node(a.Nominated).Name, strings.Join(s.names(a.Victims), " "))
	}
	if len(a.ClearedNominations) > 0 {
		s.printf("  not nominated any more: %s", strings.Join(s.names(a.ClearedNominations), " "))
	}
	if withScores {
		s.showScores(a)
	}
}

func (s *script) showScores(a *scheduler.Attempt) {
	var node cluster.NodeID = cluster.None
	a.EachScore(func(n cluster.NodeID, plugin string, score int64) {
		if n != node {
			fmt.Fprintf(&s.out, "  %s:", s.cl.Node(n).Name)
			node = n
		}
		fmt.Fprintf(&s.out, " %s %d", plugin, score)
		if plugin == scheduler.TotalScore {
			s.out.WriteString("\n")
		}
	})
}

// finish settles an attempt and binds the pods that may be bound.
func (s *script) finish(a *scheduler.Attempt) {
	s.s.EndAttempt(a, s.now)
	if a.Outcome == scheduler.Scheduled {
		s.s.RunBindingCycle(a.Pod, s.now)
	}
	s.takeWaiting()
}

func (s *script) takeWaiting() {
	for _, pod := range s.s.TakeAllowed() {
		s.printf("%s need not wait any more", s.cl.Pod(pod).Name)
		s.s.RunBindingCycle(pod, s.now)
	}
	for _, r := range s.s.TakeRejected() {
		s.printf("%s loses %s: %s", s.cl.Pod(r.Pod).Name, s.cl.Node(r.Node).Name, r.Message)
	}
}

func (s *script) update(line string) {
	after := s.nodeSpec(line)
	id := s.node(after.Name)
	before := s.cl.Node(id).NodeSpec
	var changed scheduler.Dependencies
	if !slices.Equal(before.Taints, after.Taints) || before.Unschedulable != after.Unschedulable {
		changed |= scheduler.NodeTaints
	}
	if !slices.Equal(before.Labels, after.Labels) {
		changed |= scheduler.NodeLabels
	}
	if !slices.Equal(before.Allocatable, after.Allocatable) || before.Devices != after.Devices {
		changed |= scheduler.NodeAllocatable
	}
	s.cl.UpdateNode(id, after)
	s.s.Observe(scheduler.ClusterEvent{Kind: scheduler.NodeUpdated, Changed: changed, Node: id, Before: before}, s.now)
}

func (s *script) gone(name string) {
	pod := s.pods[name]
	p := s.cl.Pod(pod)
	freed := scheduler.ClusterEvent{Kind: scheduler.PodFreed, Node: p.Node, Pod: pod, Class: p.Class, Group: p.Group}
	pending := p.Phase == cluster.Pending
	s.s.Remove(pod)
	s.cl.RemovePod(pod)
	delete(s.pods, name)
	if !pending {
		s.s.Observe(freed, s.now)
	}
}

func (s *script) names(pods []cluster.PodID) []string {
	var out []string
	for _, p := range pods {
		out = append(out, s.cl.Pod(p).Name)
	}
	return out
}

func (s *script) nodeNames(nodes []cluster.NodeID) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, s.cl.Node(n).Name)
	}
	return out
}
