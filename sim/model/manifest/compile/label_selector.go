package compile

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// podSelector compiles a label selector of pods that has been checked.
func (compiler *Compiler) podSelector(s *metav1.LabelSelector) cluster.LabelSelector {
	out := compiler.labelSelector(s)
	for _, r := range out.Requirements {
		compiler.vocabulary.NoteSelectorKey(r.Key)
	}
	return out
}

// labelSelector compiles a label selector that has been checked.
//
// Upstream: LabelSelectorAsSelector of k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go, v0.36.3.
func (compiler *Compiler) labelSelector(s *metav1.LabelSelector) cluster.LabelSelector {
	if s == nil {
		return cluster.SelectsNothing()
	}
	var out cluster.LabelSelector
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		out.Requirements = append(out.Requirements, cluster.Requirement{
			Key: compiler.vocabulary.Symbol(key), Op: cluster.In, Values: []cluster.Symbol{compiler.vocabulary.Symbol(s.MatchLabels[key])},
		})
	}
	for _, r := range s.MatchExpressions {
		out.Requirements = append(out.Requirements, cluster.Requirement{
			Key: compiler.vocabulary.Symbol(r.Key), Op: validate.LabelOps[r.Operator], Values: compiler.syms(r.Values),
		})
	}
	return out
}
