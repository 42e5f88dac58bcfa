package legacy

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/cluster"
)

const (
	mebibyte          = 1024 * 1024
	minImages         = 23 * mebibyte   // below it images are as good as absent
	maxImagesPerCount = 1000 * mebibyte // for each container
)

// imageLocality prefers nodes that have the images of the pod's containers, by size; an
// image counts by the share of nodes that have it.
//
// Upstream: pkg/scheduler/algorithm/priorities/image_locality.go, v1.16.15.
// Differs: the upper bound is for each container, as the documentation has it and the code
// from 1.20 on; before it is for the pod. Unlike today init containers do not count.
type imageLocality struct {
	named
	cluster *cluster.Cluster
	state   scheduler.Slot[imageState]
}

type imageState struct {
	names []cluster.Sym // images of the pod that some node has
	worth []int64
	most  int64
}

func newImageLocality(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
	return &imageLocality{"ImageLocalityPriority", h.Cluster(), scheduler.NewSlot[imageState](h)}, nil
}

func (p *imageLocality) DependsOn() scheduler.Dependencies { return scheduler.NodeImages }

func (p *imageLocality) PrepareScore(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.names, s.worth = s.names[:0], s.worth[:0]
	s.most = int64(max(c.Class.Containers-c.Class.InitContainers, 1)) * maxImagesPerCount
	for _, name := range c.Class.Images[c.Class.InitContainers:c.Class.Containers] {
		if image, known := p.cluster.Image(name); known {
			spread := float64(image.Nodes) / float64(p.cluster.NumNodes())
			s.names = append(s.names, name)
			s.worth = append(s.worth, int64(float64(image.Size)*spread))
		}
	}
	return len(s.names) == 0
}

func (p *imageLocality) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	s := p.state.In(c)
	n := p.cluster.Node(node)
	var sum int64
	for i, name := range s.names {
		if n.HasImage(name) {
			sum += s.worth[i]
		}
	}
	sum = min(max(sum, minImages), s.most)
	return scheduler.MaxLegacyScore * (sum - minImages) / (s.most - minImages)
}
