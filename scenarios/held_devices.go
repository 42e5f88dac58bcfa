package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
)

// heldDevices are the devices that pods of manifests hold by their annotations.
type heldDevices map[device]holding

type device struct {
	node   cluster.NodeID
	number int32
}

// holding is how much of a device is held, in thousandths, and by which pods.
type holding struct {
	milli int32
	who   []string
}

// check adds the devices of a pod. It is an error if the node of the pod does not have them, or if less of them is free.
func (h *heldDevices) check(faults *document.Errors, c *cluster.Cluster, p *manifest.Pod) {
	id, exists := c.NodeByName(p.NodeName)
	if !exists || len(p.Devices) == 0 {
		return
	}
	add := func(format string, args ...any) {
		faults.Add(p.At, document.Path("metadata", "annotations", devices.GPUIndex), format, args...)
	}
	wanted, spec := &p.Class.Devices, &c.Node(id).Devices
	has := 0
	if spec.Kind == wanted.Kind {
		has = spec.Count
	}
	if highest := slices.Max(p.Devices); int(highest) >= has {
		add("must be numbers of devices of node %s, which has %d of %s, numbered from 0", p.NodeName, has, c.ResourceName(wanted.Kind))
		return
	}
	if *h == nil {
		*h = heldDevices{}
	}
	for _, number := range p.Devices {
		d := device{id, number}
		held := (*h)[d]
		held.milli += wanted.Milli
		held.who = append(held.who, fmt.Sprintf("%s/%s holds %d", p.Namespace, p.Name, wanted.Milli))
		(*h)[d] = held
		if held.milli > cluster.WholeDevice {
			add("makes more than the %d thousandths of device %d of node %s be held: %s", cluster.WholeDevice, number, p.NodeName, strings.Join(held.who, ", "))
		}
	}
}
