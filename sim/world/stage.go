package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// Wait is the stage of the binding pipeline in which a pod with a node is.
type Wait struct {
	Stage record.Stage
	Since clock.Time
	// Until is when the pod loses its node if the stage lasts that long; clock.Forever:
	// it does not.
	Until clock.Time
}

// enterStage notes that a pod has come to a stage.
func (s *scheduling) enterStage(pod cluster.PodID, stage record.Stage) {
	st := &s.pods.states[pod]
	st.stage, st.since = stage, s.now
}

// WaitOf returns where in the pipeline a pod is; false where it has no node, or is bound.
func (w *World) WaitOf(pod cluster.PodID) (Wait, bool) {
	if w.cluster.Pod(pod).Phase != cluster.Assumed {
		return Wait{}, false
	}
	st := &w.pods.states[pod]
	wait := Wait{st.stage, st.since, clock.Forever}
	switch wait.Stage {
	case record.InPermit: // if it still waits: it may have been allowed by a cycle that is not over
		if until, waits := w.scheduler.WaitDeadline(pod); waits {
			wait.Until = until
		}
	case record.InPreBind:
		wait.Until = wait.Since.Add(w.scheduler.PreBindTimeout(pod))
	}
	return wait, true
}

// ClaimSync reports whether a volume is being bound to a claim, and whether it is provisioned
// first.
func (w *World) ClaimSync(claim cluster.ClaimID) (inProgress, provisions bool) {
	sync, inProgress := w.scheduling.volumes.syncs[claim]
	return inProgress, sync.provisions
}
