package manifest

import (
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// maxDriverName is how long the name of a CSI driver can be.
const maxDriverName = 63

// driverName checks the name of a CSI driver.
//
// Upstream: ValidateCSIDriverName of pkg/apis/core/validation, v1.36.3.
func (c *checker) driverName(faults *document.Errors, at document.Value, path, name string) {
	switch what := c.subdomain(strings.ToLower(name)); {
	case name == "":
		faults.Add(at, path, "is required")
	case len(name) > maxDriverName:
		faults.Add(at, path, "is too long: a CSI driver has a name of at most %d characters", maxDriverName)
	case what != "":
		faults.Add(at, path, "is not valid: %s", what)
	}
}

// maxNodeID is how long the id of a node can be that a CSI driver gives.
const maxNodeID = 256

// Upstream: ValidateCSINode of pkg/apis/storage/validation, v1.36.3.
func readCSINode(c *checker, o *object) {
	n := decoded[storagev1.CSINode](c, o)
	c.meta(o, &n.ObjectMeta, false)
	for i := range n.Spec.Drivers {
		d, path := &n.Spec.Drivers[i], document.Path("spec", "drivers", i)
		c.driverName(&o.faults, o.at, path+".name", d.Name)
		if slices.ContainsFunc(n.Spec.Drivers[:i], func(before storagev1.CSINodeDriver) bool { return before.Name == d.Name && d.Name != "" }) {
			o.faults.Add(o.at, path+".name", "is the name of another driver of the node")
		}
		switch {
		case d.NodeID == "":
			o.faults.Add(o.at, path+".nodeID", "is required")
		case len(d.NodeID) > maxNodeID:
			o.faults.Add(o.at, path+".nodeID", "is too long: at most %d characters", maxNodeID)
		}
		if d.Allocatable != nil && d.Allocatable.Count != nil && *d.Allocatable.Count < 0 {
			o.faults.Add(o.at, path+".allocatable.count", "must not be negative")
		}
		for j, key := range d.TopologyKeys {
			if what := c.labelKey(key); what != "" {
				o.faults.Add(o.at, join(path+".topologyKeys", j), "is not valid: %s", what)
			}
			if slices.Contains(d.TopologyKeys[:j], key) {
				o.faults.Add(o.at, join(path+".topologyKeys", j), "is listed twice")
			}
		}
	}
}

// csiNode compiles a CSINode.
func (cp *compiler) csiNode(o *object) cluster.CSINode {
	n := o.typed.(*storagev1.CSINode)
	out := cluster.CSINode{Node: cp.vocabulary.Sym(o.name)}
	for i := range n.Spec.Drivers {
		d := &n.Spec.Drivers[i]
		driver := cluster.CSINodeDriver{Name: cp.vocabulary.Sym(d.Name), TopologyKeys: cp.syms(d.TopologyKeys)}
		if d.Allocatable != nil && d.Allocatable.Count != nil {
			driver.Limited, driver.Limit = true, int64(*d.Allocatable.Count)
		}
		out.Drivers = append(out.Drivers, driver)
	}
	if plugins := n.Annotations[v1.MigratedPluginsAnnotationKey]; plugins != "" {
		out.Migrated = cp.syms(strings.Split(plugins, ","))
	}
	return out
}

func readCSIDriver(c *checker, o *object) {
	d := decoded[storagev1.CSIDriver](c, o)
	c.meta(o, &d.ObjectMeta, false)
}

// Upstream: ValidateCSIStorageCapacity of pkg/apis/storage/validation, v1.36.3.
func readStorageCapacity(c *checker, o *object) {
	s := decoded[storagev1.CSIStorageCapacity](c, o)
	c.meta(o, &s.ObjectMeta, true)
	c.labelSelector(&o.faults, o.at, "nodeTopology", s.NodeTopology)
	if s.StorageClassName == "" {
		o.faults.Add(o.at, "storageClassName", "is required")
	}
	c.className(&o.faults, o.at, "storageClassName", s.StorageClassName)
	for _, size := range []struct {
		path string
		q    *resource.Quantity
	}{{"capacity", s.Capacity}, {"maximumVolumeSize", s.MaximumVolumeSize}} {
		switch {
		case size.q == nil:
		case size.q.Sign() < 0:
			o.faults.Add(o.at, size.path, "must not be negative")
		case size.q.CmpInt64(MaxAmount) > 0:
			o.faults.Add(o.at, size.path, "is too large: the largest amount is 2^53 of the base unit")
		}
	}
}

// storageCapacity compiles a CSIStorageCapacity.
//
// Upstream: volumeLimit and nodeHasAccess of framework/plugins/volumebinding/binder.go, v1.36.3.
func (cp *compiler) storageCapacity(o *object) cluster.StorageCapacity {
	s := o.typed.(*storagev1.CSIStorageCapacity)
	out := cluster.StorageCapacity{Class: cp.vocabulary.Sym(s.StorageClassName), Nodes: cp.labelSelector(s.NodeTopology)}
	largest := s.MaximumVolumeSize
	if largest == nil {
		largest = s.Capacity
	}
	if largest != nil {
		out.Known, out.Largest = true, largest.Value()
	}
	return out
}

// Upstream: ValidateVolumeAttachment of pkg/apis/storage/validation, v1.36.3.
func readVolumeAttachment(c *checker, o *object) {
	a := decoded[storagev1.VolumeAttachment](c, o)
	c.meta(o, &a.ObjectMeta, false)
	c.driverName(&o.faults, o.at, "spec.attacher", a.Spec.Attacher)
	if a.Spec.NodeName == "" {
		o.faults.Add(o.at, "spec.nodeName", "is required")
	} else if what := c.subdomain(a.Spec.NodeName); what != "" {
		o.faults.Add(o.at, "spec.nodeName", "is not valid: %s", what)
	}
	source := &a.Spec.Source
	switch name := source.PersistentVolumeName; {
	case (name == nil) == (source.InlineVolumeSpec == nil):
		o.faults.Add(o.at, "spec.source", "must have exactly one of persistentVolumeName and inlineVolumeSpec")
	case name == nil:
	case *name == "":
		o.faults.Add(o.at, "spec.source.persistentVolumeName", "must not be empty")
	default:
		c.className(&o.faults, o.at, "spec.source.persistentVolumeName", *name)
	}
}

// readVolumeAttributesClass checks an object that scheduling knows by its name only.
//
// Upstream: ValidateVolumeAttributesClass of pkg/apis/storage/validation, v1.36.3.
func readVolumeAttributesClass(c *checker, o *object) {
	a := decoded[storagev1.VolumeAttributesClass](c, o)
	c.meta(o, &a.ObjectMeta, false)
	if a.DriverName == "" {
		o.faults.Add(o.at, "driverName", "is required")
	} else if what := c.labelKey(strings.ToLower(a.DriverName)); what != "" {
		o.faults.Add(o.at, "driverName", "is not valid: %s", what)
	}
	if len(a.Parameters) == 0 {
		o.faults.Add(o.at, "parameters", "is required and must not be empty")
	}
}
