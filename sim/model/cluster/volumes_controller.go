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
	ClaimUnselected                      // the node that it was to be provisioned for is gone: another is to be chosen
)

// SyncClaim does for a claim what the PV controller and the provisioner do: it binds it to
// the volume that it names, to one that is reserved for it or, if it need not wait for a
// pod, to the smallest one that matches; failing that a volume is made for it.
func (c *Cluster) SyncClaim(id ClaimID) ClaimOutcome {
	outcome, volume := c.nextStep(id)
	switch outcome {
	case ClaimBound:
		c.bindClaim(id, volume)
	case ClaimProvisioned:
		c.provision(id)
	case ClaimUnselected:
		claim := c.Claim(id)
		claim.Selected, claim.SelectedNode = false, 0
	}
	return outcome
}

// PlanClaim returns what SyncClaim would do now.
func (c *Cluster) PlanClaim(id ClaimID) ClaimOutcome {
	outcome, _ := c.nextStep(id)
	return outcome
}

// nextOf is what SyncClaim is to do, and the volume that is there for the claim. Whether a
// claim waits for a pod is asked only where it neither names a volume nor has one reserved.
//
// Upstream: syncUnboundClaim of pkg/controller/volume/persistentvolume/pv_controller.go,
// v1.36.3.
func (c *Cluster) nextStep(id ClaimID) (ClaimOutcome, VolumeID) {
	claim := c.Claim(id)
	if claim == nil || claim.IsBound() || claim.Lost || claim.Deleting {
		return ClaimWaits, NoVolume
	}
	if claim.VolumeName != "" {
		if v, exists := c.VolumeByName(claim.VolumeName); exists && c.canBindNamed(claim, v) {
			return ClaimBound, v
		}
		return ClaimWaits, NoVolume
	}
	if v := c.controllerChoice(id, claim); v != NoVolume {
		return ClaimBound, v
	}
	if c.WaitsForConsumer(claim) && !claim.Selected || c.provisioner(claim) == nil {
		return ClaimWaits, NoVolume
	}
	if claim.Selected {
		if _, exists := c.NodeByName(c.Text(claim.SelectedNode)); !exists {
			return ClaimUnselected, NoVolume
		}
	}
	if _, exists := c.VolumeByName(claim.provisionedName()); exists { // upstream: it has been provisioned already
		return ClaimWaits, NoVolume
	}
	return ClaimProvisioned, NoVolume
}

// mayHave reports whether a claim that names a volume can have it.
//
// Upstream: checkVolumeSatisfyClaim of pkg/controller/volume/persistentvolume/pv_controller.go,
// v1.36.3.
func (c *Cluster) canBindNamed(claim *Claim, id VolumeID) bool {
	v := &c.storage.volumes[id]
	if v.Claim.Given {
		return v.Claim.matches(claim)
	}
	return v.assumed == NoClaim && !v.Deleting && v.Capacity >= claim.Request && v.Class == claim.Class && v.Block == claim.Block &&
		claim.Modes&^v.Modes == 0 && v.AttributesClass == claim.AttributesClass
}

func (c *Cluster) bindClaim(id ClaimID, volume VolumeID) {
	c.storage.withdraw(volume)
	claim, v := c.Claim(id), &c.storage.volumes[volume]
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
func (c *Cluster) controllerChoice(id ClaimID, claim *Claim) VolumeID {
	best := NoVolume
	better := func(candidate VolumeID) bool {
		return c.controllerCanBind(id, claim, candidate) && (best == NoVolume || c.controllerPrefers(id, claim, candidate, best))
	}
	for _, candidate := range c.storage.reservedVolumes(claim) {
		if better(candidate) {
			best = candidate
		}
	}
	if c.WaitsForConsumer(claim) {
		return best
	}
	for _, candidate := range c.storage.openVolumes(claim) {
		if best != NoVolume && c.storage.volumes[best].Modes == claim.Modes {
			break // the others have more access modes, or are larger
		}
		if better(candidate) {
			best = candidate
		}
	}
	return best
}

// controllerMay reports whether the PV controller could bind the claim to the volume.
func (c *Cluster) controllerCanBind(id ClaimID, claim *Claim, volume VolumeID) bool {
	v := &c.storage.volumes[volume]
	if claim.Modes&^v.Modes != 0 || v.Capacity < claim.Request || v.Block != claim.Block ||
		v.AttributesClass != claim.AttributesClass || v.Deleting {
		return false
	}
	if v.assumed != NoClaim || v.Claim.Given {
		return c.isReservedFor(v, id, claim)
	}
	return !c.WaitsForConsumer(claim) && v.Class == claim.Class && c.isOpenTo(v, claim)
}

// controllerPrefers reports whether the PV controller takes volume a rather than b.
func (c *Cluster) controllerPrefers(id ClaimID, claim *Claim, a, b VolumeID) bool {
	x, y := &c.storage.volumes[a], &c.storage.volumes[b]
	modes := func(v *Volume) int { return bits.OnesCount8(uint8(v.Modes)) }
	size := func(v *Volume) int64 {
		if c.isReservedFor(v, id, claim) {
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
func (c *Cluster) RemoveClaim(id ClaimID) (freed int) {
	s := &c.storage.claims[id]
	claim := s.Claim
	s.Claim, s.exists, s.assumed = Claim{}, false, 0
	if v, exists := c.VolumeByName(claim.VolumeName); exists && c.storage.volumes[v].Claim.UID == claim.UID {
		if c.reclaim(v) {
			freed++
		}
	}
	for _, v := range slices.Clone(c.storage.reservedVolumes(&claim)) {
		if ref := c.storage.volumes[v].Claim; ref.matches(&claim) && ref.UID != "" && c.reclaim(v) {
			freed++
		}
	}
	c.storage.releaseName(id)
	return freed
}

// reclaim ends the use of a volume; false if it is gone then.
func (c *Cluster) reclaim(id VolumeID) bool {
	v := &c.storage.volumes[id]
	switch v.Reclaim {
	case Delete:
		c.RemoveVolume(id)
		return false
	case Recycle:
		c.storage.withdraw(id)
		v.unbind()
		c.storage.offer(id)
	case Retain:
		c.storage.withdraw(id)
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

// SettleStorage does for volumes and claims without a status what controllers do at once.
func (c *Cluster) SyncNewVolumes() {
	for id := range c.storage.volumes {
		if v := &c.storage.volumes[id]; v.live && v.Phase == NewVolume {
			v.Phase = c.phaseOf(v)
		}
	}
	for id := range c.storage.claims {
		if s := &c.storage.claims[id]; s.exists && s.New {
			c.SyncClaim(ClaimID(id))
			s.New = false
		}
	}
}

// phaseOf is the phase that the PV controller gives a new volume.
//
// Upstream: syncVolume of pkg/controller/volume/persistentvolume/pv_controller.go, v1.36.3.
func (c *Cluster) phaseOf(v *Volume) VolumePhase {
	claim := c.Claim(c.ClaimByName(v.Claim.Namespace, v.Claim.Name))
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
