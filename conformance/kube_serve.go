package conformance

import (
	"encoding/json"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/testing"
	"k8s.io/klog/v2"
)

// serve plays the API server: it does what the scheduler asks for at once, and tells
// the scheduler's cache and queue as informers would.
func (k *kube) serve(action testing.Action) (bool, runtime.Object, error) {
	var err error
	switch a := action.(type) {
	case testing.PatchAction:
		err = k.patch(a)
	case testing.DeleteAction:
		err = k.evict(a.GetNamespace(), a.GetName())
	case testing.CreateAction:
		if binding, is := a.GetObject().(*v1.Binding); is {
			err = k.bind(binding)
			break
		}
		err = fmt.Errorf("the scheduler created a %T", a.GetObject())
	default:
		err = fmt.Errorf("the scheduler asked for %s %s", a.GetVerb(), a.GetResource().Resource)
	}
	if err != nil && k.err == nil {
		k.err = err
	}
	return true, &v1.Pod{}, err
}

func (k *kube) pod(namespace, name string) (*v1.Pod, error) {
	o, found, err := k.pods.GetByKey(namespace + "/" + name)
	if err != nil || !found {
		return nil, fmt.Errorf("no pod %s/%s: %v", namespace, name, err)
	}
	return o.(*v1.Pod), nil
}

// patch heeds what a patch of the status says of the nominated node.
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
	old, err := k.pod(a.GetNamespace(), a.GetName())
	if err != nil {
		return err
	}
	pod := old.DeepCopy()
	pod.Status.NominatedNodeName, _ = value.(string)
	if key := pod.Namespace + "/" + pod.Name; key != k.now.Pod {
		k.now.Cleared = append(k.now.Cleared, key)
	}
	if err := k.pods.Update(pod); err != nil {
		return err
	}
	k.scheduler.SchedulingQueue.Update(k.ctx, old, pod)
	return nil
}

// evict deletes a victim, without a grace period.
func (k *kube) evict(namespace, name string) error {
	pod, err := k.pod(namespace, name)
	if err != nil {
		return err
	}
	k.now.Victims = append(k.now.Victims, namespace+"/"+name)
	if err := k.pods.Delete(pod); err != nil {
		return err
	}
	return k.scheduler.Cache.RemovePod(klog.FromContext(k.ctx), pod)
}

// bind puts a pod on its node, where it starts at once.
func (k *kube) bind(b *v1.Binding) error {
	old, err := k.pod(b.Namespace, b.Name)
	if err != nil {
		return err
	}
	pod := old.DeepCopy()
	k.start = k.start.Add(time.Second)
	pod.Spec.NodeName, pod.Status.NominatedNodeName = b.Target.Name, ""
	pod.Status.StartTime = &metav1.Time{Time: k.start}
	if err := k.pods.Update(pod); err != nil {
		return err
	}
	return k.scheduler.Cache.AddPod(klog.FromContext(k.ctx), pod)
}
