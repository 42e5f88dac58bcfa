package manifest

import (
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// DefaultScheduleTimeout is how long members of a PodGroup wait for the others if it does not say:
// the default of sigs.k8s.io/scheduler-plugins.
const DefaultScheduleTimeout = 60 * time.Second

// podGroup is the API type PodGroup of scheduling.x-k8s.io/v1alpha1.
type podGroup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              podGroupSpec `json:"spec,omitempty"`
	Status            any          `json:"status,omitempty"`
}

type podGroupSpec struct {
	MinMember              int32           `json:"minMember,omitempty"`
	MinResources           v1.ResourceList `json:"minResources,omitempty"`
	ScheduleTimeoutSeconds *int32          `json:"scheduleTimeoutSeconds,omitempty"`
}

func readPodGroup(c *checker, o *object) {
	g := decoded[podGroup](c, o)
	c.meta(o, &g.ObjectMeta, true)
	if g.Spec.MinMember < 1 {
		o.faults.Add(o.at, "spec.minMember", "must be at least 1")
	}
	if len(g.Spec.MinResources) > 0 {
		o.faults.Add(o.at, "spec.minResources", "is not supported yet")
	}
	if t := g.Spec.ScheduleTimeoutSeconds; t != nil && *t < 0 {
		o.faults.Add(o.at, "spec.scheduleTimeoutSeconds", "must not be negative")
	}
}

func (l *Loader) addPodGroup(o *object) {
	g := o.typed.(*podGroup)
	if o.name == "" {
		return
	}
	if o.namespace == "" {
		o.namespace = metav1.NamespaceDefault
	}
	out := PodGroup{
		Namespace: o.namespace, Name: o.name, At: o.at,
		MinMember: int(g.Spec.MinMember), ScheduleTimeout: DefaultScheduleTimeout,
	}
	if t := g.Spec.ScheduleTimeoutSeconds; t != nil {
		out.ScheduleTimeout = time.Duration(*t) * time.Second
	}
	l.admission.groups[o.namespace+"/"+o.name] = true
	l.PodGroups = append(l.PodGroups, out)
}

// runtimeClass is a RuntimeClass with what it brings to pods.
type runtimeClass struct {
	name         string
	faulty       bool // the rest is not known
	hasOverhead  bool
	overhead     amounts
	nodeSelector map[string]string
	tolerations  []v1.Toleration
}

// Upstream: ValidateRuntimeClass of pkg/apis/node/validation, v1.36.3.
func readRuntimeClass(c *checker, o *object) {
	r := decoded[nodev1.RuntimeClass](c, o)
	c.meta(o, &r.ObjectMeta, false)
	if r.Handler == "" {
		o.faults.Add(o.at, "handler", "is required")
	} else if bad := validation.IsDNS1123Label(r.Handler); len(bad) > 0 {
		o.faults.Add(o.at, "handler", "is not valid: %s", strings.Join(bad, "; "))
	}
	if r.Overhead != nil {
		c.overhead(&o.faults, o.at, "overhead.podFixed", r.Overhead.PodFixed)
	}
	if r.Scheduling != nil {
		at := o.at.Get("scheduling")
		c.labels(&o.faults, at, "nodeSelector", r.Scheduling.NodeSelector)
		c.tolerations(&o.faults, at, r.Scheduling.Tolerations)
	}
}

// registerRuntimeClass makes a class known to the pods that name it.
func (ch *chain) registerRuntimeClass(o *object) {
	r := o.typed.(*nodev1.RuntimeClass)
	out := &runtimeClass{name: o.name, faulty: len(o.faults) > 0}
	if !out.faulty && r.Overhead != nil {
		out.hasOverhead, out.overhead = true, amountsOf(r.Overhead.PodFixed)
	}
	if r.Scheduling != nil {
		out.nodeSelector, out.tolerations = r.Scheduling.NodeSelector, r.Scheduling.Tolerations
	}
	ch.runtimes[o.name] = out
}

func readNamespace(c *checker, o *object) {
	n := decoded[v1.Namespace](c, o)
	c.meta(o, &n.ObjectMeta, false)
	if c.subdomain(n.Name) == "" {
		if bad := validation.IsDNS1123Label(n.Name); len(bad) > 0 {
			o.faults.Add(o.at, "metadata.name", "is not valid: %s", strings.Join(bad, "; "))
		}
	}
}

func (l *Loader) addNamespace(o *object) {
	n := o.typed.(*v1.Namespace)
	labels := map[string]string{}
	for key, value := range n.Labels {
		labels[key] = value
	}
	labels[v1.LabelMetadataName] = o.name
	l.vocabulary.SetNamespaceLabels(l.vocabulary.Sym(o.name), l.vocabulary.NewLabelSet(labels))
	l.Namespaces = append(l.Namespaces, Namespace{Name: o.name, Labels: labels, At: o.at})
}
