//go:build !before1.37

package main

import (
	"context"
	"reflect"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	kubepod "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// queued is what the queue holds: a pod, or with GenericWorkload a pod group.
type queued = framework.QueuedEntityInfo

func podOf(q queued) *v1.Pod { return q.(*framework.QueuedPodInfo).Pod }

// setNext has the scheduler ask f for the next pod.
func (k *kube) setNext(f func(klog.Logger) (queued, error)) { k.scheduler.NextEntity = f }

// defaultPodLevelResources is part of creating a pod.
func defaultPodLevelResources(pod *core.Pod) { kubepod.DefaultPodLevelResources(pod) }

// patient has evicting called before a victim is evicted, with the number of all of them, and what that returns after. It
// returns what keeps the pods for which others are being evicted.
func patient(d *defaultpreemption.DefaultPreemption, evicting func(victims int) (done func())) reflect.Value {
	evict := d.Executor.PreemptPod
	d.Executor.PreemptPod = func(ctx context.Context, c preemption.Candidate, by preemption.ExecutorPreemptor, victim *v1.Pod, plugin string) (bool, error) {
		defer evicting(len(c.Victims().Pods))()
		return evict(ctx, c, by, victim, plugin)
	}
	return reflect.ValueOf(d.Executor).Elem()
}

// orderVictims orders victims of equal importance by name, upstream as its sort happens to leave them.
func orderVictims(d *defaultpreemption.DefaultPreemption) {
	name := func(v preemption.Victim) string { return v.Pods()[0].GetPod().Name }
	d.MoreImportantVictim = byNameAmongEqual(d.MoreImportantVictim, name)
}
