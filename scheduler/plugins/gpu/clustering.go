package gpu

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// clustering prefers nodes whose pods ask for as many devices as the pod: first those with
// no others, then those with others too, then those without pods on devices. Among them it
// prefers those with less idle. Pods that ask for no devices score 0 everywhere.
//
// Upstream: none. Source: the baseline GpuClustering of Weng et al., "Beware of
// Fragmentation", USENIX ATC 2023, after Xiao et al., "Gandiva", OSDI 2018. Differs: on nodes
// that are larger than the largest node, what is added for use stops at 0.
type clustering struct {
	cluster *cluster.Cluster
	largest LargestNode
	scores  scheduler.Slot[deviceScores]
}

// quarter is what each of these preferences weighs.
const quarter = scheduler.MaxNodeScore / 4

// NewClustering returns the plugin GpuClustering.
func NewClustering(h *scheduler.Handle, largest LargestNode) (scheduler.Plugin, error) {
	return &clustering{h.Cluster(), largest, scheduler.NewSlot[deviceScores](h)}, nil
}

func (p *clustering) Name() string { return "GpuClustering" }

func (p *clustering) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods
}

func (p *clustering) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	pod := c.Class.Fragment()
	return p.score(&pod, node)
}

func (p *clustering) score(pod *fragment.Pod, node cluster.NodeID) int64 {
	if pod.Count == 0 {
		return 0
	}
	largest := p.largest.Devices * cluster.WholeDevice
	used := max(largest-idleOn(p.cluster, node), 0)
	score := quarter * used / largest
	switch alike, others := p.pods(pod, node); {
	case alike && !others:
		return score + 3*quarter
	case alike:
		return score + 2*quarter
	case !others:
		return score + quarter
	}
	return score
}

// pods reports whether there are pods on a node that ask for as many devices as one, and others
// that ask for devices. Pods that share a device are a kind of their own.
func (p *clustering) pods(pod *fragment.Pod, node cluster.NodeID) (alike, others bool) {
	shares := pod.Milli < cluster.WholeDevice
	for _, on := range p.cluster.PodsOn(node) {
		switch r := &p.cluster.Pod(on).Class.Devices; {
		case r.Count == 0:
		case r.Count == pod.Count && r.Shares() == shares:
			alike = true
		default:
			others = true
		}
	}
	return alike, others
}

// ScoreMany is Score with scores that are remembered.
func (p *clustering) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	p.scores.In(c).fill(c, nodes, out, p.score)
}
