package validate

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// nodeDevices checks the devices of a node.
func (c *Checker) nodeDevices(faults *document.Errors, at document.Value, n *v1.Node) {
	path := "status.allocatable"
	if n.Status.Allocatable == nil {
		path = "status.capacity"
	}
	if !c.NoErrorAt(at, path) {
		return
	}
	amount := devices.AmountOf(resources.Allocatable(n))
	milli, count := amount(devices.GPUMilli), amount(devices.GPUCount)
	switch {
	case count > 0 && milli > 0 && milli/count != cluster.WholeDevice, count > 0 && milli%count != 0:
		faults.Add(at, decode.Join(path, devices.GPUMilli), "must be %d for each of the %d GPUs of %s", cluster.WholeDevice, count, devices.GPUCount)
	case count == 0 && milli%cluster.WholeDevice != 0:
		faults.Add(at, decode.Join(path, devices.GPUMilli), "is not a whole number of GPUs: each has %d", cluster.WholeDevice)
	}
	for _, kind := range devices.Kinds(amount) {
		if amount(kind) > cluster.MaxDevices {
			faults.Add(at, decode.Join(path, kind), "is more than the %d devices that a node can have", cluster.MaxDevices)
		}
	}
}
