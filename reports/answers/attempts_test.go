package answers

import (
	"bytes"
	"testing"

	_ "github.com/cockroachdb/datadriven" // registers -rewrite

	"github.com/berth-sim/berth/reports/goldentest"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/record"
)

func TestAttempts(t *testing.T) {
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
		file                string
		scores, withoutNode bool
	}{
		{"place.jsonl", false, false},
		{"place-scores.jsonl", true, false},
		{"place-without-node.jsonl", false, true},
	} {
		var b bytes.Buffer
		w := NewAttemptWriter(&b, c.scores, c.withoutNode)
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
		placed := func(pod string) bool { return pod == "kube-system/b" }
		if err := w.Close(place.Result{Pods: 6, Placed: 2, Pending: 1, Gated: 1, Waiting: 1, Gone: 1}, placed); err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, "testdata/"+c.file, b.Bytes())
	}
}
