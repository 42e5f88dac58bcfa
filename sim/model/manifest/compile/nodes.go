package compile

import (
	"slices"
	"strings"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/encode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// NodeSpec compiles a node but its name.
func (compiler *Compiler) NodeSpec(n *v1.Node) cluster.NodeSpec {
	spec := cluster.NodeSpec{
		Labels:           compiler.vocabulary.NewLabelSet(n.Labels),
		Unschedulable:    n.Spec.Unschedulable,
		Allocatable:      compiler.quantities(resources.AmountsOf(resources.Allocatable(n))),
		Conditions:       nodeConditions(n),
		Features:         cluster.FeaturesOf(n.Status.DeclaredFeatures),
		PreferAvoidPods:  compiler.avoidedBy(n),
		ZeroAttachLimits: compiler.attachesNone(n),
		Devices:          compiler.devicesOf(n),
	}
	for _, t := range compiler.chain.TaintsOf(n) {
		spec.Taints = append(spec.Taints, cluster.Taint{
			Key: compiler.vocabulary.Symbol(t.Key), Value: compiler.vocabulary.Symbol(t.Value), Effect: validate.TaintEffects[t.Effect],
		})
	}
	if compiler.KeepObjects {
		spec.Object = encode.Node(n)
	}
	known := map[cluster.Symbol]bool{}
	for _, image := range n.Status.Images {
		for _, name := range image.Names {
			symbol := compiler.vocabulary.Symbol(name)
			if !known[symbol] {
				known[symbol] = true
				spec.Images = append(spec.Images, cluster.NodeImage{Name: symbol, Size: image.SizeBytes})
			}
		}
	}
	return spec
}

// attachesNone are the kinds of volumes of which the node says that it can attach 0. They are kept
// beside the amounts, where only rules look that know such a limit.
func (compiler *Compiler) attachesNone(n *v1.Node) (out []cluster.Resource) {
	var names []string
	for name, q := range resources.Allocatable(n) {
		if q.IsZero() && strings.HasPrefix(string(name), v1.ResourceAttachableVolumesPrefix) {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, compiler.vocabulary.Resource(name))
	}
	return out
}
