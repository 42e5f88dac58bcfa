package legacy

import (
	"math"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// load is what of one resource would be requested on each node with the pod on it.
type load struct {
	request                int64 // of the pod
	allocatable, requested []int64
}

// on are what would be requested on a node and what it has.
func (l *load) on(node cluster.NodeID) (requested, capacity int64) {
	return l.requested[node] + l.request, l.allocatable[node]
}

// loadOf is the load of a resource, for the pod of the cycle. A container that does not say
// how much cpu or memory it wants counts with a default.
//
// Upstream: calculateResourceAllocatableRequest,
// pkg/scheduler/algorithm/priorities/resource_allocation.go, v1.16.15.
func loadOf(c *scheduler.Cycle, r cluster.Resource) load {
	if r == cluster.CPU || r == cluster.Memory {
		return load{c.Class.ScoreNonZero[r], c.Cluster.Allocatable(r), c.Cluster.NonZeroRequested(r)}
	}
	return load{c.Class.ScoreRequest(r), c.Cluster.Allocatable(r), c.Cluster.Requested(r)}
}

// cpuAndMemory scores a node by what would be requested on it of both.
//
// Upstream: ResourceAllocationPriority, pkg/scheduler/algorithm/priorities, v1.16.15.
// Differs: none.
type cpuAndMemory struct {
	named
	score func(cpu, memory fraction) int64
	state scheduler.Slot[[2]load]
}

// fraction is a part of a capacity.
type fraction struct{ requested, capacity int64 }

func newCPUAndMemory(h *scheduler.Handle, name string, score func(cpu, memory fraction) int64) (scheduler.Plugin, error) {
	return &cpuAndMemory{named(name), score, scheduler.NewSlot[[2]load](h)}, nil
}

// newLeastRequested prefers nodes of which less is requested.
func newLeastRequested(h *scheduler.Handle) (scheduler.Plugin, error) {
	return newCPUAndMemory(h, LeastRequestedPriority, func(cpu, memory fraction) int64 {
		return (cpu.free() + memory.free()) / 2
	})
}

// newMostRequested prefers nodes of which more is requested.
func newMostRequested(h *scheduler.Handle) (scheduler.Plugin, error) {
	return newCPUAndMemory(h, MostRequestedPriority, func(cpu, memory fraction) int64 {
		return (cpu.used() + memory.used()) / 2
	})
}

// newBalancedResources prefers nodes of which an equal part of cpu and memory is requested.
// Unlike the current plugin it looks at what the pod leaves behind only, and counts defaults for requests
// that are missing.
func newBalancedResources(h *scheduler.Handle) (scheduler.Plugin, error) {
	return newCPUAndMemory(h, "BalancedResourceAllocation", func(cpu, memory fraction) int64 {
		x, y := cpu.part(), memory.part()
		if x >= 1 || y >= 1 {
			return 0
		}
		return int64((1 - math.Abs(x-y)) * scheduler.MaxLegacyScore)
	})
}

func (f fraction) impossible() bool { return f.capacity == 0 || f.requested > f.capacity }

func (f fraction) free() int64 {
	if f.impossible() {
		return 0
	}
	return (f.capacity - f.requested) * scheduler.MaxLegacyScore / f.capacity
}

func (f fraction) used() int64 {
	if f.impossible() {
		return 0
	}
	return f.requested * scheduler.MaxLegacyScore / f.capacity
}

func (f fraction) part() float64 {
	if f.capacity == 0 {
		return 1
	}
	return float64(f.requested) / float64(f.capacity)
}

func (p *cpuAndMemory) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods
}

func (p *cpuAndMemory) PrepareScore(c *scheduler.Cycle) bool {
	*p.state.In(c) = [2]load{loadOf(c, cluster.CPU), loadOf(c, cluster.Memory)}
	return false
}

func (p *cpuAndMemory) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	s := p.state.In(c)
	var both [2]fraction
	for i := range s {
		both[i].requested, both[i].capacity = s[i].on(node)
	}
	return p.score(both[0], both[1])
}
