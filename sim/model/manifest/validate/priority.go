package validate

import (
	"strings"

	"k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

const (
	systemPrefix          = "system-"
	highestUserPriority   = 1_000_000_000
	systemClusterCritical = 2 * highestUserPriority
)

// SystemPriorities are the values of the classes that every cluster has.
var SystemPriorities = map[string]int32{
	"system-cluster-critical": systemClusterCritical,
	"system-node-critical":    systemClusterCritical + 1000,
}

// Upstream: ValidatePriorityClass of pkg/apis/scheduling/validation, v1.36.3.
func checkPriorityClass(c *Checker, o *decode.Object) {
	p := decoded[schedulingv1.PriorityClass](c, o)
	c.meta(o, &p.ObjectMeta, false)
	if strings.HasPrefix(p.Name, systemPrefix) {
		value, known := SystemPriorities[p.Name]
		switch {
		case !known:
			o.Faults.Add(o.At, "metadata.name", "is reserved: names with the prefix %s are the system's own", systemPrefix)
		case p.Value != value:
			o.Faults.Add(o.At, "value", "must be %d for %s", value, p.Name)
		case p.GlobalDefault:
			o.Faults.Add(o.At, "globalDefault", "must be false for %s", p.Name)
		}
	} else if p.Value > highestUserPriority {
		o.Faults.Add(o.At, "value", "is too large: the highest priority for users is %d", highestUserPriority)
	}
	if policy := p.PreemptionPolicy; policy != nil && *policy != v1.PreemptLowerPriority && *policy != v1.PreemptNever {
		o.Faults.Add(o.At, "preemptionPolicy", "is not a policy; PreemptLowerPriority and Never are")
	}
}
