package cluster

// isReservedFor reports whether a volume is bound to the claim, or reserved for it.
//
// Upstream: IsVolumeBoundToClaim of k8s.io/component-helpers/storage/volume/pv_helpers.go,
// v0.36.3.
func (t *Volumes) isReservedFor(v *Volume, id ClaimID, claim *Claim) bool {
	if v.assumed != NoClaim {
		return v.assumed == id
	}
	return v.Claim.matches(claim)
}

func (r *ClaimRef) matches(claim *Claim) bool {
	return r.Given && r.Name == claim.Name && r.Namespace == claim.Namespace && (r.UID == "" || r.UID == claim.UID)
}

// Match is the volumes that a claim without one may get.
type Match struct {
	// Reserved are the volumes that are for this claim alone, by name. Where there is one,
	// the claim can have no other.
	Reserved []VolumeID
	// Open are those that any claim may get, by size and then name.
	Open []VolumeID
}

// Match finds the volumes that a claim may get, whatever the node. It keeps the
// room in m. The claim may be one that does not exist, of id NoClaim.
//
// Upstream: FindMatchingVolume of k8s.io/component-helpers/storage/volume/pv_helpers.go,
// v0.36.3. Differs: volumes of equal size are ordered by name, upstream by the order of
// a map.
func (t *Volumes) Match(id ClaimID, claim *Claim, m *Match) {
	m.Reserved, m.Open = m.Reserved[:0], m.Open[:0]
	suits := func(v *Volume) bool {
		return v.StorageClass == claim.StorageClass && v.Capacity >= claim.Request && v.Block == claim.Block &&
			v.AttributesClass == claim.AttributesClass && !v.Deleting
	}
	for _, candidate := range t.reservedVolumes(claim) {
		if v := &t.volumes[candidate]; t.isReservedFor(v, id, claim) && suits(v) {
			m.Reserved = append(m.Reserved, candidate)
		}
	}
	for _, candidate := range t.openVolumes(claim) {
		if v := &t.volumes[candidate]; suits(v) && t.isOpenTo(v, claim) {
			m.Open = append(m.Open, candidate)
		}
	}
}

// isOpenTo reports whether a claim may get a volume that any claim may get, if size and the
// like suit.
func (t *Volumes) isOpenTo(v *Volume, claim *Claim) bool {
	return v.Phase == VolumeAvailable && claim.Modes&^v.Modes == 0 &&
		(claim.Selector == nil || claim.Selector.Matches(v.Labels, &t.vocabulary.Symbols))
}

// WaitsForFirstConsumer reports whether a claim is bound only once a pod wants it.
//
// Upstream: IsDelayBindingMode of k8s.io/component-helpers/storage/volume/pv_helpers.go,
// v0.36.3.
func (t *Volumes) WaitsForFirstConsumer(claim *Claim) bool {
	class := t.classes[claim.StorageClass]
	return claim.StorageClass != 0 && class != nil && class.WaitForFirstConsumer
}

// SelectedNode returns the node that the scheduler has selected for provisioning a claim; false if
// it has selected none.
func (t *Volumes) SelectedNode(id ClaimID) (Symbol, bool) {
	if id == NoClaim {
		return 0, false
	}
	s := &t.claims[id]
	if s.assumed != 0 {
		return s.assumed, true
	}
	return s.SelectedNode, s.Selected
}
