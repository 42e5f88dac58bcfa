package main

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kubepod "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/policy"
	kubepolicyv1 "k8s.io/kubernetes/pkg/apis/policy/v1"
	policyvalidation "k8s.io/kubernetes/pkg/apis/policy/validation"
	"k8s.io/kubernetes/pkg/apis/storage"
	kubestoragev1 "k8s.io/kubernetes/pkg/apis/storage/v1"
	storagevalidation "k8s.io/kubernetes/pkg/apis/storage/validation"

	"github.com/berth-sim/berth/conformance/protocol"
)

// validate says what the API server has against the objects of a case once they are admitted, and kube-scheduler against
// its configuration.
func validate(c *protocol.Case) ([]string, error) {
	w, err := admit(c.Objects)
	if err != nil {
		return nil, err
	}
	var out []string
	complain := func(o apiObject) {
		for _, f := range faultsOf(o) {
			if o.GetUID() == "" && strings.HasPrefix(f.Field, "metadata") {
				continue // made by a controller here
			}
			out = append(out, fmt.Sprintf("%T %s: %v", o, o.GetName(), f))
		}
	}
	for _, o := range w.objects {
		complain(o)
	}
	for _, pod := range slices.Concat(w.running, w.pending) {
		complain(pod)
	}
	if _, err := configurationOf(c.Configuration); err != nil {
		out = append(out, err.Error())
	}
	return out, nil
}

// podOptions are what the release validates a new pod with.
func podOptions(pod *core.Pod) corevalidation.PodValidationOptions {
	options := kubepod.GetValidationOptionsFromPodSpecAndMeta(&pod.Spec, nil, &pod.ObjectMeta, nil)
	options.ResourceIsPod = true
	return options
}

// faultsOf is what the API server has against an object, apart from what a controller
// that owns it would make sure of.
func faultsOf(o apiObject) field.ErrorList {
	switch o := o.(type) {
	case *v1.Pod:
		var in core.Pod
		if err := corev1.Convert_v1_Pod_To_core_Pod(o.DeepCopy(), &in, nil); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
		return corevalidation.ValidatePodCreate(&in, podOptions(&in))
	case *v1.Node:
		var in core.Node
		if err := corev1.Convert_v1_Node_To_core_Node(o, &in, nil); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
		return corevalidation.ValidateNode(&in)
	case *v1.PersistentVolume:
		var in core.PersistentVolume
		if err := corev1.Convert_v1_PersistentVolume_To_core_PersistentVolume(o, &in, nil); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
		return corevalidation.ValidatePersistentVolume(&in, corevalidation.ValidationOptionsForPersistentVolume(&in, nil))
	case *v1.PersistentVolumeClaim:
		var in core.PersistentVolumeClaim
		if err := corev1.Convert_v1_PersistentVolumeClaim_To_core_PersistentVolumeClaim(o, &in, nil); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
		return corevalidation.ValidatePersistentVolumeClaim(&in, corevalidation.ValidationOptionsForPersistentVolumeClaim(&in, nil))
	case *policyv1.PodDisruptionBudget:
		var in policy.PodDisruptionBudget
		if err := kubepolicyv1.Convert_v1_PodDisruptionBudget_To_policy_PodDisruptionBudget(o, &in, nil); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
		return policyvalidation.ValidatePodDisruptionBudget(&in, policyvalidation.PodDisruptionBudgetValidationOptions{})
	}
	return storageFaults(o)
}

func storageFaults(o apiObject) field.ErrorList {
	internal := func(err error) field.ErrorList { return field.ErrorList{field.InternalError(nil, err)} }
	switch o := o.(type) {
	case *storagev1.StorageClass:
		var in storage.StorageClass
		if err := kubestoragev1.Convert_v1_StorageClass_To_storage_StorageClass(o, &in, nil); err != nil {
			return internal(err)
		}
		return storagevalidation.ValidateStorageClass(&in)
	case *storagev1.CSINode:
		var in storage.CSINode
		if err := kubestoragev1.Convert_v1_CSINode_To_storage_CSINode(o, &in, nil); err != nil {
			return internal(err)
		}
		return validateCSINode(&in)
	case *storagev1.CSIDriver:
		var in storage.CSIDriver
		if err := kubestoragev1.Convert_v1_CSIDriver_To_storage_CSIDriver(o, &in, nil); err != nil {
			return internal(err)
		}
		return storagevalidation.ValidateCSIDriver(&in)
	case *storagev1.CSIStorageCapacity:
		var in storage.CSIStorageCapacity
		if err := kubestoragev1.Convert_v1_CSIStorageCapacity_To_storage_CSIStorageCapacity(o, &in, nil); err != nil {
			return internal(err)
		}
		return storagevalidation.ValidateCSIStorageCapacity(&in, storagevalidation.CSIStorageCapacityValidateOptions{})
	case *storagev1.VolumeAttachment:
		var in storage.VolumeAttachment
		if err := kubestoragev1.Convert_v1_VolumeAttachment_To_storage_VolumeAttachment(o, &in, nil); err != nil {
			return internal(err)
		}
		return storagevalidation.ValidateVolumeAttachment(&in)
	}
	return nil
}
