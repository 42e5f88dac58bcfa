package validate

import (
	"strings"

	"k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// PodGroup is the API type PodGroup of scheduling.x-k8s.io/v1alpha1.
type PodGroup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              podGroupSpec `json:"spec,omitempty"`
	Status            any          `json:"status,omitempty"`
}

type podGroupSpec struct {
	MinMember              *int32          `json:"minMember,omitempty"` // absent: a group of single pods
	MinResources           v1.ResourceList `json:"minResources,omitempty"`
	ScheduleTimeoutSeconds *int32          `json:"scheduleTimeoutSeconds,omitempty"`
}

func checkPodGroup(c *Checker, o *decode.Object) {
	g := decoded[PodGroup](c, o)
	c.meta(o, &g.ObjectMeta, true)
	if m := g.Spec.MinMember; m != nil && *m < 1 {
		o.Faults.Add(o.At, "spec.minMember", "must be at least 1")
	}
	for name, q := range g.Spec.MinResources {
		if q.Sign() < 0 {
			o.Faults.Add(o.At, decode.Join("spec.minResources", string(name)), "must not be negative")
		}
	}
	if t := g.Spec.ScheduleTimeoutSeconds; t != nil && *t < 0 {
		o.Faults.Add(o.At, "spec.scheduleTimeoutSeconds", "must not be negative")
	}
}

// Upstream: ValidateRuntimeClass of pkg/apis/node/validation, v1.36.3.
func checkRuntimeClass(c *Checker, o *decode.Object) {
	r := decoded[nodev1.RuntimeClass](c, o)
	c.meta(o, &r.ObjectMeta, false)
	if r.Handler == "" {
		o.Faults.Add(o.At, "handler", "is required")
	} else if bad := validation.IsDNS1123Label(r.Handler); len(bad) > 0 {
		o.Faults.Add(o.At, "handler", "is not valid: %s", strings.Join(bad, "; "))
	}
	if r.Overhead != nil {
		c.overhead(&o.Faults, o.At, "overhead.podFixed", r.Overhead.PodFixed)
	}
	if r.Scheduling != nil {
		at := o.At.Get("scheduling")
		c.Labels(&o.Faults, at, "nodeSelector", r.Scheduling.NodeSelector)
		c.tolerations(&o.Faults, at, r.Scheduling.Tolerations)
	}
}

func checkNamespace(c *Checker, o *decode.Object) {
	n := decoded[v1.Namespace](c, o)
	c.meta(o, &n.ObjectMeta, false)
	if c.subdomain(n.Name) == "" {
		if bad := validation.IsDNS1123Label(n.Name); len(bad) > 0 {
			o.Faults.Add(o.At, "metadata.name", "is not valid: %s", strings.Join(bad, "; "))
		}
	}
}
