package gpu

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// nodeDevicesFit rejects nodes that lack devices for the pod: as many of the kind and of a
// model that it asks for, each with as much free. NodeResourcesFit counts devices only: it
// lets a pod on a node where half of each of two devices is free, which is not one device.
//
// Upstream: none. Source: Filter of the open-gpu-share plugin in the simulator of Weng et al.,
// "Beware of Fragmentation", USENIX ATC 2023.
type nodeDevicesFit struct{ cluster *cluster.Cluster }

// The details of its verdicts.
const (
	devicesAbsent uint32 = iota + 1
	devicesOfOtherModel
	devicesTooFew
	devicesNotFree
)

// reasonsNoDevices are the reasons by detail, for a kind of devices.
var reasonsNoDevices = [...]string{
	devicesAbsent:       "node(s) had no %s devices",
	devicesOfOtherModel: "node(s) had %s devices of a model that the Pod doesn't accept",
	devicesTooFew:       "Too few %s devices",
	devicesNotFree:      "Insufficient free %s devices",
}

// NewNodeDevicesFit returns the plugin NodeDevicesFit.
func NewNodeDevicesFit(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &nodeDevicesFit{h.Cluster()}, nil
}

func (p *nodeDevicesFit) Name() string { return "NodeDevicesFit" }

// DependsOn: the model of devices is a label.
func (p *nodeDevicesFit) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodeLabels | scheduler.NodePods | scheduler.Nominations
}

func (p *nodeDevicesFit) Checks() scheduler.Checks { return scheduler.CheckDevices }

func (p *nodeDevicesFit) PrepareFilter(c *scheduler.Cycle) bool { return c.Class.Devices.Count > 0 }

func (p *nodeDevicesFit) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	r := &c.Class.Devices
	if p.cluster.Devices.Fit(r, node) {
		return scheduler.Fits
	}
	if detail := hopeless(r, &p.cluster.Node(node).Devices); detail != 0 {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, detail)
	}
	return scheduler.NewRejection(scheduler.Unschedulable, devicesNotFree)
}

// hopeless is why a node would lack devices even if no pod were on it; 0: it would not.
func hopeless(r *cluster.DeviceRequest, spec *cluster.DeviceSpec) uint32 {
	switch {
	case spec.Count == 0 || spec.Kind != r.Kind:
		return devicesAbsent
	case !r.Accepts(spec.Model):
		return devicesOfOtherModel
	case spec.Count < r.Count:
		return devicesTooFew
	}
	return 0
}

func (p *nodeDevicesFit) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	return []string{fmt.Sprintf(reasonsNoDevices[v.Detail()], p.cluster.ResourceName(c.Class.Devices.Kind))}
}

// QueueingHint: the node must have the devices now, and the event must be about them.
func (p *nodeDevicesFit) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	if e.Node == cluster.None || !p.cluster.Devices.Fit(&p.cluster.Pod(pod).Class.Devices, e.Node) {
		return false
	}
	switch e.Kind {
	case scheduler.PodFreed, scheduler.NominationLost:
		return e.Class.Devices.Count > 0
	case scheduler.NodeUpdated:
		return e.Before.Devices != p.cluster.Node(e.Node).Devices
	}
	return true
}
