package main

import (
	"fmt"
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/storage/ephemeral"
	"k8s.io/component-helpers/storage/volume"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/utils/ptr"
)

// addPods admits pods, those that run and those that wait.
func (w *admitted) addPods(pods []*v1.Pod) error {
	for _, pod := range pods {
		corev1.SetObjectDefaults_Pod(pod)
		if err := createPod(pod); err != nil {
			return err
		}
		if err := w.admitPriority(pod); err != nil {
			return err
		}
		if err := w.admitRuntime(pod); err != nil {
			return err
		}
		if err := w.addClaims(pod); err != nil {
			return err
		}
		if err := w.addNamespace(pod.Namespace); err != nil {
			return err
		}
		if pod.Spec.NodeName == "" {
			w.pending = append(w.pending, pod)
			continue
		}
		if start := pod.Status.StartTime; start != nil && start.After(w.latestStart) {
			w.latestStart = pod.Status.StartTime.Time
		}
		w.running = append(w.running, pod)
	}
	for _, claim := range w.claims {
		w.admitClaim(claim)
	}
	return nil
}

// addNamespace makes the namespace of a pod, which is there in a cluster before the pod is.
func (w *admitted) addNamespace(name string) error {
	if w.namespaces[name] {
		return nil
	}
	o := &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	w.objects = append(w.objects, o)
	return w.register(o)
}

// admitPriority follows plugin/pkg/admission/priority.
func (w *admitted) admitPriority(pod *v1.Pod) error {
	class := w.fallback
	if name := pod.Spec.PriorityClassName; name != "" {
		if class = w.priorities[name]; class == nil {
			return fmt.Errorf("pod %s: no PriorityClass %s", pod.Name, name)
		}
	}
	priority, policy := int32(0), v1.PreemptLowerPriority
	if class != nil {
		pod.Spec.PriorityClassName, priority = class.Name, class.Value
		if class.PreemptionPolicy != nil {
			policy = *class.PreemptionPolicy
		}
	}
	pod.Spec.Priority, pod.Spec.PreemptionPolicy = &priority, &policy
	return nil
}

// admitRuntime follows plugin/pkg/admission/runtimeclass.
func (w *admitted) admitRuntime(pod *v1.Pod) error {
	if pod.Spec.RuntimeClassName == nil {
		return nil
	}
	class := w.runtimes[*pod.Spec.RuntimeClassName]
	if class == nil {
		return fmt.Errorf("pod %s: no RuntimeClass %s", pod.Name, *pod.Spec.RuntimeClassName)
	}
	if class.Overhead != nil {
		pod.Spec.Overhead = class.Overhead.PodFixed
	}
	if class.Scheduling != nil {
		selector := maps.Clone(class.Scheduling.NodeSelector)
		if selector == nil {
			selector = map[string]string{}
		}
		maps.Copy(selector, pod.Spec.NodeSelector)
		pod.Spec.NodeSelector = selector
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, class.Scheduling.Tolerations...)
	}
	return nil
}

// addClaims makes the claims of ephemeral volumes, as their controller does.
func (w *admitted) addClaims(pod *v1.Pod) error {
	for i := range pod.Spec.Volumes {
		own := &pod.Spec.Volumes[i]
		if own.Ephemeral == nil {
			continue
		}
		name := ephemeral.VolumeClaimName(pod, own)
		if w.claims[pod.Namespace+"/"+name] != nil {
			continue
		}
		template := own.Ephemeral.VolumeClaimTemplate
		claim := &v1.PersistentVolumeClaim{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
		claim.Name, claim.Namespace = name, pod.Namespace
		claim.UID = pod.UID + "-" + types.UID(own.Name)
		claim.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(pod, v1.SchemeGroupVersion.WithKind("Pod"))}
		if err := w.register(claim); err != nil {
			return err
		}
		w.objects = append(w.objects, claim)
		w.bindNamed(claim)
	}
	return nil
}

// bindNamed does for a claim that names a volume what the PV controller does.
func (w *admitted) bindNamed(claim *v1.PersistentVolumeClaim) {
	i := slices.IndexFunc(w.objects, func(o apiObject) bool {
		pv, is := o.(*v1.PersistentVolume)
		return is && pv.Name == claim.Spec.VolumeName
	})
	if i < 0 {
		return
	}
	pv := w.objects[i].(*v1.PersistentVolume)
	free := pv.Spec.ClaimRef == nil && satisfies(pv, claim)
	if free || volume.IsVolumeBoundToClaim(pv, claim) {
		pv.Spec.ClaimRef = &v1.ObjectReference{Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID}
		pv.Status.Phase, claim.Status.Phase = v1.VolumeBound, v1.ClaimBound
		metav1.SetMetaDataAnnotation(&claim.ObjectMeta, volume.AnnBindCompleted, "yes")
	}
}

// satisfies follows checkVolumeSatisfyClaim of pkg/controller/volume/persistentvolume, which needs
// modules that nothing else here does.
func satisfies(pv *v1.PersistentVolume, claim *v1.PersistentVolumeClaim) bool {
	return pv.DeletionTimestamp == nil &&
		pv.Spec.Capacity.Storage().Value() >= claim.Spec.Resources.Requests.Storage().Value() &&
		volume.GetPersistentVolumeClass(pv) == volume.GetPersistentVolumeClaimClass(claim) &&
		ptr.Deref(pv.Spec.VolumeAttributesClassName, "") == ptr.Deref(claim.Spec.VolumeAttributesClassName, "") &&
		!volume.CheckVolumeModeMismatches(&claim.Spec, &pv.Spec) && volume.CheckAccessModes(claim, pv)
}

// admitClaim follows plugin/pkg/admission/storage/storageclass/setdefault.
func (w *admitted) admitClaim(claim *v1.PersistentVolumeClaim) {
	if w.storage != nil && claim.Spec.StorageClassName == nil && !metav1.HasAnnotation(claim.ObjectMeta, v1.BetaStorageClassAnnotation) {
		claim.Spec.StorageClassName = &w.storage.Name
	}
}
