package manifest

import (
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
)

// LabelPodGroup is the label by which pods join a PodGroup of their namespace.
const LabelPodGroup = "scheduling.x-k8s.io/pod-group"

// podSource is what a pod is made from. Its parts have been checked.
type podSource struct {
	meta *metav1.ObjectMeta // with its namespace
	spec *v1.PodSpec
	at   document.Value // holds metadata and spec
	runs bool           // it has been created long ago
	lost bool           // its namespace is not known
}

// created tells whether the pod comes from an API server, and is not a pod or template to be.
func (p podSource) created() bool { return p.runs || p.meta.UID != "" }

// admitted is a pod after admission.
type admitted struct {
	podSource
	priority      int32
	neverPreempt  bool
	priorityClass string // its name
	requests      demand // with the overhead
	nodeSelector  map[string]string
	tolerations   []v1.Toleration
	group         string // namespace/name of its PodGroup; empty if it is in none
}

// admit has the plugins that are switched on change and refuse a pod, and adds what its priority class and
// runtime class bring.
func (ch *chain) admit(faults *document.Errors, p podSource) *admitted {
	p = ch.mutate(faults, p)
	a := &admitted{podSource: p, priorityClass: p.spec.PriorityClassName, requests: demandOf(p.spec)}
	ch.admitPriority(faults, a)
	ch.admitRuntime(faults, a)
	a.group = ch.admitGroup(faults, p)
	return a
}

// admitGroup returns the PodGroup that the pod joins.
func (ch *chain) admitGroup(faults *document.Errors, p podSource) string {
	name := p.meta.Labels[LabelPodGroup]
	if name == "" {
		return ""
	}
	name = p.meta.Namespace + "/" + name
	if !ch.groups[name] && !ch.unnamed["PodGroup"] && !p.lost {
		faults.Add(p.at, join("metadata.labels", LabelPodGroup), "names a PodGroup that does not exist in namespace %s",
			p.meta.Namespace)
	}
	return name
}

// admitRuntime applies the runtime class: its overhead, node selector and tolerations. A pod that has been
// created, which its priority shows too, has all three from its class already: they are taken as they stand if
// the class is not among the objects.
//
// Upstream: plugin/pkg/admission/runtimeclass/admission.go, v1.36.3.
func (ch *chain) admitRuntime(faults *document.Errors, a *admitted) {
	at, spec := a.at.Get("spec"), a.spec
	a.nodeSelector, a.tolerations = spec.NodeSelector, spec.Tolerations
	var rc *runtimeClass
	if spec.RuntimeClassName != nil {
		rc = ch.runtimes[*spec.RuntimeClassName]
		switch {
		case rc == nil && ch.unnamed["RuntimeClass"], rc != nil && rc.faulty:
			return
		case rc == nil && (a.created() || spec.Priority != nil):
			ch.warnings.once("runtime class "+*spec.RuntimeClassName, at, "the RuntimeClass %s is not among the objects; spec.overhead is taken as it stands", *spec.RuntimeClassName)
			return
		case rc == nil:
			faults.Add(at, "runtimeClassName", "is not the name of a RuntimeClass%s",
				document.Meant(*spec.RuntimeClassName, slices.Sorted(maps.Keys(ch.runtimes))))
			return
		}
	}
	switch {
	case rc == nil || !rc.hasOverhead:
		if spec.Overhead != nil {
			faults.Add(at, "overhead", "must not be set: no RuntimeClass of the pod has an overhead")
		}
	case len(spec.Overhead) > 0 && !equalAmounts(a.requests.overhead, rc.overhead) && ch.check.knows(at, "overhead"):
		faults.Add(at, "overhead", "differs from the overhead of the RuntimeClass %s", rc.name)
	default:
		a.requests.overhead = rc.overhead
	}
	if rc == nil {
		return
	}
	a.tolerations = slices.Concat(spec.Tolerations, rc.tolerations)
	selector := maps.Clone(spec.NodeSelector)
	for _, key := range slices.Sorted(maps.Keys(rc.nodeSelector)) {
		value, has := selector[key]
		if has && value != rc.nodeSelector[key] {
			faults.Add(at, join("nodeSelector", key), "conflicts with the node selector of the RuntimeClass %s, which wants %q",
				rc.name, rc.nodeSelector[key])
			continue
		}
		if selector == nil {
			selector = map[string]string{}
		}
		selector[key] = rc.nodeSelector[key]
	}
	a.nodeSelector = selector
}

func equalAmounts(a, b amounts) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
