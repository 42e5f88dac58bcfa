// Package overview says how a one-shot placement ended: where each pod went, how many pods each pool of nodes got, and
// why others have no node, with what would help one pod of each reason.
package overview

import (
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/record"
)

// Outcome is how a one-shot placement ended.
type Outcome struct {
	place.Result
	Attempts int // of all pods
	Victims  int // of preemption
	Pools    NodeGroups
	Reasons  []Reason // why pods have no node: those of most pods come first
	Pods     []Pod    // that were to be placed, in the order in which they were first tried; those that were not come last
}

// WithoutNode returns how many pods have no node, or none that they are bound to.
func (o *Outcome) WithoutNode() int { return o.Result.Pods - o.Placed }

// Pod is a pod that was to be placed.
type Pod struct {
	Name      string // namespace/name
	End       place.End
	Node      string // empty: none
	Attempts  int    // 0: it was not tried
	Feasible  int    // nodes that fit in the last attempt
	Evaluated int    // nodes that were looked at in the last attempt
	Score     int64  // the highest total, if Scored
	Scored    bool   // several nodes were feasible
	Nominated string // node that its preemption frees or has freed; empty: none
	Victims   []string
	VictimOf  string // pod that preempted it; empty: none did
	// Reasons are why the last attempt found no node, and Message is what kube-scheduler would write; for a pod that
	// is gated or lost its node it is why.
	Reasons   []record.ReasonCount
	Message   string
	Held      []int32 // numbers of the devices of the node that it holds
	Misplaced bool    // the node lacks the devices that it asks for
}

// Placed reports whether the pod is bound to a node.
func (p *Pod) Placed() bool { return p.End == place.Placed }

// MainReason returns the main one of the reasons, see record.MainReason, and how many others there are; "" without reasons.
func (p *Pod) MainReason() (reason string, others int) {
	if len(p.Reasons) == 0 {
		return "", 0
	}
	return record.MainReason(p.Reasons).Reason, len(p.Reasons) - 1
}

// Reason is why some pods have no node.
type Reason struct {
	End  place.End
	Pods int
	// Example is the first pod that was explained, or the first pod if none was. Reasons and Message are its own.
	Example string
	Reasons []record.ReasonCount
	Message string
	// Changes are those that would let the example fit, the smallest first, as berth explain finds them. Untried is why
	// changes, or some of them, were not tried; "" if they were.
	Changes []explain.Change
	Untried string
}
