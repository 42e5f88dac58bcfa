package answers

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/answers/explain"
)

func explained(t *testing.T, e *explain.Explanation, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteExplanation(&b, e, output.View{Format: output.Table, Width: width}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLongExplanations: lists are cut, and what is left out is counted.
func TestLongExplanations(t *testing.T) {
	e := &explain.Explanation{Pod: "default/web", State: explain.Unschedulable, Attempt: 1, Untried: "there were too many"}
	e.Search = explain.Search{Nodes: 1200, Evaluated: 1200}
	for i := range 12 {
		e.Groups = append(e.Groups, explain.Group{Pool: fmt.Sprint("pool-", i), Nodes: 100, NodeReasons: explain.NodeReasons{
			Node: fmt.Sprint("node-", i), Plugin: "P", Reasons: []string{"one reason", "another"}, Behind: []string{"Q: a third", "R: a fourth"},
		}})
		rule := explain.Rule{Plugin: "R", Topology: "zone", Text: fmt.Sprint("rule ", i)}
		for k := range 12 {
			rule.Domains = append(rule.Domains, explain.Domain{Domain: fmt.Sprint("zone-", k), Domains: 1, Nodes: 1, Pods: int64(k)})
		}
		e.Rules = append(e.Rules, rule)
		e.Changes = append(e.Changes, explain.Change{Kind: "request", Text: fmt.Sprint("change ", i), Nodes: i + 1, Node: "node-0"})
	}
	out := explained(t, e, 100)
	for _, want := range []string{
		"4 more rules reject nodes.", "and 4 more rows", "R: rule 7.", "zone-7",
		"400  node-8", "and others, in 4 more groups", "and 4 more changes", "Not all was tried: there were too many.",
		"P: one reason, another; behind it Q: a third; R: a fourth", "Looked at 1,200 of 1,200 nodes",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "pool-8") || strings.Contains(out, "rule 8") || strings.Contains(out, "zone-8") || strings.Contains(out, "change 8") {
		t.Errorf("the lists are not cut:\n%s", out)
	}
}

// TestNarrowExplanations: except for the names of nodes and plugins, nothing is wider than the
// terminal.
func TestNarrowExplanations(t *testing.T) {
	row := func(node string, total int64) explain.Row {
		return explain.Row{Node: node, Scores: []int64{total - 10, 10}, Total: total}
	}
	e := &explain.Explanation{Pod: "default/web", State: explain.Placed, Attempt: 2, Node: "node-a", Message: strings.Repeat("many words ", 30)}
	e.Search = explain.Search{Nodes: 40, Evaluated: 40, Feasible: 40}
	second := row("node-b", 80)
	e.Choice = &explain.Choice{
		Plugins: []string{"NodeResourcesFit", "ImageLocality"}, Winner: row("node-a", 90), RunnerUp: &second, Ties: 1,
		Top:     []explain.Row{row("node-a", 90), row("node-b", 80), row("node-c", 70), row("node-d", 60), row("node-e", 50)},
		Decided: []string{"NodeResourcesFit", "ImageLocality"},
	}
	for i := range 11 {
		e.Choice.Rest = append(e.Choice.Rest, explain.Level{Total: int64(40 - i), Nodes: 3, Node: "node-f"})
	}
	out := explained(t, e, 60)
	for line := range strings.Lines(out) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"Decided by NodeResourcesFit, or by ImageLocality", "lower", "9  node-f", "+10", "node-e"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
}

// TestMissesOfOneNode: what a single node lacks is one sentence.
func TestMissesOfOneNode(t *testing.T) {
	lack := func(resource string, least int64, lacking int, besides ...string) explain.Shortage {
		return explain.Shortage{Resource: resource, Lacking: lacking, Least: least, NodesAtLeast: 1, Nearest: "n1", OtherReasons: besides}
	}
	for _, tt := range []struct {
		lacks []explain.Shortage
		want  string
	}{
		{[]explain.Shortage{lack("cpu", 1000, 1)}, "1 node lacks 1 cpu and nothing else: n1."},
		{[]explain.Shortage{lack("pods", 1, 1)}, "1 node lacks room for 1 more pod and nothing else: n1."},
		{[]explain.Shortage{lack("cpu", 500, 3)}, "1 node lacks 500m cpu and nothing else: n1; 2 more lack some cpu."},
		{[]explain.Shortage{lack("cpu", 1000, 1, "memory"), lack("memory", 1<<30, 1, "cpu")}, "1 node lacks 1 cpu and 1Gi memory and nothing else: n1."},
		{[]explain.Shortage{lack("cpu", 1000, 1, "memory", "P"), lack("memory", 1<<30, 2, "cpu", "P")}, "1 node lacks 1 cpu: n1, where memory and P too stand in the way. 1 node lacks 1Gi memory, the least of 2: n1, where cpu and P too stand in the way."},
	} {
		e := explanation{&explain.Explanation{Shortages: tt.lacks}}
		if got := strings.Join(e.misses().sentences, " "); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

func TestExplanationsHaveTwoFormats(t *testing.T) {
	if err := WriteExplanation(&bytes.Buffer{}, &explain.Explanation{}, output.View{Format: output.CSV}); err == nil {
		t.Error("csv is not refused")
	}
}
