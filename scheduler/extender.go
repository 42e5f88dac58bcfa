package scheduler

import (
	"context"
	"slices"
	"time"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// ExtenderName stands in the place of a plugin for whatever an extender rejected.
const ExtenderName = "Extender"

// MaxExtenderScore is the highest score that an extender should give to a node. It is
// not enforced, as upstream does not.
const MaxExtenderScore = 10

// Extender is a webhook that takes part in scheduling beside the plugins. Its calls end
// early when the context does.
//
// Upstream: fwk.Extender, staging/src/k8s.io/kube-scheduler/framework/interface.go, v1.36.3.
type Extender interface {
	Info() ExtenderInfo
	// IsInterested reports whether the extender handles pods of the class.
	IsInterested(class *cluster.Class) bool
	// Filter narrows down the nodes that passed the filters.
	Filter(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) (Filtered, error)
	// Prioritize scores nodes. It may leave nodes out, or name them several times.
	Prioritize(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) ([]NodeScore, error)
	// Preempt narrows down the nodes that preemption can free. It may change the victims.
	Preempt(ctx context.Context, pod cluster.PodID, candidates []Candidate) ([]Candidate, error)
	// Bind binds the pod in the place of the bind plugins.
	Bind(ctx context.Context, pod cluster.PodID, node cluster.NodeID) error
}

// ExtenderInfo describe an extender: its name, the calls that it supports, and its settings.
type ExtenderInfo struct {
	Name      string // its URL prefix, which identifies it
	Ignorable bool   // a call that fails is skipped

	Filters, Prioritizes, Preempts, Binds bool // the calls that it answers

	Weight  int64         // of its scores
	Timeout time.Duration // of a call
}

// Filtered is the result of an extender's filter call.
type Filtered struct {
	Nodes  []cluster.NodeID // that pass; they may be others than those it was asked about
	Failed []FailedNode     // nodes that it rejected; of several entries for a node the last one counts
	// ReturnedObjects: the nodes came back as objects. Upstream scores such nodes as if no pod and no
	// image were on them.
	ReturnedObjects bool
}

// FailedNode is a node that an extender rejected.
type FailedNode struct {
	Name    string
	Node    cluster.NodeID // None where the cluster has no node of that name
	Code    Code
	Message string
}

// NodeScore is the score of one node.
type NodeScore struct {
	Node  cluster.NodeID
	Score int64
}

// Candidate is a node that preemption can free.
type Candidate struct {
	Node       cluster.NodeID
	Victims    []cluster.PodID // by falling importance
	Violations int64           // of disruption budgets
}

// extensions is what extenders have done to the cycle at hand.
type extensions struct {
	emptyNodes   bool                      // see Filtered.ReturnedObjects
	nothing      []int64                   // a column of zeros
	answers      []extenderAnswer          // by the detail of a verdict
	details      map[extenderAnswer]uint32 // where in answers, by what is said of no node yet
	unknownNodes []FailedNode              // rejected, but not in the cluster
	leftOut      []leftOut                 // without a reason, as far as their extender goes
	ranks        []extenderRank
	ranked       []bool // by feasible node: an extender scored it
}

// extenderRank is what one extender adds to the totals of the feasible nodes.
type extenderRank struct {
	name   string
	scores []int64
}

// extenderAnswer is what extenders say about some nodes.
type extenderAnswer struct {
	code    Code
	message string
	nodes   int // whose last entry it is
}

// leftOut is a feasible node that an extender did not send back.
type leftOut struct {
	node cluster.NodeID
	by   string // the extender
}

func (x *extensions) reset() {
	x.emptyNodes = false
	x.answers, x.unknownNodes, x.leftOut = x.answers[:0], x.unknownNodes[:0], x.leftOut[:0]
	x.ranks, x.ranked = x.ranks[:0], x.ranked[:0]
	clear(x.details)
}

// detail is where in answers this one is.
func (x *extensions) detail(code Code, message string) uint32 {
	answer := extenderAnswer{code: code, message: message}
	d, known := x.details[answer]
	if !known {
		if x.details == nil {
			x.details = map[extenderAnswer]uint32{}
		}
		d = uint32(len(x.answers))
		x.details[answer] = d
		x.answers = append(x.answers, answer)
	}
	return d
}

// extenderPlugin stands for the extenders in the tables of plugins. Any event may help a pod
// that they rejected.
//
// Upstream: defaultEnqueueExtension, framework/runtime/framework.go, v1.36.3.
type extenderPlugin struct{}

func (extenderPlugin) Name() string            { return ExtenderName }
func (extenderPlugin) DependsOn() Dependencies { return ^Dependencies(0) }
func (extenderPlugin) Checks() Checks          { return CheckOther }

// Filter implements FilterPlugin, whose Reasons word the verdicts of extenders.
func (extenderPlugin) Filter(*Cycle, cluster.NodeID) Verdict { return Fits }

func (extenderPlugin) Reasons(c *Cycle, v Verdict) []string {
	return []string{c.ext.answers[v.Detail()].message}
}

// needsAllFeasible reports whether extenders need more nodes than the first that passes.
func (s *Scheduler) needsAllFeasible() bool {
	return slices.ContainsFunc(s.extenders, func(x *countedExtender) bool {
		t := x.Info()
		return t.Filters || t.Prioritizes
	})
}

// passExtenders asks the extenders, one after the other, which of the feasible nodes
// pass.
//
// Upstream: findNodesThatPassExtenders, pkg/scheduler/schedule_one.go, v1.36.3.
func (c *Cycle) passExtenders() error {
	c.ext.emptyNodes, c.ext.leftOut = false, c.ext.leftOut[:0]
	for _, x := range c.s.extenders {
		if len(c.feasible) == 0 {
			return nil
		}
		t := x.Info()
		if !t.Filters || !x.IsInterested(c.Class) {
			continue
		}
		answer, err := x.Filter(c.s.ctx, c.Pod, c.feasible)
		switch {
		case err == nil:
		case t.Ignorable:
			continue
		default:
			return err
		}
		for _, f := range answer.Failed {
			c.turnDown(f)
		}
		c.leaveOut(t.Name, answer.Nodes)
		c.feasible = append(c.feasible[:0], answer.Nodes...)
		c.ext.emptyNodes = c.ext.emptyNodes || answer.ReturnedObjects && c.profile.family == Modern
	}
	return nil
}

// leaveOut notes which of the feasible nodes are not among those that pass an extender.
func (c *Cycle) leaveOut(extender string, passed []cluster.NodeID) {
	if slices.Equal(passed, c.feasible) {
		return
	}
	passes := make(map[cluster.NodeID]bool, len(passed))
	for _, node := range passed {
		passes[node] = true
	}
	for _, node := range c.feasible {
		if !passes[node] {
			c.ext.leftOut = append(c.ext.leftOut, leftOut{node, extender})
			passes[node] = true // once is enough
		}
	}
}

// turnDown notes what an extender says about a node. It does not make the extender a
// rejector of the pod: missing nodes do.
func (c *Cycle) turnDown(f FailedNode) {
	if f.Node == cluster.None {
		c.ext.unknownNodes = slices.DeleteFunc(c.ext.unknownNodes, func(s FailedNode) bool { return s.Name == f.Name })
		c.ext.unknownNodes = append(c.ext.unknownNodes, f)
		return
	}
	c.note(f.Node, NewRejection(f.Code, c.ext.detail(f.Code, f.Message)).by(c.profile.extender))
}

// bindExtended has an extender bind the pod; false when there is none for it.
//
// Upstream: extendersBinding, pkg/scheduler/schedule_one.go, v1.36.3.
func (s *Scheduler) bindExtended(pod cluster.PodID, node cluster.NodeID) (Status, bool) {
	for _, x := range s.extenders {
		t := x.Info()
		if !t.Binds || !x.IsInterested(s.cluster.Pod(pod).Class) {
			continue
		}
		switch err := x.Bind(s.ctx, pod, node); {
		case err == nil:
			return Status{}, true
		case !t.Ignorable:
			return Status{Error, err.Error()}, true
		}
	}
	return Status{}, false
}
