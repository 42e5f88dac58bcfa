package compile

import (
	"strconv"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// share is a number of pods, or a part of them, that has been checked.
func share(v *intstr.IntOrString) *cluster.IntOrPercent {
	if v == nil {
		return nil
	}
	if v.Type == intstr.Int {
		return &cluster.IntOrPercent{Value: int64(v.IntVal)}
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(v.StrVal, "%"))
	return &cluster.IntOrPercent{Value: int64(n), Percent: true}
}

// Budget compiles a PodDisruptionBudget.
func (compiler *Compiler) Budget(o *decode.Object) cluster.Budget {
	b := o.Typed.(*policyv1.PodDisruptionBudget)
	out := cluster.Budget{
		Namespace: compiler.vocabulary.Symbol(o.Namespace), Name: o.Name, Selector: compiler.podSelector(b.Spec.Selector),
		MinAvailable: share(b.Spec.MinAvailable), MaxUnavailable: share(b.Spec.MaxUnavailable),
		DisruptionsAllowed: b.Status.DisruptionsAllowed, HasStatus: o.At.Find("status.disruptionsAllowed").Exists(),
	}
	for name := range b.Status.DisruptedPods {
		if out.DisruptedPods == nil {
			out.DisruptedPods = map[string]bool{}
		}
		out.DisruptedPods[name] = true
	}
	return out
}
