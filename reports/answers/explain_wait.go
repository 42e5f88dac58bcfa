package answers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// waits says what keeps the pod from being bound to the node that it holds.
func (e *explanation) waits() string {
	w := e.Wait
	since := ""
	if e.Clock {
		since = fmt.Sprintf(" since %s", w.Since)
	}
	if e.Clock && w.Until != clock.Forever {
		since += fmt.Sprintf(", at most until %s,", w.Until)
	}
	switch w.Stage {
	case "":
		return "Its volumes are being bound or provisioned; the pod is queued again when they are bound."
	case record.InCycle:
		return fmt.Sprintf("It holds the node, but its scheduling cycle is under way%s.", since)
	case record.InPermit:
		return fmt.Sprintf("It holds the node, and waits in Permit%s %s.", since, e.forGang())
	case record.InPreBind:
		return fmt.Sprintf("It holds the node, and waits in PreBind%s %s.", since, e.forClaims())
	}
	return fmt.Sprintf("It holds the node, and is being bound%s.", since)
}

// forGang says how many pods of its group a pod in Permit waits for.
func (e *explanation) forGang() string {
	g := e.Wait.Gang
	if g == nil || g.Missing == 0 {
		return "to be allowed"
	}
	return fmt.Sprintf("for %s of pod group %s to get a node (minMember %d, %d reserved)",
		human.Counted(g.Missing, "more pod"), g.Group, g.MinMember, g.Reserved)
}

// forClaims reports whether a pod in PreBind waits for its claims.
func (e *explanation) forClaims() string {
	if slices.ContainsFunc(e.Wait.Claims, func(c explain.ClaimWait) bool { return c.State != explain.ClaimBound }) {
		return "for its volumes"
	}
	return "for kube-scheduler to see that its claims are bound: it looks once a second"
}

// claims has a row for each claim that was without a volume when the node was found.
func (e *explanation) claims() part {
	p := part{title: "Waits for", Table: table.Table{Head: []string{"claim", "volume", "state"}, Words: []int{1, 2}, Notes: true}}
	if e.Wait == nil {
		return p
	}
	for _, c := range e.Wait.Claims {
		p.Rows = append(p.Rows, []string{c.Claim, cmp.Or(c.Volume, human.None), claimStates[c.State]})
	}
	return p
}

// claimStates returns the states of claims as texts.
var claimStates = map[string]string{
	explain.ClaimBound:        "bound",
	explain.ClaimBinding:      "is being bound to a volume that is there",
	explain.ClaimProvisioning: "a volume is being made for it",
	explain.ClaimUnprocessed:  "nothing is being done for it",
	explain.ClaimDeleted:      "is gone",
}
