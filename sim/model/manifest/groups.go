package manifest

import (
	"time"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// DefaultScheduleTimeout is how long members of a PodGroup wait for the others if it does not say:
// the default of sigs.k8s.io/scheduler-plugins.
const DefaultScheduleTimeout = 60 * time.Second

func (l *Loader) addPodGroup(o *decode.Object) {
	g := o.Typed.(*validate.PodGroup)
	if o.Name == "" {
		return
	}
	if o.Namespace == "" {
		o.Namespace = metav1.NamespaceDefault
	}
	out := PodGroup{
		Namespace: o.Namespace, Name: o.Name, At: o.At,
		MinMember: 1, ScheduleTimeout: DefaultScheduleTimeout,
	}
	if m := g.Spec.MinMember; m != nil {
		out.MinMember = int(*m)
	}
	if len(g.Spec.MinResources) > 0 {
		l.warnings.Once("minResources", o.At.Get("spec"), "minResources of PodGroups has no effect: pods of a group wait in Permit "+
			"for the others, also where Coscheduling of sigs.k8s.io/scheduler-plugins would see that the cluster has no room for all")
	}
	if t := g.Spec.ScheduleTimeoutSeconds; t != nil {
		out.ScheduleTimeout = time.Duration(*t) * time.Second
	}
	l.admission.Groups[o.Namespace+"/"+o.Name] = true
	l.PodGroups = append(l.PodGroups, out)
}

func (l *Loader) addNamespace(o *decode.Object) {
	n := o.Typed.(*v1.Namespace)
	labels := map[string]string{}
	for key, value := range n.Labels {
		labels[key] = value
	}
	labels[v1.LabelMetadataName] = o.Name
	l.vocabulary.SetNamespaceLabels(l.vocabulary.Symbol(o.Name), l.vocabulary.NewLabelSet(labels))
	l.Namespaces = append(l.Namespaces, Namespace{Name: o.Name, Labels: labels, At: o.At})
}
