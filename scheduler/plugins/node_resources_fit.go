package plugins

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonTooManyPods = "Too many pods"

// FitArgs are the arguments of NodeResourcesFit.
type FitArgs struct {
	// IgnoredResources and IgnoredGroups (the part of the name before "/") are
	// extended resources that Filter leaves out.
	IgnoredResources []string
	IgnoredGroups    []string
	Strategy         Strategy
}

// nodeResourcesFit rejects nodes that lack room for the pod: fewer free pods, cpu,
// memory, ephemeral storage or scalar resources than it requests. It scores by a
// Strategy.
//
// Upstream: framework/plugins/noderesources/fit.go, v1.36.3; v1.33.13 for Unschedulable as the only code.
// Differs: devices of DynamicResources that stand for extended resources are not
// known yet; a pod that asks for more than 23 different resources is an error.
type nodeResourcesFit struct {
	cluster *cluster.Cluster
	args    FitArgs
	scorer  *resourceScorer
	// hopeless is the code where the pod requests more than a node has altogether.
	hopeless scheduler.Code
	state    scheduler.Slot[fitState]
}

type fitState struct {
	podsAllowed, podsOn []int64
	wants               []want
}

// want is one resource that the pod asks for, beside the columns it is held against.
type want struct {
	resource               cluster.Resource
	amount                 int64
	allocatable, requested []int64
}

// detailTooManyPods is bit 0 of the detail of a verdict, which says what is lacking: bit 0 room
// for a pod, bit i+1 the i-th resource that the pod's class requests.
const detailTooManyPods = 1

// maxRequests is how many different resources a verdict can speak of.
const maxRequests = 23

func newNodeResourcesFit(h *scheduler.Handle, a FitArgs) (scheduler.Plugin, error) {
	scorer, err := newResourceScorer(h, a.Strategy)
	if err != nil {
		return nil, err
	}
	hopeless := scheduler.Unschedulable
	if h.Rules().HopelessFitIsFinal {
		hopeless = scheduler.UnschedulableAndUnresolvable
	}
	return &nodeResourcesFit{h.Cluster(), a, scorer, hopeless, scheduler.NewSlot[fitState](h)}, nil
}

func (p *nodeResourcesFit) Name() string { return "NodeResourcesFit" }

func (p *nodeResourcesFit) DependsOn() scheduler.Dependencies {
	return scheduler.NodeAllocatable | scheduler.NodePods | scheduler.Nominations
}

func (p *nodeResourcesFit) Checks() scheduler.Checks {
	if len(p.args.IgnoredResources)+len(p.args.IgnoredGroups) > 0 {
		return scheduler.CheckResources
	}
	return scheduler.CheckResources | scheduler.CheckAllResources
}

// PreFilter has nothing to prepare: requests are worked out once for each class.
func (p *nodeResourcesFit) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	if n := len(c.Class.Requests); n > maxRequests {
		message := fmt.Sprintf("the pod asks for %d different resources, at most %d are supported", n, maxRequests)
		return scheduler.PreFilterResult{Status: scheduler.Status{Code: scheduler.Error, Message: message}}
	}
	return scheduler.PreFilterResult{}
}

func (p *nodeResourcesFit) PrepareFilter(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.podsAllowed, s.podsOn = p.cluster.Allocatable(cluster.Pods), p.cluster.Requested(cluster.Pods)
	s.wants = s.wants[:0]
	for _, q := range c.Class.Requests {
		w := want{q.Resource, q.Amount, p.cluster.Allocatable(q.Resource), p.cluster.Requested(q.Resource)}
		if p.ignored(q.Resource) {
			w.amount = 0 // keeps the places of the others
		}
		s.wants = append(s.wants, w)
	}
	return true
}

func (p *nodeResourcesFit) ignored(r cluster.Resource) bool {
	if !r.IsScalar() || len(p.args.IgnoredResources)+len(p.args.IgnoredGroups) == 0 {
		return false
	}
	name := p.cluster.ResourceName(r)
	group, _, extended := strings.Cut(name, "/")
	return extended && (slices.Contains(p.args.IgnoredResources, name) || slices.Contains(p.args.IgnoredGroups, group))
}

func (p *nodeResourcesFit) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	var lacking uint32
	code := scheduler.Unschedulable
	if s.podsOn[node] >= s.podsAllowed[node] {
		lacking = detailTooManyPods
	}
	for i := range s.wants {
		w := &s.wants[i]
		if w.amount > 0 && w.amount > w.allocatable[node]-w.requested[node] {
			lacking |= detailTooManyPods << (i + 1)
			if w.amount > w.allocatable[node] {
				code = p.hopeless
			}
		}
	}
	if lacking == 0 {
		return scheduler.Fits
	}
	return scheduler.NewRejection(code, lacking)
}

func (p *nodeResourcesFit) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	var reasons []string
	if v.Detail()&detailTooManyPods != 0 {
		reasons = append(reasons, reasonTooManyPods)
	}
	for i, q := range c.Class.Requests {
		if v.Detail()&(detailTooManyPods<<(i+1)) != 0 {
			reasons = append(reasons, fmt.Sprintf("Insufficient %s", p.cluster.ResourceName(q.Resource)))
		}
	}
	return reasons
}

func (p *nodeResourcesFit) PreScore(c *scheduler.Cycle) scheduler.Status {
	return scheduler.Status{}
}

func (p *nodeResourcesFit) PrepareScore(c *scheduler.Cycle) bool {
	p.scorer.prepare(c, func(r cluster.Resource) (int64, []int64) {
		if r == cluster.CPU || r == cluster.Memory {
			return c.Class.ScoreNonZero[r], c.NonZeroRequested(r)
		}
		return c.Class.ScoreRequest(r), c.Requested(r)
	})
	return false
}

func (p *nodeResourcesFit) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	return p.scorer.score(*p.scorer.state.In(c), node)
}

// ScoreMany is Score without a lookup and a dynamic call for every node.
func (p *nodeResourcesFit) ScoreMany(c *scheduler.Cycle, nodes []cluster.NodeID, out []int64) {
	columns := *p.scorer.state.In(c)
	if p.scorer.kind == LeastAllocated && len(columns) == 2 {
		leastOfTwo(&columns[0], &columns[1], nodes, out)
		return
	}
	for i, node := range nodes {
		out[i] = p.scorer.score(columns, node)
	}
}

// QueueingHint: any freed pod or nomination may make room; a node must be large enough when
// empty, and must have grown in what the pod asks for if it was there before.
func (p *nodeResourcesFit) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	if e.Kind == scheduler.PodFreed || e.Kind == scheduler.NominationLost {
		return true
	}
	class := p.cluster.Pod(pod).Class
	if !p.fitsEmpty(class, e.Node) {
		return false
	}
	return e.Kind == scheduler.NodeAdded || p.grew(class, e)
}

func (p *nodeResourcesFit) fitsEmpty(class *cluster.Class, node cluster.NodeID) bool {
	if p.cluster.Allocatable(cluster.Pods)[node] < 1 {
		return false
	}
	for _, q := range class.Requests {
		if q.Amount > p.cluster.Allocatable(q.Resource)[node] {
			return false
		}
	}
	return true
}

func (p *nodeResourcesFit) grew(class *cluster.Class, e scheduler.ClusterEvent) bool {
	before := func(r cluster.Resource) int64 {
		for _, q := range e.Before.Allocatable {
			if q.Resource == r {
				return q.Amount
			}
		}
		return 0
	}
	grewIn := func(r cluster.Resource) bool { return p.cluster.Allocatable(r)[e.Node] > before(r) }
	return grewIn(cluster.Pods) ||
		slices.ContainsFunc(class.Requests, func(q cluster.Quantity) bool { return grewIn(q.Resource) })
}
