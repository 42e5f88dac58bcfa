package validate

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// checkService checks what of a Service can matter to scheduling: the pods that it selects.
//
// Upstream: ValidateService of pkg/apis/core/validation, v1.36.3.
func checkService(c *Checker, o *decode.Object) {
	s := decoded[v1.Service](c, o)
	c.meta(o, &s.ObjectMeta, true)
	if what := c.dnsLabel(s.Name); c.subdomain(s.Name) == "" && what != "" {
		o.Faults.Add(o.At, "metadata.name", "is not valid: %s", what)
	}
	c.Labels(&o.Faults, o.At, "spec.selector", s.Spec.Selector)
}
