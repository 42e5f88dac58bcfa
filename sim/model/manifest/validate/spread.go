package validate

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// SpreadPath is where the spread constraints of a spec stand.
const SpreadPath = "topologySpreadConstraints"

// spreadConstraints checks those of a spec, except for what depends on the pod's labels.
//
// Upstream: validateTopologySpreadConstraints of pkg/apis/core/validation, v1.36.3.
func (c *Checker) spreadConstraints(faults *document.Errors, at document.Value, list []v1.TopologySpreadConstraint) {
	for i := range list {
		s, path := &list[i], decode.Join(SpreadPath, i)
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
		}); j >= 0 && c.NoErrorAt(at, path+".whenUnsatisfiable", decode.Join(SpreadPath, j, "topologyKey"), decode.Join(SpreadPath, j, "whenUnsatisfiable")) {
			faults.Add(at, path+".topologyKey", "has a constraint of the same whenUnsatisfiable already")
		}
		c.minDomains(faults, at, path, s)
		nodePolicy(faults, at, path+".nodeAffinityPolicy", s.NodeAffinityPolicy)
		nodePolicy(faults, at, path+".nodeTaintsPolicy", s.NodeTaintsPolicy)
		c.labelKeysOf(faults, at, path+".matchLabelKeys", s.MatchLabelKeys, s.LabelSelector)
		c.labelSelector(faults, at, path+".labelSelector", s.LabelSelector)
	}
}

func (c *Checker) minDomains(faults *document.Errors, at document.Value, path string, s *v1.TopologySpreadConstraint) {
	if s.MinDomains == nil {
		return
	}
	if *s.MinDomains <= 0 {
		faults.Add(at, path+".minDomains", "must be at least 1")
	}
	if s.WhenUnsatisfiable != v1.DoNotSchedule && c.NoErrorAt(at, path+".whenUnsatisfiable") {
		faults.Add(at, path+".minDomains", "must not be given unless whenUnsatisfiable is DoNotSchedule")
	}
}

func nodePolicy(faults *document.Errors, at document.Value, path string, p *v1.NodeInclusionPolicy) {
	if p != nil && *p != v1.NodeInclusionPolicyHonor && *p != v1.NodeInclusionPolicyIgnore {
		faults.Add(at, path, "is not a policy; Honor and Ignore are")
	}
}
