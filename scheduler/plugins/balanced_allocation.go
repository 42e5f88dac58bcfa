package plugins

import (
	"math"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// BalancedArgs are the arguments of NodeResourcesBalancedAllocation. The weights are
// not used.
type BalancedArgs struct{ Resources []ResourceWeight }

// balancedAllocation prefers nodes on which the pod evens out how much of each
// resource is requested.
//
// Upstream: framework/plugins/noderesources/balanced_allocation.go, v1.36.3; v1.35.4 for the state alone.
// Differs: devices of DynamicResources that stand for extended resources are not
// known yet.
type balancedAllocation struct {
	cluster     *cluster.Cluster
	scorer      *resourceScorer
	improvement bool // scores what the pod improves, else the state with the pod
}

func newBalancedAllocation(h *scheduler.Handle, a BalancedArgs) (scheduler.Plugin, error) {
	scorer, err := newResourceScorer(h, Strategy{Type: LeastAllocated, Resources: a.Resources})
	if err != nil {
		return nil, err
	}
	return &balancedAllocation{h.Cluster(), scorer, h.Rules().Balance == release.BalanceImprovement}, nil
}

func (p *balancedAllocation) Name() string { return "NodeResourcesBalancedAllocation" }

func (p *balancedAllocation) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods
}

// PreScore leaves out pods that request nothing of what is balanced.
func (p *balancedAllocation) PreScore(c *scheduler.Cycle) scheduler.Status {
	if p.asksFor(c.Class) {
		return scheduler.Status{}
	}
	return scheduler.Status{Code: scheduler.Skip}
}

func (p *balancedAllocation) asksFor(class *cluster.Class) bool {
	return slices.ContainsFunc(p.scorer.resources, func(r scoredResource) bool { return class.Request(r.resource) != 0 })
}

// PrepareScore: where PreScore is disabled, a pod that requests nothing scores 0
// everywhere.
func (p *balancedAllocation) PrepareScore(c *scheduler.Cycle) bool {
	p.scorer.prepare(c, func(r cluster.Resource) (int64, []int64) {
		return c.Class.Request(r), c.Requested(r)
	})
	return !p.asksFor(c.Class)
}

func (p *balancedAllocation) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	if !p.asksFor(c.Class) {
		return 0
	}
	columns := *p.scorer.state.In(c)
	with := evenness(columns, node, true)
	if !p.improvement {
		return with
	}
	return balanceScore(with, evenness(columns, node, false))
}

// ScoreMany is Score without a lookup and a dynamic call for every node.
func (p *balancedAllocation) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	columns := *p.scorer.state.In(c)
	if p.asksFor(c.Class) && len(columns) == 2 {
		p.balanceOfTwo(&columns[0], &columns[1], nodes, out)
		return
	}
	for i, node := range nodes {
		out[i] = p.Score(c, node)
	}
}

const halfScore = scheduler.MaxNodeScore / 2

func balanceScore(with, without int64) int64 { return halfScore + (halfScore+with-without)/2 }

// balanceOfTwo is Score for many nodes and the two resources of the default, without
// inner loops.
func (p *balancedAllocation) balanceOfTwo(x, y *column, nodes []cluster.NodeID, out []int64) {
	for i, node := range nodes {
		ax, ay := x.allocatable[node], y.allocatable[node]
		with, without := int64(scheduler.MaxNodeScore), int64(scheduler.MaxNodeScore)
		if ax != 0 && ay != 0 {
			rx, ry := x.requested[node], y.requested[node]
			with = evennessOfTwo(share(rx+x.request, ax), share(ry+y.request, ay))
			without = evennessOfTwo(share(rx, ax), share(ry, ay))
		}
		out[i] = with
		if p.improvement {
			out[i] = balanceScore(with, without)
		}
	}
}

// evennessOfTwo is evenness for two fractions.
func evennessOfTwo(x, y float64) int64 {
	return int64((1 - math.Abs((x-y)/2)) * scheduler.MaxNodeScore)
}

// share is r/a, at most 1.
func share(r, a int64) float64 {
	if r > a {
		return 1
	}
	return float64(r) / float64(a)
}

// evenness is (1 - standard deviation of the requested fractions) * 100, cut.
func evenness(columns []column, node cluster.NodeID, withPod bool) int64 {
	var sum float64
	var fractions [16]float64
	list := fractions[:0]
	for i := range columns {
		col := &columns[i]
		a := col.allocatable[node]
		if a == 0 {
			continue
		}
		r := col.requested[node]
		if withPod {
			r += col.request
		}
		f := share(r, a)
		sum += f
		list = append(list, f)
	}
	return int64((1 - deviation(list, sum)) * scheduler.MaxNodeScore)
}

func deviation(fractions []float64, sum float64) float64 {
	n := float64(len(fractions))
	switch {
	case len(fractions) == 2:
		return math.Abs((fractions[0] - fractions[1]) / 2)
	case len(fractions) < 2:
		return 0
	}
	mean := sum / n
	var squares float64
	for _, f := range fractions {
		squares += float64((f - mean) * (f - mean)) // the conversion forbids a fused multiply-add
	}
	return math.Sqrt(squares / n)
}
