package resources

import (
	"slices"

	"k8s.io/api/core/v1"
)

// Resized returns the requests with which the parts of a pod count on the node where it runs.
//
// Upstream: PodRequests and AggregateContainerRequests of
// k8s.io/component-helpers/resource/helpers.go, v0.36.3, with UseStatusResources.
func (d *PodRequests) Resized(pod *v1.Pod) PodRequests {
	statuses := map[string]*v1.ContainerStatus{}
	for _, list := range [][]v1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range list {
			statuses[list[i].Name] = &list[i]
		}
	}
	effective := func(name string, spec Amounts) Amounts {
		s := statuses[name]
		if s == nil || s.Resources == nil {
			return spec
		}
		return counted(pod, spec, s.Resources.Requests, s.AllocatedResources)
	}
	out := PodRequests{containers: slices.Clone(d.containers), inits: slices.Clone(d.inits), Pod: d.Pod, Overhead: d.Overhead}
	for i := range out.containers {
		out.containers[i] = effective(pod.Spec.Containers[i].Name, out.containers[i])
	}
	for i := range out.inits {
		if c := &out.inits[i]; c.sidecar {
			c.requests = effective(pod.Spec.InitContainers[i].Name, c.requests)
		}
	}
	if pod.Status.Resources != nil {
		all := counted(pod, d.Pod, pod.Status.Resources.Requests, pod.Status.AllocatedResources)
		out.Pod = slices.Clone(d.Pod)
		for i := range out.Pod { // other names do not count at the level of the pod
			out.Pod[i].Milli, _ = all.Get(out.Pod[i].Name)
		}
	}
	return out
}

// counted is the most of what is asked for, what is in effect and what has been granted;
// what is asked for does not count where the node can never grant it.
func counted(pod *v1.Pod, spec Amounts, actual, allocated v1.ResourceList) Amounts {
	most := AmountsOf(actual).Max(AmountsOf(allocated))
	if resizeInfeasible(pod) {
		return most
	}
	return slices.Clone(spec).Max(most)
}

func resizeInfeasible(pod *v1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.PodResizePending {
			return condition.Reason == v1.PodReasonInfeasible
		}
	}
	return false
}
