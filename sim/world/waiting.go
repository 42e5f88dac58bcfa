package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
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

// enter notes that a pod has come to a stage.
func (w *World) enter(pod cluster.PodID, stage Stage) {
	w.lives[pod].stage, w.lives[pod].since = stage, w.now
}

// WaitOf is where in the pipeline a pod is; false where it has no node, or is bound.
func (w *World) WaitOf(pod cluster.PodID) (Wait, bool) {
	if w.cluster.Pod(pod).Phase != cluster.Assumed {
		return Wait{}, false
	}
	wait := Wait{w.lives[pod].stage, w.lives[pod].since, clock.Forever}
	switch wait.Stage {
	case InPermit: // if it still waits: it may have been allowed by a cycle that is not over
		if until, waits := w.scheduler.WaitDeadline(pod); waits {
			wait.Until = until
		}
	case InPreBind:
		wait.Until = wait.Since.Add(w.scheduler.PreBindTimeout(pod))
	}
	return wait, true
}

// Serves reports whether a volume is being bound to a claim, and whether it is made first.
func (w *World) Serves(claim cluster.ClaimID) (underWay, makes bool) {
	s, underWay := w.claimsDue[claim]
	return underWay, s.provisions
}
