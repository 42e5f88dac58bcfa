package manifest

import (
	"slices"

	v1 "k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// spreadPath is where the spread constraints of a spec stand.
const spreadPath = "topologySpreadConstraints"

// spreadConstraints checks those of a spec, but for what depends on the pod's labels.
//
// Upstream: validateTopologySpreadConstraints of pkg/apis/core/validation, v1.36.3.
func (c *checker) spreadConstraints(faults *document.Errors, at document.Value, list []v1.TopologySpreadConstraint) {
	for i := range list {
		s, path := &list[i], join(spreadPath, i)
		if s.MaxSkew <= 0 {
			faults.Add(at, path+".maxSkew", "must be at least 1")
		}
		if s.TopologyKey == "" {
			faults.Add(at, path+".topologyKey", "is required")
		}
		if s.WhenUnsatisfiable != v1.DoNotSchedule && s.WhenUnsatisfiable != v1.ScheduleAnyway {
			faults.Add(at, path+".whenUnsatisfiable", "is not an action; DoNotSchedule and ScheduleAnyway are")
		}
		if j := slices.IndexFunc(list[:i], func(o v1.TopologySpreadConstraint) bool {
			return o.TopologyKey == s.TopologyKey && o.WhenUnsatisfiable == s.WhenUnsatisfiable
		}); j >= 0 && c.knows(at, path+".whenUnsatisfiable", join(spreadPath, j, "topologyKey"), join(spreadPath, j, "whenUnsatisfiable")) {
			faults.Add(at, path+".topologyKey", "has a constraint of the same whenUnsatisfiable already")
		}
		c.minDomains(faults, at, path, s)
		nodePolicy(faults, at, path+".nodeAffinityPolicy", s.NodeAffinityPolicy)
		nodePolicy(faults, at, path+".nodeTaintsPolicy", s.NodeTaintsPolicy)
		c.labelKeysOf(faults, at, path+".matchLabelKeys", s.MatchLabelKeys, s.LabelSelector)
		c.labelSelector(faults, at, path+".labelSelector", s.LabelSelector)
	}
}

func (c *checker) minDomains(faults *document.Errors, at document.Value, path string, s *v1.TopologySpreadConstraint) {
	if s.MinDomains == nil {
		return
	}
	if *s.MinDomains <= 0 {
		faults.Add(at, path+".minDomains", "must be at least 1")
	}
	if s.WhenUnsatisfiable != v1.DoNotSchedule && c.knows(at, path+".whenUnsatisfiable") {
		faults.Add(at, path+".minDomains", "must not be given unless whenUnsatisfiable is DoNotSchedule")
	}
}

func nodePolicy(faults *document.Errors, at document.Value, path string, p *v1.NodeInclusionPolicy) {
	if p != nil && *p != v1.NodeInclusionPolicyHonor && *p != v1.NodeInclusionPolicyIgnore {
		faults.Add(at, path, "is not a policy; Honor and Ignore are")
	}
}

// spreading compiles the spread constraints of a pod, and says which pods the default ones
// would spread it among.
//
// Upstream: mutateTopologySpreadConstraints of pkg/registry/core/pod/strategy.go, which merges
// matchLabelKeys on creation, and filterTopologySpreadConstraints of
// framework/plugins/podtopologyspread/common.go, which does it again, v1.36.3.
func (cp *compiler) spreading(faults *document.Errors, p podSource, c *cluster.Class) {
	c.Spread = nil
	c.SpreadSelector = cp.defaultSelector(p.meta)
	c.Services = cp.servicesOf(p.meta)
	at := p.at.Get("spec")
	for i := range p.spec.TopologySpreadConstraints {
		s := &p.spec.TopologySpreadConstraints[i]
		if p.meta.UID == "" {
			merged := withLabelKeys(s.LabelSelector, p.meta.Labels, s.MatchLabelKeys, nil)
			repeatedLabelKeys(faults, at, join(spreadPath, i)+".matchLabelKeys", s.MatchLabelKeys, merged)
		}
		if what := cp.check.labelKey(s.TopologyKey); what != "" && s.TopologyKey != "" {
			path := at.Find(join(spreadPath, i) + ".topologyKey")
			cp.warnings.once("topologyKey: "+s.TopologyKey, path, "no node has the label %q: %s", s.TopologyKey, what)
		}
		c.Spread = append(c.Spread, cp.spreadConstraint(s, p.meta.Labels))
	}
}

func (cp *compiler) spreadConstraint(s *v1.TopologySpreadConstraint, labels map[string]string) cluster.SpreadConstraint {
	out := cluster.SpreadConstraint{
		TopologyKey:   cp.vocabulary.Sym(s.TopologyKey),
		MaxSkew:       s.MaxSkew,
		MinDomains:    1,
		Hard:          s.WhenUnsatisfiable == v1.DoNotSchedule,
		Selector:      cp.labelSelector(s.LabelSelector),
		HonorAffinity: s.NodeAffinityPolicy == nil || *s.NodeAffinityPolicy == v1.NodeInclusionPolicyHonor,
		HonorTaints:   s.NodeTaintsPolicy != nil && *s.NodeTaintsPolicy == v1.NodeInclusionPolicyHonor,
	}
	if s.MinDomains != nil {
		out.MinDomains = *s.MinDomains
	}
	for _, key := range s.MatchLabelKeys {
		if value, has := labels[key]; has && !out.Selector.Nothing {
			out.Selector.Requirements = cp.require(out.Selector.Requirements, key, value)
		}
	}
	return out
}

// require adds the requirement that a label has a value, unless it is there.
func (cp *compiler) require(list []cluster.Requirement, key, value string) []cluster.Requirement {
	k, v := cp.vocabulary.Sym(key), cp.vocabulary.Sym(value)
	if slices.ContainsFunc(list, func(r cluster.Requirement) bool {
		return r.Key == k && r.Op == cluster.In && len(r.Values) == 1 && r.Values[0] == v
	}) {
		return list
	}
	return append(list, cluster.Requirement{Key: k, Op: cluster.In, Values: []cluster.Sym{v}})
}
