package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/cluster"
)

const (
	mebibyte           = 1024 * 1024
	minImageSum        = 23 * mebibyte   // below it images are as good as absent
	maxImagePerPodUnit = 1000 * mebibyte // for each container
)

// imageLocality prefers nodes that have the pod's images, by size; an image counts
// by the share of nodes that have it, so that one node does not draw all pods.
//
// Upstream: framework/plugins/imagelocality/image_locality.go, v1.36.3.
// Differs: upstream counts the nodes that had an image when the node at hand last
// changed, so that its counts lag behind in a fleet that changes.
type imageLocality struct {
	cluster *cluster.Cluster
	state   scheduler.Slot[imageState]
}

type imageState struct {
	names []cluster.Sym // images of the pod that some node has
	worth []int64
}

func newImageLocality(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
	return &imageLocality{h.Cluster(), scheduler.NewSlot[imageState](h)}, nil
}

func (p *imageLocality) Name() string { return "ImageLocality" }

func (p *imageLocality) DependsOn() scheduler.Dependencies { return scheduler.NodeImages }

func (p *imageLocality) PrepareScore(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.names, s.worth = s.names[:0], s.worth[:0]
	if c.Blank() {
		return true
	}
	for _, name := range c.Class.Images {
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
	highest := int64(maxImagePerPodUnit * c.Class.Containers)
	sum = max(min(sum, highest), minImageSum)
	return scheduler.MaxNodeScore * (sum - minImageSum) / (highest - minImageSum)
}
