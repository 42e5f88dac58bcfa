//go:build before1.36

package main

import (
	"context"
	"reflect"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/pkg/apis/storage"
	"k8s.io/kubernetes/pkg/apis/storage/validation"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// newRecorder makes a recorder of events that records nothing.
func newRecorder(string) events.EventRecorder { return &events.FakeRecorder{} }

func validateCSINode(n *storage.CSINode) field.ErrorList {
	return validation.ValidateCSINode(n, validation.CSINodeValidationOptions{})
}

// schedulePod finds a node for a pod.
func (k *kube) schedulePod(profile framework.Framework, state cycleState, pod *framework.PodInfo) (scheduler.ScheduleResult, error) {
	return k.scheduler.SchedulePod(k.ctx, profile, state, pod.Pod)
}

// patient has evicting called before a victim is evicted, with the number of all of them, and what that returns after. It
// returns what keeps the pods for which others are being evicted.
func patient(d *defaultpreemption.DefaultPreemption, evicting func(victims int) (done func())) reflect.Value {
	evict := d.Evaluator.PreemptPod
	d.Evaluator.PreemptPod = func(ctx context.Context, c preemption.Candidate, by, victim *v1.Pod, plugin string) error {
		defer evicting(len(c.Victims().Pods))()
		return evict(ctx, c, by, victim, plugin)
	}
	return reflect.ValueOf(d.Evaluator).Elem()
}
