package gpu

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// packing prefers to put pods where devices are shared already, then on free devices of
// nodes in use, then on free nodes. Pods that ask for no devices score 0 everywhere.
//
// Upstream: none. Source: the baseline GpuPacking of Weng et al., "Beware of Fragmentation",
// USENIX ATC 2023, after the heuristic of Xiao et al., "Gandiva", OSDI 2018. Differs: a free
// node with more than 33 devices scores 33.
type packing struct {
	cluster *cluster.Cluster
	scores  scheduler.Slot[deviceScores]
}

// The scores of free nodes are up to packedFreeNode, those of free devices on nodes in use
// from there to packedFreeDevice, those of devices in use above it.
const (
	packedFreeNode   = scheduler.MaxNodeScore / 3
	packedFreeDevice = scheduler.MaxNodeScore / 2
)

// NewPacking returns the plugin GpuPacking.
func NewPacking(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &packing{h.Cluster(), scheduler.NewSlot[deviceScores](h)}, nil
}

func (p *packing) Name() string { return "GpuPacking" }

func (p *packing) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods
}

func (p *packing) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	pod := c.Class.Fragment()
	return p.score(&pod, node)
}

func (p *packing) score(pod *fragment.Pod, node cluster.NodeID) int64 {
	if pod.Count == 0 {
		return 0
	}
	var buffer [16]int32
	free := append(buffer[:0], p.cluster.Devices.Free(node)...)
	slices.Sort(free)
	whole := int64(0)
	for _, f := range free {
		if f == cluster.WholeDevice {
			whole++
		}
	}
	if whole == int64(len(free)) {
		return min(max(packedFreeNode-whole, whole), packedFreeNode)
	}
	taken := free[:0]
	for _, f := range free {
		if f >= pod.Milli && len(taken) < pod.Count {
			taken = append(taken, f)
		}
	}
	opened, left := int64(0), int64(0)
	for _, f := range taken {
		if f == cluster.WholeDevice {
			opened++
		}
		left += int64(f) * 100 / cluster.WholeDevice
	}
	if opened > 0 {
		return max(packedFreeDevice-opened, packedFreeNode)
	}
	return max(scheduler.MaxNodeScore-left/10, packedFreeDevice)
}

// ScoreMany is Score with scores that are remembered.
func (p *packing) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	p.scores.In(c).fill(c, nodes, out, p.score)
}
