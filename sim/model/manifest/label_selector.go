package manifest

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

var labelOps = map[metav1.LabelSelectorOperator]cluster.Operator{
	metav1.LabelSelectorOpIn:           cluster.In,
	metav1.LabelSelectorOpNotIn:        cluster.NotIn,
	metav1.LabelSelectorOpExists:       cluster.Exists,
	metav1.LabelSelectorOpDoesNotExist: cluster.DoesNotExist,
}

// labelSelector checks a label selector; none at all is valid.
//
// Upstream: ValidateLabelSelector of k8s.io/apimachinery/pkg/apis/meta/v1/validation, v0.36.3.
func (c *checker) labelSelector(faults *document.Errors, at document.Value, path string, s *metav1.LabelSelector) {
	if s == nil {
		return
	}
	c.labels(faults, at, join(path, "matchLabels"), s.MatchLabels)
	for i := range s.MatchExpressions {
		r, path := &s.MatchExpressions[i], join(path, "matchExpressions", i)
		op, known := labelOps[r.Operator]
		listed := op == cluster.In || op == cluster.NotIn
		switch {
		case !known:
			faults.Add(at, path+".operator", "is not an operator of label selectors; In, NotIn, Exists and DoesNotExist are")
		case listed && len(r.Values) == 0:
			faults.Add(at, path+".values", "is required for the operator %s", r.Operator)
		case !listed && len(r.Values) > 0:
			faults.Add(at, path+".values", "must not be given for the operator %s", r.Operator)
		}
		if what := c.labelKey(r.Key); what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
		for j, value := range r.Values {
			if what := c.labelValue(value); what != "" {
				faults.Add(at, join(path, "values", j), "is not valid: %s", what)
			}
		}
	}
}

// labelSelector compiles a label selector that has been checked.
//
// Upstream: LabelSelectorAsSelector of k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go, v0.36.3.
func (cp *compiler) labelSelector(s *metav1.LabelSelector) cluster.LabelSelector {
	if s == nil {
		return cluster.SelectsNothing()
	}
	var out cluster.LabelSelector
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		out.Requirements = append(out.Requirements, cluster.Requirement{
			Key: cp.vocabulary.Sym(key), Op: cluster.In, Values: []cluster.Sym{cp.vocabulary.Sym(s.MatchLabels[key])},
		})
	}
	for _, r := range s.MatchExpressions {
		out.Requirements = append(out.Requirements, cluster.Requirement{
			Key: cp.vocabulary.Sym(r.Key), Op: labelOps[r.Operator], Values: cp.syms(r.Values),
		})
	}
	return out
}
