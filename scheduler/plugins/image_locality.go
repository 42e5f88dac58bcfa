package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/portable"
	"github.com/berth-sim/berth/sim/model/release"
)

const (
	mebibyte           = 1024 * 1024
	minImageSum        = 23 * mebibyte   // image sizes up to this sum score 0
	maxImagePerPodUnit = 1000 * mebibyte // for each container, and for each image volume from 1.37 on
)

// imageLocality prefers nodes that have the pod's images, by size; an image counts
// by the share of nodes that have it, so that one node does not draw all pods.
//
// Upstream: framework/plugins/imagelocality/image_locality.go, v1.35.4, v1.36.3 and v1.37.2.
// Differs: upstream counts the nodes that had an image when the node at hand last
// changed, so that its counts lag behind in a fleet that changes. An image of about 2^63 bytes that every node has counts
// as upstream's arithmetic on amd64 has it, whatever the processor.
type imageLocality struct {
	cluster *cluster.Cluster
	volumes release.ImageVolumes // how image volumes count
	state   scheduler.Slot[ImageScorer]
}

// ImageScorer is what each image of a pod adds to the score of a node that has it: its size,
// by the share of nodes that have it. It is the work space of a cycle.
type ImageScorer struct {
	names []cluster.Symbol // images of the pod that some node has
	worth []int64
}

// Find works out what the images are worth, and returns false where no node has any.
func (w *ImageScorer) Find(cl *cluster.Cluster, images []cluster.Symbol) bool {
	w.names, w.worth = w.names[:0], w.worth[:0]
	for _, name := range images {
		if image, known := cl.Images.State(name); known {
			spread := float64(image.Nodes) / float64(cl.NumNodes())
			w.names = append(w.names, name)
			w.worth = append(w.worth, portable.Int64(float64(image.Size)*spread))
		}
	}
	return len(w.names) > 0
}

// On returns the worth of the images that a node has.
func (w *ImageScorer) On(n *cluster.Node) int64 {
	var sum int64
	for i, name := range w.names {
		if n.HasImage(name) {
			sum += w.worth[i]
		}
	}
	return sum
}

func newImageLocality(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &imageLocality{h.Cluster(), h.Rules().ImageVolumes, scheduler.NewSlot[ImageScorer](h)}, nil
}

func (p *imageLocality) Name() string { return "ImageLocality" }

func (p *imageLocality) DependsOn() scheduler.Dependencies { return scheduler.NodeImages }

func (p *imageLocality) PrepareScore(c *scheduler.Cycle) bool {
	images := c.Class.Images
	switch {
	case c.ScoresEmptyNodes():
		images = nil
	case p.volumes == release.ImageVolumesIgnored:
		images = images[:len(images)-c.Class.ImageVolumes]
	}
	return !p.state.In(c).Find(p.cluster, images)
}

func (p *imageLocality) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	number := c.Class.Containers
	if p.volumes == release.ImageVolumesBoth {
		number += c.Class.ImageVolumes
	}
	highest := int64(maxImagePerPodUnit * number)
	sum := max(min(p.state.In(c).On(p.cluster.Node(node)), highest), minImageSum)
	return scheduler.MaxNodeScore * (sum - minImageSum) / (highest - minImageSum)
}
