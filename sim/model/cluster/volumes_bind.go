package cluster

import "slices"

// Binding is a claim and the volume that it is to get.
type Binding struct {
	Claim  ClaimID
	Volume VolumeID // NoVolume: one is to be provisioned
}

// reservation is what the scheduler has chosen for the claims of an assumed pod.
//
//	AssumeVolumes            CommitVolumes            claims bound
//	──────────────▶ assumed ───────────────▶ written ──────────────▶ (pod bound)
//	                   │                        │
//	                   └──── RevertVolumes ─────┴──▶ (none; what was written stays)
type reservation struct {
	node     NodeID
	bindings []Binding
	written  bool
}

// AssumeVolumes notes what the scheduler has chosen for the claims of a pod that it has
// put on a node: from now on the next pods see it.
//
// Upstream: AssumePodVolumes of framework/plugins/volumebinding/binder.go, v1.36.3.
func (c *Cluster) AssumeVolumes(pod PodID, node NodeID, list []Binding) {
	t := &c.storage
	for _, b := range list {
		if b.Volume == NoVolume {
			t.claims[b.Claim].assumed = c.nodes[node].Sym
		} else {
			t.alter(b.Volume, func(v *Volume) { v.assumed = b.Claim })
		}
	}
	t.reservations[pod] = &reservation{node: node, bindings: slices.Clone(list)}
}

// AssumedVolumes are what AssumeVolumes noted for a pod that is not bound yet, and whether
// CommitVolumes has written it down.
func (c *Cluster) AssumedVolumes(pod PodID) (list []Binding, written bool) {
	if r := c.storage.reservations[pod]; r != nil {
		return r.bindings, r.written
	}
	return nil, false
}

// RevertVolumes undoes AssumeVolumes. What CommitVolumes wrote down stays, as upstream.
//
// Upstream: RevertAssumedPodVolumes of framework/plugins/volumebinding/binder.go, v1.36.3.
func (c *Cluster) RevertVolumes(pod PodID) {
	if r := c.storage.reservations[pod]; r != nil {
		if !r.written {
			c.unassume(r.bindings)
		}
		delete(c.storage.reservations, pod)
	}
}

func (c *Cluster) unassume(list []Binding) {
	for _, b := range list {
		if b.Volume == NoVolume {
			c.storage.claims[b.Claim].assumed = 0
		} else {
			c.storage.alter(b.Volume, func(v *Volume) { v.assumed = NoClaim })
		}
	}
}

// CommitVolumes writes down what AssumeVolumes noted, for the PV controller to act on:
// volumes say which claim they are for, claims for which node they are to be provisioned.
// It returns those for which that was not written down before.
//
// Upstream: bindAPIUpdate of framework/plugins/volumebinding/binder.go, v1.36.3.
func (c *Cluster) CommitVolumes(pod PodID) (changed []Binding) {
	r := c.storage.reservations[pod]
	if r == nil || r.written {
		return nil
	}
	r.written = true
	c.unassume(r.bindings)
	for _, b := range r.bindings {
		if c.writeBinding(b, c.nodes[r.node].Sym) {
			changed = append(changed, b)
		}
	}
	return changed
}

// writeBinding says of a volume for which claim it is, or of a claim for which node one is
// to be made. It returns false where that is said already.
func (c *Cluster) writeBinding(b Binding, node Sym) bool {
	claim := c.Claim(b.Claim)
	if claim == nil {
		return false
	}
	if b.Volume == NoVolume {
		before := *claim
		claim.Selected, claim.SelectedNode = true, node
		return !before.Selected || before.SelectedNode != node
	}
	before := c.storage.volumes[b.Volume].Claim
	c.storage.alter(b.Volume, func(v *Volume) { v.Claim = v.refTo(claim) })
	return before != c.storage.volumes[b.Volume].Claim
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
