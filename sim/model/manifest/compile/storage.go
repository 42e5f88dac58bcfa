package compile

import (
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

const annotationBindCompleted = "pv.kubernetes.io/bind-completed"

// annotationBoundByController says of a volume that no person has written its claimRef.
const annotationBoundByController = "pv.kubernetes.io/bound-by-controller"

// annotationSelectedNode names the node that a claim is to be provisioned for.
const annotationSelectedNode = "volume.kubernetes.io/selected-node"

func modesOf(modes []v1.PersistentVolumeAccessMode) cluster.AccessModes {
	var set cluster.AccessModes
	for _, mode := range modes {
		set |= validate.AccessModes[mode]
	}
	return set
}

func isBlock(mode *v1.PersistentVolumeMode) bool {
	return mode != nil && *mode == v1.PersistentVolumeBlock
}

// classOf is the name of the storage class of a volume or claim: that of the annotation of old, if it is there.
func classOf(meta *metav1.ObjectMeta, name string) string {
	if old, has := meta.Annotations[v1.BetaStorageClassAnnotation]; has {
		return old
	}
	return name
}

// PersistentVolume compiles a PersistentVolume.
func (compiler *Compiler) PersistentVolume(o *decode.Object) cluster.Volume {
	pv := o.Typed.(*v1.PersistentVolume)
	spec := &pv.Spec
	out := cluster.Volume{
		Name: o.Name, Labels: compiler.vocabulary.NewLabelSet(pv.Labels),
		StorageClass: compiler.vocabulary.Symbol(classOf(&pv.ObjectMeta, spec.StorageClassName)),
		Capacity:     spec.Capacity.Storage().Value(), Modes: modesOf(spec.AccessModes), Block: isBlock(spec.VolumeMode),
		Affinity: compiler.volumeAffinity(spec.NodeAffinity),
		Phase:    validate.VolumePhases[pv.Status.Phase], ReclaimPolicy: validate.ReclaimPolicies[spec.PersistentVolumeReclaimPolicy],
		Deleting: pv.DeletionTimestamp != nil,
	}
	out.AttributesClass = compiler.attributesClass(spec.VolumeAttributesClassName)
	if ref := spec.ClaimRef; ref != nil {
		_, byController := pv.Annotations[annotationBoundByController]
		out.Claim = cluster.ClaimRef{
			Given: true, Namespace: compiler.vocabulary.Symbol(ref.Namespace), Name: ref.Name, UID: string(ref.UID), ByController: byController,
		}
	}
	compiler.driverOf(pv, &out)
	return out
}

func (compiler *Compiler) volumeAffinity(a *v1.VolumeNodeAffinity) cluster.VolumeAffinity {
	if a == nil || a.Required == nil {
		return cluster.VolumeAffinity{}
	}
	return cluster.VolumeAffinity{Limited: true, Terms: compiler.selector(a.Required)}
}

// PersistentVolumeClaim compiles a PersistentVolumeClaim.
func (compiler *Compiler) PersistentVolumeClaim(o *decode.Object) cluster.Claim {
	pvc := o.Typed.(*v1.PersistentVolumeClaim)
	out := compiler.Claim(&pvc.ObjectMeta, &pvc.Spec)
	out.Namespace, out.Name, out.UID = compiler.vocabulary.Symbol(o.Namespace), o.Name, string(pvc.UID)
	_, out.BindCompleted = pvc.Annotations[annotationBindCompleted]
	if node, selected := pvc.Annotations[annotationSelectedNode]; selected {
		out.Selected, out.SelectedNode = true, compiler.vocabulary.Symbol(node)
	}
	out.Lost, out.Deleting = pvc.Status.Phase == v1.ClaimLost, pvc.DeletionTimestamp != nil
	out.New = pvc.Status.Phase == ""
	return out
}

// Claim compiles what claims and templates of claims have in common. One that says nothing of a class
// gets the default one.
//
// Upstream: plugin/pkg/admission/storage/storageclass/setdefault/admission.go, v1.36.3.
func (compiler *Compiler) Claim(meta *metav1.ObjectMeta, spec *v1.PersistentVolumeClaimSpec) cluster.Claim {
	class := compiler.chain.DefaultClass.Name
	if spec.StorageClassName != nil {
		class = *spec.StorageClassName
	}
	out := cluster.Claim{
		StorageClass: compiler.vocabulary.Symbol(classOf(meta, class)), VolumeName: spec.VolumeName,
		Request: spec.Resources.Requests.Storage().Value(), Modes: modesOf(spec.AccessModes), Block: isBlock(spec.VolumeMode),
	}
	if spec.Selector != nil {
		selector := compiler.labelSelector(spec.Selector)
		out.Selector = &selector
	}
	out.AttributesClass = compiler.attributesClass(spec.VolumeAttributesClassName)
	return out
}

// attributesClass returns the volume attributes class of a volume or claim. Where it does not matter the API server drops it.
//
// Upstream: DropDisabledFields of pkg/api/persistentvolumeclaim/util.go and DropDisabledSpecFields of
// pkg/api/persistentvolume/util.go, v1.33.13.
func (compiler *Compiler) attributesClass(name *string) cluster.Symbol {
	if name == nil || !compiler.check.Rules.AttributesClassMatters {
		return 0
	}
	return compiler.vocabulary.Symbol(*name)
}
