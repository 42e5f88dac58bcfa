package answers

import (
	"bytes"
	"fmt"
	"testing"

	_ "github.com/cockroachdb/datadriven" // registers -rewrite

	"github.com/berth-sim/berth/reports/goldentest"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/record"
)

func TestPlacements(t *testing.T) {
	attempts := []Attempt{
		{
			Pod: "default/a", Attempt: 1, Node: "n2", Feasible: 2, Evaluated: 3, TieSet: []string{"n2", "n1"}, MaxScore: 190, StartIndex: 1,
			Scores: []NodeScores{
				{"n2", []PluginScore{{"TaintToleration", 100}, {"ImageLocality", 90}}, 190},
				{"n1", []PluginScore{{"ImageLocality", 90}, {"TaintToleration", 100}}, 190},
			},
		},
		{
			Pod: "kube-system/b", Attempt: 1, Evaluated: 3, Nominated: "n1", Victims: []string{"default/a", "default/c"},
			Reasons: []record.ReasonCount{{Plugin: "NodeName", Reason: "b", Nodes: 1}, {Plugin: "Fit", Reason: "z", Nodes: 2}, {Plugin: "Fit", Reason: "y", Nodes: 1}},
			Message: "0/3 nodes are available: 1 b, 1 y, 2 z.",
		},
		{Pod: "kube-system/b", Attempt: 2, Node: "n1", Feasible: 1, Evaluated: 3, TieSet: []string{"n1"}},
		{Pod: "default/<d>", Attempt: 1, Evaluated: 3, Message: "no"},
	}
	for _, c := range []struct {
		file   string
		view   output.View
		scores bool
	}{
		{"place.jsonl", output.View{Format: output.JSONL}, false},
		{"place-scores.jsonl", output.View{Format: output.JSONL}, true},
		{"place.table", output.View{Format: output.Table, Width: 80}, false},
	} {
		var b bytes.Buffer
		w := NewPlacementWriter(&b, c.view, c.scores)
		for i := range attempts {
			if err := w.Attempt(&attempts[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.RolledBack("default/d", "another member lost its node"); err != nil {
			t.Fatal(err)
		}
		if err := w.Gated("default/e", "waiting for scheduling gates: [quota]"); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(place.Result{Pods: 6, Placed: 2, Pending: 1, Gated: 1, Waiting: 1, Gone: 1}); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, "testdata/"+c.file, b.Bytes())
	}
	if err := NewPlacementWriter(&bytes.Buffer{}, output.View{Format: "csv"}, false).Attempt(&attempts[0]); err == nil {
		t.Error("an unknown format is not an error")
	}
}

func BenchmarkPlaceTable(b *testing.B) {
	const pods = 8000
	b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			w := NewPlacementWriter(&out, output.View{Format: output.Table, Width: 80}, false)
			for i := range pods {
				if err := w.Attempt(&Attempt{Pod: fmt.Sprintf("default/pod-%d", i), Node: "n", Feasible: 5, Evaluated: 5}); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(place.Result{Pods: pods, Placed: pods}); err != nil || out.Len() < pods*20 {
				b.Fatal("the table is not whole")
			}
		}
	})
}
