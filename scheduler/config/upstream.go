package config

import "slices"

// defaults is the multi-point list of the default profile, in order; weight 0 stands
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
