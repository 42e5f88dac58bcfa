package cluster

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
)

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
	before, ref := c.storage.volumes[b.Volume].Claim, ClaimRef{true, claim.Namespace, claim.Name, claim.UID}
	c.storage.alter(b.Volume, func(v *Volume) { v.Claim = ref })
	return before != ref
}

// ClaimOutcome is what SyncClaim did for a claim.
type ClaimOutcome uint8

// The outcomes of SyncClaim.
const (
	ClaimWaits      ClaimOutcome = iota // nothing can be done for it now
	ClaimGotVolume                      // it is bound to a volume that was there
	ClaimGotNew                         // it is bound to a volume that was made for it
	ClaimUnselected                     // the node that it was to be provisioned for is gone: another is to be chosen
)

// SyncClaim does for a claim what the PV controller and the provisioner do: it binds it to
// a volume that is reserved for it, or, if it need not wait for a pod, to the smallest one
// that matches; failing that a volume is made for it.
//
// Upstream: syncUnboundClaim of pkg/controller/volume/persistentvolume/pv_controller.go,
// v1.36.3.
func (c *Cluster) SyncClaim(id ClaimID) ClaimOutcome {
	claim := c.Claim(id)
	if claim == nil || claim.IsBound() || claim.Lost || claim.Deleting {
		return ClaimWaits
	}
	claim.New = false
	if claim.VolumeName != "" {
		if v, exists := c.VolumeByName(claim.VolumeName); exists && c.mayHave(claim, v) {
			c.bindClaim(id, v)
			return ClaimGotVolume
		}
		return ClaimWaits
	}
	switch v := c.controllerChoice(id, claim); {
	case v != NoVolume:
		c.bindClaim(id, v)
		return ClaimGotVolume
	case c.WaitsForConsumer(claim) && !claim.Selected:
		return ClaimWaits
	}
	return c.provision(id, claim)
}

// NeedsProvision says whether SyncClaim would make a volume for the claim now.
func (c *Cluster) NeedsProvision(id ClaimID) bool {
	claim := c.Claim(id)
	if claim == nil || claim.IsBound() || claim.VolumeName != "" || c.WaitsForConsumer(claim) && !claim.Selected {
		return false
	}
	return c.controllerChoice(id, claim) == NoVolume
}

// WillBeBound says whether a claim that waits for no pod gets a volume in time.
func (c *Cluster) WillBeBound(id ClaimID) bool {
	claim := c.Claim(id)
	switch {
	case claim == nil || claim.IsBound() || claim.Lost || claim.Deleting || c.WaitsForConsumer(claim) && !claim.Selected:
		return false
	case claim.VolumeName != "":
		v, exists := c.VolumeByName(claim.VolumeName)
		return exists && c.mayHave(claim, v)
	}
	_, made := c.VolumeByName("pvc-" + claim.UID)
	return c.controllerChoice(id, claim) != NoVolume || c.provisioner(claim) != nil && !made
}

// mayHave says whether a claim that names a volume can have it.
//
// Upstream: checkVolumeSatisfyClaim of pkg/controller/volume/persistentvolume/pv_controller.go,
// v1.36.3.
func (c *Cluster) mayHave(claim *Claim, id VolumeID) bool {
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
	v.Claim = ClaimRef{true, claim.Namespace, claim.Name, claim.UID}
	v.Phase, v.assumed = VolumeBound, NoClaim
}

// provision makes a volume for a claim, for the node selected or, if it need not wait for
// a pod, for the segment that its name chooses.
func (c *Cluster) provision(id ClaimID, claim *Claim) ClaimOutcome {
	class := c.provisioner(claim)
	if class == nil {
		return ClaimWaits
	}
	var affinity VolumeAffinity
	if claim.Selected {
		node, exists := c.NodeByName(c.Text(claim.SelectedNode))
		if !exists {
			claim.Selected, claim.SelectedNode = false, 0
			return ClaimUnselected
		}
		affinity = c.reach(class.Driver, node)
	} else {
		affinity = c.segmentFor(class, claim)
	}
	name := "pvc-" + claim.UID
	if _, exists := c.VolumeByName(name); exists { // upstream: it has been provisioned already
		return ClaimWaits
	}
	v := c.AddVolume(Volume{
		Name: name, Class: claim.Class, Capacity: claim.Request, Modes: claim.Modes, Block: claim.Block,
		AttributesClass: claim.AttributesClass, Affinity: affinity, Reclaim: class.Reclaim,
		Driver: class.Driver, Handle: name,
	})
	c.bindClaim(id, v)
	return ClaimGotNew
}

// provisioner is the class of a claim if volumes are made for it, else nil.
func (c *Cluster) provisioner(claim *Claim) *StorageClass {
	class := c.storage.classes[claim.Class]
	if claim.Class == 0 || class == nil || !class.Provisions() {
		return nil
	}
	return class
}

// driverOn is what a CSI driver says of a node; nil where it is not.
func (c *Cluster) driverOn(n *Node, driver Sym) *CSINodeDriver {
	csi := c.storage.csiNodes[n.Sym]
	if csi == nil {
		return nil
	}
	for i := range csi.Drivers {
		if csi.Drivers[i].Name == driver {
			return &csi.Drivers[i]
		}
	}
	return nil
}

// reach is from where a volume can be reached that a driver made for a node: the nodes
// whose values of the driver's topology keys are the same.
func (c *Cluster) reach(driver Sym, node NodeID) VolumeAffinity {
	n := &c.nodes[node]
	d := c.driverOn(n, driver)
	if d == nil {
		return VolumeAffinity{}
	}
	var term NodeTerm
	for _, key := range d.TopologyKeys {
		if value, has := n.Labels.Get(key); has {
			term.Labels = append(term.Labels, Requirement{Key: key, Op: In, Values: []Sym{value}})
		}
	}
	if term.IsEmpty() {
		return VolumeAffinity{}
	}
	return VolumeAffinity{Limited: true, Terms: NodeSelector{term}}
}

// segmentFor is from where a volume can be reached that is made for a claim which waits
// for no pod. The nodes that have the driver of its class, and are within its topologies,
// fall into segments with the same values of the driver's topology keys; the name of the
// claim chooses one.
func (c *Cluster) segmentFor(class *StorageClass, claim *Claim) VolumeAffinity {
	segments := map[string]NodeID{} // a node of each
	var name []byte
	for _, id := range c.Order() {
		n := &c.nodes[id]
		d := c.driverOn(n, class.Driver)
		if d == nil || !class.Topologies.Matches(n.Labels, &c.Symbols) {
			continue
		}
		name = name[:0]
		for _, key := range d.TopologyKeys {
			if value, has := n.Labels.Get(key); has {
				name = append(append(name, c.Text(key)...), '=')
				name = append(append(name, c.Text(value)...), 0)
			}
		}
		if _, known := segments[string(name)]; !known {
			segments[string(name)] = id
		}
	}
	if len(segments) == 0 {
		return class.Topologies
	}
	names := slices.Sorted(maps.Keys(segments))
	return c.reach(class.Driver, segments[names[turnOf(claim.Name)%uint32(len(names))]])
}

// turnOf is the place of a claim when volumes are dealt round. Claims of a StatefulSet,
// named claim-set-ordinal, have consecutive ones, the same for all claims of a pod.
//
// Upstream: getPVCNameHashAndIndexOffset of k8s.io/cloud-provider/volume/helpers/zones.go,
// v0.36.3.
func turnOf(claim string) uint32 {
	var ordinal uint64
	if dash := strings.LastIndexByte(claim, '-'); dash >= 0 {
		if n, err := strconv.ParseUint(claim[dash+1:], 10, 32); err == nil {
			ordinal, claim = n, claim[:dash]
			claim = claim[strings.LastIndexByte(claim, '-')+1:]
		}
	}
	h := fnv.New32()
	_, _ = h.Write([]byte(claim)) // never fails
	return h.Sum32() + uint32(ordinal)
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
	for _, v := range slices.Clone(c.storage.keptVolumes(&claim)) {
		if ref := c.storage.volumes[v].Claim; ref.matches(&claim) && ref.UID != "" && c.reclaim(v) {
			freed++
		}
	}
	c.storage.forgetName(id)
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
		v.Claim, v.Phase = ClaimRef{}, VolumeAvailable
		c.storage.offer(id)
	case Retain:
		c.storage.withdraw(id)
		v.Phase = VolumeReleased
	}
	return true
}

// SettleStorage does for volumes and claims without a status what controllers do at once.
func (c *Cluster) SettleStorage() {
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
