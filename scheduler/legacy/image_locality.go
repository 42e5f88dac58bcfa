package legacy

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	mebibyte          = 1024 * 1024
	minImages         = 23 * mebibyte   // image sizes up to this sum score 0
	maxImagesPerCount = 1000 * mebibyte // for each container
)

// imageLocality prefers nodes that have the images of the pod's containers, by size; an
// image counts by the share of nodes that have it.
//
// Upstream: pkg/scheduler/algorithm/priorities/image_locality.go, v1.16.15.
// Differs: the upper bound is for each container, as the documentation has it and the code
// from 1.20 on; before it is for the pod. Unlike in the current plugin
// init containers do not count.
type imageLocality struct {
	named
	cluster *cluster.Cluster
	state   scheduler.Slot[plugins.ImageScorer]
}

func newImageLocality(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &imageLocality{"ImageLocalityPriority", h.Cluster(), scheduler.NewSlot[plugins.ImageScorer](h)}, nil
}

func (p *imageLocality) DependsOn() scheduler.Dependencies { return scheduler.NodeImages }

func (p *imageLocality) PrepareScore(c *scheduler.Cycle) bool {
	return !p.state.In(c).Find(p.cluster, c.Class.Images[c.Class.InitContainers:c.Class.Containers])
}

func (p *imageLocality) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	most := int64(max(c.Class.Containers-c.Class.InitContainers, 1)) * maxImagesPerCount
	sum := min(max(p.state.In(c).On(p.cluster.Node(node)), minImages), most)
	return scheduler.MaxLegacyScore * (sum - minImages) / (most - minImages)
}
