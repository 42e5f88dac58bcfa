package compile

import (
	"k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/intree"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// StorageClass compiles a StorageClass.
func (compiler *Compiler) StorageClass(o *decode.Object) cluster.StorageClass {
	s := o.Typed.(*storagev1.StorageClass)
	out := cluster.StorageClass{
		Name: compiler.vocabulary.Symbol(o.Name), Provisioner: s.Provisioner, Driver: compiler.vocabulary.Symbol(intree.DriverOf(s.Provisioner)),
		WaitForFirstConsumer: s.VolumeBindingMode != nil && *s.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer,
		ReclaimPolicy:        cluster.Delete,
		Topologies:           cluster.VolumeAffinity{Limited: len(s.AllowedTopologies) > 0},
	}
	if s.ReclaimPolicy != nil && *s.ReclaimPolicy != "" {
		out.ReclaimPolicy = validate.ReclaimPolicies[*s.ReclaimPolicy]
	}
	for _, t := range s.AllowedTopologies {
		term := v1.NodeSelectorTerm{}
		for _, r := range t.MatchLabelExpressions {
			term.MatchExpressions = append(term.MatchExpressions, v1.NodeSelectorRequirement{Key: r.Key, Operator: v1.NodeSelectorOpIn, Values: r.Values})
		}
		compiled, errs := compiler.term(&term, nil)
		compiled.Fault = wording(errs)
		out.Topologies.Terms = append(out.Topologies.Terms, compiled)
	}
	return out
}
