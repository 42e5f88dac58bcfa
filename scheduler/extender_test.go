package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// oracle is an extender whose answers a test sets, by verb:
//
//	filter      NODE passes, NODE:why fails, NODE!why fails as unresolvable, blank
//	prioritize  NODE=SCORE
//	preempt     NODE=POD+POD
//	bind        nothing
//
// and for all verbs error:why, and late:why for an answer that does not come in time. It writes down what it is asked.
type oracle struct {
	m       *moody
	traits  ExtenderInfo
	manages string // the only pod that it is interested in
	answers map[string][]string
}

func (o *oracle) Info() ExtenderInfo { return o.traits }

func (o *oracle) IsInterested(class *cluster.Class) bool {
	return o.manages == "" || o.m.cl.Pod(o.m.pods[o.manages]).Class == class
}

// answer is nil where the test has set none.
func (o *oracle) answer(verb string, pod cluster.PodID, nodes []cluster.NodeID) ([]string, error) {
	line := fmt.Sprintf("%s: %s %s", o.traits.Name, verb, o.m.cl.Pod(pod).Name)
	for _, n := range nodes {
		line += " " + o.m.cl.Node(n).Name
	}
	o.m.log = append(o.m.log, line)
	a := o.answers[verb]
	if len(a) > 0 {
		if why, failed := strings.CutPrefix(a[0], "error:"); failed {
			return nil, errors.New(why)
		}
		if why, late := strings.CutPrefix(a[0], "late:"); late {
			return nil, lateAnswer(why)
		}
	}
	return a, nil
}

// lateAnswer is an error as of an extender that does not answer in time.
type lateAnswer string

func (l lateAnswer) Error() string { return string(l) }
func (l lateAnswer) Timeout() bool { return true }

func (o *oracle) node(name string) cluster.NodeID {
	id, exists := o.m.cl.NodeByName(name)
	if !exists {
		return cluster.None
	}
	return id
}

func (o *oracle) Filter(_ context.Context, pod cluster.PodID, nodes []cluster.NodeID) (Filtered, error) {
	var out Filtered
	words, err := o.answer("filter", pod, nodes)
	if words == nil {
		return Filtered{Nodes: nodes}, err
	}
	for _, w := range words {
		if i := strings.IndexAny(w, ":!"); i >= 0 {
			f := FailedNode{Name: w[:i], Node: o.node(w[:i]), Code: Unschedulable, Message: w[i+1:]}
			if w[i] == '!' {
				f.Code = UnschedulableAndUnresolvable
			}
			out.Failed = append(out.Failed, f)
		} else if w == "blank" {
			out.ReturnedObjects = true
		} else if w != "none" {
			out.Nodes = append(out.Nodes, o.node(w))
		}
	}
	return out, nil
}

func (o *oracle) Prioritize(_ context.Context, pod cluster.PodID, nodes []cluster.NodeID) ([]NodeScore, error) {
	words, err := o.answer("prioritize", pod, nodes)
	var out []NodeScore
	for _, w := range words {
		name, score, _ := strings.Cut(w, "=")
		n, _ := strconv.ParseInt(score, 10, 64)
		out = append(out, NodeScore{o.node(name), n})
	}
	return out, err
}

func (o *oracle) Preempt(_ context.Context, pod cluster.PodID, candidates []Candidate) ([]Candidate, error) {
	var nodes []cluster.NodeID
	for _, k := range candidates {
		nodes = append(nodes, k.Node)
	}
	words, err := o.answer("preempt", pod, nodes)
	var out []Candidate
	for _, w := range words {
		name, victims, _ := strings.Cut(w, "=")
		k := Candidate{Node: o.node(name)}
		for _, v := range strings.FieldsFunc(victims, func(r rune) bool { return r == '+' }) {
			k.Victims = append(k.Victims, o.m.pods[v])
		}
		out = append(out, k)
	}
	return out, err
}

func (o *oracle) Bind(_ context.Context, pod cluster.PodID, node cluster.NodeID) error {
	_, err := o.answer("bind", pod, []cluster.NodeID{node})
	return err
}

// extendedScript is a script with extenders.
type extendedScript struct {
	script
	oracles map[string]*oracle
}

// TestExtenders runs the scripts in testdata/extenders, which have the commands of
// TestScripts, and:
//
//	new [tie=first] X=(filter,prioritize,preempt,bind,weight:3,ignorable,only:POD)…
//	ask X VERB ANSWER…    see oracle; without an answer it agrees to everything
//	details               of the last attempt: reasons, ties and totals
//	failed                the calls that have failed
//	narrow POD NODE=POD+POD…
func TestExtenders(t *testing.T) {
	datadriven.Walk(t, "testdata/extenders", func(t *testing.T, path string) {
		s := &extendedScript{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.out.Reset()
			switch d.Cmd {
			case "new":
				s.new(t, d)
				return ""
			case "ask":
				o := s.oracles[d.CmdArgs[0].Key]
				o.answers[d.CmdArgs[1].Key] = nil
				for _, a := range d.CmdArgs[2:] {
					o.answers[d.CmdArgs[1].Key] = append(o.answers[d.CmdArgs[1].Key], a.String())
				}
			case "details":
				s.details()
			case "failed":
				for _, c := range s.s.FailedCalls() {
					s.printf("%s: %d of %d calls of %s, the first: %v", c.Extender.Name, c.Failed, c.Made, c.Call, c.First)
				}
			case "narrow":
				s.narrow(d)
			default:
				s.t, s.log = t, nil
				s.run(d)
			}
			if err := s.s.queue.check(); err != nil {
				t.Errorf("%s: %v", d.Pos, err)
			}
			return s.out.String()
		})
	})
}

func (s *extendedScript) new(t *testing.T, d *datadriven.TestData) {
	s.oracles = map[string]*oracle{}
	tie := TieFirst
	var list []Extender
	for _, arg := range d.CmdArgs {
		if arg.Key == "tie" {
			tie = TieBreak(arg.Vals[0])
			continue
		}
		o := &oracle{answers: map[string][]string{}, traits: ExtenderInfo{Name: arg.Key, Weight: 1}}
		for _, v := range arg.Vals {
			key, value, _ := strings.Cut(v, ":")
			switch key {
			case "filter":
				o.traits.Filters = true
			case "prioritize":
				o.traits.Prioritizes = true
			case "preempt":
				o.traits.Preempts = true
			case "bind":
				o.traits.Binds = true
			case "ignorable":
				o.traits.Ignorable = true
			case "weight":
				o.traits.Weight, _ = strconv.ParseInt(value, 10, 64)
			case "only":
				o.manages = value
			default:
				t.Fatalf("%s: unknown trait %s", d.Pos, v)
			}
		}
		s.oracles[arg.Key] = o
		list = append(list, o)
	}
	s.moody, s.held = newMoody(t, tie, list...), map[string]Attempt{}
	for _, o := range s.oracles {
		o.m = s.moody
	}
	s.s.OnSlowExtender(func(x ExtenderInfo, call string) { s.log = append(s.log, x.Name+" is slow to "+call) })
}

func (s *extendedScript) details() {
	a := &s.s.cycle.attempt
	for _, r := range a.Reasons() {
		s.printf("%s: %s (%d)", r.Plugin, r.Reason, r.Nodes)
	}
	var ties []string
	for _, n := range a.Ties {
		ties = append(ties, s.cl.Node(n).Name)
	}
	slices.Sort(ties)
	s.printf("%d feasible of %d, ties %v, next search from %d", a.Feasible, a.Evaluated, ties, s.s.StartIndex())
	a.EachScore(func(node cluster.NodeID, plugin string, score int64) {
		if plugin != "A" && plugin != "B" {
			s.printf("%s %s %d", s.cl.Node(node).Name, plugin, score)
		}
	})
}

func (s *extendedScript) narrow(d *datadriven.TestData) {
	pod := s.pods[d.CmdArgs[0].Key]
	c := s.s.begin(pod)
	var candidates []Candidate
	for _, arg := range d.CmdArgs[1:] {
		node, _ := s.cl.NodeByName(arg.Key)
		k := Candidate{Node: node}
		for _, v := range strings.Split(arg.Vals[0], "+") {
			k.Victims = append(k.Victims, s.pods[v])
		}
		candidates = append(candidates, k)
	}
	s.log = nil
	left, st := (&Handle{s: s.s}).CallExtenders(c, candidates)
	s.showLog()
	if st.Code != Success {
		s.printf("%s", st.Message)
	}
	for _, k := range left {
		line := s.cl.Node(k.Node).Name + ":"
		for _, v := range k.Victims {
			line += " " + s.cl.Pod(v).Name
		}
		s.printf("%s", line)
	}
}
