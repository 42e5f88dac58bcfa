package resources

import (
	"slices"

	"k8s.io/api/core/v1"
)

// IsBestEffort reports whether nothing of cpu and memory is promised to the pod: neither asked for
// nor limited, at the level of the pod where it has one, else by any container.
//
// Upstream: ComputePodQOS of pkg/apis/core/v1/helper/qos/qos.go, v1.36.3.
func IsBestEffort(spec *v1.PodSpec) bool {
	if spec.Resources != nil {
		return !promises(spec.Resources)
	}
	some := func(c v1.Container) bool { return promises(&c.Resources) }
	return !slices.ContainsFunc(spec.Containers, some) && !slices.ContainsFunc(spec.InitContainers, some)
}

func promises(r *v1.ResourceRequirements) bool {
	for _, list := range []v1.ResourceList{r.Requests, r.Limits} {
		for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory} {
			if q, given := list[name]; given && q.Sign() > 0 {
				return true
			}
		}
	}
	return false
}
