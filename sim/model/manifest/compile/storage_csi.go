package compile

import (
	"strings"

	"k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// CSINode compiles a CSINode.
func (compiler *Compiler) CSINode(o *decode.Object) cluster.CSINode {
	n := o.Typed.(*storagev1.CSINode)
	out := cluster.CSINode{Node: compiler.vocabulary.Symbol(o.Name)}
	for i := range n.Spec.Drivers {
		d := &n.Spec.Drivers[i]
		driver := cluster.CSINodeDriver{Name: compiler.vocabulary.Symbol(d.Name), TopologyKeys: compiler.syms(d.TopologyKeys)}
		if d.Allocatable != nil && d.Allocatable.Count != nil {
			driver.Limited, driver.Limit = true, int64(*d.Allocatable.Count)
		}
		out.Drivers = append(out.Drivers, driver)
	}
	if plugins := n.Annotations[v1.MigratedPluginsAnnotationKey]; plugins != "" {
		out.Migrated = compiler.syms(strings.Split(plugins, ","))
	}
	return out
}

// CSIDriver compiles a CSIDriver.
func (compiler *Compiler) CSIDriver(o *decode.Object) cluster.CSIDriver {
	spec := &o.Typed.(*storagev1.CSIDriver).Spec
	set := func(b *bool) bool { return b != nil && *b }
	return cluster.CSIDriver{
		Name:            compiler.vocabulary.Symbol(o.Name),
		TracksCapacity:  set(spec.StorageCapacity),
		RequiredOnNodes: set(spec.PreventPodSchedulingIfMissing),
	}
}

// StorageCapacity compiles a CSIStorageCapacity.
//
// Upstream: volumeLimit and nodeHasAccess of framework/plugins/volumebinding/binder.go, v1.36.3.
func (compiler *Compiler) StorageCapacity(o *decode.Object) cluster.StorageCapacity {
	s := o.Typed.(*storagev1.CSIStorageCapacity)
	out := cluster.StorageCapacity{StorageClass: compiler.vocabulary.Symbol(s.StorageClassName), Nodes: compiler.labelSelector(s.NodeTopology)}
	largest := s.MaximumVolumeSize
	if largest == nil {
		largest = s.Capacity
	}
	if largest != nil {
		out.Known, out.Largest = true, largest.Value()
	}
	if s.Capacity != nil {
		out.Capacity = s.Capacity.Value()
	}
	return out
}
