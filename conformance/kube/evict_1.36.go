//go:build before1.37 && !before1.36

package main

import (
	"context"
	"reflect"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// patient has evicting called before a victim is evicted, with the number of all of them, and what that returns after. It
// returns what keeps the pods for which others are being evicted.
func patient(d *defaultpreemption.DefaultPreemption, evicting func(victims int) (done func())) reflect.Value {
	evict := d.Executor.PreemptPod
	d.Executor.PreemptPod = func(ctx context.Context, c preemption.Candidate, by preemption.ExecutorPreemptor, victim *v1.Pod, plugin string) error {
		defer evicting(len(c.Victims().Pods))()
		return evict(ctx, c, by, victim, plugin)
	}
	return reflect.ValueOf(d.Executor).Elem()
}
