package validate

import (
	"maps"
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// AccessModes are the access modes of volumes, as the cluster names them.
var AccessModes = map[v1.PersistentVolumeAccessMode]cluster.AccessModes{
	v1.ReadWriteOnce: cluster.ReadWriteOnce, v1.ReadOnlyMany: cluster.ReadOnlyMany,
	v1.ReadWriteMany: cluster.ReadWriteMany, v1.ReadWriteOncePod: cluster.ReadWriteOncePod,
}

// accessModes checks the access modes of a volume or claim.
func (c *Checker) accessModes(faults *document.Errors, at document.Value, path string, modes []v1.PersistentVolumeAccessMode) {
	if len(modes) == 0 {
		faults.Add(at, path, "is required")
	}
	var set cluster.AccessModes
	for i, mode := range modes {
		bit, known := AccessModes[mode]
		if !known {
			faults.Add(at, decode.Join(path, i), "is not an access mode; ReadWriteOnce, ReadOnlyMany, ReadWriteMany and ReadWriteOncePod are")
		}
		set |= bit
	}
	if set&cluster.ReadWriteOncePod != 0 && set != cluster.ReadWriteOncePod {
		faults.Add(at, path, "must not have other modes beside ReadWriteOncePod")
	}
}

// storageAmount checks a size in bytes.
func storageAmount(faults *document.Errors, at document.Value, path string, list v1.ResourceList) {
	q, has := list[v1.ResourceStorage]
	switch {
	case !has:
		faults.Add(at, path+".storage", "is required")
	case q.Sign() <= 0:
		faults.Add(at, path+".storage", "must be greater than zero")
	case q.CmpInt64(resources.MaxAmount) > 0:
		faults.Add(at, path+".storage", "is too large: the largest amount is 2^53 of the base unit")
	case q.MilliValue()%1000 != 0:
		faults.Add(at, path+".storage", "is not supported: it must be a whole number of bytes")
	}
}

func (c *Checker) volumeMode(faults *document.Errors, at document.Value, path string, mode *v1.PersistentVolumeMode) {
	if mode != nil && *mode != v1.PersistentVolumeFilesystem && *mode != v1.PersistentVolumeBlock {
		faults.Add(at, path, "is not a volume mode; Filesystem and Block are")
	}
}

// className checks the name of a class; none at all is valid.
func (c *Checker) className(faults *document.Errors, at document.Value, path, name string) {
	if name == "" {
		return
	}
	if what := c.subdomain(name); what != "" {
		faults.Add(at, path, "is not valid: %s", what)
	}
}

// Upstream: ValidatePersistentVolume of pkg/apis/core/validation, v1.36.3.
func checkPersistentVolume(c *Checker, o *decode.Object) {
	pv := decoded[v1.PersistentVolume](c, o)
	c.meta(o, &pv.ObjectMeta, false)
	spec, faults := &pv.Spec, &o.Faults
	c.accessModes(faults, o.At, "spec.accessModes", spec.AccessModes)
	storageAmount(faults, o.At, "spec.capacity", spec.Capacity)
	for _, name := range slices.Sorted(maps.Keys(spec.Capacity)) {
		if name != v1.ResourceStorage {
			faults.Add(o.At, decode.Join("spec.capacity", string(name)), "has no place here: a volume has storage only")
		}
	}
	if _, known := ReclaimPolicies[spec.PersistentVolumeReclaimPolicy]; !known {
		faults.Add(o.At, "spec.persistentVolumeReclaimPolicy", "is not a policy; Retain, Delete and Recycle are")
	}
	if a := spec.NodeAffinity; a != nil {
		c.volumeAffinity(faults, o.At, a)
	}
	c.volumeSource(faults, o.At, pv)
	c.className(faults, o.At, "spec.storageClassName", spec.StorageClassName)
	c.volumeMode(faults, o.At, "spec.volumeMode", spec.VolumeMode)
	if name := spec.VolumeAttributesClassName; name != nil {
		if *name == "" {
			faults.Add(o.At, "spec.volumeAttributesClassName", "must not be empty")
		}
		c.className(faults, o.At, "spec.volumeAttributesClassName", *name)
		if spec.CSI == nil {
			faults.Add(o.At, "spec.csi", "is required where there is a volumeAttributesClassName")
		}
	}
	if _, known := VolumePhases[pv.Status.Phase]; !known {
		faults.Add(o.At, "status.phase", "is not a phase; Pending, Available, Bound, Released and Failed are")
	}
}

// ReclaimPolicies are the reclaim policies of volumes, as the cluster names them.
var ReclaimPolicies = map[v1.PersistentVolumeReclaimPolicy]cluster.ReclaimPolicy{
	"": cluster.Retain, v1.PersistentVolumeReclaimRetain: cluster.Retain,
	v1.PersistentVolumeReclaimDelete: cluster.Delete, v1.PersistentVolumeReclaimRecycle: cluster.Recycle,
}

// VolumePhases are the phases of volumes, as the cluster names them; a volume without one is new.
var VolumePhases = map[v1.PersistentVolumePhase]cluster.VolumePhase{
	"": cluster.NewVolume, v1.VolumePending: cluster.VolumePending, v1.VolumeAvailable: cluster.VolumeAvailable,
	v1.VolumeBound: cluster.VolumeBound, v1.VolumeReleased: cluster.VolumeReleased, v1.VolumeFailed: cluster.VolumeFailed,
}

func (c *Checker) volumeAffinity(faults *document.Errors, at document.Value, a *v1.VolumeNodeAffinity) {
	const path = "spec.nodeAffinity.required"
	if a.Required == nil {
		faults.Add(at, path, "is required")
		return
	}
	if len(a.Required.NodeSelectorTerms) == 0 {
		faults.Add(at, path+".nodeSelectorTerms", "must have at least one term")
	}
	for i := range a.Required.NodeSelectorTerms {
		term := decode.Join(path+".nodeSelectorTerms", i)
		c.term(faults, at, term, &a.Required.NodeSelectorTerms[i])
		c.termValues(faults, at, term, &a.Required.NodeSelectorTerms[i])
	}
}

// Upstream: ValidatePersistentVolumeClaim of pkg/apis/core/validation, v1.36.3.
func checkPersistentVolumeClaim(c *Checker, o *decode.Object) {
	claim := decoded[v1.PersistentVolumeClaim](c, o)
	c.meta(o, &claim.ObjectMeta, true)
	c.claimSpec(&o.Faults, o.At.Get("spec"), &claim.Spec)
	switch claim.Status.Phase {
	case "", v1.ClaimPending, v1.ClaimBound, v1.ClaimLost:
	default:
		o.Faults.Add(o.At, "status.phase", "is not a phase; Pending, Bound and Lost are")
	}
}

// claimSpec checks the spec of a claim.
//
// Upstream: ValidatePersistentVolumeClaimSpec of pkg/apis/core/validation, v1.36.3.
func (c *Checker) claimSpec(faults *document.Errors, at document.Value, spec *v1.PersistentVolumeClaimSpec) {
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
