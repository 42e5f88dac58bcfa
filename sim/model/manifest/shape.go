package manifest

import (
	"encoding/binary"
	"maps"
	"slices"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// Text returns the amount as a person writes it as a Kubernetes quantity: 500m, 2, 1Gi.
func (r ResourceAmount) Text() string {
	q := resources.Quantity(r.Name, r.Value)
	return q.String()
}

// ResourceAmount is how much there is, or is asked for, of a resource, in its base unit: cpu in milli,
// memory and ephemeral-storage in bytes, all else in units.
type ResourceAmount struct {
	Name  string
	Value int64
}

// Shape is a pod as traces describe it: one container that asks for resources.
type Shape struct {
	Namespace string // default if empty
	Requests  []ResourceAmount
	// NodeLabelKey, if not empty, is a label whose value on the node must be one of NodeLabelValues.
	NodeLabelKey    string
	NodeLabelValues []string
	Labels          map[string]string
	PriorityClass   string
	SchedulerName   string
}

// Shape returns the class of a pod of that shape. A shape that was asked for before costs a lookup.
// The error is of type document.Errors.
func (l *Loader) Shape(s Shape) (*cluster.Class, error) {
	l.key = s.appendKey(l.key[:0])
	if class, known := l.shapes[string(l.key)]; known {
		return class, nil
	}
	key := string(l.key)
	var faults document.Errors
	t := s.template()
	l.check.Template(&faults, document.Value{}, t)
	l.check.Begin(document.Value{}, faults)
	out := l.template(&faults, admit.Source{Meta: &t.ObjectMeta, Spec: &t.Spec})
	l.check.End(&faults)
	if out == nil {
		return nil, faults.Err()
	}
	l.shapes[key] = out.Class
	return out.Class, nil
}

// appendKey appends what distinguishes the shape from others.
func (s *Shape) appendKey(key []byte) []byte {
	number := func(n int64) { key = binary.AppendVarint(key, n) }
	text := func(s string) {
		number(int64(len(s)))
		key = append(key, s...)
	}
	text(s.Namespace)
	number(int64(len(s.Requests)))
	for _, r := range s.Requests {
		text(r.Name)
		number(r.Value)
	}
	text(s.NodeLabelKey)
	number(int64(len(s.NodeLabelValues)))
	for _, value := range s.NodeLabelValues {
		text(value)
	}
	number(int64(len(s.Labels)))
	for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
		text(name)
		text(s.Labels[name])
	}
	text(s.PriorityClass)
	text(s.SchedulerName)
	return key
}

// PodTemplate returns the shape as a PodTemplateSpec, for document.Marshal.
func (s Shape) PodTemplate() any { return s.template() }

// Pod returns the shape as a Pod object of that name, for document.Marshal.
func (s Shape) Pod(name string) any {
	t := s.template()
	t.Name = name
	return podFile{"v1", "Pod", t.ObjectMeta, t.Spec}
}

// podFile is a Pod as a person would write it.
type podFile struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   metav1.ObjectMeta `json:"metadata"`
	Spec       v1.PodSpec        `json:"spec"`
}

// nodeFile is a Node as a person would write it.
type nodeFile struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   metav1.ObjectMeta `json:"metadata"`
	Status     nodeFileStatus    `json:"status"`
}

type nodeFileStatus struct {
	Allocatable v1.ResourceList `json:"allocatable"`
}

func (s *Shape) template() *v1.PodTemplateSpec {
	t := &v1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Labels: s.Labels},
		Spec: v1.PodSpec{
			Containers:        []v1.Container{{Name: "main", Image: "main"}},
			PriorityClassName: s.PriorityClass,
			SchedulerName:     s.SchedulerName,
		},
	}
	requests := resourceList(s.Requests)
	t.Spec.Containers[0].Resources.Requests = requests
	limits := v1.ResourceList{}
	for name, q := range requests {
		if !resources.MayOvercommit(string(name)) {
			limits[name] = q
		}
	}
	if len(limits) > 0 {
		t.Spec.Containers[0].Resources.Limits = limits
	}
	if s.NodeLabelKey != "" {
		t.Spec.Affinity = &v1.Affinity{NodeAffinity: &v1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{
				NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{{
					Key: s.NodeLabelKey, Operator: v1.NodeSelectorOpIn, Values: s.NodeLabelValues,
				}}}},
			},
		}}
	}
	return t
}

func resourceList(list []ResourceAmount) v1.ResourceList {
	out := v1.ResourceList{}
	for _, r := range list {
		out[v1.ResourceName(r.Name)] = resources.Quantity(r.Name, r.Value)
	}
	return out
}

// NodeShape is a node as traces describe it: without taints and images.
type NodeShape struct {
	Name        string
	Allocatable []ResourceAmount
	Labels      map[string]string
}

// NodeShape returns the node, with the label kubernetes.io/hostname and room for DefaultPods pods
// unless given otherwise.
func (l *Loader) NodeShape(s NodeShape) (cluster.NodeSpec, error) {
	var faults document.Errors
	if err := validate.CheckName(s.Name); err != nil {
		faults.Add(document.Value{}, "metadata.name", "%q %v", s.Name, err)
	}
	n := s.node()
	l.check.Labels(&faults, document.Value{}, "metadata.labels", n.Labels)
	l.check.Node(&faults, document.Value{}, n)
	if len(faults) > 0 {
		return cluster.NodeSpec{}, faults.Err()
	}
	spec := l.compiler.NodeSpec(n)
	spec.Name = s.Name
	return spec, nil
}

// Node returns the shape as a Node object, for document.Marshal.
func (s NodeShape) Node() any {
	n := s.node()
	return nodeFile{"v1", "Node", n.ObjectMeta, nodeFileStatus{n.Status.Allocatable}}
}

func (s *NodeShape) node() *v1.Node {
	n := &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: s.Name, Labels: admit.MergeLabels(map[string]string{v1.LabelHostname: s.Name}, s.Labels)},
	}
	n.Status.Allocatable = resourceList(s.Allocatable)
	hasPods := slices.ContainsFunc(s.Allocatable, func(r ResourceAmount) bool { return r.Name == string(v1.ResourcePods) })
	if !hasPods {
		n.Status.Allocatable[v1.ResourcePods] = *resource.NewQuantity(DefaultPods, resource.DecimalSI)
	}
	return n
}
