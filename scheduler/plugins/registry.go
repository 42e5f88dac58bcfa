// Package plugins holds the plugins of kube-scheduler, and those for devices that are shared,
// one file each.
package plugins

import "github.com/berth-sim/berth/scheduler"

// Registry returns all plugins by name.
func Registry() scheduler.Registry {
	return scheduler.Registry{
		"BestFit":                         newBestFit,
		"Coscheduling":                    newCoscheduling,
		"DefaultBinder":                   newDefaultBinder,
		"DefaultPreemption":               newDefaultPreemption,
		"DotProd":                         newDotProduct,
		"DynamicResources":                newDynamicResources,
		"FGD":                             newFGD,
		"FGDExact":                        newFGDExact,
		"GpuClustering":                   newGPUClustering,
		"GpuPacking":                      newGPUPacking,
		"ImageLocality":                   newImageLocality,
		"InterPodAffinity":                newInterPodAffinity,
		"NodeAffinity":                    newNodeAffinity,
		"NodeDeclaredFeatures":            newNodeDeclaredFeatures,
		"NodeDevicesFit":                  newNodeDevicesFit,
		"NodeName":                        newNodeName,
		"NodePorts":                       newNodePorts,
		"NodeResourcesBalancedAllocation": newBalancedAllocation,
		"NodeResourcesFit":                newNodeResourcesFit,
		"NodeUnschedulable":               newNodeUnschedulable,
		"PodTopologySpread":               newPodTopologySpread,
		"PrioritySort":                    newPrioritySort,
		"Random":                          newRandom,
		"SchedulingGates":                 newSchedulingGates,
		"NodeVolumeLimits":                newNodeVolumeLimits,
		"TaintToleration":                 newTaintToleration,
		"VolumeBinding":                   newVolumeBinding,
		"VolumeRestrictions":              newVolumeRestrictions,
		"VolumeZone":                      newVolumeZone,
	}
}
