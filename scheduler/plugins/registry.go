// Package plugins holds the plugins of kube-scheduler, one file each. Preemption and the plugins for shared devices
// are packages of their own; Registry has all of them.
package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins/gpu"
	"github.com/berth-sim/berth/scheduler/preemption"
)

// Registry returns all plugins by name.
func Registry() scheduler.Registry {
	return scheduler.Registry{
		"BestFit":                         gpu.NewBestFit,
		"Coscheduling":                    newCoscheduling,
		"DefaultBinder":                   newDefaultBinder,
		"DefaultPreemption":               preemption.New,
		"DotProd":                         gpu.NewDotProduct,
		"DynamicResources":                newDynamicResources,
		"FGD":                             gpu.NewFGD,
		"FGDExact":                        gpu.NewFGDExact,
		"GpuClustering":                   gpu.NewClustering,
		"GpuPacking":                      gpu.NewPacking,
		"ImageLocality":                   newImageLocality,
		"InterPodAffinity":                newInterPodAffinity,
		"NodeAffinity":                    newNodeAffinity,
		"NodeDeclaredFeatures":            newNodeDeclaredFeatures,
		"NodeDevicesFit":                  gpu.NewNodeDevicesFit,
		"NodeName":                        newNodeName,
		"NodePorts":                       newNodePorts,
		"NodeResourcesBalancedAllocation": newBalancedAllocation,
		"NodeResourcesFit":                newNodeResourcesFit,
		"NodeUnschedulable":               newNodeUnschedulable,
		"PodTopologySpread":               newPodTopologySpread,
		"PrioritySort":                    newPrioritySort,
		"Random":                          gpu.NewRandom,
		"SchedulingGates":                 newSchedulingGates,
		"NodeVolumeLimits":                newNodeVolumeLimits,
		"TaintToleration":                 newTaintToleration,
		"VolumeBinding":                   newVolumeBinding,
		"VolumeRestrictions":              newVolumeRestrictions,
		"VolumeZone":                      newVolumeZone,
	}
}
