package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// volumeController makes the claims that belong to pods, binds claims to volumes, and provisions
// volumes. A sync is what it does for one claim; it takes the latency of binding, or that of
// provisioning.
//
//	             startSync                     fire
//	unbound claim ──────▶ binding to a volume ─────▶ bound
//	      │                  │ the volume was taken meanwhile
//	      │ startSync        ▼                 fire
//	      └─────────────▶ provisioning ────────────▶ bound
//
// A claim that waits for a pod has no sync until the scheduler has chosen a node. A claim that is
// deleted ends its sync.
//
// Upstream: pkg/controller/volume/persistentvolume, pkg/controller/volume/ephemeral and
// pkg/controller/volume/attachdetach, v1.36.3.
type volumeController struct {
	*core
	syncs   map[cluster.ClaimID]claimSync
	claimOf map[int64]cluster.ClaimID // by id of a sync whose timer is set
	count   int64                     // syncs so far
}

// claimSync is what is being done for a claim.
type claimSync struct {
	id         int64
	due        clock.Time
	provisions bool // a volume is made; else there is one
}

// volumePoll is how often kube-scheduler asks whether the volumes of a pod are bound.
//
// Upstream: BindPodVolumes of framework/plugins/volumebinding/binder.go, v1.36.3.
const volumePoll = clock.Second

func (v *volumeController) observe(n notice) {
	switch n.kind {
	case runBegins:
		v.cluster.Volumes.EachClaim(v.sync)
	case podAdded:
		v.createClaims(n.pod)
	case podEnding:
		v.deleteClaims(n.pod)
	}
}

// createClaims makes the claims that belong to a pod. Those that need not wait for it are
// bound in due time.
func (v *volumeController) createClaims(pod cluster.PodID) {
	if len(v.cluster.Pod(pod).Class.Volumes) == 0 {
		return
	}
	for _, id := range v.cluster.Volumes.CreateClaims(pod) {
		v.scheduler.Observe(scheduler.EventOfClaim(scheduler.ClaimAdded, id), v.now)
		v.sync(id)
	}
}

// sync starts a sync of a claim if something can be done for it, whether a pod uses it or not.
func (v *volumeController) sync(id cluster.ClaimID) {
	if v.cluster.Volumes.PlanClaim(id) != cluster.ClaimWaits {
		v.startSync(id)
	}
}

// startSync binds a claim, or makes a volume for it, and returns when that will be done.
func (v *volumeController) startSync(id cluster.ClaimID) clock.Time {
	if s, inProgress := v.syncs[id]; inProgress {
		return s.due
	}
	s := claimSync{id: v.count, provisions: v.needsProvisioner(id)}
	v.count++
	latency := v.cfg.Latency.VolumeBind
	if s.provisions {
		latency = v.cfg.Latency.Provision
	}
	s.due = v.now.Add(draw(latency))
	v.syncs[id], v.claimOf[s.id] = s, id
	v.setTimer(volumeRank, s.due, s.id)
	return s.due
}

// needsProvisioner reports whether the provisioner has something to do for a claim, if only to
// find that the node was removed that it was to make a volume for.
func (v *volumeController) needsProvisioner(id cluster.ClaimID) bool {
	outcome := v.cluster.Volumes.PlanClaim(id)
	return outcome == cluster.ClaimProvisioned || outcome == cluster.ClaimNodeReset
}

// fire ends a sync, unless its claim has been deleted. If the volume that was there is another
// claim's by now, provisioning begins only here.
func (v *volumeController) fire(sync int64) {
	id := v.claimOf[sync]
	delete(v.claimOf, sync)
	s, inProgress := v.syncs[id]
	if !inProgress || s.id != sync {
		return
	}
	delete(v.syncs, id)
	if !s.provisions && v.needsProvisioner(id) {
		v.startSync(id)
		return
	}
	outcome := v.cluster.Volumes.SyncClaim(id)
	for _, e := range scheduler.EventsOfClaim(id, outcome) {
		v.scheduler.Observe(e, v.now)
	}
}

// preBind begins PreBind for a pod: what the scheduler has chosen for its claims is
// written down and carried out. It returns how long the pod waits for that.
func (v *volumeController) preBind(pod cluster.PodID, bindings []cluster.Binding) clock.Time {
	for _, b := range v.cluster.Volumes.Commit(pod) {
		v.scheduler.Observe(scheduler.EventOfBinding(b), v.now)
	}
	ready := v.now
	for _, b := range bindings {
		switch claim := v.cluster.Volumes.Claim(b.Claim); {
		case claim == nil || claim.IsBound():
		case v.cluster.Volumes.PlanClaim(b.Claim) == cluster.ClaimWaits:
			ready = clock.Forever
		default:
			ready = max(ready, v.startSync(b.Claim))
		}
	}
	return v.preBindWait(ready, v.scheduler.PreBindTimeout(pod))
}

// preBindWait is how long PreBind waits for volumes that are ready at that time: until
// kube-scheduler looks, or until the timeout. It does not look at once, even where
// another pod has had the volumes bound; without a latency of binding it is assumed to.
func (v *volumeController) preBindWait(ready, timeout clock.Time) clock.Time {
	wait := ready - v.now
	switch {
	case wait == 0 && v.cfg.Latency.VolumeBind == nil:
		return 0
	case wait >= timeout:
		return timeout
	}
	polls := max((wait+volumePoll-1)/volumePoll, 1)
	return min(polls*volumePoll, timeout)
}

// deleteClaims deletes the claims that belong to a pod, before the pod is removed. Volumes that
// become free are bound to claims that wait for them.
func (v *volumeController) deleteClaims(pod cluster.PodID) {
	class := v.cluster.Pod(pod).Class
	if len(class.Volumes) == 0 {
		return
	}
	v.cluster.Volumes.Detach(pod)
	freed := v.cluster.Volumes.DeleteOwnClaims(pod)
	for _, pc := range v.cluster.Volumes.ClaimsOf(pod, class, nil) {
		if pc.Claim == nil {
			delete(v.syncs, pc.ID)
		}
	}
	for range freed {
		v.scheduler.Observe(scheduler.EventOfClaim(scheduler.VolumeChanged, cluster.NoClaim), v.now)
	}
	if freed > 0 {
		v.cluster.Volumes.EachClaim(v.sync)
	}
}
