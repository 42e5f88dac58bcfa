package manifest

import (
	"reflect"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/compile"
)

// The types that the templates of scenarios are decoded as, for those who describe them.
var (
	NodeType        = reflect.TypeFor[v1.Node]()
	PodTemplateType = reflect.TypeFor[v1.PodTemplateSpec]()
)

// Template is a PodTemplateSpec, admitted: what many pods are made of.
type Template struct {
	Class  *cluster.Class
	Labels map[string]string // must not be changed
	Group  string            // namespace/name of the PodGroup that the labels name; empty if none

	compiler *compile.Compiler
	source   admit.Source
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
	l.check.Decode(&faults, v, &t)
	l.check.Template(&faults, v, &t)
	l.check.End(&faults)
	l.check.Begin(v, faults)
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
		t.Labels = admit.MergeLabels(t.Labels, opts.Labels)
		l.check.Labels(&faults, v, "metadata.labels", opts.Labels)
	}
	if t.Namespace == "" {
		t.Namespace = opts.Namespace
	}
	out := l.template(&faults, admit.Source{Meta: &t.ObjectMeta, Spec: &t.Spec, At: v, UnknownNamespace: !l.check.NoErrorAt(v, "metadata.namespace")})
	l.check.End(&faults)
	return out, faults.Err()
}

// template admits a PodTemplateSpec that has been checked; nil if there are faults.
func (l *Loader) template(faults *document.Errors, source admit.Source) *Template {
	if source.Meta.Namespace == "" {
		source.Meta.Namespace = metav1.NamespaceDefault
	}
	a := l.admission.Admit(faults, source)
	class := l.compiler.Class(faults, a)
	if len(*faults) > 0 {
		return nil
	}
	return &Template{Class: l.compiler.Intern(class), Labels: source.Meta.Labels, Group: a.Group, compiler: l.compiler, source: source}
}

// WithLabels returns the class of a pod that has these labels too, as controllers add them.
func (t *Template) WithLabels(labels map[string]string) *cluster.Class {
	return t.compiler.Intern(t.withLabels(labels))
}

// withLabels is what WithLabels returns, before the vocabulary knows of it.
func (t *Template) withLabels(labels map[string]string) cluster.Class {
	return t.compiler.WithLabels(*t.Class, t.source, admit.MergeLabels(t.Labels, labels))
}

// OnNode returns the class of the pod that a DaemonSet makes for a node: its required affinity is
// that node's name.
func (t *Template) OnNode(name string) *cluster.Class { return t.compiler.OnNode(*t.Class, name) }

// RunsOn reports whether a DaemonSet of this template wants a pod on a node: name, selector and required
// affinity match, and it tolerates all NoSchedule and NoExecute taints.
func (t *Template) RunsOn(n *cluster.NodeSpec) bool { return t.compiler.RunsOn(t.Class, n) }
