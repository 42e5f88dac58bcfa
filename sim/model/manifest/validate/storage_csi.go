package validate

import (
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// maxDriverName is how long the name of a CSI driver can be.
const maxDriverName = 63

// driverName checks the name of a CSI driver.
//
// Upstream: ValidateCSIDriverName of pkg/apis/core/validation, v1.36.3.
func (c *Checker) driverName(faults *document.Errors, at document.Value, path, name string) {
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
func checkCSINode(c *Checker, o *decode.Object) {
	n := decoded[storagev1.CSINode](c, o)
	c.meta(o, &n.ObjectMeta, false)
	for i := range n.Spec.Drivers {
		d, path := &n.Spec.Drivers[i], document.Path("spec", "drivers", i)
		c.driverName(&o.Faults, o.At, path+".name", d.Name)
		if slices.ContainsFunc(n.Spec.Drivers[:i], func(before storagev1.CSINodeDriver) bool { return before.Name == d.Name && d.Name != "" }) {
			o.Faults.Add(o.At, path+".name", "is the name of another driver of the node")
		}
		switch {
		case d.NodeID == "":
			o.Faults.Add(o.At, path+".nodeID", "is required")
		case len(d.NodeID) > maxNodeID:
			o.Faults.Add(o.At, path+".nodeID", "is too long: at most %d characters", maxNodeID)
		}
		if d.Allocatable != nil && d.Allocatable.Count != nil && *d.Allocatable.Count < 0 {
			o.Faults.Add(o.At, path+".allocatable.count", "must not be negative")
		}
		for j, key := range d.TopologyKeys {
			if what := c.LabelKey(key); what != "" {
				o.Faults.Add(o.At, decode.Join(path+".topologyKeys", j), "is not valid: %s", what)
			}
			if slices.Contains(d.TopologyKeys[:j], key) {
				o.Faults.Add(o.At, decode.Join(path+".topologyKeys", j), "is listed twice")
			}
		}
	}
}

func checkCSIDriver(c *Checker, o *decode.Object) {
	d := decoded[storagev1.CSIDriver](c, o)
	c.meta(o, &d.ObjectMeta, false)
}

// Upstream: ValidateCSIStorageCapacity of pkg/apis/storage/validation, v1.36.3.
func checkStorageCapacity(c *Checker, o *decode.Object) {
	s := decoded[storagev1.CSIStorageCapacity](c, o)
	c.meta(o, &s.ObjectMeta, true)
	c.labelSelector(&o.Faults, o.At, "nodeTopology", s.NodeTopology)
	if s.StorageClassName == "" {
		o.Faults.Add(o.At, "storageClassName", "is required")
	}
	c.className(&o.Faults, o.At, "storageClassName", s.StorageClassName)
	for _, size := range []struct {
		path string
		q    *resource.Quantity
	}{{"capacity", s.Capacity}, {"maximumVolumeSize", s.MaximumVolumeSize}} {
		switch {
		case size.q == nil:
		case size.q.Sign() < 0:
			o.Faults.Add(o.At, size.path, "must not be negative")
		case size.q.CmpInt64(resources.MaxAmount) > 0:
			o.Faults.Add(o.At, size.path, "is too large: the largest amount is 2^53 of the base unit")
		}
	}
}

// Upstream: ValidateVolumeAttachment of pkg/apis/storage/validation, v1.36.3.
func checkVolumeAttachment(c *Checker, o *decode.Object) {
	a := decoded[storagev1.VolumeAttachment](c, o)
	c.meta(o, &a.ObjectMeta, false)
	c.driverName(&o.Faults, o.At, "spec.attacher", a.Spec.Attacher)
	if a.Spec.NodeName == "" {
		o.Faults.Add(o.At, "spec.nodeName", "is required")
	} else if what := c.subdomain(a.Spec.NodeName); what != "" {
		o.Faults.Add(o.At, "spec.nodeName", "is not valid: %s", what)
	}
	source := &a.Spec.Source
	switch name := source.PersistentVolumeName; {
	case (name == nil) == (source.InlineVolumeSpec == nil):
		o.Faults.Add(o.At, "spec.source", "must have exactly one of persistentVolumeName and inlineVolumeSpec")
	case name == nil:
	case *name == "":
		o.Faults.Add(o.At, "spec.source.persistentVolumeName", "must not be empty")
	default:
		c.className(&o.Faults, o.At, "spec.source.persistentVolumeName", *name)
	}
}

// checkVolumeAttributesClass checks an object that scheduling knows by its name only.
//
// Upstream: ValidateVolumeAttributesClass of pkg/apis/storage/validation, v1.36.3.
func checkVolumeAttributesClass(c *Checker, o *decode.Object) {
	a := decoded[storagev1.VolumeAttributesClass](c, o)
	c.meta(o, &a.ObjectMeta, false)
	if a.DriverName == "" {
		o.Faults.Add(o.At, "driverName", "is required")
	} else if what := c.LabelKey(strings.ToLower(a.DriverName)); what != "" {
		o.Faults.Add(o.At, "driverName", "is not valid: %s", what)
	}
	if len(a.Parameters) == 0 {
		o.Faults.Add(o.At, "parameters", "is required and must not be empty")
	}
}
