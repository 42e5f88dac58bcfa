package gpu

import (
	"math/rand/v2"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// random prefers one of the feasible nodes, drawn with equal chances, and there one of the
// devices with enough free for a pod that shares one: what other policies are measured by.
//
// Upstream: none. Source: the baseline Random of Weng et al., "Beware of Fragmentation",
// USENIX ATC 2023.
type random struct {
	cluster        *cluster.Cluster
	nodes, devices *rand.Rand
	drawn          scheduler.Slot[cluster.NodeID]
}

// NewRandom returns the plugin Random.
func NewRandom(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &random{h.Cluster(), h.Rand("random/nodes"), h.Rand("random/devices"), scheduler.NewSlot[cluster.NodeID](h)}, nil
}

func (p *random) Name() string { return "Random" }

// DependsOn: chance alone.
func (p *random) DependsOn() scheduler.Dependencies { return 0 }

// PrepareScore draws the node.
func (p *random) PrepareScore(c *scheduler.Cycle) bool {
	nodes := c.Feasible()
	*p.drawn.In(c) = nodes[p.nodes.IntN(len(nodes))]
	return false
}

func (p *random) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	if node == *p.drawn.In(c) {
		return scheduler.MaxNodeScore
	}
	return 0
}

// ChooseDevices draws the device to be shared; whole ones are taken as they come.
func (p *random) ChooseDevices(c *scheduler.Cycle, node cluster.NodeID) []int32 {
	r := &c.Class.Devices
	if !r.Shares() || !p.cluster.Devices.Fit(r, node) {
		return nil
	}
	var fitting []int32
	for d, free := range p.cluster.Devices.Free(node) {
		if free >= r.Milli {
			fitting = append(fitting, int32(d))
		}
	}
	i := p.devices.IntN(len(fitting))
	return fitting[i : i+1]
}
