package manifest

import (
	"errors"
	"maps"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Template is a PodTemplateSpec, admitted: what many pods are made of.
type Template struct {
	Class  *cluster.Class
	Labels map[string]string // must not be changed
	Group  string            // namespace/name of the PodGroup that the labels name; empty if none

	compiler *compiler
	source   podSource
}

// TemplateOptions say of a template what stands outside of it. Empty fields change nothing.
type TemplateOptions struct {
	Namespace         string            // for a template that names none; default if empty
	Labels            map[string]string // put over those of the template
	PriorityClassName string            // in the place of the template's own
	SchedulerName     string            // in the place of the template's own
	Devices           *DeviceOptions    // that its first container asks for; nil: what the template says
}

// Template reads a PodTemplateSpec and admits a pod made of it.
func (l *Loader) Template(v document.Value, opts TemplateOptions) (*Template, error) {
	var t v1.PodTemplateSpec
	var faults document.Errors
	l.check.decode(&faults, v, &t)
	l.check.template(&faults, v, &t)
	l.check.settle(&faults)
	l.check.doubt(v, faults)
	if opts.PriorityClassName != "" {
		t.Spec.PriorityClassName, t.Spec.Priority, t.Spec.PreemptionPolicy = opts.PriorityClassName, nil, nil
	}
	if opts.SchedulerName != "" {
		t.Spec.SchedulerName = opts.SchedulerName
	}
	if opts.Devices != nil && len(t.Spec.Containers) > 0 {
		askForDevices(&faults, v, &t, opts.Devices)
	}
	if len(opts.Labels) > 0 {
		t.Labels = merged(t.Labels, opts.Labels)
		l.check.labels(&faults, v, "metadata.labels", opts.Labels)
	}
	if t.Namespace == "" {
		t.Namespace = opts.Namespace
	}
	out := l.template(&faults, podSource{meta: &t.ObjectMeta, spec: &t.Spec, at: v, lost: !l.check.knows(v, "metadata.namespace")})
	l.check.settle(&faults)
	return out, faults.Err()
}

// template checks a PodTemplateSpec.
func (c *checker) template(faults *document.Errors, at document.Value, t *v1.PodTemplateSpec) {
	c.labels(faults, at, "metadata.labels", t.Labels)
	if t.Namespace != "" {
		c.namespace(faults, at, t.Namespace)
	}
	c.podSpec(faults, at.Get("spec"), &t.Spec)
	if len(t.Spec.EphemeralContainers) > 0 {
		faults.Add(at, "spec.ephemeralContainers", "have no place in a template")
	}
	if t.Annotations[GPUIndex] != "" {
		faults.Add(at, join(annotations, GPUIndex), "has no place in a template: a pod on a node says which GPUs it holds")
	}
	if t.Spec.NodeName != "" && len(t.Spec.SchedulingGates) > 0 {
		faults.Add(at, "spec.nodeName", "cannot be set while there are scheduling gates")
	}
}

// template admits a PodTemplateSpec that has been checked; nil if there are faults.
func (l *Loader) template(faults *document.Errors, source podSource) *Template {
	if source.meta.Namespace == "" {
		source.meta.Namespace = metav1.NamespaceDefault
	}
	a := l.admission.admit(faults, source)
	class := l.compiler.class(faults, a)
	if len(*faults) > 0 {
		return nil
	}
	return &Template{Class: l.compiler.intern(class), Labels: source.meta.Labels, Group: a.group, compiler: l.compiler, source: source}
}

// merged is a copy of labels in which others take precedence.
func merged(labels, others map[string]string) map[string]string {
	out := maps.Clone(labels)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, others)
	return out
}

// WithLabels returns the class of a pod that has these labels too, as controllers add them.
func (t *Template) WithLabels(labels map[string]string) *cluster.Class {
	return t.compiler.intern(t.withLabels(labels))
}

// withLabels is what WithLabels returns, before the vocabulary knows of it.
func (t *Template) withLabels(labels map[string]string) cluster.Class {
	return t.compiler.withLabels(*t.Class, t.source, merged(t.Labels, labels))
}

// OnNode returns the class of the pod that a DaemonSet makes for a node: its required affinity is
// that node's name.
func (t *Template) OnNode(name string) *cluster.Class { return t.compiler.onNode(*t.Class, name) }

// RunsOn reports whether a DaemonSet of this template wants a pod on a node: name, selector and required
// affinity match, and it tolerates all NoSchedule and NoExecute taints.
func (t *Template) RunsOn(n *cluster.NodeSpec) bool { return t.compiler.runsOn(t.Class, n) }

// CheckName says why a name is not one for a Kubernetes object; nil if it is.
func CheckName(name string) error {
	if bad := validation.IsDNS1123Subdomain(name); len(bad) > 0 {
		return errors.New("is not valid: " + strings.Join(bad, "; "))
	}
	return nil
}
