package answers

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/goldentest"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/overview"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/record"
)

// anOutcome has a pod of each end, and more pods that got a node.
func anOutcome(more int) *overview.Outcome {
	reasons := []record.ReasonCount{{Plugin: "NodeResourcesFit", Reason: "Insufficient cpu", Nodes: 2}, {Plugin: "TaintToleration", Reason: "node(s) had untolerated taint(s)", Nodes: 1}}
	const message = "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu."
	o := &overview.Outcome{
		Result:   place.Result{Pods: 6 + more, Placed: 2 + more, Pending: 1, Gated: 1, Waiting: 1, Gone: 1, Failed: 0, Misplaced: 1},
		Attempts: 6 + more, Victims: 2,
		Pools: overview.NodeGroups{By: "pool", List: []overview.NodeGroup{{Name: "general", Nodes: 2, Placed: 2 + more, RunningBefore: 7}, {Nodes: 1}}},
		Pods: []overview.Pod{
			{Name: "default/a", End: place.Placed, Node: "n1", Attempts: 2, Feasible: 2, Evaluated: 3, Score: 190, Scored: true, Nominated: "n1", Victims: []string{"default/<old>", "default/gone"}, Held: []int32{0, 1, 3}},
			{Name: "default/b", End: place.Placed, Node: "n2", Attempts: 1, Feasible: 1, Evaluated: 3, Misplaced: true},
			{Name: "default/huge", End: place.Unschedulable, Attempts: 1, Evaluated: 3, Reasons: reasons, Message: message},
			{Name: "default/waits", End: place.Waiting, Node: "n2", Attempts: 1, Feasible: 1, Evaluated: 3, Message: "waits in Permit for the rest of its pod group"},
			{Name: "default/gone", End: place.Preempted, Attempts: 1, VictimOf: "default/a", Message: "preempted by default/a"},
			{Name: "default/gated", End: place.Gated, Message: "waiting for scheduling gates: [quota]"},
		},
		Reasons: []overview.Reason{
			{End: place.Unschedulable, Pods: 1, Example: "default/huge", Reasons: reasons, Message: message, Changes: []explain.Change{
				{Kind: "toleration", Text: "tolerate the taint team=a:NoSchedule", Size: 0.5, Nodes: 1, Node: "n3"}, {Kind: "addNode", Text: "add one more node of pool general", Size: 1, Nodes: 1},
			}},
			{End: place.Preempted, Pods: 1, Example: "default/gone", Message: "preempted by default/a"},
			{End: place.Gated, Pods: 1, Example: "default/gated", Message: "waiting for scheduling gates: [quota]"},
			{End: place.Waiting, Pods: 1, Example: "default/waits", Message: "waits in Permit for the rest of its pod group"},
		},
	}
	for i := range more {
		o.Pods = append(o.Pods, overview.Pod{Name: fmt.Sprintf("default/more-%d", i), End: place.Placed, Node: "n1", Attempts: 1, Feasible: 3, Evaluated: 3, Score: 5, Scored: true})
	}
	return o
}

func TestPlacements(t *testing.T) {
	for _, c := range []struct {
		file   string
		format output.Format
		more   int
		all    bool
		only   bool
		width  int
	}{
		{file: "place.table", format: output.Table, width: 80},
		{file: "place-first.table", format: output.Table, more: 40, width: 80},
		{file: "place-all.table", format: output.Table, more: 20, all: true, width: 80},
		{file: "place-unschedulable.table", format: output.Table, more: 20, only: true, width: 80},
		{file: "place.wide", format: output.Wide, width: 160},
		{file: "place.json", format: output.JSON},
		{file: "place.csv", format: output.CSV},
		{file: "place.name", format: output.Name, only: true},
		{file: "place.md", format: output.Markdown, more: 40},
	} {
		var b bytes.Buffer
		view := PlacementView{View: output.View{Format: c.format, Width: c.width, All: c.all}, WithoutNode: c.only}
		if err := WritePlacement(&b, anOutcome(c.more), view); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, "testdata/"+c.file, b.Bytes())
	}
	if err := WritePlacement(&bytes.Buffer{}, anOutcome(0), PlacementView{View: output.View{Format: output.JUnit}}); err == nil {
		t.Error("a format that is not supported is no error")
	}
}

// A summary fits a screen of 50 lines with its prompt, however many pools, reasons and pods there are.
func TestSummaryFitsAScreen(t *testing.T) {
	o := anOutcome(30_000)
	for i := range 40 {
		o.Pools.List = append(o.Pools.List, overview.NodeGroup{Name: fmt.Sprintf("pool-%d", i), Nodes: i})
		r := o.Reasons[0]
		r.Example = fmt.Sprintf("a-namespace/a-pod-of-a-deployment-with-a-name-that-is-long-%d", i)
		o.Reasons = append(o.Reasons, r)
	}
	for _, width := range []int{80, 100, 160} {
		for _, format := range []output.Format{output.Table, output.Wide} {
			var b bytes.Buffer
			if err := WritePlacement(&b, o, PlacementView{View: output.View{Format: format, Width: width}}); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(b.String(), "\n"); n > screenLines || n < screenLines-10 {
				t.Errorf("%s at %d columns has %d lines, want at most %d and not many fewer:\n%s", format, width, n, screenLines, b.String())
			}
		}
	}
}
