package gpu

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// dotProduct prefers nodes where what is free of cpu and devices has the smaller dot product
// with what the pod asks for.
//
// Upstream: none. Source: the baseline DotProd of Weng et al., "Beware of Fragmentation",
// USENIX ATC 2023, merging dimensions and scaling by the largest node. Differs: on nodes that
// are larger than that, the score stops at 0.
type dotProduct struct {
	cluster *cluster.Cluster
	largest LargestNode
	scores  scheduler.Slot[deviceScores]
}

// NewDotProduct returns the plugin DotProd.
func NewDotProduct(h *scheduler.Handle, largest LargestNode) (scheduler.Plugin, error) {
	return &dotProduct{h.Cluster(), largest, scheduler.NewSlot[deviceScores](h)}, nil
}

func (p *dotProduct) Name() string { return "DotProd" }

func (p *dotProduct) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods
}

func (p *dotProduct) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	pod := c.Class.Fragment()
	return p.score(&pod, node)
}

func (p *dotProduct) score(pod *fragment.Pod, node cluster.NodeID) int64 {
	cpu := p.largest.shareOfCPU(freeCPU(p.cluster, node)) * p.largest.shareOfCPU(pod.MilliCPU)
	devices := p.largest.shareOfDevices(idleOn(p.cluster, node)) * p.largest.shareOfDevices(int64(pod.Count)*int64(pod.Milli))
	product := float64((float64(cpu) + float64(devices)) / 2) // the conversions forbid a fused multiply-add
	return bounded((1 - product) * scheduler.MaxNodeScore)
}

// ScoreMany is Score with scores that are remembered.
func (p *dotProduct) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	p.scores.In(c).fill(c, nodes, out, p.score)
}
