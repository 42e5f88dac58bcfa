package fleetplan

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/answers/scaleup"
)

func TestPodsThatFitNoPoolForTheSameReasonsAreOneNote(t *testing.T) {
	tooSmall := []scaleup.Reason{{Pool: "general", Text: "Insufficient cpu"}}
	wrongArch := []scaleup.Reason{{Pool: "general", Text: "node(s) didn't match Pod's node affinity/selector"}}
	n := NewNodes{Result: &scaleup.Result{Unfit: []scaleup.Unfit{
		{Pod: "default/huge-0", Why: tooSmall}, {Pod: "default/arm", Why: wrongArch}, {Pod: "default/huge-1", Why: tooSmall},
	}}}
	got := strings.Join(n.notes(false), "\n")
	for _, want := range []string{
		"pods default/huge-0, default/huge-1 fit no pool: Insufficient cpu (general).",
		"pod default/arm fits no pool: node(s) didn't match Pod's node affinity/selector (general).",
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
