package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/cluster/manifest"
	"github.com/berth-sim/berth/sim/document"
)

// holdings are who says that it holds what of a device.
type holdings map[device][]holding

type device struct {
	node   cluster.NodeID
	number int32
}

type holding struct {
	pod   string // namespace/name
	milli int32
}

// check refuses a pod that says it holds devices which its node does not have, or more of one than
// the pods before leave of it.
func (h *holdings) check(faults *document.Errors, c *cluster.Cluster, p *manifest.Pod) {
	id, exists := c.NodeByName(p.NodeName)
	if !exists || len(p.Devices) == 0 {
		return
	}
	add := func(format string, args ...any) {
		faults.Add(p.At, document.Path("metadata", "annotations", manifest.GPUIndex), format, args...)
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
		*h = holdings{}
	}
	for _, number := range p.Devices {
		d := device{id, number}
		(*h)[d] = append((*h)[d], holding{p.Namespace + "/" + p.Name, wanted.Milli})
		if who, sum := (*h)[d].sum(); sum > cluster.WholeDevice {
			add("is more than device %d of node %s has, %d thousandths: %s", number, p.NodeName, cluster.WholeDevice, who)
		}
	}
}
