package resources

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/release"
)

// IsBestEffort reports whether the pod is BestEffort: no cpu or memory request or limit at pod
// level if that is set, else in any container.
//
// Upstream: ComputePodQOS of pkg/apis/core/v1/helper/qos/qos.go, v1.36.3.
func IsBestEffort(spec *v1.PodSpec, defaults release.PodLevelDefaults) bool {
	if spec.Resources != nil { // the requests of a pod with limits may be those of its containers
		d := RequestsOf(spec, defaults)
		return !promises(spec.Resources) && d.Pod.of("cpu") == 0 && d.Pod.of("memory") == 0
	}
	some := func(c v1.Container) bool { return promises(&c.Resources) }
	return !slices.ContainsFunc(spec.Containers, some) && !slices.ContainsFunc(spec.InitContainers, some)
}

// QoSOf returns the quality of service class of a pod that asks for d.
//
// Upstream: ComputePodQOS of pkg/apis/core/v1/helper/qos/qos.go, v1.36.3.
func QoSOf(spec *v1.PodSpec, d *PodRequests, defaults release.PodLevelDefaults) v1.PodQOSClass {
	switch {
	case IsBestEffort(spec, defaults):
		return v1.PodQOSBestEffort
	case isGuaranteed(spec, d, defaults):
		return v1.PodQOSGuaranteed
	}
	return v1.PodQOSBurstable
}

// isGuaranteed reports whether the pod has limits of cpu and memory and asks for as much: at the level of the pod where
// it has one, else in every container.
func isGuaranteed(spec *v1.PodSpec, d *PodRequests, defaults release.PodLevelDefaults) bool {
	if spec.Resources != nil {
		return asksForItsLimits(PodLimits(spec, defaults).List(), func(name v1.ResourceName) (int64, bool) { return d.Pod.Get(string(name)) })
	}
	guaranteed := true
	EachContainer(spec, func(_ string, c *v1.Container) {
		guaranteed = guaranteed && asksForItsLimits(c.Resources.Limits, func(name v1.ResourceName) (int64, bool) {
			q, given := c.Resources.Requests[name]
			return q.MilliValue(), given
		})
	})
	return guaranteed
}

// asksForItsLimits reports whether there are limits of cpu and memory that the requests, where there are some, equal.
func asksForItsLimits(limits v1.ResourceList, request func(v1.ResourceName) (milli int64, given bool)) bool {
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory} {
		limit := limits[name]
		if milli, given := request(name); limit.Sign() <= 0 || given && milli != limit.MilliValue() {
			return false
		}
	}
	return true
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
