package config

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/release"
)

// defaults is the multi-point list of the default profile of 1.36, in order; weight 0 stands
// for none given. What is not in the registry is left out of the profile, so that a
// plugin takes its place in it by being registered.
//
// Upstream: pkg/scheduler/apis/config/v1/default_plugins.go, v1.36.3, with its default
// feature gates. Differs: Coscheduling is ours, and last.
var defaults = []weighted{
	{"SchedulingGates", 0},
	{"PrioritySort", 0},
	{"NodeUnschedulable", 0},
	{"NodeName", 0},
	{"TaintToleration", 3},
	{"NodeAffinity", 2},
	{"NodePorts", 0},
	{"NodeResourcesFit", 1},
	{"VolumeRestrictions", 0},
	{"NodeVolumeLimits", 0},
	{"VolumeBinding", 0},
	{"VolumeZone", 0},
	{"PodTopologySpread", 2},
	{"InterPodAffinity", 2},
	{"DynamicResources", 2},
	{"DefaultPreemption", 0},
	{"NodeResourcesBalancedAllocation", 1},
	{"ImageLocality", 1},
	{"DefaultBinder", 0},
	{"NodeDeclaredFeatures", 0},
	{"Coscheduling", 0},
}

// defaultsOf returns the multi-point list of the default profile by the rules of a release.
func defaultsOf(rules *release.Rules) []weighted {
	list := slices.Clone(defaults)
	index := func(name string) int { return slices.IndexFunc(list, func(w weighted) bool { return w.name == name }) }
	if rules.NodeNameFirst {
		i, j := index("NodeUnschedulable"), index("NodeName")
		list[i], list[j] = list[j], list[i]
	}
	switch i := index("DynamicResources"); rules.DynamicResources {
	case release.DynamicResourcesAbsent:
		list = slices.Delete(list, i, i+1)
	case release.DynamicResourcesFilters:
		list[i].weight = 0
	}
	if i := index("NodeDeclaredFeatures"); rules.DeclaredFeatures == release.FeaturesNone {
		list = slices.Delete(list, i, i+1)
	}
	return list
}

// optional are plugins that no default list has: for shared devices, and of sigs.k8s.io/scheduler-plugins.
var optional = []string{
	"BestFit", "DotProd", "FGD", "FGDExact", "GpuClustering", "GpuPacking", "NodeDevicesFit", "Random",
	"NodeResourcesAllocatable", "PodState", "QOSSort",
}

// gated are plugins of upstream that its feature gates keep out of the default list.
var gated = []string{"GangScheduling", "PodGroupPodsCount", "TopologyPlacementGenerator"}

// removed are plugins that upstream refuses by name in v1.
//
// Upstream: invalidPluginsByVersion in pkg/scheduler/apis/config/validation/validation.go, v1.36.3.
var removed = []string{"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"}

// isUpstream reports whether upstream has the plugin.
func isUpstream(name string) bool {
	for _, d := range defaults {
		if d.name == name {
			return name != "Coscheduling"
		}
	}
	return slices.Contains(gated, name)
}
