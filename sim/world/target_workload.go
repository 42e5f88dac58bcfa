package world

import (
	"strings"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/workloads"
)

// targetGrowth: a target workload that is taken from the arrivals is recomputed whenever
// there are a tenth more of them.
const targetGrowth = 10

// targetMix is the pods that a target workload is taken from.
type targetMix struct {
	cluster *cluster.Cluster
	counts  map[fragment.Shape]int64
	models  map[string][]int32 // by Shape.Spec
	pods    int64
	due     int64 // how many pods there are when the target is recomputed
}

func newTargetMix(c *cluster.Cluster) *targetMix {
	return &targetMix{cluster: c, counts: map[fragment.Shape]int64{}, models: map[string][]int32{}, due: 1}
}

// add takes in a pod of the class.
func (m *targetMix) add(class *cluster.Class) {
	pod := m.cluster.Devices.TargetPod(class)
	spec := strings.Join(modelNames(m.cluster, pod.Models), "|")
	if spec == "" && len(pod.Models) > 0 {
		spec = "|" // devices that do not say their model, not any
	}
	shape := fragment.Shape{MilliCPU: pod.MilliCPU, Count: pod.Count, Milli: pod.Milli, Spec: spec}
	m.counts[shape]++
	m.models[shape.Spec] = pod.Models
	m.pods++
}

func (m *targetMix) target() *fragment.Target {
	return fragment.NewTarget(m.counts, fragment.PaperShare, func(spec string) []int32 { return m.models[spec] })
}

// ExpectPods makes pods the target workload that fragmentation of devices is measured by, where a
// node has devices. Daemons do not count, which are made for one node each.
func ExpectPods(c *cluster.Cluster, pods []workloads.Arrival) {
	if !c.Devices.Any() {
		return
	}
	m := newTargetMix(c)
	for i := range pods {
		if !pods[i].Daemon {
			m.add(pods[i].Class)
		}
	}
	c.Devices.SetTarget(m.target())
}

// beginTarget sets the target workload that fragmentation of devices is measured by, if it is
// known from the beginning. Else the arrivals are counted, where a node has devices.
func (s *sampler) beginTarget() {
	if s.cfg.Target != nil {
		s.setTarget(s.cfg.Target)
		return
	}
	s.target = newTargetMix(s.cluster)
}

func (s *sampler) setTarget(t *fragment.Target) {
	s.cluster.Devices.SetTarget(t)
	classes := make([]record.TargetClass, len(t.Classes))
	for i := range t.Classes {
		c := &t.Classes[i]
		classes[i] = record.TargetClass{Pods: c.Pods, MilliCPU: c.MilliCPU, Count: c.Count, Milli: c.Milli, Models: modelNames(s.cluster, c.Models)}
	}
	s.emit(record.Record{Kind: record.DeclareTarget, Target: classes})
}

func modelNames(c *cluster.Cluster, list []int32) []string {
	var out []string
	for _, model := range list {
		out = append(out, c.Text(cluster.Symbol(model)))
	}
	return out
}

// countForTarget takes in a pod that has arrived.
func (s *sampler) countForTarget(class *cluster.Class) {
	m := s.target
	if m == nil || !s.cluster.Devices.Any() {
		return
	}
	if m.add(class); m.pods < m.due {
		return
	}
	m.due = m.pods + max(m.pods/targetGrowth, 1)
	s.setTarget(m.target())
}
