package manifest

import (
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Storage is what the objects say of persistent volumes, each list in the order of the documents.
type Storage struct {
	Volumes     []cluster.Volume
	Claims      []cluster.Claim
	Classes     []cluster.StorageClass
	CSINodes    []cluster.CSINode
	Tracked     []cluster.Sym // CSI drivers whose storage capacity is to be heeded
	Capacities  []cluster.StorageCapacity
	Attachments []cluster.Attachment
}

// AddStorage puts storage into a cluster whose nodes are there, and has controllers do for objects
// without a status what they do at once. It is called once for all Loaders of a cluster.
func AddStorage(c *cluster.Cluster, all ...*Storage) {
	for _, s := range all {
		for _, class := range s.Classes {
			c.Volumes.AddStorageClass(class)
		}
		for _, n := range s.CSINodes {
			c.Volumes.AddCSINode(n)
		}
		for _, driver := range s.Tracked {
			c.Volumes.TrackCapacity(driver)
		}
		for _, capacity := range s.Capacities {
			c.Volumes.AddStorageCapacity(capacity)
		}
		for _, a := range s.Attachments {
			c.Volumes.AddAttachment(a)
		}
		for _, v := range s.Volumes {
			c.Volumes.AddVolume(v)
		}
	}
	for _, given := range []bool{true, false} { // UIDs that are made must differ from those that are given
		for _, s := range all {
			for _, claim := range s.Claims {
				if (claim.UID != "") == given {
					c.Volumes.AddClaim(claim)
				}
			}
		}
	}
	c.Volumes.SyncNew()
}

const annotationBindCompleted = "pv.kubernetes.io/bind-completed"

// annotationBoundByController says of a volume that no person has written its claimRef.
const annotationBoundByController = "pv.kubernetes.io/bound-by-controller"

// annotationSelectedNode names the node that a claim is to be provisioned for.
const annotationSelectedNode = "volume.kubernetes.io/selected-node"

var accessModes = map[v1.PersistentVolumeAccessMode]cluster.AccessModes{
	v1.ReadWriteOnce: cluster.ReadWriteOnce, v1.ReadOnlyMany: cluster.ReadOnlyMany,
	v1.ReadWriteMany: cluster.ReadWriteMany, v1.ReadWriteOncePod: cluster.ReadWriteOncePod,
}

// accessModes checks the access modes of a volume or claim.
func (c *checker) accessModes(faults *document.Errors, at document.Value, path string, modes []v1.PersistentVolumeAccessMode) {
	if len(modes) == 0 {
		faults.Add(at, path, "is required")
	}
	var set cluster.AccessModes
	for i, mode := range modes {
		bit, known := accessModes[mode]
		if !known {
			faults.Add(at, join(path, i), "is not an access mode; ReadWriteOnce, ReadOnlyMany, ReadWriteMany and ReadWriteOncePod are")
		}
		set |= bit
	}
	if set&cluster.ReadWriteOncePod != 0 && set != cluster.ReadWriteOncePod {
		faults.Add(at, path, "must not have other modes beside ReadWriteOncePod")
	}
}

func modesOf(modes []v1.PersistentVolumeAccessMode) cluster.AccessModes {
	var set cluster.AccessModes
	for _, mode := range modes {
		set |= accessModes[mode]
	}
	return set
}

// storageAmount checks a size in bytes.
func storageAmount(faults *document.Errors, at document.Value, path string, list v1.ResourceList) {
	q, has := list[v1.ResourceStorage]
	switch {
	case !has:
		faults.Add(at, path+".storage", "is required")
	case q.Sign() <= 0:
		faults.Add(at, path+".storage", "must be greater than zero")
	case q.CmpInt64(MaxAmount) > 0:
		faults.Add(at, path+".storage", "is too large: the largest amount is 2^53 of the base unit")
	case q.MilliValue()%1000 != 0:
		faults.Add(at, path+".storage", "is not supported: it must be a whole number of bytes")
	}
}

func (c *checker) volumeMode(faults *document.Errors, at document.Value, path string, mode *v1.PersistentVolumeMode) {
	if mode != nil && *mode != v1.PersistentVolumeFilesystem && *mode != v1.PersistentVolumeBlock {
		faults.Add(at, path, "is not a volume mode; Filesystem and Block are")
	}
}

func isBlock(mode *v1.PersistentVolumeMode) bool {
	return mode != nil && *mode == v1.PersistentVolumeBlock
}

// className checks the name of a class; none at all is valid.
func (c *checker) className(faults *document.Errors, at document.Value, path, name string) {
	if name == "" {
		return
	}
	if what := c.subdomain(name); what != "" {
		faults.Add(at, path, "is not valid: %s", what)
	}
}

// classOf is the name of the storage class of a volume or claim: that of the annotation of old, if it is there.
func classOf(meta *metav1.ObjectMeta, name string) string {
	if old, has := meta.Annotations[v1.BetaStorageClassAnnotation]; has {
		return old
	}
	return name
}

// Upstream: ValidatePersistentVolume of pkg/apis/core/validation, v1.36.3.
func readPersistentVolume(c *checker, o *object) {
	pv := decoded[v1.PersistentVolume](c, o)
	c.meta(o, &pv.ObjectMeta, false)
	spec, faults := &pv.Spec, &o.faults
	c.accessModes(faults, o.at, "spec.accessModes", spec.AccessModes)
	storageAmount(faults, o.at, "spec.capacity", spec.Capacity)
	for _, name := range slices.Sorted(maps.Keys(spec.Capacity)) {
		if name != v1.ResourceStorage {
			faults.Add(o.at, join("spec.capacity", string(name)), "has no place here: a volume has storage only")
		}
	}
	if _, known := reclaims[spec.PersistentVolumeReclaimPolicy]; !known {
		faults.Add(o.at, "spec.persistentVolumeReclaimPolicy", "is not a policy; Retain, Delete and Recycle are")
	}
	if a := spec.NodeAffinity; a != nil {
		c.volumeAffinity(faults, o.at, a)
	}
	c.volumeSource(faults, o.at, pv)
	c.className(faults, o.at, "spec.storageClassName", spec.StorageClassName)
	c.volumeMode(faults, o.at, "spec.volumeMode", spec.VolumeMode)
	if name := spec.VolumeAttributesClassName; name != nil {
		if *name == "" {
			faults.Add(o.at, "spec.volumeAttributesClassName", "must not be empty")
		}
		c.className(faults, o.at, "spec.volumeAttributesClassName", *name)
		if spec.CSI == nil {
			faults.Add(o.at, "spec.csi", "is required where there is a volumeAttributesClassName")
		}
	}
	if _, known := volumePhases[pv.Status.Phase]; !known {
		faults.Add(o.at, "status.phase", "is not a phase; Pending, Available, Bound, Released and Failed are")
	}
}

var reclaims = map[v1.PersistentVolumeReclaimPolicy]cluster.Reclaim{
	"": cluster.Retain, v1.PersistentVolumeReclaimRetain: cluster.Retain,
	v1.PersistentVolumeReclaimDelete: cluster.Delete, v1.PersistentVolumeReclaimRecycle: cluster.Recycle,
}

var volumePhases = map[v1.PersistentVolumePhase]cluster.VolumePhase{
	"": cluster.NewVolume, v1.VolumePending: cluster.VolumePending, v1.VolumeAvailable: cluster.VolumeAvailable,
	v1.VolumeBound: cluster.VolumeBound, v1.VolumeReleased: cluster.VolumeReleased, v1.VolumeFailed: cluster.VolumeFailed,
}

func (c *checker) volumeAffinity(faults *document.Errors, at document.Value, a *v1.VolumeNodeAffinity) {
	const path = "spec.nodeAffinity.required"
	if a.Required == nil {
		faults.Add(at, path, "is required")
		return
	}
	if len(a.Required.NodeSelectorTerms) == 0 {
		faults.Add(at, path+".nodeSelectorTerms", "must have at least one term")
	}
	for i := range a.Required.NodeSelectorTerms {
		term := join(path+".nodeSelectorTerms", i)
		c.term(faults, at, term, &a.Required.NodeSelectorTerms[i])
		c.termValues(faults, at, term, &a.Required.NodeSelectorTerms[i])
	}
}

// volume compiles a PersistentVolume.
func (cp *compiler) volume(o *object) cluster.Volume {
	pv := o.typed.(*v1.PersistentVolume)
	spec := &pv.Spec
	out := cluster.Volume{
		Name: o.name, Labels: cp.vocabulary.NewLabelSet(pv.Labels),
		Class:    cp.vocabulary.Sym(classOf(&pv.ObjectMeta, spec.StorageClassName)),
		Capacity: spec.Capacity.Storage().Value(), Modes: modesOf(spec.AccessModes), Block: isBlock(spec.VolumeMode),
		Affinity: cp.volumeAffinity(spec.NodeAffinity),
		Phase:    volumePhases[pv.Status.Phase], Reclaim: reclaims[spec.PersistentVolumeReclaimPolicy],
		Deleting: pv.DeletionTimestamp != nil,
	}
	if spec.VolumeAttributesClassName != nil {
		out.AttributesClass = cp.vocabulary.Sym(*spec.VolumeAttributesClassName)
	}
	if ref := spec.ClaimRef; ref != nil {
		_, byController := pv.Annotations[annotationBoundByController]
		out.Claim = cluster.ClaimRef{
			Given: true, Namespace: cp.vocabulary.Sym(ref.Namespace), Name: ref.Name, UID: string(ref.UID), ByController: byController,
		}
	}
	cp.driverOf(pv, &out)
	return out
}

func (cp *compiler) volumeAffinity(a *v1.VolumeNodeAffinity) cluster.VolumeAffinity {
	if a == nil || a.Required == nil {
		return cluster.VolumeAffinity{}
	}
	return cluster.VolumeAffinity{Limited: true, Terms: cp.selector(a.Required)}
}

// Upstream: ValidatePersistentVolumeClaim of pkg/apis/core/validation, v1.36.3.
func readPersistentVolumeClaim(c *checker, o *object) {
	claim := decoded[v1.PersistentVolumeClaim](c, o)
	c.meta(o, &claim.ObjectMeta, true)
	c.claimSpec(&o.faults, o.at.Get("spec"), &claim.Spec)
	switch claim.Status.Phase {
	case "", v1.ClaimPending, v1.ClaimBound, v1.ClaimLost:
	default:
		o.faults.Add(o.at, "status.phase", "is not a phase; Pending, Bound and Lost are")
	}
}

// claimSpec checks the spec of a claim.
//
// Upstream: ValidatePersistentVolumeClaimSpec of pkg/apis/core/validation, v1.36.3.
func (c *checker) claimSpec(faults *document.Errors, at document.Value, spec *v1.PersistentVolumeClaimSpec) {
	c.accessModes(faults, at, "accessModes", spec.AccessModes)
	c.labelSelector(faults, at, "selector", spec.Selector)
	storageAmount(faults, at, "resources.requests", spec.Resources.Requests)
	if spec.StorageClassName != nil {
		c.className(faults, at, "storageClassName", *spec.StorageClassName)
	}
	c.volumeMode(faults, at, "volumeMode", spec.VolumeMode)
	if spec.VolumeAttributesClassName != nil {
		c.className(faults, at, "volumeAttributesClassName", *spec.VolumeAttributesClassName)
	}
}

// claimObject compiles a PersistentVolumeClaim.
func (cp *compiler) claimObject(o *object) cluster.Claim {
	pvc := o.typed.(*v1.PersistentVolumeClaim)
	out := cp.claim(&pvc.ObjectMeta, &pvc.Spec)
	out.Namespace, out.Name, out.UID = cp.vocabulary.Sym(o.namespace), o.name, string(pvc.UID)
	_, out.BindCompleted = pvc.Annotations[annotationBindCompleted]
	if node, selected := pvc.Annotations[annotationSelectedNode]; selected {
		out.Selected, out.SelectedNode = true, cp.vocabulary.Sym(node)
	}
	out.Lost, out.Deleting = pvc.Status.Phase == v1.ClaimLost, pvc.DeletionTimestamp != nil
	out.New = pvc.Status.Phase == ""
	return out
}

// claim compiles what claims and templates of claims have in common. One that says nothing of a class
// gets the default one.
//
// Upstream: plugin/pkg/admission/storage/storageclass/setdefault/admission.go, v1.36.3.
func (cp *compiler) claim(meta *metav1.ObjectMeta, spec *v1.PersistentVolumeClaimSpec) cluster.Claim {
	class := cp.chain.defaultClass.name
	if spec.StorageClassName != nil {
		class = *spec.StorageClassName
	}
	out := cluster.Claim{
		Class: cp.vocabulary.Sym(classOf(meta, class)), VolumeName: spec.VolumeName,
		Request: spec.Resources.Requests.Storage().Value(), Modes: modesOf(spec.AccessModes), Block: isBlock(spec.VolumeMode),
	}
	if spec.Selector != nil {
		selector := cp.labelSelector(spec.Selector)
		out.Selector = &selector
	}
	if spec.VolumeAttributesClassName != nil {
		out.AttributesClass = cp.vocabulary.Sym(*spec.VolumeAttributesClassName)
	}
	return out
}
