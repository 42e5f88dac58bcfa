package answers

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/answers/explain"
)

// A pod may be nominated to a node without victims: those that were in its way leave already.
func TestPreemptionWithoutVictims(t *testing.T) {
	e := &explain.Explanation{
		Pod: "default/web", State: explain.Unschedulable, Attempt: 1,
		Preemption: &explain.Preemption{Node: "n1", Priority: 100, Candidates: 1},
	}
	const without, some = "would fit there once the pods that terminate there have left.", "would fit there without these pods."
	if out := explained(t, e, 160); !strings.Contains(out, without) || strings.Contains(out, some) {
		t.Errorf("without victims:\n%s", out)
	}
	e.Preemption.Victims = []explain.PodOn{{Pod: "default/old"}}
	if out := explained(t, e, 160); strings.Contains(out, without) || !strings.Contains(out, some) {
		t.Errorf("with a victim:\n%s", out)
	}
}
