package upgrade

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/release"
)

// A cluster is made up in which some rules decide where pods go, and the attribution must find them.
func TestAttribution(t *testing.T) {
	from, to := release.All()[2], release.All()[3]
	fromRules, toRules := from.Rules(), to.Rules()
	differing := release.Differences(&fromRules, &toRules)
	if len(differing) < 5 {
		t.Fatalf("only %q differ", differing)
	}
	a, b, c := differing[0], differing[2], differing[4]
	has := func(changed []string, rules ...string) bool {
		return !slices.ContainsFunc(rules, func(r string) bool { return !slices.Contains(changed, r) })
	}
	for name, made := range map[string]struct {
		nodes func(changed []string) []string // of the pods
		want  string                          // rules, sets of rules, rest
	}{
		"nothing changes": {func([]string) []string { return []string{"x", "y"} }, "[] [] false"},
		"one rule": {func(changed []string) []string {
			if has(changed, b) {
				return []string{"x", "z"}
			}
			return []string{"x", "y"}
		}, fmt.Sprintf("[%s] [] false", b)},
		"two rules": {func(changed []string) []string {
			out := []string{"x", "y"}
			if has(changed, a) {
				out[0] = "a"
			}
			if has(changed, c) {
				out[1] = "c"
			}
			return out
		}, fmt.Sprintf("[%s %s] [] false", a, c)},
		"only together": {func(changed []string) []string {
			if has(changed, a, c) {
				return []string{"z", "y"}
			}
			return []string{"x", "y"}
		}, fmt.Sprintf("[] [[%s %s]] false", a, c)},
		"one that another one strengthens": {func(changed []string) []string {
			switch {
			case has(changed, a, b):
				return []string{"a", "b"}
			case has(changed, a):
				return []string{"a", "y"}
			}
			return []string{"x", "y"}
		}, fmt.Sprintf("[%s] [] true", a)},
	} {
		t.Run(name, func(t *testing.T) {
			play := func(_ context.Context, s release.Settings, _ *side) (*side, bool, error) {
				return madeUp(made.nodes(slices.Sorted(maps.Keys(s.Rules)))), true, nil
			}
			asked := &attribution{from: from, to: to, old: madeUp(made.nodes(nil)), play: play, fromRules: fromRules, toRules: toRules}
			step, err := asked.step(t.Context(), madeUp(made.nodes(differing)))
			if err != nil {
				t.Fatal(err)
			}
			var rules []string
			for _, r := range step.Rules {
				rules = append(rules, r.Rule)
				if r.Divergence == nil || r.Change.IsNone() || r.Meanings[0] == "" || r.Meanings[0] == r.Meanings[1] {
					t.Errorf("%+v does not say what it changes", r)
				}
			}
			if got := fmt.Sprint(rules, step.Together, step.Rest); got != made.want {
				t.Errorf("%s, want %s", got, made.want)
			}
			if n := len(step.Idle) + len(step.Rules) + len(slices.Concat(step.Together...)); n != len(differing) {
				t.Errorf("%d of %d rules are told of", n, len(differing))
			}
		})
	}
}

// madeUp is the outcome in which each pod is bound to its node.
func madeUp(nodes []string) *side {
	s := newSide()
	for i, node := range nodes {
		s.record(&record.Record{Kind: record.NodeAdded, Node: int32(i), NodeInfo: &record.NodeInfo{Name: node}})
		s.record(&record.Record{Kind: record.PodArrived, Pod: int64(i), Node: -1, Text: fmt.Sprint("pod-", i)})
		s.record(&record.Record{Kind: record.PodBound, Pod: int64(i), Node: int32(i)})
	}
	return s
}

// Every kind of difference between the ends of a pod is counted as what it is, and where they diverge.
func TestChange(t *testing.T) {
	// bound is the outcome in which pod p is bound to a node at a time, or is rejected by as many nodes.
	bound := func(node int32, n int) *side {
		s := newSide()
		for i, name := range []string{"x", "y"} {
			s.record(&record.Record{Kind: record.NodeAdded, Node: int32(i), NodeInfo: &record.NodeInfo{Name: name}})
		}
		s.record(&record.Record{Kind: record.PodArrived, Node: -1, Text: "p"})
		if node < 0 {
			why := []record.ReasonCount{{Plugin: "P", Reason: "full", Nodes: n}}
			s.record(&record.Record{Kind: record.PodAttempted, Attempt: &record.AttemptInfo{Outcome: record.Unschedulable, Node: -1, Nominated: -1, Reasons: why}})
			return s
		}
		s.record(&record.Record{Kind: record.PodAttempted, Attempt: &record.AttemptInfo{Outcome: record.Scheduled, Node: node, Nominated: -1}})
		s.record(&record.Record{Kind: record.PodBound, Node: node, Time: clock.Time(n)})
		return s
	}
	for name, c := range map[string]struct {
		a, b *side
		want string
	}{
		"same":     {bound(0, 1), bound(0, 1), "{0 0 0 0 0 0 []} <nil>"},
		"moved":    {bound(0, 1), bound(1, 1), "{1 0 0 0 0 0 [p]} is assumed on x, is assumed on y"},
		"gained":   {bound(-1, 1), bound(1, 1), "{0 1 0 0 0 0 [p]} finds no node, is assumed on y"},
		"lost":     {bound(0, 1), bound(-1, 1), "{0 0 1 0 0 0 [p]} is assumed on x, finds no node"},
		"sooner":   {bound(0, 2), bound(0, 1), "{0 0 0 1 0 0 [p]} is bound to x at 2 ns, is bound to x at 1 ns"},
		"later":    {bound(0, 1), bound(0, 2), "{0 0 0 0 1 0 [p]} is bound to x at 1 ns, is bound to x at 2 ns"},
		"messages": {bound(-1, 1), bound(-1, 2), "{0 0 0 0 0 1 [p]} 1 P: full, 2 P: full (text)"},
	} {
		got := fmt.Sprint(change(c.a, c.b), " ")
		if p := divergence(c.a, c.b); p != nil {
			got += strings.Join(p.What[:], ", ")
			if p.TextOnly {
				got += " (text)"
			}
		} else {
			got += "<nil>"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The rules that are tried first are in the table.
func TestCommonRulesExist(t *testing.T) {
	rules := release.Newest().Rules()
	for _, rule := range commonRules {
		if rules.Value(rule) == "" {
			t.Errorf("there is no rule %q", rule)
		}
	}
}
