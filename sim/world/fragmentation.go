package world

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// FragmentationMeter measures at sampling instants what of the free capacity pods of the
// workload's own mix could use.
//
// The mix is the classes of the pods that have arrived, the most frequent first,
// until they make up Share of all arrivals.
//
// Source: Weng et al., "Beware of Fragmentation", USENIX ATC 2023, section 3, with
// any resource in the place of GPUs; stranding by inflation: Ling et al., "LAVA",
// MLSys 2025.
type FragmentationMeter struct {
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

// DefaultFragmentationMeter covers 95 % of the arrivals in at most 64 classes, without inflation.
func DefaultFragmentationMeter() *FragmentationMeter {
	return &FragmentationMeter{Share: 0.95, MaxClasses: 64}
}

func (s *sampler) fragmentation(p *FragmentationMeter, last bool) *record.Fragmentation {
	resources := s.probedResources()
	f := &record.Fragmentation{Free: s.free(resources)}
	for _, r := range resources {
		f.Resources = append(f.Resources, s.cluster.ResourceName(r))
	}
	mix := s.frequentClasses(p)
	s.rooms.refresh(s.core, resources, mix)
	usable := make([]bool, s.cluster.NodeIDs())
	for _, c := range mix {
		m, kept := s.rooms.measure(c, f.Free)
		if !kept {
			m = s.measure(c, resources, f.Free, usable)
		}
		f.Mix = append(f.Mix, m)
	}
	f.Stranded = make([]int64, len(resources))
	for _, id := range s.cluster.ByCreation() {
		if !usable[id] && s.rooms.fitting[id] == 0 {
			for k, r := range resources {
				f.Stranded[k] += s.freeOn(id, r)
			}
		}
	}
	s.samples++
	if p.Inflate != nil && len(mix) > 0 && (last || p.InflateEvery > 0 && s.samples%p.InflateEvery == 0) {
		f.Inflated = s.inflate(p, mix, resources)
	}
	return f
}

// probedResources returns the resources that some node has, except pods.
func (s *sampler) probedResources() []cluster.Resource {
	var out []cluster.Resource
	for r := range cluster.Resource(s.cluster.NumResources()) {
		has := func(a int64) bool { return a > 0 }
		if r != cluster.Pods && slices.ContainsFunc(s.cluster.Allocatable(r), has) {
			out = append(out, r)
		}
	}
	return out
}

func (s *sampler) free(resources []cluster.Resource) []int64 {
	out := make([]int64, len(resources))
	for _, id := range s.cluster.ByCreation() {
		for k, r := range resources {
			out[k] += s.freeOn(id, r)
		}
	}
	return out
}

// freeOn is what is free of a resource on a node, never negative.
func (s *core) freeOn(id cluster.NodeID, r cluster.Resource) int64 {
	return max(s.cluster.Allocatable(r)[id]-s.cluster.Requested(r)[id], 0)
}

// frequentClass is a class of the mix, and its share of the pods of the mix.
type frequentClass struct {
	*cluster.Class
	weight float64
}

// frequentClasses lists the most frequent classes among the arrivals so far, with their shares.
func (s *sampler) frequentClasses(p *FragmentationMeter) []frequentClass {
	var total int64
	var ids []int
	for id, n := range s.byClass {
		if n > 0 {
			ids = append(ids, id)
			total += n
		}
	}
	slices.SortFunc(ids, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.byClass[b], s.byClass[a]), cmp.Compare(a, b))
	})
	var taken int64
	var out []frequentClass
	for _, id := range ids {
		if len(out) == p.MaxClasses || float64(taken) >= p.Share*float64(total) {
			break
		}
		taken += s.byClass[id]
		out = append(out, frequentClass{Class: s.cluster.Class(cluster.ClassID(id))})
	}
	for i := range out {
		out[i].weight = float64(s.byClass[out[i].ID]) / float64(taken)
	}
	return out
}

// measure returns what pods of one class could use, and marks the nodes they fit on. It asks about all nodes.
func (s *sampler) measure(c frequentClass, resources []cluster.Resource, free []int64, usable []bool) record.MixShare {
	out := record.MixShare{Class: c.Serial, Weight: c.weight, Unusable: slices.Clone(free)}
	s.scheduler.EachFeasible(c.Class, func(node cluster.NodeID) {
		usable[node] = true
		out.Fits += s.copies(c.Class, node)
		for k, r := range resources {
			if c.Request(r) > 0 {
				out.Unusable[k] -= s.freeOn(node, r)
			}
		}
	})
	return out
}

// copies is how many pods of a class have room on a node that one fits on.
func (s *core) copies(class *cluster.Class, node cluster.NodeID) int64 {
	if len(class.Ports) > 0 || slices.ContainsFunc(class.Volumes, func(v cluster.PodVolume) bool { return v.Conflicts(&v) }) {
		return 1
	}
	n := int64(math.MaxInt64)
	for _, q := range class.Requests {
		n = min(n, s.freeOn(node, q.Resource)/q.Amount)
	}
	if class.Devices.Count > 0 {
		n = min(n, s.cluster.Devices.Room(&class.Devices, node))
	}
	return min(n, s.freeOn(node, cluster.Pods))
}
