package plugins

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// AllocatableMode is which nodes NodeResourcesAllocatable prefers.
type AllocatableMode string

// The modes.
const (
	LeastAllocatable AllocatableMode = "Least" // small nodes
	MostAllocatable  AllocatableMode = "Most"  // large nodes
)

// AllocatableArgs are the arguments of NodeResourcesAllocatable.
type AllocatableArgs struct {
	Mode      AllocatableMode
	Resources []ResourceWeight // of a resource that is listed twice, the last weight counts
}

// DefaultAllocatableArgs prefers small nodes; one millicore of cpu counts as much as one MiB of memory.
func DefaultAllocatableArgs() AllocatableArgs {
	return AllocatableArgs{LeastAllocatable, []ResourceWeight{{"cpu", 1 << 20}, {"memory", 1}}}
}

// nodeResourcesAllocatable prefers nodes by how much of some resources they have, whatever is requested there.
//
// Upstream: pkg/noderesources/allocatable.go and pkg/noderesources/resource_allocation.go,
// sigs.k8s.io/scheduler-plugins v0.33.5.
// Differs: none.
type nodeResourcesAllocatable struct {
	cluster   *cluster.Cluster
	sign      int64 // -1 for the mode Least
	resources []scoredResource
	weights   int64
}

func newNodeResourcesAllocatable(h *scheduler.Handle, a AllocatableArgs) (scheduler.Plugin, error) {
	p := &nodeResourcesAllocatable{cluster: h.Cluster(), sign: 1}
	switch a.Mode {
	case LeastAllocatable:
		p.sign = -1
	case MostAllocatable:
	default:
		return nil, fmt.Errorf("mode %q is neither %s nor %s", a.Mode, LeastAllocatable, MostAllocatable)
	}
	for i, r := range a.Resources {
		if r.Weight <= 0 {
			return nil, fmt.Errorf("the weight of %s is %d, must be positive", r.Name, r.Weight)
		}
		if slices.ContainsFunc(a.Resources[i+1:], func(later ResourceWeight) bool { return later.Name == r.Name }) {
			continue
		}
		p.weights += r.Weight
		if resource := h.Cluster().Resource(r.Name); resource != cluster.Pods { // upstream has no amounts for it
			p.resources = append(p.resources, scoredResource{resource, r.Weight})
		}
	}
	if p.weights == 0 {
		return nil, fmt.Errorf("needs resources")
	}
	return p, nil
}

func (p *nodeResourcesAllocatable) Name() string { return "NodeResourcesAllocatable" }

func (p *nodeResourcesAllocatable) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable
}

// Score is the weighted mean of what the node has, negative for the mode Least.
func (p *nodeResourcesAllocatable) Score(_ *scheduler.Cycle, node cluster.NodeID) int64 {
	var sum int64
	for _, r := range p.resources {
		sum += p.sign * p.cluster.Allocatable(r.resource)[node] * r.weight
	}
	return sum / p.weights
}

func (*nodeResourcesAllocatable) Normalization() scheduler.Normalization {
	return scheduler.MinMaxIntegerZero
}
