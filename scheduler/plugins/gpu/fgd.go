package gpu

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// fgd is fragmentation gradient descent: it prefers nodes, and on them devices, where the pod
// leaves least that the target workload cannot use. Its scores are those of the paper: whole
// numbers, so that gains of less than 40 thousandths of a device score 50, as no change does.
// Pods that ask for no devices are scored too, by what becomes unusable for want of their cpu.
//
// Upstream: none. Source: Weng et al., "Beware of Fragmentation", USENIX ATC 2023, section
// 4.3, and pkg/simulator/plugin/fgd_score.go of its authors.
type fgd struct{ *descent }

// fgdExact is fgd by exact arithmetic: of all feasible nodes only those of the steepest
// descent get 100. It is a policy of its own, not a better computation of the paper's.
//
// Upstream: none. Source: as of fgd.
type fgdExact struct{ *descent }

// descent is what both have in common.
type descent struct {
	cluster *cluster.Cluster
	name    string
	plain   func(*fragment.Target, *fragment.Node, *fragment.Pod) fragment.Descent
	fast    func(*fragment.Gauge, *fragment.Pod) fragment.Descent
	score   func(fragment.Descent) int64
	scores  scheduler.Slot[deviceScores]
	gauges  scheduler.Slot[[]nodeGauge]
}

// nodeGauge is the gauge of one state of a node, for one target workload.
type nodeGauge struct {
	fragment.Gauge
	version, target uint32
}

// NewFGD returns the plugin FGD.
func NewFGD(h *scheduler.Handle) (scheduler.Plugin, error) {
	return fgd{&descent{
		h.Cluster(), "FGD", (*fragment.Target).Paper, (*fragment.Gauge).Paper,
		func(d fragment.Descent) int64 { return int64(d.Score) },
		scheduler.NewSlot[deviceScores](h), scheduler.NewSlot[[]nodeGauge](h),
	}}, nil
}

// NewFGDExact returns the plugin FGDExact.
func NewFGDExact(h *scheduler.Handle) (scheduler.Plugin, error) {
	return fgdExact{&descent{
		h.Cluster(), "FGDExact", (*fragment.Target).Steepest, (*fragment.Gauge).Steepest,
		func(d fragment.Descent) int64 { return d.Gain },
		scheduler.NewSlot[deviceScores](h), scheduler.NewSlot[[]nodeGauge](h),
	}}, nil
}

func (p *descent) Name() string { return p.name }

func (p *descent) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodeLabels | scheduler.NodePods
}

func (p *descent) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	pod := c.Class.Fragment()
	return p.score(p.at(c.Class, &pod, node))
}

// at is where a pod would go on a node. Where the devices do not suffice it takes none.
func (p *descent) at(class *cluster.Class, pod *fragment.Pod, node cluster.NodeID) fragment.Descent {
	target, _ := p.cluster.Devices.Target()
	n := p.cluster.Devices.Fragments(node, nil)
	return p.plain(target, &n, p.holding(&class.Devices, pod, node))
}

// holding is the pod as the node can have it.
func (p *descent) holding(r *cluster.DeviceRequest, pod *fragment.Pod, node cluster.NodeID) *fragment.Pod {
	if p.cluster.Devices.Fit(r, node) {
		return pod
	}
	return &fragment.Pod{MilliCPU: pod.MilliCPU}
}

// ScoreMany is Score with a gauge for each node, and with scores that are remembered.
func (p *descent) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	gauges := p.gauges.In(c)
	if more := p.cluster.NodeIDs() - len(*gauges); more > 0 {
		*gauges = append(*gauges, make([]nodeGauge, more)...)
	}
	target, targetVersion := p.cluster.Devices.Target()
	p.scores.In(c).fill(c, nodes, out, func(pod *fragment.Pod, node cluster.NodeID) int64 {
		g := &(*gauges)[node]
		if version := p.cluster.Version(node); g.version != version || g.target != targetVersion {
			g.Node = p.cluster.Devices.Fragments(node, g.Node.Free)
			g.Prepare(target)
			g.version, g.target = version, targetVersion
		}
		return p.score(p.fast(&g.Gauge, p.holding(&c.Class.Devices, pod, node)))
	})
}

// ChooseDevices takes the device by which the node was scored; whole ones as they come.
func (p *descent) ChooseDevices(c *scheduler.Cycle, node cluster.NodeID) []int32 {
	pod := c.Class.Fragment()
	if d := p.at(c.Class, &pod, node); d.Device >= 0 {
		return []int32{int32(d.Device)}
	}
	return nil
}

// Normalization makes the steepest descent 100, and all others less.
func (fgdExact) Normalization() scheduler.Normalization { return scheduler.MinMaxInteger }
