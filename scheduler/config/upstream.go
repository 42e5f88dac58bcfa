package config

import (
	"slices"
	"strings"

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
	{declaredFeatures, 0},
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
	if i := index(declaredFeatures); rules.DeclaredFeatures == release.FeaturesAbsent || rules.DeclaredFeatures == release.FeaturesNone {
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
var gated = []string{"DeferredPodScheduling", "GangScheduling", "PodGroupPodsCount", "TopologyPlacementGenerator"}

// declaredFeatures is a plugin that not every release has.
const declaredFeatures = "NodeDeclaredFeatures"

// lacks reports whether the release does not have a plugin that others have.
//
// Upstream: NewInTreeRegistry in pkg/scheduler/framework/plugins/registry.go, v1.34.4 and v1.35.4.
func lacks(rules *release.Rules, plugin string) bool {
	return plugin == declaredFeatures && rules.DeclaredFeatures == release.FeaturesAbsent
}

// having returns the releases that have the plugin.
func having(plugin string) string {
	var names []string
	for _, r := range release.All() {
		if rules := r.Rules(); !lacks(&rules, plugin) {
			names = append(names, r.String())
		}
	}
	return strings.Join(names, ", ")
}

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
