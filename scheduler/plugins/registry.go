// Package plugins holds the plugins of kube-scheduler, one file each.
package plugins

import "github.com/berth-sim/berth/scheduler"

// Registry returns all plugins by name.
func Registry() scheduler.Registry {
	return scheduler.Registry{
		"Coscheduling":                    newCoscheduling,
		"DefaultBinder":                   newDefaultBinder,
		"DefaultPreemption":               newDefaultPreemption,
		"DynamicResources":                newDynamicResources,
		"ImageLocality":                   newImageLocality,
		"InterPodAffinity":                newInterPodAffinity,
		"NodeAffinity":                    newNodeAffinity,
		"NodeDeclaredFeatures":            newNodeDeclaredFeatures,
		"NodeName":                        newNodeName,
		"NodePorts":                       newNodePorts,
		"NodeResourcesBalancedAllocation": newBalancedAllocation,
		"NodeResourcesFit":                newNodeResourcesFit,
		"NodeUnschedulable":               newNodeUnschedulable,
		"PodTopologySpread":               newPodTopologySpread,
		"PrioritySort":                    newPrioritySort,
		"SchedulingGates":                 newSchedulingGates,
		"NodeVolumeLimits":                newNodeVolumeLimits,
		"TaintToleration":                 newTaintToleration,
		"VolumeBinding":                   newVolumeBinding,
		"VolumeRestrictions":              newVolumeRestrictions,
		"VolumeZone":                      newVolumeZone,
	}
}
