package scheduler

import (
	"context"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/cluster"
)

// ExtenderName stands in the place of a plugin for whatever an extender turned down.
const ExtenderName = "Extender"

// MaxExtenderScore is the highest score that an extender should give to a node. It is
// not enforced, as upstream does not.
const MaxExtenderScore = 10

// Extender is a webhook that takes part in scheduling beside the plugins. Its calls end
// early when the context does.
//
// Upstream: fwk.Extender, staging/src/k8s.io/kube-scheduler/framework/interface.go, v1.36.3.
type Extender interface {
	Traits() ExtenderTraits
	// Interested says whether pods of the class are any of its business.
	Interested(class *cluster.Class) bool
	// Filter narrows down the nodes that passed the filters.
	Filter(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) (Filtered, error)
	// Prioritize scores nodes. It may leave nodes out, or name them several times.
	Prioritize(ctx context.Context, pod cluster.PodID, nodes []cluster.NodeID) ([]NodeScore, error)
	// Preempt narrows down the nodes that preemption can free. It may change the victims.
	Preempt(ctx context.Context, pod cluster.PodID, candidates []Candidate) ([]Candidate, error)
	// Bind binds the pod in the place of the bind plugins.
	Bind(ctx context.Context, pod cluster.PodID, node cluster.NodeID) error
}

// ExtenderTraits are what an extender is.
type ExtenderTraits struct {
	Name      string // where it is, which tells it from others
	Ignorable bool   // a call that fails is passed over

	Filters, Prioritizes, Preempts, Binds bool // the calls that it answers

	Weight int64 // of its scores
}

// Filtered is what an extender makes of the nodes that it was asked about.
type Filtered struct {
	Nodes  []cluster.NodeID // that pass; they may be others than those it was asked about
	Failed []FailedNode     // those that it says something about; the last word on a node counts
	// Blank: the nodes came back as objects. Upstream scores such nodes as if no pod and no
	// image were on them.
	Blank bool
}

// FailedNode is a node that an extender turned down.
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
	blank     bool              // see Filtered.Blank
	nothing   []int64           // a column of zeros
	said      []string          // messages, by the detail of a verdict
	details   map[string]uint32 // where in said
	strangers []FailedNode      // turned down, but not in the cluster
	ranks     []extenderRank
	ranked    []bool // by feasible node: an extender scored it
}

// extenderRank is what one extender adds to the totals of the feasible nodes.
type extenderRank struct {
	name   string
	scores []int64
}

func (x *extensions) reset() {
	x.blank = false
	x.said, x.strangers, x.ranks, x.ranked = x.said[:0], x.strangers[:0], x.ranks[:0], x.ranked[:0]
	clear(x.details)
}

// detail is where in said the message is.
func (x *extensions) detail(message string) uint32 {
	d, known := x.details[message]
	if !known {
		if x.details == nil {
			x.details = map[string]uint32{}
		}
		d = uint32(len(x.said))
		x.details[message] = d
		x.said = append(x.said, message)
	}
	return d
}

// extended stands for the extenders in the tables of plugins. Any event may help a pod
// that they turned down.
//
// Upstream: defaultEnqueueExtension, framework/runtime/framework.go, v1.36.3.
type extended struct{}

func (extended) Name() string            { return ExtenderName }
func (extended) DependsOn() Dependencies { return ^Dependencies(0) }

// Filter implements FilterPlugin, whose Reasons word the verdicts of extenders.
func (extended) Filter(*Cycle, cluster.NodeID) Verdict { return Fits }

func (extended) Reasons(c *Cycle, v Verdict) []string { return []string{c.ext.said[v.Detail()]} }

// inOrder are the extenders as they are called: those that can be ignored last.
//
// Upstream: buildExtenders, pkg/scheduler/scheduler.go, v1.36.3.
func inOrder(extenders []Extender) []Extender {
	out := slices.Clone(extenders)
	slices.SortStableFunc(out, func(a, b Extender) int {
		switch x, y := a.Traits().Ignorable, b.Traits().Ignorable; {
		case x == y:
			return 0
		case y:
			return -1
		}
		return 1
	})
	return out
}

// Extended says whether the scheduler has extenders.
func (s *Scheduler) Extended() bool { return len(s.extenders) > 0 }

// looksFurther says whether extenders need more nodes than the first that passes.
func (s *Scheduler) looksFurther() bool {
	return slices.ContainsFunc(s.extenders, func(x Extender) bool {
		t := x.Traits()
		return t.Filters || t.Prioritizes
	})
}

// Under has calls of extenders end when the context does.
func (s *Scheduler) Under(ctx context.Context) { s.ctx = ctx }

// passExtenders asks the extenders, one after the other, which of the feasible nodes
// pass.
//
// Upstream: findNodesThatPassExtenders, pkg/scheduler/schedule_one.go, v1.36.3.
func (c *Cycle) passExtenders() error {
	c.ext.blank = false
	for _, x := range c.s.extenders {
		if len(c.feasible) == 0 {
			return nil
		}
		t := x.Traits()
		if !t.Filters || !x.Interested(c.Class) {
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
		c.feasible = append(c.feasible[:0], answer.Nodes...)
		c.ext.blank = c.ext.blank || answer.Blank && c.profile.generation == Modern
	}
	return nil
}

// turnDown notes what an extender says about a node. It does not make the extender a
// rejector of the pod: missing nodes do.
func (c *Cycle) turnDown(f FailedNode) {
	if f.Node == cluster.None {
		c.ext.strangers = slices.DeleteFunc(c.ext.strangers, func(s FailedNode) bool { return s.Name == f.Name })
		c.ext.strangers = append(c.ext.strangers, f)
		return
	}
	if c.verdicts[f.Node] == Fits {
		c.failed = append(c.failed, f.Node)
	}
	c.verdicts[f.Node] = Reject(f.Code, c.ext.detail(f.Message)).by(c.profile.extender)
}

// addRanks adds the scores of the extenders to the totals. One that fails gives none,
// whether it can be ignored or not.
//
// Upstream: prioritizeNodes, pkg/scheduler/schedule_one.go, v1.36.3.
func (c *Cycle) addRanks() {
	c.ext.ranks, c.ext.ranked = c.ext.ranks[:0], c.ext.ranked[:0]
	for _, x := range c.s.extenders {
		if !x.Interested(c.Class) {
			continue
		}
		t := x.Traits()
		if len(c.ext.ranked) == 0 {
			c.ext.ranked = append(c.ext.ranked, make([]bool, len(c.feasible))...)
		}
		if !t.Prioritizes {
			for i := range c.ext.ranked {
				c.ext.ranked[i] = true // with nothing
			}
			continue
		}
		if list, err := x.Prioritize(c.s.ctx, c.Pod, c.feasible); err == nil {
			c.addRank(t, list)
		}
	}
}

func (c *Cycle) addRank(t ExtenderTraits, list []NodeScore) {
	scale := c.profile.generation.MaxScore() / MaxExtenderScore
	given := make(map[cluster.NodeID]int64, len(list))
	for _, s := range list {
		given[s.Node] += s.Score * t.Weight * scale
	}
	scores := make([]int64, len(c.feasible))
	for i, node := range c.feasible {
		if score, ranked := given[node]; ranked {
			scores[i] = score
			c.totals[i] += score
			c.ext.ranked[i] = true
		}
	}
	c.ext.ranks = append(c.ext.ranks, extenderRank{t.Name, scores})
}

// keepRanked leaves only those ties that an extender scored, where it scored any, and says
// whether it did: upstream then draws lots among these, and the others lose.
//
// Upstream: nodeScoreHeap and its Randomizer, pkg/scheduler/schedule_one.go, v1.36.3.
func (c *Cycle) keepRanked() bool {
	a := &c.attempt
	var ranked []cluster.NodeID
	for i, is := range c.ext.ranked {
		if is && c.totals[i] == a.MaxScore {
			ranked = append(ranked, c.feasible[i])
		}
	}
	if len(ranked) == 0 {
		return false
	}
	a.Ties = append(a.Ties[:0], ranked...)
	return true
}

// Blank says that the feasible nodes are to be scored as if no pod and no image were on
// them: an extender sent them back as objects, and upstream looks at these.
func (c *Cycle) Blank() bool { return c.ext.blank }

// Requested is the column of what the pods on each node ask for, as scores see it.
func (c *Cycle) Requested(r cluster.Resource) []int64 {
	if c.ext.blank {
		return c.noColumn()
	}
	return c.Cluster.Requested(r)
}

// NonZeroRequested is that of cluster.NonZeroRequested, as scores see it.
func (c *Cycle) NonZeroRequested(r cluster.Resource) []int64 {
	if c.ext.blank {
		return c.noColumn()
	}
	return c.Cluster.NonZeroRequested(r)
}

func (c *Cycle) noColumn() []int64 {
	if lacking := c.Cluster.NodeIDs() - len(c.ext.nothing); lacking > 0 {
		c.ext.nothing = append(c.ext.nothing, make([]int64, lacking)...)
	}
	return c.ext.nothing
}

// bindExtended has an extender bind the pod; false when there is none for it.
//
// Upstream: extendersBinding, pkg/scheduler/schedule_one.go, v1.36.3.
func (s *Scheduler) bindExtended(pod cluster.PodID, node cluster.NodeID) (Status, bool) {
	for _, x := range s.extenders {
		t := x.Traits()
		if !t.Binds || !x.Interested(s.cluster.Pod(pod).Class) {
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

// Narrow has the extenders narrow down the candidates of preemption, which may end up
// empty, and then sorts them by the name of the node. Without extenders for it they stay
// as they are.
//
// Upstream: callExtenders, framework/preemption/preemption.go, v1.36.3.
func (h *Handle) Narrow(c *Cycle, candidates []Candidate) ([]Candidate, Status) {
	asked := false
	for _, x := range h.s.extenders {
		t := x.Traits()
		if len(candidates) == 0 {
			break
		}
		if !t.Preempts || !x.Interested(c.Class) {
			continue
		}
		asked = true
		rest, err := x.Preempt(h.s.ctx, c.Pod, candidates)
		if err == nil && t.Ignorable {
			rest = slices.DeleteFunc(rest, func(k Candidate) bool { return len(k.Victims) == 0 })
		} else if err != nil && t.Ignorable {
			continue
		} else if err != nil {
			return nil, Status{Error, err.Error()}
		}
		if i := slices.IndexFunc(rest, func(k Candidate) bool { return len(k.Victims) == 0 }); i >= 0 {
			name := h.s.cluster.Node(rest[i].Node).Name
			return nil, Status{Error, `expected at least one victim pod on node "` + name + `"`}
		}
		candidates = rest
	}
	if asked {
		slices.SortFunc(candidates, func(a, b Candidate) int {
			return strings.Compare(h.s.cluster.Node(a.Node).Name, h.s.cluster.Node(b.Node).Name)
		})
	}
	return candidates, Status{}
}

// Extended says whether there are extenders that take part in preemption.
func (h *Handle) Extended() bool {
	return slices.ContainsFunc(h.s.extenders, func(x Extender) bool { return x.Traits().Preempts })
}
