package validate

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

func checkPod(c *Checker, o *decode.Object) {
	pod := decoded[v1.Pod](c, o)
	c.meta(o, &pod.ObjectMeta, true)
	if IsFinished(pod) {
		return
	}
	spec := o.At.Get("spec")
	c.podSpec(&o.Faults, spec, &pod.Spec)
	if pod.Spec.NodeName != "" && len(pod.Spec.SchedulingGates) > 0 {
		o.Faults.Add(spec, "nodeName", "cannot be set while there are scheduling gates")
	}
	if name := pod.Status.NominatedNodeName; name != "" {
		if what := c.subdomain(name); what != "" {
			o.Faults.Add(o.At, "status.nominatedNodeName", "is not valid: %s", what)
		}
	}
	c.statusResources(o, pod)
}

// IsFinished reports whether the pod's phase is Succeeded or Failed.
func IsFinished(pod *v1.Pod) bool {
	return pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
}

// statusResources checks what the status of a pod says of resources.
func (c *Checker) statusResources(o *decode.Object, pod *v1.Pod) {
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
				c.resources(&o.Faults, o.At, decode.Join(list.path, i, "resources", "requests"), status.Resources.Requests, nodeNames)
			}
			c.resources(&o.Faults, o.At, decode.Join(list.path, i, "allocatedResources"), status.AllocatedResources, nodeNames)
		}
	}
	if pod.Status.Resources != nil {
		c.resources(&o.Faults, o.At, "status.resources.requests", pod.Status.Resources.Requests, nodeNames)
	}
	c.resources(&o.Faults, o.At, "status.allocatedResources", pod.Status.AllocatedResources, nodeNames)
}
