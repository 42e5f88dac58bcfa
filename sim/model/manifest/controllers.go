package manifest

import (
	"fmt"
	"slices"
	"strconv"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

func (l *Loader) addController(o *decode.Object) {
	m := o.Typed.(*validate.Controller)
	if m.Template == nil {
		return
	}
	out := l.controller(o, m)
	out.Template = l.template(&o.Faults, admit.Source{
		Meta: &m.Template.ObjectMeta, Spec: &m.Template.Spec, At: o.At.Find(m.TemplatePath), UnknownNamespace: !l.check.NoErrorAt(o.At, "metadata.namespace"),
	})
	if out.Template != nil {
		l.Controllers = append(l.Controllers, out)
	}
}

// controller makes the controller the owner of the pods of its template, and compiles its templates of claims.
// They take the place of volumes of their names.
func (l *Loader) controller(o *decode.Object, m *validate.Controller) Controller {
	l.compiler.SetOwner(o, m)
	out := Controller{ControllerSpec: m.ControllerSpec}
	for i := range m.Claims {
		pvc := &m.Claims[i]
		out.claims = append(out.claims, claimTemplate{pvc.Name, l.compiler.Claim(&pvc.ObjectMeta, &pvc.Spec)})
		m.Template.Spec.Volumes = slices.DeleteFunc(m.Template.Spec.Volumes, func(v v1.Volume) bool { return v.Name == pvc.Name })
	}
	return out
}

// claimTemplate is one of the volumeClaimTemplates of a StatefulSet.
type claimTemplate struct {
	name  string
	claim cluster.Claim
}

// StatefulPod returns the class of the pod of an ordinal that the controller, a StatefulSet, makes: it has labels and
// claims of its own.
//
// Upstream: newVersionedStatefulSetPod, updateIdentity and updateStorage of pkg/controller/statefulset, v1.36.3.
func (c *Controller) StatefulPod(ordinal int) *cluster.Class {
	name := fmt.Sprintf("%s-%d", c.Name, ordinal)
	class := c.Template.withLabels(map[string]string{
		"statefulset.kubernetes.io/pod-name": name,
		"apps.kubernetes.io/pod-index":       strconv.Itoa(ordinal),
	})
	shared := class.Volumes // with the template: to be read only
	class.Volumes = make([]cluster.PodVolume, 0, len(c.claims)+len(shared))
	for i := range c.claims {
		claim := c.claims[i].claim
		claim.Namespace, claim.Name = class.Namespace, c.claims[i].name+"-"+name
		class.Volumes = append(class.Volumes, cluster.PodVolume{Kind: cluster.ClaimVolume, Name: claim.Name, Template: &claim})
	}
	class.Volumes = append(class.Volumes, shared...)
	return c.Template.compiler.Intern(class)
}
