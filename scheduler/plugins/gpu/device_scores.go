// Package gpu holds the plugins for shared devices (GPUs) that are not kube-scheduler's: those of the simulator of
// Weng et al., "Beware of Fragmentation", USENIX ATC 2023, and the baselines of that paper.
package gpu

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// The largest node of the paper on fragmentation gradient descent, by which its baselines
// scale.
const (
	largestMilliCPU = 128_000
	largestDevices  = 8
)

// LargestNode are the arguments of the plugins that score what is free of a node by the
// largest node that there is.
type LargestNode struct {
	MilliCPU int64
	Devices  int64
}

// PaperLargestNode is the largest node of the fleet of Weng et al., "Beware of
// Fragmentation", USENIX ATC 2023.
func PaperLargestNode() LargestNode { return LargestNode{largestMilliCPU, largestDevices} }

func (l *LargestNode) shareOfCPU(milli int64) float64 { return float64(milli) / float64(l.MilliCPU) }

func (l *LargestNode) shareOfDevices(milli int64) float64 {
	return float64(milli) / float64(l.Devices*cluster.WholeDevice)
}

// deviceNeed is all that the plugins that score devices see of a pod.
type deviceNeed struct {
	milliCPU int64
	kind     cluster.Resource
	count    int
	milli    int32
	models   string
}

// deviceScores remembers scores by what a pod needs and by node. A score holds for one state
// of the node and one target workload. It is the work space of a cycle.
type deviceScores struct {
	byNeed  map[deviceNeed]*needScores
	byClass []*needScores // nil: the class has not been met
	scores  int           // that there is room for
}

// needScores are the scores for pods with one need.
type needScores struct {
	pod    fragment.Pod
	byNode []knownScore
}

type knownScore struct {
	version, target uint32 // of the node and of the target workload
	score           int64
}

// maxKnownScores bounds what is remembered: beyond it all is forgotten. Pods that are nearly
// all different gain nothing by it.
const maxKnownScores = 1 << 22

// fill puts the scores of the nodes into out. Those that are not known are worked out.
func (s *deviceScores) fill(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64, score func(*fragment.Pod, cluster.NodeID) int64) {
	need := s.of(c.Class)
	if more := c.Cluster.NodeIDs() - len(need.byNode); more > 0 {
		need.byNode = append(need.byNode, make([]knownScore, more)...)
		s.scores += more
	}
	_, target := c.Cluster.Devices.Target()
	for i, node := range nodes {
		known, version := &need.byNode[node], c.Cluster.Version(node)
		if known.version != version || known.target != target {
			*known = knownScore{version, target, score(&need.pod, node)}
		}
		out[i] = known.score
	}
}

// of are the scores for pods of a class.
func (s *deviceScores) of(class *cluster.Class) *needScores {
	if s.scores > maxKnownScores || s.byNeed == nil {
		*s = deviceScores{byNeed: map[deviceNeed]*needScores{}}
	}
	if more := int(class.ID) + 1 - len(s.byClass); more > 0 {
		s.byClass = append(s.byClass, make([]*needScores, more)...)
	}
	if known := s.byClass[class.ID]; known != nil {
		return known
	}
	r := &class.Devices
	key := deviceNeed{class.Request(cluster.CPU), r.Kind, r.Count, r.Milli, fmt.Sprint(r.Models)}
	if s.byNeed[key] == nil {
		s.byNeed[key] = &needScores{pod: class.Fragment()}
	}
	s.byClass[class.ID] = s.byNeed[key]
	return s.byNeed[key]
}

// idleOn is what is free of all devices of a node, in thousandths.
func idleOn(cl *cluster.Cluster, node cluster.NodeID) int64 {
	var sum int64
	for _, free := range cl.Devices.Free(node) {
		sum += int64(free)
	}
	return sum
}

// freeCPU is the cpu of a node that is not requested.
func freeCPU(cl *cluster.Cluster, node cluster.NodeID) int64 {
	return cl.Allocatable(cluster.CPU)[node] - cl.Requested(cluster.CPU)[node]
}

// bounded is a score in floating point, cut to an integer that is a score.
func bounded(score float64) int64 {
	return min(max(int64(score), 0), scheduler.MaxNodeScore)
}
