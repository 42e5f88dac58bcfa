package validate

import (
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// CheckReplicaPod reads a pod as if it were a template: where it runs and who it is do not count.
func CheckReplicaPod(c *Checker, o *decode.Object) {
	pod := decoded[v1.Pod](c, o)
	c.meta(o, &pod.ObjectMeta, true)
	c.podSpec(&o.Faults, o.At.Get("spec"), &pod.Spec)
	pod.Spec.NodeName = ""
	o.Typed = replicaOf(o, "", &v1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: o.Namespace, Labels: pod.Labels, Annotations: pod.Annotations, OwnerReferences: pod.OwnerReferences,
		},
		Spec: pod.Spec,
	})
}

// CheckPodTemplate reads a PodTemplate as a controller.
func CheckPodTemplate(c *Checker, o *decode.Object) {
	t := decoded[v1.PodTemplate](c, o)
	c.meta(o, &t.ObjectMeta, true)
	c.Template(&o.Faults, o.At.Get("template"), &t.Template)
	t.Template.Namespace = o.Namespace
	o.Typed = replicaOf(o, "template", &t.Template)
}

func replicaOf(o *decode.Object, path string, template *v1.PodTemplateSpec) *Controller {
	m := &Controller{Template: template, TemplatePath: path}
	m.Kind, m.Namespace, m.Name, m.At = o.Kind.Name, o.Namespace, o.Name, o.At
	return m
}
