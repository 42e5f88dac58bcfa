package manifest

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

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

func (l *Loader) addPod(o *decode.Object) {
	pod := o.Typed.(*v1.Pod)
	out := Pod{
		Namespace: o.Namespace, Name: o.Name, UID: string(pod.UID), At: o.At,
		NodeName: pod.Spec.NodeName, NominatedNodeName: pod.Status.NominatedNodeName,
		Terminating: pod.DeletionTimestamp != nil,
		Preempted:   isPreempted(pod),
		Finished:    validate.IsFinished(pod),
		Owner:       validate.Owner(&pod.ObjectMeta),
	}
	if pod.Status.StartTime != nil {
		out.StartTime = decode.Seconds(pod.Status.StartTime)
	}
	if !out.Finished {
		source := admit.Source{
			Meta: &pod.ObjectMeta, Spec: &pod.Spec, At: o.At, Running: pod.Spec.NodeName != "", UnknownNamespace: !l.check.NoErrorAt(o.At, "metadata.namespace"),
		}
		admitted := l.admission.Admit(&o.Faults, source)
		class := l.compiler.Class(&o.Faults, admitted)
		l.check.End(&o.Faults)
		l.check.Begin(o.At, o.Faults)
		class.NodeName = ""
		if l.check.NoErrorAt(o.At, "status", "spec.containers", "spec.initContainers", "spec.resources", "spec.overhead", "spec.nodeName") {
			out.Class, out.Group = l.compiler.Intern(class), admitted.Group
			l.resize(o, &out, l.compiler.Resized(o, admitted, &class))
			out.Devices = l.compiler.HeldDevices(o, pod, &out.Class.Devices)
		}
		if len(o.Faults) > 0 {
			return
		}
	}
	l.Pods = append(l.Pods, out)
	if claim := l.claims.missing(&out); claim != "" {
		l.warnings.Once("claims", o.At, "the PersistentVolumeClaim %s of pod %s/%s is not among the objects: "+
			"pods that need such claims cannot be scheduled", claim, out.Namespace, out.Name)
	}
}

// resize gives a pod that has been resized in place, or is to be, the class of what it takes on its node.
// Elsewhere it would be what its spec says.
func (l *Loader) resize(o *decode.Object, out *Pod, onNode *cluster.Class) {
	switch {
	case onNode == nil || onNode == out.Class:
	case out.NodeName == "":
		o.Faults.Add(o.At, "status", "shows other resources than the spec: a pod that is on no node cannot have been resized")
	default:
		out.Class, out.Recreated = onNode, out.Class
	}
}
