package cluster

import (
	"slices"
	"strings"
)

// VolumeKind is what a volume of a pod is.
type VolumeKind uint8

// The kinds of volumes that scheduling considers. MigratedDisk is any in-tree disk that a CSI
// driver handles and that only NodeVolumeLimits counts.
const (
	ClaimVolume     VolumeKind = iota // names a claim
	EphemeralVolume                   // has a claim of the pod's own, made with it
	GCEDisk
	EBSDisk
	ISCSIDisk
	RBDImage
	MigratedDisk
)

// PodVolume is one volume of the pods of a class.
type PodVolume struct {
	Kind VolumeKind
	// Name is the name of the claim for a ClaimVolume, of the volume for an EphemeralVolume,
	// of the disk for the others: of RBD images pool and image.
	Name string
	// Template is what the claim is like that is made with the pod if there is none of its
	// name: of an EphemeralVolume, or by the claim templates of a StatefulSet; else nil.
	Template *Claim
	ReadOnly bool
	Monitors []Symbol // of an RBDImage
	// Driver and Handle are the CSI driver that attaches a disk, and its name for the disk;
	// 0 where it is not counted.
	Driver Symbol
	Handle string
}

// HasClaim reports whether the volume is a claim.
func (v *PodVolume) HasClaim() bool { return v.Kind == ClaimVolume || v.Kind == EphemeralVolume }

// IsDisk reports whether it matters who else on the node has the volume.
func (v *PodVolume) IsDisk() bool { return v.Kind >= GCEDisk && v.Kind <= RBDImage }

// Migrated reports whether the volume is of an in-tree plugin whose work a CSI driver does.
func (v *PodVolume) Migrated() bool {
	return v.Kind == GCEDisk || v.Kind == EBSDisk || v.Kind == MigratedDisk
}

// Conflicts reports whether two pods with these volumes cannot be on one node.
//
// Upstream: isVolumeConflict of framework/plugins/volumerestrictions/volume_restrictions.go,
// v1.36.3.
func (v *PodVolume) Conflicts(other *PodVolume) bool {
	if v.Kind != other.Kind || v.Name != other.Name || v.ReadOnly && other.ReadOnly && v.Kind != EBSDisk {
		return false
	}
	switch v.Kind {
	case GCEDisk, EBSDisk, ISCSIDisk:
		return true
	case RBDImage:
		return slices.ContainsFunc(v.Monitors, func(m Symbol) bool { return slices.Contains(other.Monitors, m) })
	}
	return false
}

// ClaimOf returns the name of the claim of a volume for a pod of that name.
//
// Upstream: VolumeClaimName of k8s.io/component-helpers/storage/ephemeral, v0.36.3.
func (v *PodVolume) ClaimOf(pod string) string {
	if v.Kind == EphemeralVolume {
		return pod + "-" + v.Name
	}
	return v.Name
}

// nameClaims notes which claims a new pod names, and makes those that come with it.
func (t *Volumes) nameClaims(p *Pod) {
	for i := range p.Class.Volumes {
		v := &p.Class.Volumes[i]
		if !v.HasClaim() {
			continue
		}
		id := t.claimID(claimKey{p.Class.Namespace, v.ClaimOf(p.Name)})
		t.claims[id].pods++
		if t.journal.isOpen() {
			t.journal.note(func() { t.claims[id].pods-- })
		}
		p.claims = append(p.claims, id)
	}
}

// unnameClaims undoes nameClaims.
func (t *Volumes) unnameClaims(p *Pod) {
	for _, id := range p.claims {
		t.claims[id].pods--
		if t.journal.isOpen() {
			t.journal.note(func() { t.claims[id].pods++ })
		}
		t.releaseName(id)
	}
	p.claims = nil
}

// useClaims counts the claims of a pod that gets or loses a node.
func (t *Volumes) useClaims(p *Pod, by int32) {
	next := 0
	for i := range p.Class.Volumes {
		v := &p.Class.Volumes[i]
		if !v.HasClaim() {
			continue
		}
		if v.Kind == ClaimVolume {
			t.claims[p.claims[next]].used += by
		}
		next++
	}
}

// ClaimInUse reports whether a pod that has a node names the claim, other than as its own.
//
// Upstream: IsPVCUsedByPods of pkg/scheduler/backend/cache/snapshot.go, v1.36.3.
func (t *Volumes) ClaimInUse(id ClaimID) bool { return id != NoClaim && t.claims[id].used > 0 }

// PodClaim is a claim that a pod names.
type PodClaim struct {
	ID     ClaimID    // NoClaim for a pod that does not exist
	Volume *PodVolume // by which it names it
	// Claim is nil where there is none of that name. For a pod that does not exist it is
	// what would be made with it.
	Claim *Claim
}

// ClaimsOf appends the claims that a pod names, or would if it were of the class, in the
// order of its volumes. The pod may be NoPod: then they are those that one more pod of the
// class would have.
func (t *Volumes) ClaimsOf(pod PodID, class *Class, list []PodClaim) []PodClaim {
	next := 0
	for i := range class.Volumes {
		v := &class.Volumes[i]
		if !v.HasClaim() {
			continue
		}
		pc := PodClaim{ID: NoClaim, Volume: v}
		switch {
		case pod != NoPod && class == t.pods.table[pod].Class:
			pc.ID = t.pods.table[pod].claims[next]
		case pod != NoPod:
			pc.ID = t.ClaimByName(class.Namespace, v.ClaimOf(t.pods.table[pod].Name))
		case v.Kind == ClaimVolume:
			pc.ID = t.ClaimByName(class.Namespace, v.Name)
		}
		pc.Claim = t.Claim(pc.ID)
		if pod == NoPod && pc.Claim == nil {
			pc.ID, pc.Claim = NoClaim, v.Template
		}
		list = append(list, pc)
		next++
	}
	return list
}

// NamesClaim reports whether the pod names the claim. If notOwn, the claim of an ephemeral volume
// of the pod's own does not count.
func (t *Volumes) NamesClaim(pod PodID, claim ClaimID, notOwn bool) bool {
	next := 0
	for i := range t.pods.table[pod].Class.Volumes {
		v := &t.pods.table[pod].Class.Volumes[i]
		if !v.HasClaim() {
			continue
		}
		if t.pods.table[pod].claims[next] == claim && (v.Kind == ClaimVolume || !notOwn) {
			return true
		}
		next++
	}
	return false
}

// CreateClaims creates the claims that a pod's templates declare and that do not exist yet, and
// returns them.
//
// Upstream: the controllers ephemeral volume and statefulset, pkg/controller, v1.36.3.
func (t *Volumes) CreateClaims(pod PodID) []ClaimID {
	p := &t.pods.table[pod]
	var made []ClaimID
	for _, pc := range t.ClaimsOf(pod, p.Class, nil) {
		if pc.Claim != nil || pc.Volume.Template == nil {
			continue
		}
		claim := *pc.Volume.Template
		claim.Namespace, claim.Name = p.Class.Namespace, pc.Volume.ClaimOf(p.Name)
		if pc.Volume.Kind == EphemeralVolume {
			claim.Owner = p.Name
		}
		made = append(made, t.AddClaim(claim))
	}
	return made
}

// IsReservedForEphemeral reports whether a volume is reserved for the claim that an ephemeral
// volume gives some pod of the namespace.
func (t *Volumes) IsReservedForEphemeral(namespace Symbol, v *PodVolume) bool {
	for claim := range t.reserved.of {
		if v.Kind == EphemeralVolume && claim.namespace == namespace && strings.HasSuffix(claim.name, "-"+v.Name) {
			return true
		}
	}
	return false
}

// IsForPod reports whether a claim was made for the pod.
//
// Upstream: VolumeIsForPod of k8s.io/component-helpers/storage/ephemeral, v0.36.3.
func (t *Volumes) IsForPod(claim *Claim, pod PodID) bool {
	return pod == NoPod || claim.Owner == t.pods.table[pod].Name
}

// DeleteOwnClaims deletes the claims of the pod's own, and returns how many volumes they
// released that still exist.
func (t *Volumes) DeleteOwnClaims(pod PodID) (freed int) {
	p := &t.pods.table[pod]
	for _, pc := range t.ClaimsOf(pod, p.Class, nil) {
		if pc.Volume.Kind == EphemeralVolume && pc.Claim != nil && pc.Claim.Owner == p.Name {
			freed += t.RemoveClaim(pc.ID)
		}
	}
	return freed
}

// Detach takes away the VolumeAttachments of a pod that leaves its node, as far as no
// other pod there has the volumes.
//
// Upstream: pkg/controller/volume/attachdetach, v1.36.3.
func (t *Volumes) Detach(pod PodID) {
	p := &t.pods.table[pod]
	if len(p.claims) == 0 || p.Node == None {
		return
	}
	node := t.nodes.nodes[p.Node].Symbol
	noteEntry(t.journal, t.attachments, node)
	attached := slices.DeleteFunc(slices.Clone(t.attachments[node]), func(a Attachment) bool {
		return t.mounts(pod, a.Volume) && !slices.ContainsFunc(t.nodes.pods[p.Node], func(other PodID) bool {
			return other != pod && t.mounts(other, a.Volume)
		})
	})
	if len(attached) != len(t.attachments[node]) {
		t.nodes.changed(p.Node, VolumesChanged)
	}
	if len(attached) == 0 {
		delete(t.attachments, node)
		return
	}
	t.attachments[node] = attached
}

// mounts reports whether a claim of the pod has the volume.
func (t *Volumes) mounts(pod PodID, volume string) bool {
	return slices.ContainsFunc(t.pods.table[pod].claims, func(id ClaimID) bool {
		claim := t.Claim(id)
		return claim != nil && claim.VolumeName == volume
	})
}
