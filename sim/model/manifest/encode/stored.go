package encode

import (
	"encoding/json"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pod is a pod of a class, as an Encoder needs it.
func Pod(meta *metav1.ObjectMeta, spec *v1.PodSpec) []byte {
	return encoded(&v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: meta.GenerateName, Annotations: meta.Annotations, OwnerReferences: meta.OwnerReferences,
		},
		Spec: *spec,
	})
}

// Node keeps what a node says beyond its spec, which has the rest.
func Node(n *v1.Node) []byte {
	kept := n.DeepCopy()
	kept.ObjectMeta = metav1.ObjectMeta{
		UID: n.UID, Annotations: n.Annotations, OwnerReferences: n.OwnerReferences, Finalizers: n.Finalizers,
	}
	kept.TypeMeta = metav1.TypeMeta{}
	kept.Spec.Taints, kept.Spec.Unschedulable, kept.Status.Allocatable = nil, false, nil
	return encoded(kept)
}

// PodOnNode returns a stored pod of a DaemonSet: it runs on the node of that name only.
//
// Upstream: ReplaceDaemonSetPodNodeNameNodeAffinity of pkg/controller/daemon/util, v1.36.3.
func PodOnNode(object []byte, node string) []byte {
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
