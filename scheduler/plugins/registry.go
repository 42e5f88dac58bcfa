// Package plugins holds the plugins of kube-scheduler and of sigs.k8s.io/scheduler-plugins, one file each. Preemption and
// the plugins for shared devices are packages of their own; Registry has all of them.
package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins/gpu"
	"github.com/berth-sim/berth/scheduler/preemption"
)

// Registry returns all plugins by name.
func Registry() scheduler.Registry {
	return scheduler.Registry{
		"BestFit":                         scheduler.WithArgs(gpu.PaperLargestNode(), gpu.NewBestFit),
		"Coscheduling":                    scheduler.WithoutArgs(newCoscheduling),
		"DefaultBinder":                   scheduler.WithoutArgs(newDefaultBinder),
		"DefaultPreemption":               scheduler.WithArgs(preemption.DefaultArgs(), preemption.New),
		"DotProd":                         scheduler.WithArgs(gpu.PaperLargestNode(), gpu.NewDotProduct),
		"DynamicResources":                scheduler.WithoutArgs(newDynamicResources),
		"FGD":                             scheduler.WithoutArgs(gpu.NewFGD),
		"FGDExact":                        scheduler.WithoutArgs(gpu.NewFGDExact),
		"GpuClustering":                   scheduler.WithArgs(gpu.PaperLargestNode(), gpu.NewClustering),
		"GpuPacking":                      scheduler.WithoutArgs(gpu.NewPacking),
		"ImageLocality":                   scheduler.WithoutArgs(newImageLocality),
		"InterPodAffinity":                scheduler.WithArgs(DefaultInterPodAffinityArgs(), newInterPodAffinity),
		"NodeAffinity":                    scheduler.WithArgs(NodeAffinityArgs{}, newNodeAffinity),
		"NodeDeclaredFeatures":            scheduler.WithoutArgs(newNodeDeclaredFeatures),
		"NodeDevicesFit":                  scheduler.WithoutArgs(gpu.NewNodeDevicesFit),
		"NodeName":                        scheduler.WithoutArgs(newNodeName),
		"NodePorts":                       scheduler.WithoutArgs(newNodePorts),
		"NodeResourcesAllocatable":        scheduler.WithArgs(DefaultAllocatableArgs(), newNodeResourcesAllocatable),
		"NodeResourcesBalancedAllocation": scheduler.WithArgs(BalancedArgs{Resources: DefaultResources()}, newBalancedAllocation),
		"NodeResourcesFit":                scheduler.WithArgs(FitArgs{Strategy: DefaultStrategy()}, newNodeResourcesFit),
		"NodeUnschedulable":               scheduler.WithoutArgs(newNodeUnschedulable),
		"PodTopologySpread":               scheduler.WithArgs(PodTopologySpreadArgs{System: true}, newPodTopologySpread),
		"PodState":                        scheduler.WithoutArgs(newPodState),
		"PrioritySort":                    scheduler.WithoutArgs(newPrioritySort),
		"QOSSort":                         scheduler.WithoutArgs(newQOSSort),
		"Random":                          scheduler.WithoutArgs(gpu.NewRandom),
		"SchedulingGates":                 scheduler.WithoutArgs(newSchedulingGates),
		"NodeVolumeLimits":                scheduler.WithoutArgs(newNodeVolumeLimits),
		"TaintToleration":                 scheduler.WithoutArgs(newTaintToleration),
		"VolumeBinding":                   scheduler.WithArgs(DefaultVolumeBindingArgs(), newVolumeBinding),
		"VolumeRestrictions":              scheduler.WithoutArgs(newVolumeRestrictions),
		"VolumeZone":                      scheduler.WithoutArgs(newVolumeZone),
	}
}
