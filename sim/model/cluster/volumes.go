package cluster

import "slices"

// VolumeID is the dense id of a persistent volume. It is used again once the volume is
// gone.
type VolumeID int32

// ClaimID is the dense id of the name of a claim: the claim of that name may not be there
// yet, or not any more. It is used again once neither a claim nor a pod has the name.
type ClaimID int32

// The ids of no volume and no claim.
const (
	NoVolume VolumeID = -1
	NoClaim  ClaimID  = -1
)

// AccessModes is a set of the ways to mount a volume.
type AccessModes uint8

// The access modes.
const (
	ReadWriteOnce AccessModes = 1 << iota
	ReadOnlyMany
	ReadWriteMany
	ReadWriteOncePod
)

// VolumePhase is status.phase of a persistent volume.
type VolumePhase uint8

// The phases of persistent volumes. NewVolume is that of one without a status: SyncNew
// finds its phase.
const (
	NewVolume VolumePhase = iota
	VolumePending
	VolumeAvailable
	VolumeBound
	VolumeReleased
	VolumeFailed
)

// ReclaimPolicy is what happens to a volume when its claim is gone.
type ReclaimPolicy uint8

// The reclaim policies.
const (
	Retain  ReclaimPolicy = iota // it is Released, and no claim can bind it
	Delete                       // it is gone
	Recycle                      // it is Available again
)

// VolumeAffinity limits the nodes from which a volume can be reached. The zero value
// limits nothing.
type VolumeAffinity struct {
	Limited bool
	Terms   NodeSelector
}

// Matches reports whether the volume can be reached from a node with these labels. Upstream matches
// against a node without a name, so requirements on metadata.name are ignored.
//
// Upstream: CheckNodeAffinity of k8s.io/component-helpers/storage/volume/helpers.go and
// LazyErrorNodeSelector.Match of its scheduling/corev1/nodeaffinity, v0.36.3.
func (a *VolumeAffinity) Matches(labels LabelSet, symbols *Symbols) bool {
	if !a.Limited {
		return true
	}
	for i := range a.Terms {
		t := &a.Terms[i]
		if t.IsEmpty() || t.Fault != "" {
			continue
		}
		fails := func(r Requirement) bool { return !r.Matches(labels, symbols) }
		if !slices.ContainsFunc(t.Labels, fails) {
			return true
		}
	}
	return false
}

// ClaimRef is spec.claimRef of a volume: the claim that it is for. Without a UID it is for
// the claim of that name, whichever it is.
type ClaimRef struct {
	Given     bool
	Namespace Symbol
	Name, UID string
	// ByController reports whether the PV controller set the claimRef, so that it is removed with the
	// binding: the annotation pv.kubernetes.io/bound-by-controller.
	ByController bool
}

// Volume is a persistent volume.
type Volume struct {
	Name            string
	Labels          LabelSet
	StorageClass    Symbol // name of its storage class; 0: none
	Capacity        int64  // bytes
	Modes           AccessModes
	Block           bool   // volumeMode Block, else Filesystem
	AttributesClass Symbol // 0: none
	Affinity        VolumeAffinity
	Claim           ClaimRef
	Phase           VolumePhase
	ReclaimPolicy   ReclaimPolicy
	Deleting        bool // it has a deletionTimestamp

	// Driver and Handle are the CSI driver that attaches the volume and the driver's name
	// for it, also where an in-tree plugin stands for the driver; 0 where it is not counted.
	Driver Symbol
	Handle string
	// InTree is the name of that in-tree plugin, 0 where the volume is one of the driver
	// itself. Migrated is what Affinity is on nodes that leave the plugin's work to the driver.
	InTree   Symbol
	Migrated VolumeAffinity

	assumed ClaimID // that the scheduler has chosen it for; NoClaim: none
	live    bool
}

// Claim is a PersistentVolumeClaim.
type Claim struct {
	Namespace       Symbol
	Name, UID       string
	StorageClass    Symbol // name of its storage class; 0: none
	Request         int64  // bytes
	Modes           AccessModes
	Block           bool           // volumeMode Block, else Filesystem
	Selector        *LabelSelector // nil: any volume
	AttributesClass Symbol         // 0: none
	VolumeName      string         // spec.volumeName
	BindCompleted   bool           // it has the annotation pv.kubernetes.io/bind-completed
	Lost            bool           // its phase is Lost
	Deleting        bool           // it has a deletionTimestamp
	// New: it has no status yet. SyncNew does for it what controllers do at once.
	New bool
	// Selected says that it is to be provisioned for SelectedNode: the annotation
	// volume.kubernetes.io/selected-node.
	Selected     bool
	SelectedNode Symbol
	// Owner is the name of the pod that the claim was made for, if it still exists.
	Owner string
}

// IsBound reports whether the claim is bound to a volume and the binding is complete.
func (c *Claim) IsBound() bool { return c.VolumeName != "" && c.BindCompleted }

// StorageClass is a StorageClass.
type StorageClass struct {
	Name                 Symbol
	Provisioner          string
	Driver               Symbol // the CSI driver that counts its volumes; 0: they are not counted
	WaitForFirstConsumer bool   // volumeBindingMode WaitForFirstConsumer, else Immediate
	ReclaimPolicy        ReclaimPolicy
	Topologies           VolumeAffinity // allowedTopologies
}

// noProvisioner is the name that says that volumes of the class are not made on demand.
const noProvisioner = "kubernetes.io/no-provisioner"

// Provisions reports whether volumes of the class are made on demand.
func (s *StorageClass) Provisions() bool {
	return s.Provisioner != "" && s.Provisioner != noProvisioner
}

// CSINode is a CSINode.
type CSINode struct {
	Node     Symbol // name
	Drivers  []CSINodeDriver
	Migrated []Symbol // in-tree plugins whose work is left to CSI drivers
}

// HasDriver reports whether a CSI driver is installed on the node.
func (n *CSINode) HasDriver(driver Symbol) bool {
	return slices.ContainsFunc(n.Drivers, func(d CSINodeDriver) bool { return d.Name == driver })
}

// CSINodeDriver is a CSI driver on a node.
type CSINodeDriver struct {
	Name         Symbol
	Limited      bool
	Limit        int64 // volumes that can be attached, if Limited
	TopologyKeys []Symbol
}

// Limit returns how many volumes of a driver can be attached to the node; false if there is no limit.
func (n *CSINode) Limit(driver Symbol) (int64, bool) {
	for i := range n.Drivers {
		if d := &n.Drivers[i]; d.Name == driver {
			return d.Limit, d.Limited
		}
	}
	return 0, false
}

// StorageCapacity is a CSIStorageCapacity: the largest volume of a class that nodes with
// these labels can get.
type StorageCapacity struct {
	StorageClass Symbol
	Nodes        LabelSelector
	Known        bool  // whether Largest is
	Largest      int64 // bytes
	Capacity     int64 // bytes, of all volumes together; 0 where it is not given
}

// CSIDriver is what the CSIDriver object says of a driver.
type CSIDriver struct {
	Name            Symbol
	TracksCapacity  bool // volumes need enough storage capacity: spec.storageCapacity
	RequiredOnNodes bool // pods need the driver on their node: spec.preventPodSchedulingIfMissing
}

// Attachment is a VolumeAttachment of a persistent volume.
type Attachment struct {
	Node     Symbol // name
	Attacher Symbol // the CSI driver
	Volume   string
}
