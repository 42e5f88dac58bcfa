package cluster

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// ClaimOutcome is what SyncClaim does for a claim.
type ClaimOutcome uint8

// The outcomes of SyncClaim.
const (
	ClaimWaits       ClaimOutcome = iota // nothing can be done for it now
	ClaimBound                           // it is bound to a volume that was there
	ClaimProvisioned                     // it is bound to a volume that was made for it
	ClaimNodeReset                       // the node that it was to be provisioned for is gone: another is to be chosen
)

// SyncClaim does for a claim what the PV controller and the provisioner do: it binds it to
// the volume that it names, to one that is reserved for it or, if it need not wait for a
// pod, to the smallest one that matches; failing that a volume is made for it.
func (t *Volumes) SyncClaim(id ClaimID) ClaimOutcome {
	outcome, volume := t.nextStep(id)
	switch outcome {
	case ClaimBound:
		t.bindClaim(id, volume)
	case ClaimProvisioned:
		t.provision(id)
	case ClaimNodeReset:
		t.keepClaim(id)
		claim := t.Claim(id)
		claim.Selected, claim.SelectedNode = false, 0
	}
	return outcome
}

// PlanClaim returns what SyncClaim would do now.
func (t *Volumes) PlanClaim(id ClaimID) ClaimOutcome {
	outcome, _ := t.nextStep(id)
	return outcome
}

// nextStep returns what SyncClaim is to do, and the volume that is there for the claim. Whether a
// claim waits for a pod is asked only where it neither names a volume nor has one reserved.
//
// Upstream: syncUnboundClaim of pkg/controller/volume/persistentvolume/pv_controller.go,
// v1.36.3.
func (t *Volumes) nextStep(id ClaimID) (ClaimOutcome, VolumeID) {
	claim := t.Claim(id)
	if claim == nil || claim.IsBound() || claim.Lost || claim.Deleting {
		return ClaimWaits, NoVolume
	}
	if claim.VolumeName != "" {
		if v, exists := t.VolumeByName(claim.VolumeName); exists && t.canBindNamed(claim, v) {
			return ClaimBound, v
		}
		return ClaimWaits, NoVolume
	}
	if v := t.controllerChoice(id, claim); v != NoVolume {
		return ClaimBound, v
	}
	if t.WaitsForFirstConsumer(claim) && !claim.Selected || t.provisioner(claim) == nil {
		return ClaimWaits, NoVolume
	}
	if claim.Selected {
		if _, exists := t.nodes.NodeByName(t.vocabulary.Text(claim.SelectedNode)); !exists {
			return ClaimNodeReset, NoVolume
		}
	}
	if _, exists := t.VolumeByName(claim.provisionedName()); exists { // upstream: it has been provisioned already
		return ClaimWaits, NoVolume
	}
	return ClaimProvisioned, NoVolume
}

// canBindNamed reports whether a claim can be bound to the volume that it names.
//
// Upstream: checkVolumeSatisfyClaim of pkg/controller/volume/persistentvolume/pv_controller.go,
// v1.36.3.
func (t *Volumes) canBindNamed(claim *Claim, id VolumeID) bool {
	v := &t.volumes[id]
	if v.Claim.Given {
		return v.Claim.matches(claim)
	}
	return v.assumed == NoClaim && !v.Deleting && v.Capacity >= claim.Request && v.StorageClass == claim.StorageClass && v.Block == claim.Block &&
		claim.Modes&^v.Modes == 0 && v.AttributesClass == claim.AttributesClass
}

func (t *Volumes) bindClaim(id ClaimID, volume VolumeID) {
	t.keepVolume(volume)
	t.keepClaim(id)
	t.withdraw(volume)
	claim, v := t.Claim(id), &t.volumes[volume]
	claim.VolumeName, claim.BindCompleted = v.Name, true
	v.Claim = v.refTo(claim)
	v.Phase, v.assumed = VolumeBound, NoClaim
}

// controllerChoice is the volume that the PV controller binds a claim to: of those whose
// access modes are the fewest, one that is reserved for the claim, or else, if the claim
// need not wait for a pod, the smallest one of its class.
//
// Upstream: findByClaim of pkg/controller/volume/persistentvolume/index.go, v1.36.3, and
// FindMatchingVolume of k8s.io/component-helpers/storage/volume/pv_helpers.go, v0.36.3,
// without a node. Differs: what is equal is ordered by name, upstream by the order of a
// map.
func (t *Volumes) controllerChoice(id ClaimID, claim *Claim) VolumeID {
	best := NoVolume
	better := func(candidate VolumeID) bool {
		return t.controllerCanBind(id, claim, candidate) && (best == NoVolume || t.controllerPrefers(id, claim, candidate, best))
	}
	for _, candidate := range t.reservedVolumes(claim) {
		if better(candidate) {
			best = candidate
		}
	}
	if t.WaitsForFirstConsumer(claim) {
		return best
	}
	for _, candidate := range t.openVolumes(claim) {
		if best != NoVolume && t.volumes[best].Modes == claim.Modes {
			break // the others have more access modes, or are larger
		}
		if better(candidate) {
			best = candidate
		}
	}
	return best
}

// controllerCanBind reports whether the PV controller could bind the claim to the volume.
func (t *Volumes) controllerCanBind(id ClaimID, claim *Claim, volume VolumeID) bool {
	v := &t.volumes[volume]
	if claim.Modes&^v.Modes != 0 || v.Capacity < claim.Request || v.Block != claim.Block ||
		v.AttributesClass != claim.AttributesClass || v.Deleting {
		return false
	}
	if v.assumed != NoClaim || v.Claim.Given {
		return t.isReservedFor(v, id, claim)
	}
	return !t.WaitsForFirstConsumer(claim) && v.StorageClass == claim.StorageClass && t.isOpenTo(v, claim)
}

// controllerPrefers reports whether the PV controller takes volume a rather than b.
func (t *Volumes) controllerPrefers(id ClaimID, claim *Claim, a, b VolumeID) bool {
	x, y := &t.volumes[a], &t.volumes[b]
	modes := func(v *Volume) int { return bits.OnesCount8(uint8(v.Modes)) }
	size := func(v *Volume) int64 {
		if t.isReservedFor(v, id, claim) {
			return -1
		}
		return v.Capacity
	}
	return cmp.Or(cmp.Compare(modes(x), modes(y)), cmp.Compare(x.Modes, y.Modes), cmp.Compare(size(x), size(y)), strings.Compare(x.Name, y.Name)) < 0
}

// RemoveClaim takes a claim away and reclaims its volumes. It returns how many of
// them got free and still exist.
//
// Upstream: reclaimVolume of pkg/controller/volume/persistentvolume/pv_controller.go, v1.36.3.
func (t *Volumes) RemoveClaim(id ClaimID) (freed int) {
	t.keepClaim(id)
	s := &t.claims[id]
	claim := s.Claim
	s.Claim, s.exists, s.assumed = Claim{}, false, 0
	if v, exists := t.VolumeByName(claim.VolumeName); exists && t.volumes[v].Claim.UID == claim.UID {
		if t.reclaim(v) {
			freed++
		}
	}
	for _, v := range slices.Clone(t.reservedVolumes(&claim)) {
		if ref := t.volumes[v].Claim; ref.matches(&claim) && ref.UID != "" && t.reclaim(v) {
			freed++
		}
	}
	t.releaseName(id)
	return freed
}

// reclaim ends the use of a volume; false if it is gone then.
func (t *Volumes) reclaim(id VolumeID) bool {
	v := &t.volumes[id]
	switch v.ReclaimPolicy {
	case Delete:
		t.RemoveVolume(id)
		return false
	case Recycle:
		t.keepVolume(id)
		t.withdraw(id)
		v.unbind()
		t.offer(id)
	case Retain:
		t.keepVolume(id)
		t.withdraw(id)
		v.Phase = VolumeReleased
	}
	return true
}

// unbind makes a volume available again: to anybody, or if a person had kept it for a
// claim, to claims of that name.
//
// Upstream: unbindVolume of pkg/controller/volume/persistentvolume/pv_controller.go, v1.36.3.
func (v *Volume) unbind() {
	v.Claim.UID, v.Phase = "", VolumeAvailable
	if v.Claim.ByController {
		v.Claim = ClaimRef{}
	}
}

// SyncNew does for volumes and claims without a status what controllers do at once.
func (t *Volumes) SyncNew() {
	for id := range t.volumes {
		if v := &t.volumes[id]; v.live && v.Phase == NewVolume {
			t.keepVolume(VolumeID(id))
			v.Phase = t.phaseOf(v)
		}
	}
	for id := range t.claims {
		if s := &t.claims[id]; s.exists && s.New {
			t.SyncClaim(ClaimID(id))
			t.keepClaim(ClaimID(id))
			s.New = false
		}
	}
}

// phaseOf is the phase that the PV controller gives a new volume.
//
// Upstream: syncVolume of pkg/controller/volume/persistentvolume/pv_controller.go, v1.36.3.
func (t *Volumes) phaseOf(v *Volume) VolumePhase {
	claim := t.Claim(t.ClaimByName(v.Claim.Namespace, v.Claim.Name))
	switch {
	case !v.Claim.Given || v.Claim.UID == "" && (claim == nil || !claim.IsBound()):
		return VolumeAvailable
	case claim != nil && v.Claim.matches(claim) && claim.VolumeName == v.Name:
		return VolumeBound
	case claim != nil && v.Claim.matches(claim) && !claim.IsBound():
		return VolumeAvailable
	}
	return VolumeReleased
}
