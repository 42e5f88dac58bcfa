package main

import (
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubepv "k8s.io/kubernetes/pkg/api/persistentvolume"
	kubepvc "k8s.io/kubernetes/pkg/api/persistentvolumeclaim"
	kubepod "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
)

// createPod does to a pod what the API server does when it is created, after it has its defaults: PrepareForCreate of
// pkg/registry/core/pod/strategy.go. Its status stays, since a pod that runs was not created a moment ago.
func createPod(pod *v1.Pod) error {
	var internal core.Pod
	if err := corev1.Convert_v1_Pod_To_core_Pod(pod, &internal, nil); err != nil {
		return err
	}
	prepare(&internal)
	if err := corev1.Convert_core_PodSpec_To_v1_PodSpec(&internal.Spec, &pod.Spec, nil); err != nil {
		return err
	}
	mergeLabelKeys(pod)
	return nil
}

// prepare is what comes after the admission plugins have changed a new pod, apart from what mergeLabelKeys does.
func prepare(pod *core.Pod) {
	kubepod.DropDisabledPodFields(pod, nil)
	defaultPodLevelResources(pod)
}

// createVolume and createClaim drop fields whose gates are off.
func createVolume(pv *v1.PersistentVolume) error {
	var internal core.PersistentVolumeSpec
	if err := corev1.Convert_v1_PersistentVolumeSpec_To_core_PersistentVolumeSpec(&pv.Spec, &internal, nil); err != nil {
		return err
	}
	kubepv.DropDisabledSpecFields(&internal, nil)
	return corev1.Convert_core_PersistentVolumeSpec_To_v1_PersistentVolumeSpec(&internal, &pv.Spec, nil)
}

func createClaim(claim *v1.PersistentVolumeClaim) error {
	var internal core.PersistentVolumeClaimSpec
	if err := corev1.Convert_v1_PersistentVolumeClaimSpec_To_core_PersistentVolumeClaimSpec(&claim.Spec, &internal, nil); err != nil {
		return err
	}
	kubepvc.DropDisabledFields(&internal, nil)
	return corev1.Convert_core_PersistentVolumeClaimSpec_To_v1_PersistentVolumeClaimSpec(&internal, &claim.Spec, nil)
}

// mergeLabelKeys follows mutatePodAffinity and, where the release has it, mutateTopologySpreadConstraints of the strategy.
func mergeLabelKeys(pod *v1.Pod) {
	if a := pod.Spec.Affinity; a != nil {
		if p := a.PodAffinity; p != nil {
			mergeTerms(pod, p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
		}
		if p := a.PodAntiAffinity; p != nil {
			mergeTerms(pod, p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
		}
	}
	if !enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge") {
		return
	}
	for i := range pod.Spec.TopologySpreadConstraints {
		c := &pod.Spec.TopologySpreadConstraints[i]
		mergeKeys(pod, c.LabelSelector, c.MatchLabelKeys, metav1.LabelSelectorOpIn)
	}
}

func mergeTerms(pod *v1.Pod, required []v1.PodAffinityTerm, preferred []v1.WeightedPodAffinityTerm) {
	merge := func(t *v1.PodAffinityTerm) {
		mergeKeys(pod, t.LabelSelector, t.MatchLabelKeys, metav1.LabelSelectorOpIn)
		mergeKeys(pod, t.LabelSelector, t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
	}
	for i := range required {
		merge(&required[i])
	}
	for i := range preferred {
		merge(&preferred[i].PodAffinityTerm)
	}
}

func mergeKeys(pod *v1.Pod, selector *metav1.LabelSelector, keys []string, op metav1.LabelSelectorOperator) {
	for _, key := range keys {
		if value, has := pod.Labels[key]; has && selector != nil {
			selector.MatchExpressions = append(selector.MatchExpressions,
				metav1.LabelSelectorRequirement{Key: key, Operator: op, Values: []string{value}})
		}
	}
}
