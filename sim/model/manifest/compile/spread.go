package compile

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// spreading compiles the spread constraints of a pod, and says which pods the default ones
// would spread it among.
//
// Upstream: mutateTopologySpreadConstraints of pkg/registry/core/pod/strategy.go, which merges
// matchLabelKeys on creation, and filterTopologySpreadConstraints of
// framework/plugins/podtopologyspread/common.go, which does it again, v1.36.3.
func (compiler *Compiler) spreading(faults *document.Errors, p admit.Source, c *cluster.Class) {
	c.Spread = nil
	c.SpreadSelector = compiler.defaultSelector(p.Meta)
	c.Services = compiler.servicesOf(p.Meta)
	at := p.At.Get("spec")
	for i := range p.Spec.TopologySpreadConstraints {
		s := &p.Spec.TopologySpreadConstraints[i]
		if p.Meta.UID == "" {
			merged := admit.WithLabelKeys(s.LabelSelector, p.Meta.Labels, s.MatchLabelKeys, nil)
			admit.RepeatedLabelKeys(faults, at, decode.Join(validate.SpreadPath, i)+".matchLabelKeys", s.MatchLabelKeys, merged)
		}
		if what := compiler.check.LabelKey(s.TopologyKey); what != "" && s.TopologyKey != "" {
			path := at.Find(decode.Join(validate.SpreadPath, i) + ".topologyKey")
			compiler.warnings.Once("topologyKey: "+s.TopologyKey, path, "no node has the label %q: %s", s.TopologyKey, what)
		}
		c.Spread = append(c.Spread, compiler.spreadConstraint(s, p.Meta.Labels))
	}
}

func (compiler *Compiler) spreadConstraint(s *v1.TopologySpreadConstraint, labels map[string]string) cluster.SpreadConstraint {
	out := cluster.SpreadConstraint{
		TopologyKey:       compiler.vocabulary.Symbol(s.TopologyKey),
		MaxSkew:           s.MaxSkew,
		MinDomains:        1,
		Hard:              s.WhenUnsatisfiable == v1.DoNotSchedule,
		Selector:          compiler.podSelector(s.LabelSelector),
		HonorNodeAffinity: s.NodeAffinityPolicy == nil || *s.NodeAffinityPolicy == v1.NodeInclusionPolicyHonor,
		HonorNodeTaints:   s.NodeTaintsPolicy != nil && *s.NodeTaintsPolicy == v1.NodeInclusionPolicyHonor,
	}
	if s.MinDomains != nil {
		out.MinDomains = *s.MinDomains
	}
	for _, key := range s.MatchLabelKeys {
		if value, has := labels[key]; has && !out.Selector.Nothing {
			out.Selector.Requirements = compiler.require(out.Selector.Requirements, key, value)
		}
	}
	return out
}

// require adds the requirement that a label has a value, unless it is there.
func (compiler *Compiler) require(list []cluster.Requirement, key, value string) []cluster.Requirement {
	k, v := compiler.vocabulary.Symbol(key), compiler.vocabulary.Symbol(value)
	compiler.vocabulary.NoteSelectorKey(k)
	if slices.ContainsFunc(list, func(r cluster.Requirement) bool {
		return r.Key == k && r.Op == cluster.In && len(r.Values) == 1 && r.Values[0] == v
	}) {
		return list
	}
	return append(list, cluster.Requirement{Key: k, Op: cluster.In, Values: []cluster.Symbol{v}})
}
