package manifest

import (
	"time"

	"github.com/berth-sim/berth/sim/model/cluster"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func readPod(c *checker, o *object) {
	pod := decoded[v1.Pod](c, o)
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
	c.statusResources(o, pod)
}

// isFinished reports whether the pod is none of the scheduler's business any more.
func isFinished(pod *v1.Pod) bool {
	return pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
}

// isPreempted reports whether the pod terminates because the scheduler chose it as a victim.
//
// Upstream: podTerminatingByPreemption of framework/plugins/defaultpreemption, v1.36.3.
func isPreempted(pod *v1.Pod) bool {
	if pod.DeletionTimestamp == nil {
		return false
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.DisruptionTarget {
			return condition.Status == v1.ConditionTrue && condition.Reason == v1.PodReasonPreemptionByScheduler
		}
	}
	return false
}

func (l *Loader) addPod(o *object) {
	pod := o.typed.(*v1.Pod)
	out := Pod{
		Namespace: o.namespace, Name: o.name, UID: string(pod.UID), At: o.at,
		NodeName: pod.Spec.NodeName, NominatedNodeName: pod.Status.NominatedNodeName,
		Terminating: pod.DeletionTimestamp != nil,
		Preempted:   isPreempted(pod),
		Finished:    isFinished(pod),
		Owner:       owner(&pod.ObjectMeta),
	}
	if pod.Status.StartTime != nil {
		out.StartTime = wholeSeconds(pod.Status.StartTime)
	}
	if !out.Finished {
		source := podSource{
			meta: &pod.ObjectMeta, spec: &pod.Spec, at: o.at, runs: pod.Spec.NodeName != "", lost: !l.check.knows(o.at, "metadata.namespace"),
		}
		admitted := l.admission.admit(&o.faults, source)
		class := l.compiler.class(&o.faults, admitted)
		l.check.settle(&o.faults)
		l.check.doubt(o.at, o.faults)
		class.NodeName = ""
		if l.check.knows(o.at, "status", "spec.containers", "spec.initContainers", "spec.resources", "spec.overhead", "spec.nodeName") {
			out.Class, out.Group = l.compiler.intern(class), admitted.group
			l.resize(o, &out, l.compiler.resized(o, admitted, &class))
			out.Devices = l.compiler.heldDevices(o, pod, &out.Class.Devices)
		}
		if len(o.faults) > 0 {
			return
		}
	}
	l.Pods = append(l.Pods, out)
	if claim := l.claims.missing(&out); claim != "" {
		l.warnings.once("claims", o.at, "the PersistentVolumeClaim %s of pod %s/%s is not among the objects: "+
			"pods that need such claims cannot be scheduled", claim, out.Namespace, out.Name)
	}
}

// resize gives a pod that has been resized in place, or is to be, the class of what it takes on its node.
// Elsewhere it would be what its spec says.
func (l *Loader) resize(o *object, out *Pod, onNode *cluster.Class) {
	switch {
	case onNode == nil || onNode == out.Class:
	case out.NodeName == "":
		o.faults.Add(o.at, "status", "shows other resources than the spec: a pod that is on no node cannot have been resized")
	default:
		out.Class, out.Anew = onNode, out.Class
	}
}

// wholeSeconds is a time as the API server serves it: fractions of a second do not survive in a
// metav1.Time.
func wholeSeconds(t *metav1.Time) time.Time { return t.Truncate(time.Second) }

// owner names the controller of an object.
func owner(meta *metav1.ObjectMeta) string {
	if ref := metav1.GetControllerOfNoCopy(meta); ref != nil {
		return ref.Kind + "/" + ref.Name
	}
	return ""
}
