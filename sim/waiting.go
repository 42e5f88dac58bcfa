package sim

import (
	"github.com/berth-sim/berth/sim/clock"
	"github.com/berth-sim/berth/sim/cluster"
)

// Stage is how far a pod has come that has a node and is not bound to it yet.
//
//	      found                volumes, if any
//	InCycle ──▶ (InPermit) ──▶ InPreBind ──▶ InBind ──▶ (bound)
type Stage string

// The stages.
const (
	InCycle   Stage = "scheduling cycle" // the one that found the node is not over
	InPermit  Stage = "Permit"
	InPreBind Stage = "PreBind"
	InBind    Stage = "Bind"
)

// Wait is what keeps a pod from being bound to the node that it has.
type Wait struct {
	Stage Stage
	Since clock.Time
	// Until is when the pod loses its node if the stage lasts that long; clock.Forever:
	// it does not.
	Until clock.Time
}

// WaitOf is where in the pipeline a pod is at an instant; false where it has no node, or is
// bound. The instant must not be before the last event, nor after the next one.
func (w *World) WaitOf(pod cluster.PodID, at clock.Time) (Wait, bool) {
	l := &w.lives[pod]
	until, inPermit := w.scheduler.WaitDeadline(pod)
	switch {
	case w.cluster.Pod(pod).Phase != cluster.Assumed:
		return Wait{}, false
	case w.busy && w.attempt.Pod == pod:
		return Wait{InCycle, l.since, clock.Forever}, true
	case inPermit:
		return Wait{InPermit, l.since, until}, true
	case l.preBind < 0: // the cycle that allows it is not over
		return Wait{InPermit, l.since, clock.Forever}, true
	case at < l.preBind:
		return Wait{InPreBind, l.since, l.since.Add(w.scheduler.Patience(pod))}, true
	}
	return Wait{InBind, l.preBind, clock.Forever}, true
}

// Serves says whether a volume is being bound to a claim, and whether it is made first.
func (w *World) Serves(claim cluster.ClaimID) (underWay, makes bool) {
	s, underWay := w.claimsDue[claim]
	return underWay, s.provisions
}
