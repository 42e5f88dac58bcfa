package scenarios

import (
	"slices"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// maxDemand is the largest demand of a shuffled pod list, as a multiple of the fleet.
const maxDemand = 100

// maxTargetPods is the largest number of pods of a class of the target workload. Only the shares of classes matter.
const maxTargetPods = 1_000_000_000

func (c *checker) nodeDevices(at document.Value, d *NodeDevices) {
	if d.Count < 1 || d.Count > cluster.MaxDevices {
		c.Add(at, "count", "must be between 1 and %d", cluster.MaxDevices)
	}
	if wrong := validate.CheckLabelValue(d.Model); wrong != nil {
		c.Add(at, "model", "%v", wrong)
	}
}

func (c *checker) podDevices(at document.Value, d *PodDevices) {
	count, milli := d.amounts()
	switch {
	case count < 1 || count > cluster.MaxDevices:
		c.Add(at, "count", "must be between 1 and %d", cluster.MaxDevices)
	case milli < 1 || milli > cluster.WholeDevice:
		c.Add(at, "milli", "must be between 1 and %d, which is a whole device", cluster.WholeDevice)
	case milli < cluster.WholeDevice && count > 1:
		c.Add(at, "milli", "must be %d where count is %d: a pod shares one device, or has all of several", cluster.WholeDevice, count)
	}
	c.notEmpty(at, "models")
	for i, model := range d.Models {
		if wrong := validate.CheckLabelValue(model); wrong != nil || model == "" {
			c.Add(at.Get("models").Index(i), "", "is not a model: it must be the value of a label")
		} else if slices.Contains(d.Models[:i], model) {
			c.Add(at.Get("models").Index(i), "", "is named twice")
		}
	}
}

func (c *checker) target(at document.Value, classes []TargetPods) {
	for i := range classes {
		class, v := &classes[i], at.Index(i)
		switch {
		case class.Pods < 1:
			c.Add(v, "pods", "must be positive")
		case class.Pods > maxTargetPods:
			c.Add(v, "pods", "must be at most %d: only shares matter", maxTargetPods)
		}
		if class.Devices != nil {
			c.podDevices(v.Get("devices"), class.Devices)
		}
	}
}

func (c *checker) openbOrder(at document.Value, o *OpenbPods) {
	if o.Times != "atOnce" {
		c.without(at, "has a meaning only where times is atOnce", "spacing", "fgd")
		return
	}
	if o.Spacing < 0 {
		c.Add(at, "spacing", "must be zero or positive")
	}
	if o.FGD == nil {
		return
	}
	if o.FGD.Demand != nil && !(*o.FGD.Demand > 0 && *o.FGD.Demand <= maxDemand) {
		c.Add(at, "fgd.demand", "must be above 0 and at most %d", maxDemand)
	}
	if o.GPU == "device" {
		c.Add(at, "gpu", "must be share beside fgd: pods that have GPUs to themselves are not those of the paper")
	}
	c.without(at, "has no meaning beside fgd: the demand says how many pods there are", "limit")
}

// amounts returns how many devices are requested, and how many thousandths of each.
func (d *PodDevices) amounts() (count, milli int) {
	count, milli = 1, cluster.WholeDevice
	if d.Count != nil {
		count = *d.Count
	}
	if d.Milli != nil {
		milli = *d.Milli
	}
	return count, milli
}

// options returns the devices for templates of pods.
func (d *PodDevices) options() *manifest.DeviceOptions {
	if d == nil {
		return nil
	}
	count, milli := d.amounts()
	return &manifest.DeviceOptions{Count: int64(count), Milli: int64(milli), Models: d.Models}
}

// options returns the devices for templates of nodes.
func (d *NodeDevices) options() *manifest.DeviceOptions {
	if d == nil {
		return nil
	}
	o := &manifest.DeviceOptions{Count: int64(d.Count), Milli: cluster.WholeDevice}
	if d.Model != "" {
		o.Models = []string{d.Model}
	}
	return o
}
