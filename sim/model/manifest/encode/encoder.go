package encode

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// Encoder gives the pods and nodes of a cluster as the API server would serve them, in
// JSON. What objects say beyond what scheduling knows is there only if the Loader kept it.
// Times are left out, as is the status of pods except for their phase.
type Encoder struct {
	cluster *cluster.Cluster
	pods    map[cluster.ClassID]*v1.Pod
	names   map[cluster.ClassID][]string // of resources
	nodes   map[cluster.NodeID]*encodedNode
}

type encodedNode struct {
	of     nodeIdentity
	object *v1.Node
	text   []byte
}

// nodeIdentity differs for two specs of one node. Lists are distinguished by where they are.
type nodeIdentity struct {
	unschedulable bool
	taints        int32
	labels        *cluster.Label
	allocatable   *cluster.Quantity
}

// NewEncoder returns an Encoder of the cluster.
func NewEncoder(c *cluster.Cluster) *Encoder {
	return &Encoder{c, map[cluster.ClassID]*v1.Pod{}, map[cluster.ClassID][]string{}, map[cluster.NodeID]*encodedNode{}}
}

// Pod returns the pod in JSON.
func (e *Encoder) Pod(id cluster.PodID) (json.RawMessage, error) {
	p := e.cluster.Pod(id)
	pod := *e.pod(p.Class)
	pod.Name, pod.Namespace, pod.UID = p.Name, e.cluster.Text(p.Class.Namespace), types.UID(e.UID(id))
	pod.Labels = e.labels(p.Class.Labels)
	pod.Status.Phase = v1.PodPending
	if p.Node != cluster.None {
		pod.Spec.NodeName = e.cluster.Node(p.Node).Name
		pod.Status.Phase = v1.PodRunning
	}
	return json.Marshal(&pod)
}

// pod is a pod of the class, made up from what scheduling knows if its object was not kept.
func (e *Encoder) pod(class *cluster.Class) *v1.Pod {
	pod := e.pods[class.ID]
	if pod != nil {
		return pod
	}
	pod = decodeKept[v1.Pod](class.Object)
	if class.Object == nil {
		pod.Spec.SchedulerName, pod.Spec.Priority = class.SchedulerName, &class.Priority
		pod.Spec.Containers = []v1.Container{{Name: "main", Resources: v1.ResourceRequirements{
			Requests: e.amounts(class.Requests),
		}}}
	}
	e.pods[class.ID] = pod
	return pod
}

func (e *Encoder) labels(set cluster.LabelSet) map[string]string {
	out := make(map[string]string, len(set))
	for _, l := range set {
		out[e.cluster.Text(l.Key)] = e.cluster.Text(l.Value)
	}
	return out
}

func (e *Encoder) amounts(list []cluster.Quantity) v1.ResourceList {
	out := v1.ResourceList{}
	for _, q := range list {
		name := e.cluster.ResourceName(q.Resource)
		out[v1.ResourceName(name)] = resources.Quantity(name, q.Amount)
	}
	return out
}

// UID returns the UID of the pod: metadata.uid, or a generated one.
func (e *Encoder) UID(id cluster.PodID) string {
	p := e.cluster.Pod(id)
	if p.UID != "" {
		return p.UID
	}
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", p.Serial)
}

// ResourceNames returns the resources that containers and init containers of a pod of the class
// name in requests and limits, sorted.
func (e *Encoder) ResourceNames(class *cluster.Class) []string {
	names, known := e.names[class.ID]
	if known {
		return names
	}
	set := map[string]bool{}
	pod := e.pod(class)
	for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		for _, list := range []v1.ResourceList{c.Resources.Requests, c.Resources.Limits} {
			for name := range list {
				set[string(name)] = true
			}
		}
	}
	names = slices.Sorted(maps.Keys(set))
	e.names[class.ID] = names
	return names
}

// Node returns the node in JSON.
func (e *Encoder) Node(id cluster.NodeID) (json.RawMessage, error) {
	n, err := e.node(id)
	if err != nil {
		return nil, err
	}
	return n.text, nil
}

func (e *Encoder) node(id cluster.NodeID) (*encodedNode, error) {
	n := e.cluster.Node(id)
	of := nodeIdentity{unschedulable: n.Unschedulable, taints: n.TaintID}
	if len(n.Labels) > 0 {
		of.labels = &n.Labels[0]
	}
	if len(n.Allocatable) > 0 {
		of.allocatable = &n.Allocatable[0]
	}
	if known := e.nodes[id]; known != nil && known.of == of {
		return known, nil
	}
	object := decodeKept[v1.Node](n.Object)
	object.Name, object.Labels = n.Name, e.labels(n.Labels)
	object.Spec.Unschedulable = n.Unschedulable
	for _, t := range n.Taints {
		object.Spec.Taints = append(object.Spec.Taints, v1.Taint{
			Key: e.cluster.Text(t.Key), Value: e.cluster.Text(t.Value), Effect: effectOf(t.Effect),
		})
	}
	object.Status.Allocatable = e.amounts(n.Allocatable)
	if object.Status.Capacity == nil {
		object.Status.Capacity = object.Status.Allocatable
	}
	text, err := json.Marshal(object)
	e.nodes[id] = &encodedNode{of, object, text}
	return e.nodes[id], err
}

func effectOf(effect cluster.Effect) v1.TaintEffect {
	switch effect {
	case cluster.NoSchedule:
		return v1.TaintEffectNoSchedule
	case cluster.PreferNoSchedule:
		return v1.TaintEffectPreferNoSchedule
	}
	return v1.TaintEffectNoExecute
}

// SameNode reports whether the text is a node that is scored as the one of that id is: their
// labels, taints and allocatable resources are equal. It fails where the text is not a node.
func (e *Encoder) SameNode(id cluster.NodeID, text json.RawMessage) (bool, error) {
	var other v1.Node
	if err := json.Unmarshal(text, &other); err != nil {
		return false, err
	}
	n, err := e.node(id)
	if err != nil {
		return false, err
	}
	same := equality.Semantic.DeepEqual
	return same(n.object.Labels, other.Labels) && same(n.object.Spec.Taints, other.Spec.Taints) &&
		same(n.object.Status.Allocatable, other.Status.Allocatable), nil
}
