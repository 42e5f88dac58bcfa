package validate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// LabelOps are the operators of label selectors, as the cluster names them.
var LabelOps = map[metav1.LabelSelectorOperator]cluster.Operator{
	metav1.LabelSelectorOpIn:           cluster.In,
	metav1.LabelSelectorOpNotIn:        cluster.NotIn,
	metav1.LabelSelectorOpExists:       cluster.Exists,
	metav1.LabelSelectorOpDoesNotExist: cluster.DoesNotExist,
}

// labelSelector checks a label selector; none at all is valid.
//
// Upstream: ValidateLabelSelector of k8s.io/apimachinery/pkg/apis/meta/v1/validation, v0.36.3.
func (c *Checker) labelSelector(faults *document.Errors, at document.Value, path string, s *metav1.LabelSelector) {
	if s == nil {
		return
	}
	c.Labels(faults, at, decode.Join(path, "matchLabels"), s.MatchLabels)
	for i := range s.MatchExpressions {
		r, path := &s.MatchExpressions[i], decode.Join(path, "matchExpressions", i)
		op, known := LabelOps[r.Operator]
		listed := op == cluster.In || op == cluster.NotIn
		switch {
		case !known:
			faults.Add(at, path+".operator", "is not an operator of label selectors; In, NotIn, Exists and DoesNotExist are")
		case listed && len(r.Values) == 0:
			faults.Add(at, path+".values", "is required for the operator %s", r.Operator)
		case !listed && len(r.Values) > 0:
			faults.Add(at, path+".values", "must not be given for the operator %s", r.Operator)
		}
		if what := c.LabelKey(r.Key); what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
		for j, value := range r.Values {
			if what := c.LabelValue(value); what != "" {
				faults.Add(at, decode.Join(path, "values", j), "is not valid: %s", what)
			}
		}
	}
}
