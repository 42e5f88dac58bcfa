package cluster

import (
	"cmp"
	"math/bits"
	"strings"
)

// controllerChoice is the volume that the PV controller binds a claim to: of those whose
// access modes are the fewest, one that is reserved for the claim, or else, if the claim
// need not wait for a pod, the smallest one of its class.
//
// Upstream: findByClaim of pkg/controller/volume/persistentvolume/index.go, v1.36.3, and
// FindMatchingVolume of k8s.io/component-helpers/storage/volume/pv_helpers.go, v0.36.3,
// without a node. Differs: what is equal is told apart by name, upstream by the order of a
// map.
func (c *Cluster) controllerChoice(id ClaimID, claim *Claim) VolumeID {
	best := NoVolume
	better := func(candidate VolumeID) bool {
		return c.controllerMay(id, claim, candidate) && (best == NoVolume || c.controllerPrefers(id, claim, candidate, best))
	}
	for _, candidate := range c.storage.keptVolumes(claim) {
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

// controllerMay says whether the PV controller could bind the claim to the volume.
func (c *Cluster) controllerMay(id ClaimID, claim *Claim, volume VolumeID) bool {
	v := &c.storage.volumes[volume]
	if claim.Modes&^v.Modes != 0 || v.Capacity < claim.Request || v.Block != claim.Block ||
		v.AttributesClass != claim.AttributesClass || v.Deleting {
		return false
	}
	if v.assumed != NoClaim || v.Claim.Given {
		return c.isFor(v, id, claim)
	}
	return !c.WaitsForConsumer(claim) && v.Class == claim.Class && c.isOpenTo(v, claim)
}

// controllerPrefers says whether the PV controller takes volume a rather than b.
func (c *Cluster) controllerPrefers(id ClaimID, claim *Claim, a, b VolumeID) bool {
	x, y := &c.storage.volumes[a], &c.storage.volumes[b]
	modes := func(v *Volume) int { return bits.OnesCount8(uint8(v.Modes)) }
	size := func(v *Volume) int64 {
		if c.isFor(v, id, claim) {
			return -1
		}
		return v.Capacity
	}
	return cmp.Or(cmp.Compare(modes(x), modes(y)), cmp.Compare(x.Modes, y.Modes), cmp.Compare(size(x), size(y)), strings.Compare(x.Name, y.Name)) < 0
}
