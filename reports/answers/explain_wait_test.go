package answers

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// TestWaitsInWords: each stage and each state of a claim has its words.
func TestWaitsInWords(t *testing.T) {
	second := clock.Second
	for _, tt := range []struct {
		wait  explain.Wait
		clock bool
		want  string
	}{
		{explain.Wait{Stage: record.InCycle, Since: second, Until: clock.Forever}, true, "but its scheduling cycle is under way since 1s."},
		{explain.Wait{Stage: record.InBind, Since: second, Until: clock.Forever}, true, "and is being bound since 1s."},
		{explain.Wait{Stage: record.InPermit, Since: second, Until: 2 * second}, true, "and waits in Permit since 1s, at most until 2s, to be allowed."},
		{explain.Wait{Stage: record.InPermit, Gang: &explain.GangWait{Group: "ns/g", MinMember: 4, Reserved: 1, Missing: 3}}, false, "and waits in Permit for 3 more pods of pod group ns/g to get a node (minMember 4, 1 reserved)."},
		{explain.Wait{Stage: record.InPreBind, Since: second, Until: clock.Forever, Claims: []explain.ClaimWait{{State: explain.ClaimUnprocessed}}}, true, "and waits in PreBind since 1s for its volumes."},
	} {
		e := &explain.Explanation{Pod: "default/web", State: explain.Assumed, Attempt: 1, Node: "n1", Clock: tt.clock, Wait: &tt.wait}
		if out := explained(t, e, 200); !strings.Contains(out, "It holds the node, "+tt.want+"\n") {
			t.Errorf("there is no %q in\n%s", tt.want, out)
		}
	}
	for _, state := range []string{explain.ClaimBound, explain.ClaimBinding, explain.ClaimProvisioning, explain.ClaimUnprocessed, explain.ClaimDeleted} {
		if claimStates[state] == "" {
			t.Errorf("there are no words for a claim that is %s", state)
		}
	}
	e := &explain.Explanation{Pod: "default/web", State: explain.Waiting, Attempt: 1, Node: "n1"}
	if out := explained(t, e, 200); !strings.Contains(out, "It held the node, and waited in Permit.\n") {
		t.Errorf("of a wait that is over:\n%s", out)
	}
}
