package validate

import (
	"strconv"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// Upstream: ValidatePodDisruptionBudget and ValidatePodDisruptionBudgetStatusUpdate of
// pkg/apis/policy/validation, v1.36.3.
func checkBudget(c *Checker, o *decode.Object) {
	b := decoded[policyv1.PodDisruptionBudget](c, o)
	c.meta(o, &b.ObjectMeta, true)
	if b.Spec.MinAvailable != nil && b.Spec.MaxUnavailable != nil {
		o.Faults.Add(o.At, "spec", "must not have both minAvailable and maxUnavailable")
	}
	for _, share := range []struct {
		path  string
		value *intstr.IntOrString
	}{{"spec.minAvailable", b.Spec.MinAvailable}, {"spec.maxUnavailable", b.Spec.MaxUnavailable}} {
		if what := shareFault(share.value); what != "" {
			o.Faults.Add(o.At, share.path, "%s", what)
		}
	}
	c.labelSelector(&o.Faults, o.At, "spec.selector", b.Spec.Selector)
	if s := b.Spec.Selector; o.Version == "v1beta1" && s != nil && len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		b.Spec.Selector = nil // in v1beta1 an empty selector matches no pod, in v1 all of the namespace
	}
	if p := b.Spec.UnhealthyPodEvictionPolicy; p != nil && *p != policyv1.IfHealthyBudget && *p != policyv1.AlwaysAllow {
		o.Faults.Add(o.At, "spec.unhealthyPodEvictionPolicy", "is not a policy; IfHealthyBudget and AlwaysAllow are")
	}
	for _, count := range []struct {
		name  string
		value int32
	}{
		{"disruptionsAllowed", b.Status.DisruptionsAllowed}, {"currentHealthy", b.Status.CurrentHealthy},
		{"desiredHealthy", b.Status.DesiredHealthy}, {"expectedPods", b.Status.ExpectedPods},
	} {
		if count.value < 0 {
			o.Faults.Add(o.At, "status."+count.name, "must not be negative")
		}
	}
}

// shareFault says what is wrong with a number of pods or a part of them.
//
// Upstream: ValidatePositiveIntOrPercent and IsNotMoreThan100Percent of pkg/apis/apps/validation, v1.36.3.
func shareFault(v *intstr.IntOrString) string {
	switch {
	case v == nil:
	case v.Type == intstr.Int:
		if v.IntVal < 0 {
			return "must not be negative"
		}
	case len(validation.IsValidPercent(v.StrVal)) > 0:
		return "is neither a whole number nor a percentage such as 5%"
	default:
		if n, err := strconv.Atoi(strings.TrimSuffix(v.StrVal, "%")); err != nil || n > 100 {
			return "must not be more than 100%"
		}
	}
	return ""
}
