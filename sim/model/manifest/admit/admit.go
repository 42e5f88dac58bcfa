package admit

import (
	"maps"
	"slices"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// LabelPodGroup is the label by which pods join a PodGroup of their namespace.
const LabelPodGroup = "scheduling.x-k8s.io/pod-group"

// Source is what a pod is made from. Its parts have been checked.
type Source struct {
	Meta             *metav1.ObjectMeta // with its namespace
	Spec             *v1.PodSpec
	At               document.Value // holds metadata and spec
	Running          bool           // it has been created long ago
	UnknownNamespace bool           // its namespace is not known
}

// wasCreated reports whether the pod comes from an API server, and is not a pod or template to be.
func (p Source) wasCreated() bool { return p.Running || p.Meta.UID != "" }

// Pod is a pod after admission.
type Pod struct {
	Source
	Priority      int32
	NeverPreempt  bool
	priorityClass string                // its name
	Requests      resources.PodRequests // with the overhead
	NodeSelector  map[string]string
	Tolerations   []v1.Toleration
	Group         string // namespace/name of its PodGroup; empty if it is in none
}

// Admit has the plugins that are enabled change and refuse a pod, and adds what its priority class and
// runtime class bring.
func (chain *Chain) Admit(faults *document.Errors, p Source) *Pod {
	if at := p.At.Get("spec").Get("resources"); at.Exists() && !chain.check.Rules.PodLevelRequests {
		chain.warnings.Once("pod level resources", at, "the resources of pods as a whole are dropped: the Kubernetes release has the feature gate "+
			"PodLevelResources off")
	}
	p = chain.mutate(faults, p)
	a := &Pod{Source: p, priorityClass: p.Spec.PriorityClassName, Requests: resources.RequestsOf(p.Spec, chain.check.Rules.PodLevelDefaults)}
	chain.admitPriority(faults, a)
	chain.admitRuntime(faults, a)
	a.Group = chain.admitGroup(faults, p)
	return a
}

// admitGroup returns the PodGroup that the pod joins.
func (chain *Chain) admitGroup(faults *document.Errors, p Source) string {
	name := p.Meta.Labels[LabelPodGroup]
	if name == "" {
		return ""
	}
	name = p.Meta.Namespace + "/" + name
	if !chain.Groups[name] && !chain.unnamed["PodGroup"] && !p.UnknownNamespace {
		faults.Add(p.At, decode.Join("metadata.labels", LabelPodGroup), "names a PodGroup that does not exist in namespace %s",
			p.Meta.Namespace)
	}
	return name
}

// admitRuntime applies the runtime class: its overhead, node selector and tolerations. A pod that has been
// created, which its priority shows too, has all three from its class already: they are taken as they stand if
// the class is not among the objects.
//
// Upstream: plugin/pkg/admission/runtimeclass/admission.go, v1.36.3.
func (chain *Chain) admitRuntime(faults *document.Errors, a *Pod) {
	at, spec := a.At.Get("spec"), a.Spec
	a.NodeSelector, a.Tolerations = spec.NodeSelector, spec.Tolerations
	var rc *runtimeClass
	if spec.RuntimeClassName != nil {
		rc = chain.runtimes[*spec.RuntimeClassName]
		switch {
		case rc == nil && chain.unnamed["RuntimeClass"], rc != nil && rc.faulty:
			return
		case rc == nil && (a.wasCreated() || spec.Priority != nil):
			chain.warnings.Once("runtime class "+*spec.RuntimeClassName, at, "the RuntimeClass %s is not among the objects; spec.overhead is taken as it stands", *spec.RuntimeClassName)
			return
		case rc == nil:
			faults.Add(at, "runtimeClassName", "is not the name of a RuntimeClass%s",
				document.Meant(*spec.RuntimeClassName, slices.Sorted(maps.Keys(chain.runtimes))))
			return
		}
	}
	switch {
	case rc == nil || !rc.hasOverhead:
		if spec.Overhead != nil {
			faults.Add(at, "overhead", "must not be set: no RuntimeClass of the pod has an overhead")
		}
	case len(spec.Overhead) > 0 && !equalAmounts(a.Requests.Overhead, rc.overhead) && chain.check.NoErrorAt(at, "overhead"):
		faults.Add(at, "overhead", "differs from the overhead of the RuntimeClass %s", rc.name)
	default:
		a.Requests.Overhead = rc.overhead
	}
	if rc == nil {
		return
	}
	a.Tolerations = slices.Concat(spec.Tolerations, rc.tolerations)
	selector := maps.Clone(spec.NodeSelector)
	for _, key := range slices.Sorted(maps.Keys(rc.nodeSelector)) {
		value, has := selector[key]
		if has && value != rc.nodeSelector[key] {
			faults.Add(at, decode.Join("nodeSelector", key), "conflicts with the node selector of the RuntimeClass %s, which wants %q",
				rc.name, rc.nodeSelector[key])
			continue
		}
		if selector == nil {
			selector = map[string]string{}
		}
		selector[key] = rc.nodeSelector[key]
	}
	a.NodeSelector = selector
}

func equalAmounts(a, b resources.Amounts) bool {
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
