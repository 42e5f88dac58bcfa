package world

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// Probe measures at sampling instants what of the free capacity pods of the
// workload's own mix could use.
//
// The mix is the classes of the pods that have arrived, the most frequent first,
// until they make up Share of all arrivals.
//
// Source: Weng et al., "Beware of Fragmentation", USENIX ATC 2023, section 3, with
// any resource in the place of GPUs; stranding by inflation: Ling et al., "LAVA",
// MLSys 2025.
type Probe struct {
	Share      float64 // of the arrivals that the mix covers
	MaxClasses int
	// Inflate makes a scheduler that places pods for measuring stranding by inflation,
	// with neither preemption nor Permit; nil: it is not measured. It fills the fleet,
	// which takes time: every InflateEvery-th sample measures it, and the last one.
	Inflate      func() (*scheduler.Scheduler, error)
	InflateEvery int
	// Draws is where the inflation draws its pods from.
	Draws *rand.Rand
}

// DefaultProbe covers 95 % of the arrivals in at most 64 classes, without inflation.
func DefaultProbe() *Probe { return &Probe{Share: 0.95, MaxClasses: 64} }

func (w *World) sampleInterval() clock.Time {
	if w.cfg.SampleShare == 0 {
		return w.cfg.SampleEvery
	}
	return max(w.cfg.SampleEvery, w.now/clock.Time(w.cfg.SampleShare))
}

func (w *World) takeSample(last bool) {
	if w.sampledAt == w.now {
		return
	}
	w.sampledAt = w.now
	s := &record.Sample{Queue: w.scheduler.Depth()}
	if w.cfg.Probe != nil {
		s.Fragmentation = w.fragmentation(w.cfg.Probe, last)
	}
	w.emit(record.Record{Kind: record.Sampled, Pod: -1, Node: -1, Group: -1, Sample: s})
}

func (w *World) fragmentation(p *Probe, last bool) *record.Fragmentation {
	resources := w.probed()
	f := &record.Fragmentation{Free: w.free(resources)}
	for _, r := range resources {
		f.Resources = append(f.Resources, w.cluster.ResourceName(r))
	}
	f.Mix = w.mix(p)
	usable := make([]bool, w.cluster.NodeIDs())
	for i := range f.Mix {
		w.measure(&f.Mix[i], resources, f.Free, usable)
	}
	f.Stranded = make([]int64, len(resources))
	for id := range cluster.NodeID(w.cluster.NodeIDs()) {
		if w.cluster.Node(id).Alive && !usable[id] {
			for k, r := range resources {
				f.Stranded[k] += w.freeOn(id, r)
			}
		}
	}
	w.samples++
	if p.Inflate != nil && len(f.Mix) > 0 && (last || p.InflateEvery > 0 && w.samples%p.InflateEvery == 0) {
		f.Inflated = w.inflate(p, f.Mix, resources)
	}
	return f
}

// probed are the resources that some node has, pods left out.
func (w *World) probed() []cluster.Resource {
	var out []cluster.Resource
	for r := range cluster.Resource(w.cluster.NumResources()) {
		has := func(a int64) bool { return a > 0 }
		if r != cluster.Pods && slices.ContainsFunc(w.cluster.Allocatable(r), has) {
			out = append(out, r)
		}
	}
	return out
}

func (w *World) free(resources []cluster.Resource) []int64 {
	out := make([]int64, len(resources))
	for id := range cluster.NodeID(w.cluster.NodeIDs()) {
		if w.cluster.Node(id).Alive {
			for k, r := range resources {
				out[k] += w.freeOn(id, r)
			}
		}
	}
	return out
}

// freeOn is what is free of a resource on a node, never negative.
func (w *World) freeOn(id cluster.NodeID, r cluster.Resource) int64 {
	return max(w.cluster.Allocatable(r)[id]-w.cluster.Requested(r)[id], 0)
}

// mix lists the most frequent classes among the arrivals so far, with their shares.
func (w *World) mix(p *Probe) []record.MixShare {
	var total int64
	var ids []int
	for id, n := range w.byClass {
		if n > 0 {
			ids = append(ids, id)
			total += n
		}
	}
	slices.SortFunc(ids, func(a, b int) int {
		return cmp.Or(cmp.Compare(w.byClass[b], w.byClass[a]), cmp.Compare(a, b))
	})
	var taken int64
	var out []record.MixShare
	for _, id := range ids {
		if len(out) == p.MaxClasses || float64(taken) >= p.Share*float64(total) {
			break
		}
		taken += w.byClass[id]
		out = append(out, record.MixShare{Class: int32(id)})
	}
	for i := range out {
		out[i].Weight = float64(w.byClass[out[i].Class]) / float64(taken)
	}
	return out
}

// measure fills in what pods of one class could use, and marks the nodes they fit on.
func (w *World) measure(m *record.MixShare, resources []cluster.Resource, free []int64, usable []bool) {
	class := w.cluster.Class(cluster.ClassID(m.Class))
	m.Unusable = slices.Clone(free)
	w.scheduler.EachFitting(class, func(node cluster.NodeID) {
		usable[node] = true
		m.Fits += w.copies(class, node)
		for k, r := range resources {
			if class.Request(r) > 0 {
				m.Unusable[k] -= w.freeOn(node, r)
			}
		}
	})
}

// copies is how many pods of a class have room on a node that one fits on.
func (w *World) copies(class *cluster.Class, node cluster.NodeID) int64 {
	if len(class.Ports) > 0 || slices.ContainsFunc(class.Volumes, func(v cluster.PodVolume) bool { return v.Conflicts(&v) }) {
		return 1
	}
	n := int64(math.MaxInt64)
	for _, q := range class.Requests {
		n = min(n, w.freeOn(node, q.Resource)/q.Amount)
	}
	return min(n, w.freeOn(node, cluster.Pods))
}

// inflate places pods drawn from the mix until none fits any more, notes what is
// then free, and takes them away again. The latest goes first, which leaves the
// cluster exactly as it was.
func (w *World) inflate(p *Probe, mix []record.MixShare, resources []cluster.Resource) []int64 {
	s, err := p.Inflate()
	if err != nil {
		w.fault("stranding by inflation: %w", err)
		return nil
	}
	weights := make([]float64, len(mix))
	for i := range mix {
		weights[i] = mix[i].Weight
	}
	var placed []cluster.PodID
	for i := pick(weights, p.Draws); i >= 0 && w.ctx.Err() == nil; i = pick(weights, p.Draws) {
		class := w.cluster.Class(cluster.ClassID(mix[i].Class))
		pod := w.cluster.AddPod(cluster.Pod{Serial: -1, Name: fmt.Sprintf("inflation-%d", len(placed)), Class: class})
		w.cluster.Volumes.CreateClaims(pod)
		placed = append(placed, pod)
		s.Add(pod, w.now)
		if _, ok := s.Next(w.now); !ok || s.Schedule(pod, w.now).Outcome != scheduler.Scheduled {
			weights[i] = 0
		}
	}
	free := w.free(resources)
	for _, pod := range slices.Backward(placed) {
		w.cluster.Volumes.DeleteOwnClaims(pod)
		w.cluster.RemovePod(pod)
	}
	if w.ctx.Err() != nil {
		return nil // cut short
	}
	return free
}

// pick draws an index by weight; -1 when all weights are 0.
func pick(weights []float64, draws *rand.Rand) int {
	var sum float64
	for _, x := range weights {
		sum += x
	}
	if sum == 0 {
		return -1
	}
	x := draws.Float64() * sum
	last := -1
	for i, weight := range weights {
		if weight == 0 {
			continue
		}
		if last = i; x < weight {
			break
		}
		x -= weight
	}
	return last
}
