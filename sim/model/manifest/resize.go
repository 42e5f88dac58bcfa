package manifest

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
	v1 "k8s.io/api/core/v1"
)

// statusResources checks what the status of a pod says of resources.
func (c *checker) statusResources(o *object, pod *v1.Pod) {
	for _, list := range []struct {
		path     string
		statuses []v1.ContainerStatus
	}{
		{"status.containerStatuses", pod.Status.ContainerStatuses},
		{"status.initContainerStatuses", pod.Status.InitContainerStatuses},
	} {
		for i := range list.statuses {
			status := &list.statuses[i]
			if status.Resources != nil {
				c.resources(&o.faults, o.at, join(list.path, i, "resources", "requests"), status.Resources.Requests, nodeNames)
			}
			c.resources(&o.faults, o.at, join(list.path, i, "allocatedResources"), status.AllocatedResources, nodeNames)
		}
	}
	if pod.Status.Resources != nil {
		c.resources(&o.faults, o.at, "status.resources.requests", pod.Status.Resources.Requests, nodeNames)
	}
	c.resources(&o.faults, o.at, "status.allocatedResources", pod.Status.AllocatedResources, nodeNames)
}

// resized is the class of an admitted pod by what its status says that it takes on its node; nil where the
// status says nothing.
func (cp *compiler) resized(o *object, a *admitted, of *cluster.Class) *cluster.Class {
	pod := o.typed.(*v1.Pod)
	shows := func(s v1.ContainerStatus) bool { return s.Resources != nil }
	if pod.Status.Resources == nil && !slices.ContainsFunc(pod.Status.ContainerStatuses, shows) &&
		!slices.ContainsFunc(pod.Status.InitContainerStatuses, shows) {
		return nil
	}
	d := a.requests.resized(pod)
	class := *of
	if name := cp.fill(&class, &d); name != "" {
		o.faults.Add(o.at, "status", "shows too much %s: the largest amount is 2^53 of the base unit", name)
		return nil
	}
	// What an incoming pod asks for in scores is for its spec to say.
	class.ScoreRequests, class.ScoreNonZero = of.ScoreRequests, of.ScoreNonZero
	return cp.intern(class)
}

// resized is what the parts of a pod count with on the node where it runs.
//
// Upstream: PodRequests and AggregateContainerRequests of
// k8s.io/component-helpers/resource/helpers.go, v0.36.3, with UseStatusResources.
func (d *demand) resized(pod *v1.Pod) demand {
	statuses := map[string]*v1.ContainerStatus{}
	for _, list := range [][]v1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range list {
			statuses[list[i].Name] = &list[i]
		}
	}
	effective := func(name string, spec amounts) amounts {
		s := statuses[name]
		if s == nil || s.Resources == nil {
			return spec
		}
		return counted(pod, spec, s.Resources.Requests, s.AllocatedResources)
	}
	out := demand{containers: slices.Clone(d.containers), inits: slices.Clone(d.inits), pod: d.pod, overhead: d.overhead}
	for i := range out.containers {
		out.containers[i] = effective(pod.Spec.Containers[i].Name, out.containers[i])
	}
	for i := range out.inits {
		if c := &out.inits[i]; c.sidecar {
			c.requests = effective(pod.Spec.InitContainers[i].Name, c.requests)
		}
	}
	if pod.Status.Resources != nil {
		all := counted(pod, d.pod, pod.Status.Resources.Requests, pod.Status.AllocatedResources)
		out.pod = slices.Clone(d.pod)
		for i := range out.pod { // other names do not count at the level of the pod
			out.pod[i].milli, _ = all.get(out.pod[i].name)
		}
	}
	return out
}

// counted is the most of what is asked for, what is in effect and what has been granted;
// what is asked for does not count where the node can never grant it.
func counted(pod *v1.Pod, spec amounts, actual, allocated v1.ResourceList) amounts {
	most := amountsOf(actual).most(amountsOf(allocated))
	if resizeInfeasible(pod) {
		return most
	}
	return slices.Clone(spec).most(most)
}

func resizeInfeasible(pod *v1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.PodResizePending {
			return condition.Reason == v1.PodReasonInfeasible
		}
	}
	return false
}
