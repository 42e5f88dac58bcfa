//go:build before1.37 && !before1.34

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
)

// orderVictims orders victims of equal importance by name, upstream as its sort happens to leave them.
func orderVictims(d *defaultpreemption.DefaultPreemption) {
	d.MoreImportantPod = byNameAmongEqual(d.MoreImportantPod, func(pod *v1.Pod) string { return pod.Name })
}
