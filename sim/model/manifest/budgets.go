package manifest

import (
	"strconv"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// Upstream: ValidatePodDisruptionBudget and ValidatePodDisruptionBudgetStatusUpdate of
// pkg/apis/policy/validation, v1.36.3.
func readBudget(c *checker, o *object) {
	b := decoded[policyv1.PodDisruptionBudget](c, o)
	c.meta(o, &b.ObjectMeta, true)
	if b.Spec.MinAvailable != nil && b.Spec.MaxUnavailable != nil {
		o.faults.Add(o.at, "spec", "must not have both minAvailable and maxUnavailable")
	}
	for _, share := range []struct {
		path  string
		value *intstr.IntOrString
	}{{"spec.minAvailable", b.Spec.MinAvailable}, {"spec.maxUnavailable", b.Spec.MaxUnavailable}} {
		if what := shareFault(share.value); what != "" {
			o.faults.Add(o.at, share.path, "%s", what)
		}
	}
	c.labelSelector(&o.faults, o.at, "spec.selector", b.Spec.Selector)
	if p := b.Spec.UnhealthyPodEvictionPolicy; p != nil && *p != policyv1.IfHealthyBudget && *p != policyv1.AlwaysAllow {
		o.faults.Add(o.at, "spec.unhealthyPodEvictionPolicy", "is not a policy; IfHealthyBudget and AlwaysAllow are")
	}
	for _, count := range []struct {
		name  string
		value int32
	}{
		{"disruptionsAllowed", b.Status.DisruptionsAllowed}, {"currentHealthy", b.Status.CurrentHealthy},
		{"desiredHealthy", b.Status.DesiredHealthy}, {"expectedPods", b.Status.ExpectedPods},
	} {
		if count.value < 0 {
			o.faults.Add(o.at, "status."+count.name, "must not be negative")
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

// share is a number of pods, or a part of them, that has been checked.
func share(v *intstr.IntOrString) *cluster.Share {
	if v == nil {
		return nil
	}
	if v.Type == intstr.Int {
		return &cluster.Share{Value: int64(v.IntVal)}
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(v.StrVal, "%"))
	return &cluster.Share{Value: int64(n), Percent: true}
}

// budget compiles a PodDisruptionBudget.
func (cp *compiler) budget(o *object) cluster.Budget {
	b := o.typed.(*policyv1.PodDisruptionBudget)
	out := cluster.Budget{
		Namespace: cp.vocabulary.Sym(o.namespace), Name: o.name, Selector: cp.labelSelector(b.Spec.Selector),
		Available: share(b.Spec.MinAvailable), Unavailable: share(b.Spec.MaxUnavailable),
		Allowed: b.Status.DisruptionsAllowed, HasStatus: o.at.Find("status.disruptionsAllowed").Exists(),
	}
	for name := range b.Status.DisruptedPods {
		if out.Disrupted == nil {
			out.Disrupted = map[string]bool{}
		}
		out.Disrupted[name] = true
	}
	return out
}
