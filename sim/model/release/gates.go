package release

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

//go:embed gates.txt
var gatesText string

// Gate is a feature gate of one release.
type Gate struct {
	Stage   string // alpha, beta, GA or deprecated
	Default bool
	Locked  bool // it cannot be changed
}

// gates are the feature gates by name, with one entry for each release; nil where it has none of the name.
var gates = readGates()

func readGates() map[string][]*Gate {
	all := map[string][]*Gate{}
	for line := range strings.Lines(gatesText) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "#") || words[0] == "gate" {
			continue
		}
		for _, word := range words[1:] {
			stage, state, _ := strings.Cut(word, ":")
			if word == "-" {
				all[words[0]] = append(all[words[0]], nil)
				continue
			}
			all[words[0]] = append(all[words[0]], &Gate{stage, strings.HasPrefix(state, "on"), strings.HasSuffix(state, "!")})
		}
	}
	return all
}

// GateNames returns the names of the feature gates of all releases, in order.
func GateNames() []string { return slices.Sorted(maps.Keys(gates)) }

// Gate returns a feature gate of the release, and false if it has none of that name.
func (r Release) Gate(name string) (Gate, bool) {
	if of := gates[name]; of != nil {
		if g := of[r.Minor-releases[0].Minor]; g != nil {
			return *g, true
		}
	}
	return Gate{}, false
}

// switches say what a gate that is switched away from its default does to the rules of a release.
var switches = map[string]func(r *Rules, of Release, on bool){
	"StorageCapacityScoring": func(r *Rules, _ Release, on bool) { r.StorageScore = on },
	"VolumeLimitScaling": func(r *Rules, of Release, on bool) {
		switch {
		case !on:
			r.MissingDriver = MissingDriverPasses
		case of.Minor == 35: // its CSIDriver has no field to ask for it
			r.MissingDriver = MissingDriverRejects
		default:
			r.MissingDriver = MissingDriverOptIn
		}
	},
	"NodeDeclaredFeatures": func(r *Rules, _ Release, on bool) {
		r.DeclaredFeatures = FeaturesNone
		if on { // off in 1.35 alone
			r.DeclaredFeatures = FeaturesOfRestarts
		}
	},
	"PodLevelResources": func(r *Rules, _ Release, on bool) {
		r.PodLevelRequests, r.PodLevelDefaults = on, PodLevelDefaultsNone
		if on {
			r.PodLevelDefaults = PodLevelDefaultsLimited
		}
	},
	"PodLevelResourcesFixDefaulting": func(r *Rules, _ Release, on bool) {
		r.PodLevelDefaults = PodLevelDefaultsLimited
		if on {
			r.PodLevelDefaults = PodLevelDefaultsContainers
		}
	},
	"PodTopologyLabelsAdmission":                     func(r *Rules, _ Release, on bool) { r.TopologyLabelsOnBind = on },
	"MatchLabelKeysInPodTopologySpreadSelectorMerge": func(r *Rules, _ Release, on bool) { r.SpreadKeysMerged = on },
	"SchedulerAsyncPreemption":                       func(r *Rules, _ Release, on bool) { r.AsyncPreemption = on },
	"SchedulerPopFromBackoffQ":                       func(r *Rules, _ Release, on bool) { r.PopFromBackoff = on },
	"VolumeAttributesClass":                          func(r *Rules, _ Release, on bool) { r.AttributesClassMatters = on },
}

// unmodeled are the gates that change what kube-scheduler decides and that are not switched here. All gates of devices
// (DRA…) are among them.
var unmodeled = map[string]bool{
	"ClearingNominatedNodeNameAfterBinding": true, "CompositePodGroup": true, "DeferredPodScheduling": true,
	"DynamicResourceAllocation": true, "GangScheduling": true, "GenericWorkload": true,
	"InPlacePodLevelResourcesVerticalScaling": true, "InPlacePodVerticalScaling": true,
	"InPlacePodVerticalScalingExclusiveCPUs": true, "InPlacePodVerticalScalingExclusiveMemory": true,
	"InPlacePodVerticalScalingInitContainers": true, "InPlacePodVerticalScalingSchedulerPreemption": true,
	"MatchLabelKeysInPodAffinity": true, "MatchLabelKeysInPodTopologySpread": true, "NodeInclusionPolicyInPodTopologySpread": true,
	"NominatedNodeNameForExpectation": true, "OpportunisticBatching": true, "PodGroupPreemptionPolicy": true,
	"SchedulerAsyncAPICalls": true, "SchedulerQueueingHints": true, "TaintTolerationComparisonOperators": true, "SidecarContainers": true,
	"TopologyAwareWorkloadScheduling": true, "VolumeBindMountOptions": true, "WorkloadAwarePreemption": true, "WorkloadWithJob": true,
}

// CheckGate returns an error if a cluster of the release does not start with this setting, or if the setting would change
// decisions in a way that is not modeled.
func (r Release) CheckGate(name string, on bool) error {
	g, exists := r.Gate(name)
	switch {
	case !exists:
		return r.noGate(name)
	case on == g.Default:
		return nil
	case g.Locked:
		return fmt.Errorf("feature gate %s is locked to %t in Kubernetes %s", name, g.Default, r)
	case unmodeled[name] || strings.HasPrefix(name, "DRA"):
		return fmt.Errorf("feature gate %s=%t changes what kube-scheduler decides, and that is not modeled; only its default in Kubernetes %s, %t, is", name, on, r, g.Default)
	}
	return nil
}

// noGate is the error for a gate that the release does not have.
func (r Release) noGate(name string) error {
	of := gates[name]
	if of == nil {
		return fmt.Errorf("there is no feature gate %s%s", name, document.Meant(name, GateNames()))
	}
	var have []string
	for i, g := range of {
		if g != nil {
			have = append(have, releases[i].String())
		}
	}
	return fmt.Errorf("feature gate %s is not in Kubernetes %s, but in %s", name, r, strings.Join(have, ", "))
}
