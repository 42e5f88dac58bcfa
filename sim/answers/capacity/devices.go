package capacity

import (
	"math"

	"github.com/berth-sim/berth/sim/model/cluster"

	"github.com/berth-sim/berth/sim/model/manifest/devices"
)

// devicesFilter rejects nodes whose single devices do not have enough free.
const devicesFilter = "NodeDevicesFit"

// devices returns what the replicas of a part request of single devices; nil: nothing, or the
// policy does not filter by them.
func (f *filler) devices(part int) *cluster.DeviceRequest {
	class, filtered := f.set[part].Class(0), false
	in := f.Placement.Scheduler.Inspect(cluster.NoPod, class)
	in.EachFilter(func(plugin string, asked bool) { filtered = filtered || asked && plugin == devicesFilter })
	if !filtered {
		return nil
	}
	return &class.Devices
}

// asked returns what a replica requests, and devices that only its annotations request.
func (f *filler) asked(class *cluster.Class) []Amount {
	out, d := f.amounts(class.Requests), &class.Devices
	milli, shared := f.state.LookupResource(devices.GPUMilli)
	switch {
	case d.Count == 0 || class.Request(d.Kind) > 0 || shared && class.Request(milli) > 0:
		return out
	case d.Shares():
		return append(out, Amount{devices.GPUMilli, d.Total()})
	}
	return append(out, Amount{f.state.ResourceName(d.Kind), int64(d.Count)})
}

// suits reports whether a node has devices of the kind and model that are asked for.
func (f *filler) suits(r *cluster.DeviceRequest, node cluster.NodeID) bool {
	spec := &f.state.Node(node).Devices
	return r == nil || spec.Count > 0 && spec.Kind == r.Kind && r.Accepts(spec.Model)
}

// idle is what is free of all devices of a kind on a node, in thousandths.
func (f *filler) idle(kind cluster.Resource, node cluster.NodeID) int64 {
	if f.state.Node(node).Devices.Kind != kind {
		return 0
	}
	var sum int64
	for _, free := range f.state.Devices.Free(node) {
		sum += int64(free)
	}
	return sum
}

// onDevices is how many pods that ask for that the devices of a node have room for.
func (f *filler) onDevices(r *cluster.DeviceRequest, node cluster.NodeID) int {
	if r == nil {
		return math.MaxInt
	}
	parts := 0
	for _, free := range f.state.Devices.Free(node) {
		parts += int(free / r.Milli)
	}
	return parts / r.Count
}
