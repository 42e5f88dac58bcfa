package main

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/testing"
)

// serve plays the API server: it does what the scheduler asks for at once, and tells
// the scheduler's cache and queue as informers would.
func (k *kube) serve(action testing.Action) (bool, runtime.Object, error) {
	var err error
	var answer runtime.Object = &v1.Pod{}
	switch a := action.(type) {
	case testing.PatchAction:
		err = k.patch(a)
	case testing.DeleteAction:
		err = k.evict(a.GetNamespace(), a.GetName())
	case testing.CreateActionImpl:
		if binding, is := a.GetObject().(*v1.Binding); is {
			err = k.bind(binding)
			break
		}
		err = fmt.Errorf("the scheduler created a %T", a.GetObject())
	case testing.UpdateActionImpl:
		updated, is := a.GetObject().DeepCopyObject().(apiObject)
		if !is {
			err = fmt.Errorf("the scheduler updated a %T", a.GetObject())
			break
		}
		answer, err = updated, k.store.put(updated)
	default:
		err = fmt.Errorf("the scheduler asked for %s %s", a.GetVerb(), a.GetResource().Resource)
	}
	if err != nil && k.err == nil {
		k.err = err
	}
	return true, answer, err
}

// patch honors what a patch of the status says of the nominated node.
func (k *kube) patch(a testing.PatchAction) error {
	var change struct {
		Status map[string]any `json:"status"`
	}
	if err := json.Unmarshal(a.GetPatch(), &change); err != nil {
		return err
	}
	value, nominates := change.Status["nominatedNodeName"]
	if !nominates {
		return nil
	}
	old, err := get[*v1.Pod](k.store, a.GetNamespace(), a.GetName())
	if err != nil {
		return err
	}
	pod := old.DeepCopy()
	pod.Status.NominatedNodeName, _ = value.(string)
	if key := pod.Namespace + "/" + pod.Name; key != k.now.Pod {
		k.now.Cleared = append(k.now.Cleared, key)
	}
	return k.store.put(pod)
}

// evict notes a victim, which will have left when preemption is done with all of them.
func (k *kube) evict(namespace, name string) error {
	pod, err := get[*v1.Pod](k.store, namespace, name)
	if err != nil {
		return err
	}
	k.now.Victims = append(k.now.Victims, namespace+"/"+name)
	k.leaving = append(k.leaving, pod)
	return nil
}

// bind puts a pod on its node, where it starts at once: all within one second, which is what a start time in the API
// can distinguish.
func (k *kube) bind(b *v1.Binding) error {
	old, err := get[*v1.Pod](k.store, b.Namespace, b.Name)
	if err != nil {
		return err
	}
	pod := old.DeepCopy()
	pod.Spec.NodeName, pod.Status.NominatedNodeName = b.Target.Name, ""
	pod.Status.StartTime = &metav1.Time{Time: k.start}
	if err := k.labelTopology(pod); err != nil {
		return err
	}
	return k.store.put(pod)
}

// labelTopology follows the admission plugin PodTopologyLabels: a pod that is bound gets the zone and the region of its node.
func (k *kube) labelTopology(pod *v1.Pod) error {
	if !enabled("PodTopologyLabelsAdmission") {
		return nil
	}
	node, err := get[*v1.Node](k.store, "", pod.Spec.NodeName)
	if err != nil {
		return err
	}
	for _, key := range []string{v1.LabelTopologyZone, v1.LabelTopologyRegion} {
		if value, has := node.Labels[key]; has {
			metav1.SetMetaDataLabel(&pod.ObjectMeta, key, value)
		}
	}
	return nil
}
