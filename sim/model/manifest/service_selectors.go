package manifest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// servicesOf are the selectors of the Services that select a pod, in the order of the objects.
//
// Upstream: GetPodServices of staging/src/k8s.io/client-go/listers/core/v1/service_expansion.go,
// v1.16.15. Differs: the order, which there is that of a cache.
func (cp *compiler) servicesOf(meta *metav1.ObjectMeta) []cluster.LabelSelector {
	var out []cluster.LabelSelector
	for _, selector := range cp.selecting.servicesFor(meta) {
		out = append(out, cp.labelSelector(&metav1.LabelSelector{MatchLabels: selector}))
	}
	return out
}
