package resources

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/release"
)

// ShowsResize reports whether the status of a pod can make it count with other requests than those of its spec.
func ShowsResize(pod *v1.Pod, rule release.ResizeRequests) bool {
	shows := func(s v1.ContainerStatus) bool {
		return s.Resources != nil || rule == release.ResizePerPod && s.AllocatedResources != nil
	}
	return rule != release.ResizePerContainer && pod.Status.Resources != nil ||
		rule == release.ResizePerPod && isResizeInfeasible(pod) ||
		slices.ContainsFunc(pod.Status.ContainerStatuses, shows) || slices.ContainsFunc(pod.Status.InitContainerStatuses, shows)
}

// Resized returns the requests with which the parts of a pod count on the node where it runs.
//
// Upstream: PodRequests of k8s.io/component-helpers/resource/helpers.go with UseStatusResources, v0.35.4, v0.36.3 and v0.37.2.
func (d *PodRequests) Resized(pod *v1.Pod, rule release.ResizeRequests) PodRequests {
	out := d.resizedContainers(pod)
	if rule == release.ResizePerPod {
		out = d.highestOfThree(pod)
	}
	out.Pod, out.Overhead = d.Pod, d.Overhead
	if pod.Status.Resources == nil || rule == release.ResizePerContainer {
		return out
	}
	all := counted(pod, d.Pod, pod.Status.Resources.Requests, pod.Status.AllocatedResources)
	if rule == release.ResizePerPod {
		if len(d.Pod) > 0 { // the status has all that was allocated, of which some resources have no pod level
			out.Pod = slices.DeleteFunc(all, func(a Amount) bool { return !IsPodLevel(a.Name) })
		}
		return out
	}
	out.Pod = slices.Clone(d.Pod)
	for i := range out.Pod { // other names do not count at the level of the pod
		out.Pod[i].Milli, _ = all.Get(out.Pod[i].Name)
	}
	return out
}

// resizedContainers counts every container with its highest figure. Init containers that end count by their spec.
//
// Upstream: AggregateContainerRequests of k8s.io/component-helpers/resource/helpers.go, v0.36.3.
func (d *PodRequests) resizedContainers(pod *v1.Pod) PodRequests {
	statuses := statusesByName(pod)
	effective := func(name string, spec Amounts) Amounts {
		s := statuses[name]
		if s == nil || s.Resources == nil {
			return spec
		}
		return counted(pod, spec, s.Resources.Requests, s.AllocatedResources)
	}
	return d.countedBy(pod, func(c *v1.Container, spec Amounts, isInit bool) Amounts {
		if isInit && !IsSidecar(c) {
			return spec
		}
		return effective(c.Name, spec)
	})
}

// highestOfThree counts the pod as it is desired, as it was allocated and as it is. As it is desired does not count where
// the node can never grant it.
//
// Upstream: AggregateContainerRequests of k8s.io/component-helpers/resource/helpers.go, v0.37.2.
func (d *PodRequests) highestOfThree(pod *v1.Pod) PodRequests {
	var counts []PodRequests
	infeasible := isResizeInfeasible(pod)
	if !infeasible {
		counts = append(counts, d.countedBy(pod, func(_ *v1.Container, spec Amounts, _ bool) Amounts { return spec }))
	}
	if of := pod.Status.Resources; of != nil && of.Requests != nil && pod.Status.AllocatedResources != nil {
		counts = append(counts, sumOf(pod.Status.AllocatedResources), sumOf(of.Requests))
	} else {
		statuses := statusesByName(pod)
		allocated := func(c *v1.Container, spec Amounts, _ bool) Amounts {
			switch s := statuses[c.Name]; {
			case s != nil && s.AllocatedResources != nil:
				return AmountsOf(s.AllocatedResources)
			case infeasible:
				return nil
			}
			return spec
		}
		actual := func(c *v1.Container, spec Amounts, isInit bool) Amounts {
			if s := statuses[c.Name]; s != nil && s.Resources != nil && s.Resources.Requests != nil {
				return AmountsOf(s.Resources.Requests)
			}
			return allocated(c, spec, isInit)
		}
		counts = append(counts, d.countedBy(pod, allocated), d.countedBy(pod, actual))
	}
	out := counts[0]
	out.others = counts[1:]
	return out
}

// sumOf counts the containers as together.
func sumOf(together v1.ResourceList) PodRequests {
	return PodRequests{containers: []Amounts{AmountsOf(together)}, exact: true}
}

// countedBy counts every container by what of returns.
func (d *PodRequests) countedBy(pod *v1.Pod, of func(c *v1.Container, spec Amounts, isInit bool) Amounts) PodRequests {
	var out PodRequests
	for i := range d.containers {
		out.containers = append(out.containers, of(&pod.Spec.Containers[i], d.containers[i], false))
	}
	for i := range d.inits {
		c := &pod.Spec.InitContainers[i]
		out.inits = append(out.inits, initRequests{of(c, d.inits[i].requests, true), IsSidecar(c)})
	}
	return out
}

func statusesByName(pod *v1.Pod) map[string]*v1.ContainerStatus {
	statuses := map[string]*v1.ContainerStatus{}
	for _, list := range [][]v1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range list {
			statuses[list[i].Name] = &list[i]
		}
	}
	return statuses
}

// counted is the most of what is asked for, what is in effect and what has been granted;
// what is asked for does not count where the node can never grant it.
func counted(pod *v1.Pod, spec Amounts, actual, allocated v1.ResourceList) Amounts {
	most := AmountsOf(actual).Max(AmountsOf(allocated))
	if isResizeInfeasible(pod) {
		return most
	}
	return slices.Clone(spec).Max(most)
}

func isResizeInfeasible(pod *v1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.PodResizePending {
			return condition.Reason == v1.PodReasonInfeasible
		}
	}
	return false
}
