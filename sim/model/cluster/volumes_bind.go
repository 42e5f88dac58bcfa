package cluster

import "slices"

// Binding is a claim and the volume that it is to get.
type Binding struct {
	Claim  ClaimID
	Volume VolumeID // NoVolume: one is to be provisioned
}

// reservation is what the scheduler has chosen for the claims of an assumed pod.
//
//	Assume            Commit            claims bound
//	──────────────▶ assumed ───────────────▶ written ──────────────▶ (pod bound)
//	                   │                        │
//	                   └──── Revert ─────┴──▶ (none; what was written stays)
type reservation struct {
	node     NodeID
	bindings []Binding
	written  bool
}

// Assume notes what the scheduler has chosen for the claims of a pod that it has
// put on a node: from now on the next pods see it.
//
// Upstream: AssumePodVolumes of framework/plugins/volumebinding/binder.go, v1.36.3.
func (t *Volumes) Assume(pod PodID, node NodeID, list []Binding) {
	for _, b := range list {
		if b.Volume == NoVolume {
			t.keepClaim(b.Claim)
			t.claims[b.Claim].assumed = t.nodes.nodes[node].Symbol
		} else {
			t.alter(b.Volume, func(v *Volume) { v.assumed = b.Claim })
		}
	}
	noteEntry(t.journal, t.reservations, pod)
	t.reservations[pod] = &reservation{node: node, bindings: slices.Clone(list)}
}

// Assumed returns the bindings that Assume noted for a pod that is not bound yet, and whether
// Commit has written them to volumes and claims.
func (t *Volumes) Assumed(pod PodID) (list []Binding, written bool) {
	if r := t.reservations[pod]; r != nil {
		return r.bindings, r.written
	}
	return nil, false
}

// Revert undoes Assume. What Commit wrote down stays, as upstream.
//
// Upstream: RevertAssumedPodVolumes of framework/plugins/volumebinding/binder.go, v1.36.3.
func (t *Volumes) Revert(pod PodID) {
	if r := t.reservations[pod]; r != nil {
		if !r.written {
			t.unassume(r.bindings)
		}
		noteEntry(t.journal, t.reservations, pod)
		delete(t.reservations, pod)
	}
}

func (t *Volumes) unassume(list []Binding) {
	for _, b := range list {
		if b.Volume == NoVolume {
			t.keepClaim(b.Claim)
			t.claims[b.Claim].assumed = 0
		} else {
			t.alter(b.Volume, func(v *Volume) { v.assumed = NoClaim })
		}
	}
}

// Commit writes down what Assume noted, for the PV controller to act on:
// volumes say which claim they are for, claims for which node they are to be provisioned.
// It returns those for which that was not written down before.
//
// Upstream: bindAPIUpdate of framework/plugins/volumebinding/binder.go, v1.36.3.
func (t *Volumes) Commit(pod PodID) (changed []Binding) {
	r := t.reservations[pod]
	if r == nil || r.written {
		return nil
	}
	if t.journal.isOpen() {
		t.journal.note(func() { r.written = false })
	}
	r.written = true
	t.unassume(r.bindings)
	for _, b := range r.bindings {
		if t.writeBinding(b, t.nodes.nodes[r.node].Symbol) {
			changed = append(changed, b)
		}
	}
	return changed
}

// writeBinding says of a volume for which claim it is, or of a claim for which node one is
// to be made. It returns false where that is said already.
func (t *Volumes) writeBinding(b Binding, node Symbol) bool {
	claim := t.Claim(b.Claim)
	if claim == nil {
		return false
	}
	if b.Volume == NoVolume {
		t.keepClaim(b.Claim)
		before := *claim
		claim.Selected, claim.SelectedNode = true, node
		return !before.Selected || before.SelectedNode != node
	}
	before := t.volumes[b.Volume].Claim
	t.alter(b.Volume, func(v *Volume) { v.Claim = v.refTo(claim) })
	return before != t.volumes[b.Volume].Claim
}

// refTo is what the claimRef of a volume is when the volume is bound to the claim.
//
// Upstream: GetBindVolumeToClaim of k8s.io/component-helpers/storage/volume/pv_helpers.go,
// v0.36.3.
func (v *Volume) refTo(claim *Claim) ClaimRef {
	return ClaimRef{
		Given: true, Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID,
		ByController: v.Claim.ByController || !v.Claim.matches(claim),
	}
}
