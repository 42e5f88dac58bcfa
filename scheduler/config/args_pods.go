package config

import (
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Upstream: ValidateInterPodAffinityArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
func (f *reading) podAffinityArgs(v document.Value) any {
	var a struct {
		typeMeta
		HardPodAffinityWeight              *int32 `json:"hardPodAffinityWeight"`
		IgnorePreferredTermsOfExistingPods bool   `json:"ignorePreferredTermsOfExistingPods"`
	}
	f.decodeArgs(v, "InterPodAffinityArgs", &a.typeMeta, &a)
	args := plugins.DefaultInterPodAffinityArgs()
	args.IgnorePreferredTermsOfExistingPods = a.IgnorePreferredTermsOfExistingPods
	if w := a.HardPodAffinityWeight; w != nil {
		args.HardPodAffinityWeight = int64(*w)
		if *w < 0 || *w > 100 {
			f.errors.Add(v, "hardPodAffinityWeight", "must be from 0 to 100")
		}
	}
	return args
}

type spreadConstraint struct {
	MaxSkew            int32          `json:"maxSkew"`
	TopologyKey        string         `json:"topologyKey"`
	WhenUnsatisfiable  string         `json:"whenUnsatisfiable"`
	LabelSelector      document.Value `json:"labelSelector"`
	MinDomains         *int32         `json:"minDomains"`
	NodeAffinityPolicy *string        `json:"nodeAffinityPolicy"`
	NodeTaintsPolicy   *string        `json:"nodeTaintsPolicy"`
	MatchLabelKeys     []string       `json:"matchLabelKeys"` // without effect: selectors are deduced
}

const (
	doNotSchedule  = "DoNotSchedule"
	scheduleAnyway = "ScheduleAnyway"
	honor, ignore  = "Honor", "Ignore"
)

// Upstream: ValidatePodTopologySpreadArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
func (f *reading) spreadArgs(v document.Value) any {
	var a struct {
		typeMeta
		DefaultConstraints []spreadConstraint `json:"defaultConstraints"`
		DefaultingType     string             `json:"defaultingType"`
	}
	f.decodeArgs(v, "PodTopologySpreadArgs", &a.typeMeta, &a)
	if a.DefaultingType == "" && len(a.DefaultConstraints) > 0 && f.version.lists {
		a.DefaultingType = "List"
	}
	args := plugins.PodTopologySpreadArgs{System: a.DefaultingType != "List"}
	switch a.DefaultingType {
	case "", "System":
		if len(a.DefaultConstraints) > 0 {
			f.errors.Add(v, "defaultConstraints", "need defaultingType: List")
		}
	case "List":
	default:
		f.errors.Add(v, "defaultingType", "must be System or List")
	}
	for i, c := range a.DefaultConstraints {
		f.spreadConstraint(v, document.Path("defaultConstraints", i), &c)
		for _, other := range a.DefaultConstraints[:i] {
			if other.TopologyKey == c.TopologyKey && other.WhenUnsatisfiable == c.WhenUnsatisfiable {
				f.errors.Add(v, document.Path("defaultConstraints", i), "has the topologyKey and whenUnsatisfiable of another constraint")
				break
			}
		}
		if f.reader.Vocabulary != nil {
			args.Default = append(args.Default, c.compile(f.reader.Vocabulary))
		}
	}
	if f.reader.Vocabulary == nil && len(a.DefaultConstraints) > 0 {
		f.errors.Add(v, "defaultConstraints", "are not supported here")
	}
	return args
}

// spreadConstraint checks the constraint at path.
func (f *reading) spreadConstraint(v document.Value, path string, c *spreadConstraint) {
	if c.MaxSkew <= 0 {
		f.errors.Add(v, path+".maxSkew", "must be greater than 0")
	}
	switch {
	case c.TopologyKey == "":
		f.errors.Add(v, path+".topologyKey", "must not be empty")
	case !isQualifiedName(c.TopologyKey):
		f.errors.Add(v, path+".topologyKey", "is not the key of a label")
	}
	if c.WhenUnsatisfiable != doNotSchedule && c.WhenUnsatisfiable != scheduleAnyway {
		f.errors.Add(v, path+".whenUnsatisfiable", "must be %s or %s", doNotSchedule, scheduleAnyway)
	}
	if c.LabelSelector.Exists() && c.LabelSelector.Kind() != document.Null {
		f.errors.Add(v, path+".labelSelector", "must not be given: it is deduced for each pod")
	}
	f.nodePolicy(v, path+".nodeAffinityPolicy", c.NodeAffinityPolicy)
	f.nodePolicy(v, path+".nodeTaintsPolicy", c.NodeTaintsPolicy)
}

func (f *reading) nodePolicy(v document.Value, path string, policy *string) {
	if policy != nil && *policy != honor && *policy != ignore {
		f.policy.Warnings.Add(v, path, "is neither %s nor %s, and means %s", honor, ignore, ignore)
	}
}

// compile is the constraint as the plugin has it, without the selector.
//
// Upstream: filterTopologySpreadConstraints in framework/plugins/podtopologyspread/common.go, v1.36.3.
func (c *spreadConstraint) compile(v *cluster.Vocabulary) cluster.SpreadConstraint {
	out := cluster.SpreadConstraint{
		TopologyKey: v.Symbol(c.TopologyKey), MaxSkew: c.MaxSkew, MinDomains: 1, Hard: c.WhenUnsatisfiable == doNotSchedule,
		HonorNodeAffinity: c.NodeAffinityPolicy == nil || *c.NodeAffinityPolicy == honor,
		HonorNodeTaints:   c.NodeTaintsPolicy != nil && *c.NodeTaintsPolicy == honor,
	}
	if c.MinDomains != nil {
		out.MinDomains = max(*c.MinDomains, 1)
	}
	return out
}
