package manifest

import (
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/document"
)

// decoded decodes an object and notes it. It returns nil if that failed; then the object still has its
// names, for others to refer to.
func decoded[T any](o *object) *T {
	into := new(T)
	o.typed = into
	if err := document.Decode(o.at, into); err != nil {
		o.faults.Append(err)
		o.name, o.namespace = o.at.Find("metadata.name").Text(), o.at.Find("metadata.namespace").Text()
		return nil
	}
	return into
}

func readPod(c *checker, o *object) {
	pod := decoded[v1.Pod](o)
	if pod == nil {
		return
	}
	c.meta(o, &pod.ObjectMeta, true)
	if isFinished(pod) {
		return
	}
	spec := o.at.Get("spec")
	c.podSpec(&o.faults, spec, &pod.Spec)
	if pod.Spec.NodeName != "" && len(pod.Spec.SchedulingGates) > 0 {
		o.faults.Add(spec, "nodeName", "cannot be set while there are scheduling gates")
	}
	if name := pod.Status.NominatedNodeName; name != "" {
		if what := c.subdomain(name); what != "" {
			o.faults.Add(o.at, "status.nominatedNodeName", "is not valid: %s", what)
		}
	}
	if len(o.faults) == 0 {
		c.resized(o, pod)
	}
}

// isFinished says whether the pod is none of the scheduler's business any more.
func isFinished(pod *v1.Pod) bool {
	return pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
}

// resized refuses pods whose status shows other resources than their spec: they have been resized in
// place.
//
// Upstream: determineEffectiveRequests of k8s.io/component-helpers/resource/helpers.go, v0.36.3.
func (c *checker) resized(o *object, pod *v1.Pod) {
	requests := func(r v1.ResourceRequirements) amounts { return amountsOf(r.Requests).lacking(amountsOf(r.Limits)) }
	infeasible := resizeInfeasible(pod)
	refuse := func(path string) {
		o.faults.Add(o.at, path, "differs from the spec: pods that were resized in place are not supported yet")
	}
	for _, list := range []struct {
		path       string
		containers []v1.Container
		statuses   []v1.ContainerStatus
	}{
		{"status.containerStatuses", pod.Spec.Containers, pod.Status.ContainerStatuses},
		{"status.initContainerStatuses", sidecars(pod), pod.Status.InitContainerStatuses},
	} {
		for i := range list.statuses {
			status := &list.statuses[i]
			for j := range list.containers {
				if list.containers[j].Name != status.Name || status.Resources == nil {
					continue
				}
				c.resources(&o.faults, o.at, join(list.path, i, "resources", "requests"), status.Resources.Requests, nodeNames)
				c.resources(&o.faults, o.at, join(list.path, i, "allocatedResources"), status.AllocatedResources, nodeNames)
				counted := amountsOf(status.Resources.Requests).most(amountsOf(status.AllocatedResources))
				if differs(requests(list.containers[j].Resources), counted, infeasible) {
					refuse(join(list.path, i, "resources"))
				}
			}
		}
	}
	if pod.Spec.Resources != nil && pod.Status.Resources != nil {
		d := demandOf(&pod.Spec)
		counted := amountsOf(pod.Status.Resources.Requests).most(amountsOf(pod.Status.AllocatedResources))
		if differs(d.pod, counted, infeasible) {
			refuse("status.resources")
		}
	}
}

func sidecars(pod *v1.Pod) []v1.Container {
	var out []v1.Container
	for i := range pod.Spec.InitContainers {
		if isSidecar(&pod.Spec.InitContainers[i]) {
			out = append(out, pod.Spec.InitContainers[i])
		}
	}
	return out
}

func resizeInfeasible(pod *v1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.PodResizePending {
			return condition.Reason == v1.PodReasonInfeasible
		}
	}
	return false
}

// differs says whether what counts for a container on a node is not what its spec says. As long as
// a resize is feasible, the spec is the least that counts.
func differs(spec, counted amounts, infeasible bool) bool {
	for _, a := range counted {
		if milli, has := spec.get(a.name); a.milli > milli || !has {
			return true
		}
	}
	if infeasible {
		for _, a := range spec {
			if milli, has := counted.get(a.name); milli != a.milli || !has {
				return true
			}
		}
	}
	return false
}

func (l *Loader) addPod(o *object) {
	pod := o.typed.(*v1.Pod)
	out := Pod{
		Namespace: o.namespace, Name: o.name, At: o.at,
		NodeName: pod.Spec.NodeName, NominatedNodeName: pod.Status.NominatedNodeName,
		Terminating: pod.DeletionTimestamp != nil,
		Finished:    isFinished(pod),
		Owner:       owner(&pod.ObjectMeta),
	}
	if pod.Status.StartTime != nil {
		out.StartTime = pod.Status.StartTime.Time
	}
	if !out.Finished {
		source := podSource{meta: &pod.ObjectMeta, spec: &pod.Spec, at: o.at}
		admitted := l.admit(&o.faults, source)
		if len(o.faults) > 0 {
			return
		}
		admitted.class.NodeName = ""
		out.Class, out.Group = l.intern(admitted.class), admitted.group
	}
	l.Pods = append(l.Pods, out)
}

// owner names the controller of an object.
func owner(meta *metav1.ObjectMeta) string {
	if ref := metav1.GetControllerOfNoCopy(meta); ref != nil {
		return ref.Kind + "/" + ref.Name
	}
	return ""
}
