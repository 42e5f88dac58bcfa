package legacy

import (
	"math"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// RatioArgs are the arguments of RequestedToCapacityRatioPriority.
type RatioArgs struct {
	Name string // of the rule; empty: its own
	// Shape is by rising utilization (0..100); scores are 0..10.
	Shape     []plugins.ShapePoint
	Resources []plugins.ResourceWeight // empty: cpu and memory, of equal weight
}

// requestedToCapacityRatio scores a node by a piecewise linear function of how much of each
// resource would be requested, weighted by resource.
//
// Upstream: pkg/scheduler/algorithm/priorities/requested_to_capacity_ratio.go, v1.16.15.
// Differs: none.
//
// Unlike with the current strategy a resource that the node does not have counts as used up, and one that
// the pod does not ask for counts as the others do.
type requestedToCapacityRatio struct {
	named
	resources []weightedResource
	shape     []plugins.ShapePoint
	state     scheduler.Slot[[]load]
}

type weightedResource struct {
	resource cluster.Resource
	weight   int64
}

const fullUtilization = 100

// defaultRatioArgs prefer nodes of low utilization.
func defaultRatioArgs() RatioArgs {
	return RatioArgs{Shape: []plugins.ShapePoint{
		{Utilization: 0, Score: scheduler.MaxLegacyScore}, {Utilization: fullUtilization, Score: 0},
	}}
}

func newRequestedToCapacityRatio(h *scheduler.Handle, a RatioArgs) (scheduler.Plugin, error) {
	if a.Name == "" {
		a.Name = RequestedToCapacityRatioPriority
	}
	if len(a.Resources) == 0 {
		a.Resources = plugins.DefaultResources()
	}
	p := &requestedToCapacityRatio{named: named(a.Name), shape: a.Shape, state: scheduler.NewSlot[[]load](h)}
	for _, r := range a.Resources {
		p.resources = append(p.resources, weightedResource{h.Cluster().Resource(r.Name), r.Weight})
	}
	return p, nil
}

func (p *requestedToCapacityRatio) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods
}

func (p *requestedToCapacityRatio) PrepareScore(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	*s = (*s)[:0]
	for _, r := range p.resources {
		*s = append(*s, loadOf(c, r.resource))
	}
	return false
}

func (p *requestedToCapacityRatio) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	s := *p.state.In(c)
	var sum, weights int64
	for i := range s {
		if score := plugins.Interpolate(p.shape, utilization(s[i].on(node))); score > 0 {
			sum += score * p.resources[i].weight
			weights += p.resources[i].weight
		}
	}
	if weights == 0 {
		return 0
	}
	return int64(math.Round(float64(sum) / float64(weights)))
}

// utilization is in percent, rounded up.
func utilization(requested, capacity int64) int64 {
	if capacity == 0 || requested > capacity {
		return fullUtilization
	}
	return fullUtilization - (capacity-requested)*fullUtilization/capacity
}
