package manifest

import (
	"encoding/json"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// KeepObjects has classes and nodes that are read from now on keep their objects, which an
// Encoder needs. Classes are then told apart by all that their pods say, not only by what
// matters to scheduling.
func (l *Loader) KeepObjects() { l.keep = true }

// keepPod keeps the pod as admission left it, without what tells it from others of its
// class. nodeSelector and d are those of the pod and its runtime class.
func (l *Loader) keepPod(p podSource, c *cluster.Class, nodeSelector map[string]string, d *demand) []byte {
	spec := p.spec.DeepCopy()
	spec.NodeName, spec.NodeSelector, spec.SchedulerName = "", nodeSelector, c.SchedulerName
	spec.Priority, spec.PreemptionPolicy = &c.Priority, new(v1.PreemptLowerPriority)
	if c.NeverPreempt {
		spec.PreemptionPolicy = new(v1.PreemptNever)
	}
	if p.spec.Priority == nil && p.spec.PriorityClassName == "" && l.fallback != nil {
		spec.PriorityClassName = l.fallback.Name
	}
	if spec.RuntimeClassName != nil {
		if rc := l.runtimes[*spec.RuntimeClassName]; rc != nil {
			spec.Tolerations = append(spec.Tolerations, rc.tolerations...)
		}
	}
	spec.Overhead = d.overhead.list()
	giveSpecDefaults(spec)
	if p.meta.UID == "" {
		mergeLabelKeys(spec, p.meta.Labels)
	}
	return encoded(&v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: p.meta.GenerateName, Annotations: p.meta.Annotations, OwnerReferences: p.meta.OwnerReferences,
		},
		Spec: *spec,
	})
}

// giveSpecDefaults are the defaults of a new pod that something outside of it can go by.
//
// Upstream: SetDefaults_Pod, SetDefaults_PodSpec and defaultHostNetworkPorts of
// pkg/apis/core/v1/defaults.go, v1.36.3.
// Differs: what only concerns how containers run is left as it is.
func giveSpecDefaults(spec *v1.PodSpec) {
	if spec.RestartPolicy == "" {
		spec.RestartPolicy = v1.RestartPolicyAlways
	}
	if spec.TerminationGracePeriodSeconds == nil {
		spec.TerminationGracePeriodSeconds = new(int64(v1.DefaultTerminationGracePeriodSeconds))
	}
	for _, containers := range [][]v1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			requestLimits(&containers[i].Resources)
			for k := range containers[i].Ports {
				port := &containers[i].Ports[k]
				port.HostPort, port.Protocol = hostPort(spec, port), protocol(port)
			}
		}
	}
}

// mergeLabelKeys puts what matchLabelKeys and mismatchLabelKeys name into the selectors.
//
// Upstream: mutatePodAffinity and mutateTopologySpreadConstraints of
// pkg/registry/core/pod/strategy.go, v1.36.3.
func mergeLabelKeys(spec *v1.PodSpec, labels map[string]string) {
	for i := range spec.TopologySpreadConstraints {
		s := &spec.TopologySpreadConstraints[i]
		s.LabelSelector = withLabelKeys(s.LabelSelector, labels, s.MatchLabelKeys, nil)
	}
	merge := func(required []v1.PodAffinityTerm, preferred []v1.WeightedPodAffinityTerm) {
		for i := range required {
			t := &required[i]
			t.LabelSelector = withLabelKeys(t.LabelSelector, labels, t.MatchLabelKeys, t.MismatchLabelKeys)
		}
		for i := range preferred {
			t := &preferred[i].PodAffinityTerm
			t.LabelSelector = withLabelKeys(t.LabelSelector, labels, t.MatchLabelKeys, t.MismatchLabelKeys)
		}
	}
	if a := spec.Affinity; a != nil && a.PodAffinity != nil {
		merge(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a := spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		merge(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

// requestLimits requests the limits that are not requested otherwise.
//
// Upstream: SetDefaults_Pod of pkg/apis/core/v1/defaults.go, v1.36.3.
func requestLimits(r *v1.ResourceRequirements) {
	for name, limit := range r.Limits {
		if _, requested := r.Requests[name]; requested {
			continue
		}
		if r.Requests == nil {
			r.Requests = v1.ResourceList{}
		}
		r.Requests[name] = limit
	}
}

// list is the amounts as the API has them.
func (a amounts) list() v1.ResourceList {
	if len(a) == 0 {
		return nil
	}
	out := v1.ResourceList{}
	for _, q := range a {
		if q.milli%1000 == 0 && q.name != string(v1.ResourceCPU) {
			out[v1.ResourceName(q.name)] = quantity(ResourceAmount{q.name, q.milli / 1000})
		} else {
			out[v1.ResourceName(q.name)] = *resource.NewMilliQuantity(q.milli, resource.DecimalSI)
		}
	}
	return out
}

// keepNode keeps what a node says beyond its spec, which has the rest.
func keepNode(n *v1.Node) []byte {
	kept := n.DeepCopy()
	kept.ObjectMeta = metav1.ObjectMeta{
		UID: n.UID, Annotations: n.Annotations, OwnerReferences: n.OwnerReferences, Finalizers: n.Finalizers,
	}
	kept.TypeMeta = metav1.TypeMeta{}
	kept.Spec.Taints, kept.Spec.Unschedulable, kept.Status.Allocatable = nil, false, nil
	return encoded(kept)
}

// keptFor is a kept pod for a DaemonSet: it runs on the node of that name only.
//
// Upstream: ReplaceDaemonSetPodNodeNameNodeAffinity of pkg/controller/daemon/util, v1.36.3.
func keptFor(object []byte, node string) []byte {
	if object == nil {
		return nil
	}
	pod := decodeKept[v1.Pod](object)
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &v1.Affinity{}
	}
	if pod.Spec.Affinity.NodeAffinity == nil {
		pod.Spec.Affinity.NodeAffinity = &v1.NodeAffinity{}
	}
	pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = &v1.NodeSelector{
		NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchFields: []v1.NodeSelectorRequirement{{
			Key: metav1.ObjectNameField, Operator: v1.NodeSelectorOpIn, Values: []string{node},
		}}}},
	}
	return encoded(pod)
}

func encoded(object any) []byte {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // the types of the API can be encoded
	}
	return text
}

// decodeKept is the opposite of encoded.
func decodeKept[T any](text []byte) *T {
	into := new(T)
	if text == nil {
		return into
	}
	if err := json.Unmarshal(text, into); err != nil {
		panic(err) // it was encoded here
	}
	return into
}
