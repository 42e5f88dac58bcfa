package plugins

import (
	"fmt"
	"math"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// StrategyType is how NodeResourcesFit scores.
type StrategyType string

// The strategies.
const (
	LeastAllocated           StrategyType = "LeastAllocated"
	MostAllocated            StrategyType = "MostAllocated"
	RequestedToCapacityRatio StrategyType = "RequestedToCapacityRatio"
)

// ResourceWeight is a resource that a score looks at.
type ResourceWeight struct {
	Name   string
	Weight int64
}

// ShapePoint is a point of a piecewise linear function from utilization (0..100) to
// score (0..10).
type ShapePoint struct{ Utilization, Score int64 }

// Strategy is how NodeResourcesFit scores a node.
type Strategy struct {
	Type      StrategyType
	Resources []ResourceWeight
	Shape     []ShapePoint // for RequestedToCapacityRatio, by rising utilization
}

// DefaultResources returns cpu and memory, of equal weight.
func DefaultResources() []ResourceWeight { return []ResourceWeight{{"cpu", 1}, {"memory", 1}} }

// DefaultStrategy returns LeastAllocated over the default resources.
func DefaultStrategy() Strategy { return Strategy{Type: LeastAllocated, Resources: DefaultResources()} }

// resourceScorer scores nodes by what is requested on them of some resources.
//
// Upstream: framework/plugins/noderesources/resource_allocation.go, v1.36.3.
type resourceScorer struct {
	cluster   *cluster.Cluster
	kind      StrategyType
	resources []scoredResource
	shape     []ShapePoint // scores scaled to 0..100
	state     scheduler.Slot[[]column]
}

type scoredResource struct {
	resource cluster.Resource
	weight   int64
}

// column is one resource that counts for the pod at hand.
type column struct {
	request                int64 // of the pod
	weight                 int64
	allocatable, requested []int64 // by node, the pod not included
}

func newResourceScorer(h *scheduler.Handle, s Strategy) (*resourceScorer, error) {
	r := &resourceScorer{cluster: h.Cluster(), kind: s.Type, state: scheduler.NewSlot[[]column](h)}
	switch s.Type {
	case LeastAllocated, MostAllocated:
	case RequestedToCapacityRatio:
		r.shape = scaled(s.Shape)
		if len(r.shape) == 0 {
			return nil, fmt.Errorf("strategy %s needs a shape", s.Type)
		}
	default:
		return nil, fmt.Errorf("scoring strategy %q is not supported", s.Type)
	}
	if len(s.Resources) == 0 {
		return nil, fmt.Errorf("strategy %s needs resources", s.Type)
	}
	for _, res := range s.Resources {
		r.resources = append(r.resources, scoredResource{h.Cluster().Resource(res.Name), res.Weight})
	}
	return r, nil
}

const maxShapeScore = 10

// scaled returns a shape with scores of 0 to 100.
func scaled(shape []ShapePoint) []ShapePoint {
	var out []ShapePoint
	for _, p := range shape {
		out = append(out, ShapePoint{p.Utilization, p.Score * (scheduler.MaxNodeScore / maxShapeScore)})
	}
	return out
}

// prepare lists the columns that count for the pod: scalar resources that it does
// not ask for are left out. request returns what the pod asks for of a resource, and
// what is requested on every node.
func (r *resourceScorer) prepare(c *scheduler.Cycle, request func(cluster.Resource) (int64, []int64)) {
	columns := r.state.In(c)
	*columns = (*columns)[:0]
	for _, res := range r.resources {
		if res.resource == cluster.Pods {
			continue // upstream has no amounts for it
		}
		amount, requested := request(res.resource)
		if amount == 0 && res.resource.IsScalar() {
			continue
		}
		*columns = append(*columns, column{amount, res.weight, r.cluster.Allocatable(res.resource), requested})
	}
}

func (r *resourceScorer) score(columns []column, node cluster.NodeID) int64 {
	switch r.kind {
	case LeastAllocated:
		return leastAllocated(columns, node)
	case MostAllocated:
		return mostAllocated(columns, node)
	}
	return requestedToCapacity(columns, node, r.shape)
}

// Upstream: framework/plugins/noderesources/least_allocated.go, v1.36.3.
func leastAllocated(columns []column, node cluster.NodeID) int64 {
	var sum, weights int64
	for i := range columns {
		col := &columns[i]
		a := col.allocatable[node]
		if a == 0 {
			continue
		}
		weights += col.weight
		if free := a - col.requested[node] - col.request; free > 0 {
			sum += percent(free, a) * col.weight
		}
	}
	return mean(sum, weights)
}

// Upstream: framework/plugins/noderesources/most_allocated.go, v1.36.3.
func mostAllocated(columns []column, node cluster.NodeID) int64 {
	var sum, weights int64
	for i := range columns {
		col := &columns[i]
		a := col.allocatable[node]
		if a == 0 {
			continue
		}
		weights += col.weight
		sum += percent(min(col.requested[node]+col.request, a), a) * col.weight
	}
	return mean(sum, weights)
}

func mean(sum, weights int64) int64 {
	if weights == 0 {
		return 0
	}
	return sum / weights
}

// leastOfTwo is leastAllocated for many nodes and the two resources of the default,
// without inner loops.
func leastOfTwo(x, y *column, nodes []cluster.NodeID, out []int64) {
	weights := x.weight + y.weight
	for i, node := range nodes {
		ax, ay := x.allocatable[node], y.allocatable[node]
		if ax == 0 || ay == 0 {
			out[i] = leastAllocated([]column{*x, *y}, node)
			continue
		}
		var sum int64
		if free := ax - x.requested[node] - x.request; free > 0 {
			sum = percent(free, ax) * x.weight
		}
		if free := ay - y.requested[node] - y.request; free > 0 {
			sum += percent(free, ay) * y.weight
		}
		if weights == 2 {
			out[i] = sum >> 1 // sums are not negative
		} else {
			out[i] = sum / weights
		}
	}
}

// Upstream: framework/plugins/noderesources/requested_to_capacity_ratio.go, v1.36.3.
func requestedToCapacity(columns []column, node cluster.NodeID, shape []ShapePoint) int64 {
	var sum, weights int64
	for i := range columns {
		col := &columns[i]
		a := col.allocatable[node]
		if a == 0 {
			continue
		}
		utilization := int64(100)
		if r := col.requested[node] + col.request; r <= a {
			utilization = percent(r, a)
		}
		if score := Interpolate(shape, utilization); score > 0 {
			sum += score * col.weight
			weights += col.weight
		}
	}
	if weights == 0 {
		return 0
	}
	return int64(math.Round(float64(sum) / float64(weights)))
}

// Interpolate returns the value of the shape, flat before its first point and after its last one.
//
// Upstream: framework/plugins/helper/shape_score.go, v1.36.3.
func Interpolate(shape []ShapePoint, u int64) int64 {
	for i, p := range shape {
		if u > p.Utilization {
			continue
		}
		if i == 0 {
			return p.Score
		}
		q := shape[i-1]
		return q.Score + (p.Score-q.Score)*(u-q.Utilization)/(p.Utilization-q.Utilization)
	}
	return shape[len(shape)-1].Score
}

// exactBelow bounds the capacities for which percent may divide in floating point.
const exactBelow = 1 << 46

// percent is 100*x/a cut to an integer, for 0 <= x <= a and a > 0.
//
// A division of doubles takes a fraction of the time of one of integers. It is
// exact here: 100*x and a are below 2^53, and a quotient that is not an integer is
// at least 1/a from the next one, more than half a unit in the last place.
func percent(x, a int64) int64 {
	if a < exactBelow {
		return int64(float64(x*100) / float64(a))
	}
	return percentPlain(x, a)
}

// percentPlain is the plain twin of percent.
func percentPlain(x, a int64) int64 { return x * 100 / a }
