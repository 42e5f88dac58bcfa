package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// volumePoll is how often kube-scheduler asks whether the volumes of a pod are bound.
//
// Upstream: BindPodVolumes of framework/plugins/volumebinding/binder.go, v1.36.3.
const volumePoll = clock.Second

// makeClaims makes the claims that come with a pod. Those that need not wait for it are
// bound in due time.
func (w *World) makeClaims(pod cluster.PodID) {
	for _, id := range w.cluster.Volumes.CreateClaims(pod) {
		w.claimEvent(scheduler.ClaimAdded, id)
		w.attend(id)
	}
}

// attendAll has every claim served for which something can be done.
func (w *World) attendAll() { w.cluster.Volumes.EachClaim(w.attend) }

// attend has a claim served if something can be done for it, be there a pod or not.
func (w *World) attend(id cluster.ClaimID) {
	if w.cluster.Volumes.PlanClaim(id) != cluster.ClaimWaits {
		w.serve(id)
	}
}

// service is what is being done for a claim.
type service struct {
	due        clock.Time
	turn       int32 // tells it from others for the same id
	provisions bool  // a volume is made; else there is one
}

// serve has a claim bound, or a volume made for it, and returns when that will be done.
func (w *World) serve(id cluster.ClaimID) clock.Time {
	if s, underWay := w.claimsDue[id]; underWay {
		return s.due
	}
	s := service{turn: w.services, provisions: w.isToMake(id)}
	w.services++
	latency := w.cfg.Latency.VolumeBind
	if s.provisions {
		latency = w.cfg.Latency.Provision
	}
	s.due = w.now.Add(draw(latency))
	w.claimsDue[id] = s
	w.push(s.due, claimDone, task{claim: id, turn: s.turn})
	return s.due
}

// isToMake reports whether the provisioner has something to do for a claim, if only to find
// that the node is gone that it was to make a volume for.
func (w *World) isToMake(id cluster.ClaimID) bool {
	outcome := w.cluster.Volumes.PlanClaim(id)
	return outcome == cluster.ClaimProvisioned || outcome == cluster.ClaimUnselected
}

// finishClaim binds a claim whose time has come, unless it is gone meanwhile. If the
// volume that was there is another's by now, making one begins only here.
func (w *World) finishClaim(t task) {
	id := t.claim
	s, underWay := w.claimsDue[id]
	if !underWay || s.turn != t.turn {
		return
	}
	delete(w.claimsDue, id)
	if !s.provisions && w.isToMake(id) {
		w.serve(id)
		return
	}
	outcome := w.cluster.Volumes.SyncClaim(id)
	for _, e := range scheduler.EventsOfClaim(id, outcome) {
		w.scheduler.Observe(e, w.now)
	}
}

// claimEvent tells the scheduler of a claim, or of its volume.
func (w *World) claimEvent(kind scheduler.EventKind, id cluster.ClaimID) {
	w.scheduler.Observe(scheduler.EventOfClaim(kind, id), w.now)
}

// bindVolumes begins PreBind for a pod: what the scheduler has chosen for its claims is
// written down and carried out. It returns how long the pod waits for that.
func (w *World) bindVolumes(pod cluster.PodID, bindings []cluster.Binding) clock.Time {
	for _, b := range w.cluster.Volumes.Commit(pod) {
		w.scheduler.Observe(scheduler.EventOfBinding(b), w.now)
	}
	ready := w.now
	for _, b := range bindings {
		switch claim := w.cluster.Volumes.Claim(b.Claim); {
		case claim == nil || claim.IsBound():
		case w.cluster.Volumes.PlanClaim(b.Claim) == cluster.ClaimWaits:
			ready = clock.Forever
		default:
			ready = max(ready, w.serve(b.Claim))
		}
	}
	return w.untilSeen(ready, w.scheduler.PreBindTimeout(pod))
}

// untilSeen is how long PreBind waits for volumes that are ready at that time: until
// kube-scheduler looks, or its timeout is over. It does not look at once, even where
// another pod has had the volumes bound; without a latency of binding it is taken to.
func (w *World) untilSeen(ready, timeout clock.Time) clock.Time {
	wait := ready - w.now
	switch {
	case wait == 0 && w.cfg.Latency.VolumeBind == nil:
		return 0
	case wait >= timeout:
		return timeout
	}
	polls := max((wait+volumePoll-1)/volumePoll, 1)
	return min(polls*volumePoll, timeout)
}

// dropClaims takes the claims of a pod's own away, before the pod goes.
func (w *World) dropClaims(pod cluster.PodID) {
	if len(w.cluster.Pod(pod).Class.Volumes) == 0 {
		return
	}
	w.cluster.Volumes.Detach(pod)
	freed := w.cluster.Volumes.DeleteOwnClaims(pod)
	for _, pc := range w.cluster.Volumes.ClaimsOf(pod, w.cluster.Pod(pod).Class, nil) {
		if pc.Claim == nil {
			delete(w.claimsDue, pc.ID)
		}
	}
	for range freed {
		w.claimEvent(scheduler.VolumeChanged, cluster.NoClaim)
	}
	if freed > 0 {
		w.attendAll()
	}
}
