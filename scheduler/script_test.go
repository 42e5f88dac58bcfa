package scheduler

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// TestScripts runs the scripts in testdata/scripts, with the plugins A and B (see scriptedPlugin) at
// every point. Commands:
//
//	new [RULE=VALUE]…         a new cluster, and a scheduler with these rules
//	nodes NODE…               add nodes, which is an event
//	pods POD[=PRIORITY]…      add pods
//	mood A POINT POD[/NODE]=ANSWER…
//	at T                      go on to that time; flush first prints when it was due
//	schedule [N]              attempts for the N pods that are next, settled at once
//	hold                      take the next pod and decide, but do not settle yet
//	settle POD                settle an attempt held
//	take POD                  an attempt for this pod, wherever it is
//	bind POD…                 run the binding of pods that have a node
//	allow, reject A POD…      what plugins do to pods that wait
//	event                     a pod leaves some node
//	other-event               a claim appears, which is nothing to A and B
//	activate POD…             what plugins ask for
//	nominate POD=NODE, remove POD
//	queue                     where every pod is
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		s := &script{moody: newMoody(t, TieFirst), held: map[string]Attempt{}}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.t, s.log = t, nil
			s.out.Reset()
			s.run(d)
			if err := s.s.queue.check(); err != nil {
				t.Errorf("%s: %v", d.Pos, err)
			}
			if err := s.cl.Verify(); err != nil {
				t.Errorf("%s: %v", d.Pos, err)
			}
			return s.out.String()
		})
	})
}

type script struct {
	*moody
	held map[string]Attempt
	out  strings.Builder
}

func (s *script) printf(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func (s *script) run(d *datadriven.TestData) {
	switch d.Cmd {
	case "new":
		s.moody = newMoody(s.t, TieFirst)
		for _, arg := range d.CmdArgs {
			if err := s.s.rules.Set(arg.Key, arg.Vals[0]); err != nil {
				s.t.Fatalf("%s: %v", d.Pos, err)
			}
		}
	case "mood":
		for _, arg := range d.CmdArgs[2:] {
			s.behavior[d.CmdArgs[0].Key].answers[d.CmdArgs[1].Key+" "+arg.Key] = strings.Join(arg.Vals, ",")
		}
	case "at":
		s.goOn(d.CmdArgs[0].Key)
	case "schedule":
		s.schedule(d)
	case "hold":
		if pod, ok := s.s.Pop(s.now); ok {
			s.attempt(pod, false)
		}
	case "event":
		s.s.Observe(ClusterEvent{Kind: PodFreed, Node: cluster.None}, s.now)
	case "other-event":
		s.s.Observe(ClusterEvent{Kind: ClaimAdded, Node: cluster.None}, s.now)
	case "queue":
		s.showQueue()
	default:
		for _, arg := range d.CmdArgs {
			s.each(d, arg)
		}
	}
	s.afterwards()
}

// each runs a command for one of its arguments.
func (s *script) each(d *datadriven.TestData, arg datadriven.CmdArg) {
	pod := s.pods[arg.Key]
	switch d.Cmd {
	case "nodes":
		s.s.Observe(ClusterEvent{Kind: NodeAdded, Node: s.addNode(arg.Key)}, s.now)
	case "pods":
		priority := 0
		if len(arg.Vals) > 0 {
			priority, _ = strconv.Atoi(arg.Vals[0])
		}
		s.addPod(arg.Key, int32(priority))
	case "settle":
		a := s.held[arg.Key]
		s.s.EndAttempt(&a, s.now)
	case "take":
		if !s.s.PopPod(pod, s.now) {
			s.printf("%s cannot be taken", arg.Key)
			return
		}
		s.attempt(pod, true)
	case "bind":
		if ok, why := s.s.RunBindingCycle(pod, s.now); !ok {
			s.printf("%s is not bound: %s", arg.Key, why)
		}
	case "allow", "reject":
		if s.behavior[arg.Key] != nil {
			return // the plugin
		}
		if h, plugin := (&Handle{s: s.s}), d.CmdArgs[0].Key; d.Cmd == "allow" {
			h.Allow(pod, plugin)
		} else {
			h.Reject(pod, plugin, "turned-down")
		}
	case "nominate":
		node, _ := s.cl.NodeByName(arg.Vals[0])
		s.s.Nominate(pod, node)
	case "activate":
		(&Handle{s: s.s}).Activate(pod)
	case "remove":
		s.s.Remove(pod)
		s.cl.RemovePod(pod)
		delete(s.pods, arg.Key)
	default:
		s.t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
	}
}

// goOn flushes the queue when it says that it is due, and ends waits.
func (s *script) goOn(text string) {
	d, err := time.ParseDuration(text)
	if err != nil {
		s.t.Fatal(err)
	}
	to := clock.FromDuration(d)
	for at := s.s.NextFlush(); at <= to; at = s.s.NextFlush() {
		s.printf("flush at %s", at)
		s.now = at
		s.s.Flush(at)
	}
	s.now = to
	for _, name := range s.sorted() {
		s.s.Expire(s.pods[name], to)
	}
}

func (s *script) schedule(d *datadriven.TestData) {
	times := 1
	if len(d.CmdArgs) > 0 {
		times, _ = strconv.Atoi(d.CmdArgs[0].Key)
	}
	for range times {
		pod, ok := s.s.Pop(s.now)
		if !ok {
			s.printf("no pod is ready")
			return
		}
		s.attempt(pod, true)
	}
}

func (s *script) attempt(pod cluster.PodID, end bool) {
	a := s.s.Schedule(pod, s.now)
	name := s.cl.Pod(pod).Name
	if a.Node != cluster.None {
		s.printf("%s, attempt %d: %s on %s", name, a.Number, a.Outcome, s.cl.Node(a.Node).Name)
	} else {
		s.printf("%s, attempt %d: %s: %s", name, a.Number, a.Outcome, a.Message())
	}
	s.showLog()
	s.held[name] = *a
	if end {
		s.s.EndAttempt(a, s.now)
	}
}

// afterwards takes the pods that need not wait any more, or must not, and prints what the
// plugins were told.
func (s *script) afterwards() {
	for _, pod := range s.s.TakeAllowed() {
		s.printf("%s need not wait any more", s.cl.Pod(pod).Name)
	}
	for _, r := range s.s.TakeRejected() {
		s.printf("%s loses %s by %s: %s", s.cl.Pod(r.Pod).Name, s.cl.Node(r.Node).Name, r.Plugin, r.Message)
	}
	s.showLog()
}

func (s *script) showLog() {
	for _, line := range s.log {
		s.printf("  %s", line)
	}
	s.log = nil
}

func (s *script) sorted() []string { return slices.Sorted(maps.Keys(s.pods)) }

func (s *script) showQueue() {
	for _, name := range s.sorted() {
		info := s.s.queue.info(s.pods[name])
		line := name + ": " + [...]string{"not queued", "active", "backoff", "error backoff", "unschedulable", "in flight"}[info.place]
		if info.place == inBackoff || info.place == inErrorBackoff {
			line += fmt.Sprintf(" until %s", info.expiry)
		}
		if info.gateMessage != "" {
			line += ", gated: " + info.gateMessage
		}
		if p := s.cl.Pod(s.pods[name]); p.Phase != cluster.Pending {
			line += ", " + p.Phase.String()
		}
		if node := s.s.Nominated(s.pods[name]); node != cluster.None {
			line += ", nominated to " + s.cl.Node(node).Name
		}
		s.printf("%s", line)
	}
}

// inFlight are the pods that an attempt is under way for: the one in its cycle, those that
// wait in Permit, and those that were allowed and not taken yet.
func (q *queue) inFlight() []cluster.PodID {
	pods := slices.Collect(maps.Keys(q.s.waiting.pods))
	pods = append(pods, q.s.waiting.allowed...)
	for _, r := range q.s.waiting.rejected {
		pods = append(pods, r.pod)
	}
	if q.inFlightPod != cluster.NoPod {
		pods = append(pods, q.inFlightPod)
	}
	slices.Sort(pods)
	return slices.Compact(pods)
}

// checkGroups is the law of the index of unschedulable pods: each is in the group of its key, once, and no other pod is.
func (q *queue) checkGroups() error {
	pods := 0
	for _, g := range q.groups {
		if len(g.pods) == 0 {
			return fmt.Errorf("an empty group is kept")
		}
		pods += len(g.pods)
		for i, pod := range g.pods {
			info := q.info(pod)
			key := wakeKey{info.profile, info.rejectors, info.gate}
			if info.place != inUnschedulable || info.group != g || info.inGroup != i || g.wakeKey != key {
				return fmt.Errorf("pod %d is in a group that is not its own", pod)
			}
		}
	}
	if pods != len(q.unschedulablePods) {
		return fmt.Errorf("%d pods are in groups, %d are unschedulable", pods, len(q.unschedulablePods))
	}
	return nil
}

// check is the law of the queue: every pod is where it says, and nowhere else.
func (q *queue) check() error {
	found := map[cluster.PodID]place{}
	gated := 0
	lists := map[place][]cluster.PodID{
		inActive: q.active.ids, inBackoff: q.backoff.ids, inErrorBackoff: q.errorBackoff.ids, inUnschedulable: q.unschedulablePods, inFlight: q.inFlight(),
	}
	for _, at := range []place{inActive, inBackoff, inErrorBackoff, inUnschedulable, inFlight} {
		for i, pod := range lists[at] {
			info := q.info(pod)
			if other, twice := found[pod]; twice {
				return fmt.Errorf("pod %d is at places %d and %d", pod, other, at)
			}
			found[pod] = at
			if info.place != at || at != inFlight && info.index != i {
				return fmt.Errorf("pod %d is at place %d (%d), says %d (%d)", pod, at, i, info.place, info.index)
			}
			if info.gate >= 0 {
				gated++
			}
			if info.gate >= 0 && at != inUnschedulable {
				return fmt.Errorf("pod %d is gated, at place %d", pod, at)
			}
			if since := q.flushesFrom(info); at == inUnschedulable && since < q.unschedulableSince {
				return fmt.Errorf("pod %d is unschedulable since %s, which would not be noticed before %s", pod, since, q.unschedulableSince)
			}
		}
	}
	if err := q.checkGroups(); err != nil {
		return err
	}
	for pod := range q.infos {
		if _, ok := found[cluster.PodID(pod)]; !ok && q.infos[pod].place != nowhere {
			return fmt.Errorf("pod %d is nowhere, says %d", pod, q.infos[pod].place)
		}
	}
	if gated != q.gated {
		return fmt.Errorf("%d pods are gated, counted %d", gated, q.gated)
	}
	if q.inFlightPod == cluster.NoPod && len(q.inFlightEvents) != 0 {
		return fmt.Errorf("%d events are kept for nobody", len(q.inFlightEvents))
	}
	return nil
}
