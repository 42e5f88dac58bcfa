package fleetplan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
)

// planOf is a plan over one pool or two, with a probe for each row of counts; the first
// fails, the last holds the goal.
func planOf(pools int, counts ...[]int) *fleetplan.Plan {
	p := &fleetplan.Plan{
		Scenario: "trial", Goal: "placement.pending == 0", Goals: []fleetplan.Goal{{Text: "placement.pending == 0"}}, Seeds: []uint64{1, 2, 3, 4}, Quantile: 75,
		Fewest: 0, Most: len(counts) - 1, Best: len(counts) - 1, Found: len(counts) - 1, Exact: true,
	}
	for _, name := range []string{"a", "b"}[:pools] {
		p.Pools = append(p.Pools, fleetplan.Pool{Name: name, Low: 1, High: 9})
	}
	pending := metric.Named("placement.pending")
	for i, c := range counts {
		probe := fleetplan.Probe{Counts: c, Values: []fleetplan.Value{{Key: metric.Key{Metric: pending}}}}
		for _, n := range c {
			probe.Cost += float64(n)
		}
		if probe.Holds = i == len(counts)-1; probe.Holds {
			probe.Held = 4
		} else {
			probe.Failing = []fleetplan.Term{{Why: "placement.pending is 7, the goal wants 0", Seeds: 3, Binds: true}}
		}
		p.Probes = append(p.Probes, probe)
	}
	return p
}

func TestAnswersOfPlans(t *testing.T) {
	for _, c := range []struct {
		name   string
		pools  int
		counts [][]int
		change func(p *fleetplan.Plan)
		want   string
	}{
		{"one pool", 1, [][]int{{3}, {4}}, nil,
			"4 nodes of a hold the goal (3 do not: placement.pending is 7, the goal wants 0, in 3 of 4 seeds)"},
		{"one node", 1, [][]int{{0}, {1}}, nil,
			"1 node of a holds the goal (0 do not: placement.pending is 7, the goal wants 0, in 3 of 4 seeds)"},
		{"priced", 1, [][]int{{1}, {2}}, func(p *fleetplan.Plan) { p.Priced = true },
			"2 nodes of a hold the goal, at 2.00 an hour (1 does not: placement.pending is 7, the goal wants 0, in 3 of 4 seeds)"},
		{"the fewest", 1, [][]int{{3}}, nil, "3 nodes of a hold the goal: the fewest that were asked for"},
		{"interrupted", 1, [][]int{{3}, {8}}, func(p *fleetplan.Plan) { p.Partial, p.Exact = true, false },
			"8 nodes of a hold the goal; fewer may do"},
		{"interrupted early", 1, [][]int{{3}}, func(p *fleetplan.Plan) {
			p.Partial, p.Exact, p.Best, p.Found, p.Fewest = true, false, -1, -1, -1
			p.Probes[0].Holds, p.Probes[0].Failing = false, []fleetplan.Term{{Why: "placement.pending is 7, the goal wants 0", Seeds: 4, Binds: true}}
		}, "no fleet that was tried holds the goal: with 3 nodes of a, the most that were asked for, placement.pending is 7, the goal wants 0"},
		{"two pools", 2, [][]int{{1, 1}, {1, 4}}, nil, "1 of a and 4 of b hold the goal, 5 nodes in all; nothing cheaper does"},
		{"not even the smallest was tried", 2, [][]int{{2, 1}, {1, 4}}, func(p *fleetplan.Plan) { p.Exact = true },
			"1 of a and 4 of b hold the goal, 5 nodes in all; nothing cheaper does"},
		{"the smallest", 2, [][]int{{1, 1}}, nil, "1 of a and 1 of b hold the goal, 2 nodes in all: the smallest fleet that was asked for"},
		{"out of probes", 2, [][]int{{1, 1}, {1, 9}}, func(p *fleetplan.Plan) { p.Exact, p.Bound = false, 6 },
			"1 of a and 9 of b hold the goal, 10 nodes in all; cheaper ones may, but none under 6 nodes: the search ended after 2 fleets"},
		{"out of probes at once", 2, [][]int{{1, 1}, {1, 9}}, func(p *fleetplan.Plan) { p.Exact, p.Bound = false, 2 },
			"1 of a and 9 of b hold the goal, 10 nodes in all; cheaper ones may: the search ended after 2 fleets"},
		{"none in all probes", 2, [][]int{{1, 1}, {9, 9}}, func(p *fleetplan.Plan) {
			p.Best, p.Found = -1, -1
			p.Probes[1].Holds, p.Probes[1].Failing = false, p.Probes[0].Failing
		}, "no fleet that was tried holds the goal: with 9 of a and 9 of b, the most that were asked for, placement.pending is 7, the goal wants 0, in 3 of 4 seeds. " +
			"With 1 of a and 1 of b placement.pending is 7, the goal wants 0, in 3 of 4 seeds"},
		{"a seed contradicts itself", 1, [][]int{{3}, {4}}, func(p *fleetplan.Plan) {
			p.Contradictions = []fleetplan.Contradiction{{Seed: 2, Fewer: []int{3}, More: []int{4}}, {Seed: 3, Fewer: []int{3}, More: []int{4}}}
		}, "with 2 seeds of 4 the goal is not monotone: with seed 2 it holds with 3 nodes of a and not with 4 nodes of a"},
		{"not monotone", 1, [][]int{{3}, {4}}, func(p *fleetplan.Plan) {
			p.Contradictions = []fleetplan.Contradiction{{All: true, Fewer: []int{3}, More: []int{9}}}
		}, "the goal is not monotone: it holds with 3 nodes of a and not with 9 nodes of a, so that the answer may not be the smallest fleet"},
		{"broken", 1, [][]int{{3}, {4}}, func(p *fleetplan.Plan) {
			p.Best, p.Broken = -1, []fleetplan.BrokenTerm{{Text: "utilization.nodes < 4", Seeds: 4}}
			p.Probes[1].Holds, p.Probes[1].Failing = false, []fleetplan.Term{{Why: "utilization.nodes is 4, the goal wants < 4", Seeds: 4, Binds: true, Broken: true}}
		}, "no fleet within the limits was found that holds the goal: 4 nodes of a, the fewest that hold the rest of it, are too many for utilization.nodes < 4: utilization.nodes is 4, the goal wants < 4"},
	} {
		p := planOf(c.pools, c.counts...)
		if c.change != nil {
			c.change(p)
		}
		answer := p.Answer()
		if got := answer[len(answer)-1]; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		for _, format := range output.Formats {
			var b bytes.Buffer
			if err := p.Render(&b, output.View{Format: format, Width: 80}); err != nil || b.Len() == 0 {
				t.Errorf("%s: as %s: %v", c.name, format, err)
			}
		}
	}
}

// The method says that the goal was seen to be monotone only where it was.
func TestMethodOfPlans(t *testing.T) {
	told := func(change func(p *fleetplan.Plan)) string {
		p := planOf(1, []int{1}, []int{3}, []int{4})
		change(p)
		var b bytes.Buffer
		if err := p.Render(&b, output.View{Format: output.Table, Width: 500}); err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(b.String(), "The search assumes that more nodes do not break the goal")
		return strings.TrimSpace(rest)
	}
	for want, change := range map[string]func(p *fleetplan.Plan){
		".":                               func(*fleetplan.Plan) {},
		"; what was tried confirms this.": func(p *fleetplan.Plan) { p.Probes[1].Holds = true },
		", except as stated above.":       func(p *fleetplan.Plan) { p.Broken = []fleetplan.BrokenTerm{{Text: "x", Seeds: 4}} },
		"; if they do, a fleet between those that were tried may hold it.": func(p *fleetplan.Plan) {
			p.Best, p.Found, p.Probes[2].Holds = -1, -1, false
		},
	} {
		if got := told(change); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What more nodes break in a part of the seeds alone is said so.
func TestBrokenInSomeSeeds(t *testing.T) {
	for want, seeds := range map[string][]int{"": {4, 4}, ", in 2 of 4 seeds": {2}, ", in 1 to 4 of 4 seeds": {4, 1}} {
		p := planOf(1, []int{3}, []int{4})
		for _, n := range seeds {
			p.Broken = append(p.Broken, fleetplan.BrokenTerm{Text: "x", Seeds: n})
		}
		if answer := p.Answer(); !strings.HasSuffix(answer[len(answer)-1], "and not on the largest"+want) {
			t.Errorf("%v: %s", seeds, answer)
		}
	}
}

// The reasons of all runs are counted together, and a run without one counts as 0.
func TestMeanReasons(t *testing.T) {
	reason := metric.Named("placement.pendingReason")
	run := func(values ...metric.Value) *metric.Summary {
		return &metric.Summary{Scopes: []metric.ScopeValues{{Scope: metric.ScopeRun, Values: values}}}
	}
	got := fleetplan.MeanReasons([]*metric.Summary{
		run(metric.Value{Metric: reason, Label: "a", Value: 2}, metric.Value{Metric: reason, Label: "b", Value: 1}),
		run(metric.Value{Metric: reason, Label: "b", Value: 5}), run(), run(),
	})
	if len(got) != 2 || got[0] != (fleetplan.Reason{Reason: "b", Pods: 1.5}) || got[1] != (fleetplan.Reason{Reason: "a", Pods: 0.5}) {
		t.Errorf("got %+v", got)
	}
}

// A table that is too wide is cut into parts that all say which fleet a row is about.
func TestPlanOnNarrowTerminal(t *testing.T) {
	p := planOf(2, []int{1, 1}, []int{2, 7})
	for i := range p.Probes {
		for _, name := range []string{"utilization.cost", "placement.arrived", "placement.completed", "placement.evicted", "utilization.nodes"} {
			p.Probes[i].Values = append(p.Probes[i].Values, fleetplan.Value{Key: metric.Key{Metric: metric.Named(name)}, Value: 12345})
		}
	}
	var b bytes.Buffer
	if err := p.Render(&b, output.View{Format: output.Table, Width: 60}); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(b.String(), "\n2 + 7 "); rows != 2 {
		t.Errorf("the fleet has %d rows:\n%s", rows, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if len([]rune(line)) > 61 {
			t.Errorf("too wide: %s", line)
		}
	}
}

// A percentile is a value that as many percent are at most, by nearest rank.
func TestAnswersOfCompactions(t *testing.T) {
	for want, nodes := range map[string][]int{
		"3 nodes of 8 would do, 5 fewer (62.5 %): in 90 % of 2 trials no more were needed, at least 2 and at most 3 in all of them": {3, 2},
		"1 node of 8 would do, 7 fewer (87.5 %): as many were needed in all of 1 trial":                                             {1},
		"no node can be removed: of 8 nodes, at least 7 and at most 8 were needed in 3 trials":                                      {8, 7, 8},
		"9 nodes of 10 would do, 1 fewer (10.0 %): in 90 % of 10 trials no more were needed, at least 1 and at most 10 in all of them": {
			1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
	} {
		c := &fleetplan.Compaction{Nodes: max(8, len(nodes)), Quantile: 90}
		for _, n := range nodes {
			c.Trials = append(c.Trials, fleetplan.Trial{Fits: true, Nodes: n})
		}
		if got := c.Answer(); len(got) != 1 || got[0] != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
