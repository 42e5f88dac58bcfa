package gpu

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// bestFit prefers nodes that have the least cpu and devices left once the pod is there.
//
// Upstream: none. Source: the baseline BestFit of Weng et al., "Beware of Fragmentation",
// USENIX ATC 2023.
type bestFit struct {
	cluster *cluster.Cluster
	largest LargestNode
	scores  scheduler.Slot[deviceScores]
}

// NewBestFit returns the plugin BestFit.
func NewBestFit(h *scheduler.Handle, largest LargestNode) (scheduler.Plugin, error) {
	return &bestFit{h.Cluster(), largest, scheduler.NewSlot[deviceScores](h)}, nil
}

func (p *bestFit) Name() string { return "BestFit" }

func (p *bestFit) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods
}

// Score is below 0 where more is left than the largest node has.
func (p *bestFit) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	pod := c.Class.Fragment()
	return p.score(&pod, node)
}

func (p *bestFit) score(pod *fragment.Pod, node cluster.NodeID) int64 {
	cpu := freeCPU(p.cluster, node) - pod.MilliCPU
	idle := idleOn(p.cluster, node) - int64(pod.Count)*int64(pod.Milli)
	left := float64(p.largest.shareOfCPU(cpu)/2) + float64(p.largest.shareOfDevices(idle)/2)
	return int64((1 - left) * scheduler.MaxNodeScore)
}

// ScoreMany is Score with scores that are remembered.
func (p *bestFit) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	p.scores.In(c).fill(c, nodes, out, p.score)
}

// Normalization implements scheduler.NormalizedScorePlugin.
func (p *bestFit) Normalization() scheduler.Normalization { return scheduler.MinMaxInteger }
