package scheduler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Outcome is how an attempt to schedule a pod ended.
type Outcome uint8

// The outcomes.
const (
	Scheduled Outcome = iota // assumed on a node, ready to bind
	Waiting                  // assumed on a node, waits in Permit
	Rejected                 // no node, or rejected by Reserve or Permit
	Failed                   // a plugin failed; the pod is tried again after backoff
)

// String returns the name of the outcome.
func (o Outcome) String() string {
	return [...]string{"scheduled", "waiting", "unschedulable", "error"}[o]
}

// Attempt is what one scheduling cycle decided. It is valid until the next cycle
// of the same scheduler.
type Attempt struct {
	Pod       cluster.PodID
	Number    int // 1 for the first attempt of the pod
	Outcome   Outcome
	Node      cluster.NodeID // the node assumed on, or None
	Feasible  int            // nodes that passed the filters
	Evaluated int            // nodes that were looked at
	// StartIndex is where the search began in the order of nodes.
	StartIndex int
	// MaxScore is the highest total; 0 where one node or none was feasible.
	MaxScore int64
	// Ties are all nodes of the highest total, the single feasible node among them.
	Ties []cluster.NodeID
	// TieBreak is how one of Ties was taken. Where extenders scored some nodes of the highest
	// total, the others are not among Ties.
	TieBreak  TieBreak
	Nominated cluster.NodeID // nominated by preemption in this cycle, or None
	Victims   []cluster.PodID
	// ClearedNominations lost their nomination to this pod's preemption.
	ClearedNominations []cluster.PodID
	// Err is why the outcome is Failed.
	Err string

	cycle           *Cycle
	nominatedBefore cluster.NodeRef // the node that the pod was nominated to before the cycle
	preemptedOn     cluster.NodeRef // Nominated, kept until EndAttempt
}

// stage is where a pod was rejected.
type stage uint8

const (
	atFilter    stage = iota // node by node
	atPreFilter              // before any node was looked at
	atPermit                 // by Reserve or Permit, when it had a node
)

// Cycle is the work space of one scheduling cycle. It is reused: a cycle allocates
// nothing per node.
type Cycle struct {
	s       *Scheduler
	Number  uint64 // goes up with every pod
	Cluster *cluster.Cluster
	Pod     cluster.PodID
	Class   *cluster.Class

	profile    *profile
	slots      []any
	skipFilter pluginSet
	skipScore  pluginSet
	rejectors  pluginSet // plugins that rejected the pod or a node
	restrict   pluginSet // who limited the search to some nodes

	filters    []indexed[FilterPlugin] // that this pod needs, in order
	only       []cluster.Symbol        // names of the nodes to search, when PreFilter limited it
	search     []cluster.NodeID        // those of them that exist
	feasible   []cluster.NodeID
	rejections rejections
	absent     Status // of the nodes that were not visited
	preFilter  string // what PreFilter said when it rejected the pod
	post       string // what PostFilter said
	permit     string // what Reserve or Permit said
	rejected   stage  // the point that rejected the pod as a whole, if any

	state   CycleState // while Reserve runs
	ext     extensions
	scores  [][]int64 // by score plugin of the profile, then feasible node, weighted
	totals  []int64
	attempt Attempt
}

// Schedule runs one scheduling cycle for a pod that Next returned. On success the pod is assumed on
// its node. The caller then calls EndAttempt. If the scheduler is Interrupted, the attempt fails
// with an error, has assumed no pod, and must be discarded.
func (s *Scheduler) Schedule(pod cluster.PodID, now clock.Time) *Attempt {
	s.now = now
	c := s.begin(pod)
	if c.profile == nil {
		return c.fail(fmt.Sprintf("profile not found for scheduler name %q", c.Class.SchedulerName))
	}
	if s.cluster.NumNodes() == 0 {
		return c.fail("no nodes available to schedule pods")
	}
	st := c.runPreFilter()
	if st.Code == Error {
		return c.fail(st.Message)
	}
	c.prepareFilters()
	if st.Rejects() {
		return c.runPostFilters()
	}
	if st := s.findFeasible(c); st.Code == Error {
		return c.fail(st.Message)
	}
	if len(c.feasible) == 0 {
		return c.runPostFilters()
	}
	node, st := c.selectNode()
	switch {
	case st.Code == Error:
		return c.fail(st.Message)
	case s.Interrupted():
		return c.fail("cut short")
	}
	return c.reserveAndPermit(node)
}

func (s *Scheduler) begin(pod cluster.PodID) *Cycle {
	c := s.cycle
	c.reset(s.cluster.Pod(pod).Class)
	c.Pod = pod
	c.attempt = Attempt{
		Pod: pod, Number: s.queue.info(pod).Attempts, Node: cluster.None, Nominated: cluster.None,
		StartIndex: s.startIndex, Ties: c.attempt.Ties[:0], cycle: c, nominatedBefore: s.queue.info(pod).nominated,
	}
	return c
}

// reset clears the work space for a pod of that class.
func (c *Cycle) reset(class *cluster.Class) {
	c.Number++
	c.Pod, c.Class, c.profile = cluster.NoPod, class, c.s.profiles[class.SchedulerName]
	c.skipFilter, c.skipScore, c.rejectors, c.restrict = 0, 0, 0, 0
	c.feasible = c.feasible[:0]
	c.rejections.reset(c.Cluster.NodeIDs())
	c.absent = Status{Code: UnschedulableAndUnresolvable}
	c.preFilter, c.post, c.permit, c.rejected = "", "", "", atFilter
	c.ext.reset()
}

func (c *Cycle) fail(message string) *Attempt {
	c.rejectors = 0
	c.attempt.Outcome, c.attempt.Err = Failed, message
	c.s.nominate(c.Pod, cluster.None)
	return &c.attempt
}

// runPreFilter asks every PreFilter plugin. UnschedulableAndUnresolvable ends it at
// once; Unschedulable is kept, and the last one wins.
//
// Upstream: RunPreFilterPlugins, framework/runtime/framework.go, v1.36.3.
func (c *Cycle) runPreFilter() Status {
	var rejected Status
	var by pluginSet // who rejected it
	for _, p := range c.profile.preFilter {
		r := p.plugin.PreFilter(c)
		switch {
		case r.Skip:
			c.skipFilter.add(p.index)
			continue
		case r.Status.Code == Error:
			return r.Status.in("PreFilter", p.plugin)
		case r.Status.Code == UnschedulableAndUnresolvable:
			return c.rejectAll(r.Status, 1<<p.index)
		case r.Status.Code == Unschedulable:
			rejected, by = r.Status, 1<<p.index
			continue
		}
		if r.Restrict {
			c.limit(r.Names)
			c.restrict.add(p.index)
			if len(c.only) == 0 {
				return c.rejectAll(Status{UnschedulableAndUnresolvable, c.nothingLeft()}, c.restrict)
			}
		}
	}
	if rejected.Rejects() {
		return c.rejectAll(rejected, c.restrict|by)
	}
	c.rejectors = c.restrict
	if c.restrict != 0 {
		c.findNamed()
	}
	return Status{}
}

// rejectAll notes that PreFilter rejected the pod on account of these plugins, which
// stands for a rejection by every node.
func (c *Cycle) rejectAll(st Status, by pluginSet) Status {
	c.rejectors, c.absent, c.preFilter, c.rejected = by, st, st.Message, atPreFilter
	return st
}

func (c *Cycle) limit(names []cluster.Symbol) {
	if c.restrict == 0 {
		c.only = append(c.only[:0], names...)
		return
	}
	c.only = slices.DeleteFunc(c.only, func(n cluster.Symbol) bool { return !slices.Contains(names, n) })
}

// findNamed lists the nodes that the search is limited to, in the order of nodes.
func (c *Cycle) findNamed() {
	c.search = c.search[:0]
	for _, name := range c.only {
		if node, exists := c.Cluster.NodeByName(c.Cluster.Text(name)); exists {
			c.search = append(c.search, node)
		}
	}
	if len(c.search) > 1 {
		slices.SortFunc(c.search, func(a, b cluster.NodeID) int {
			return cmp.Compare(c.Cluster.IndexInOrder(a), c.Cluster.IndexInOrder(b))
		})
		c.search = slices.Compact(c.search)
	}
}

func (c *Cycle) nothingLeft() string {
	names := c.names(c.restrict)
	if len(names) == 1 {
		return fmt.Sprintf("node(s) didn't satisfy plugin %v", names[0])
	}
	return fmt.Sprintf("node(s) didn't satisfy plugin(s) %v simultaneously", names)
}

// runPostFilters asks the PostFilter plugins what can be done for a pod without a
// feasible node.
func (c *Cycle) runPostFilters() *Attempt {
	a := &c.attempt
	a.Outcome = Rejected
	var r PostFilterResult
	r, c.post = c.postFilterResult()
	if r.SetNomination {
		c.s.nominate(c.Pod, r.Nominated)
	}
	if r.Status.Code == Success {
		a.Nominated, a.Victims = r.Nominated, r.Victims
		a.preemptedOn = c.s.cluster.Ref(r.Nominated)
		if len(r.Victims) > 0 || !c.s.rules.AsyncPreemption {
			a.ClearedNominations = c.s.clearLower(r.Nominated, c.Class.Priority)
		}
	}
	return a
}

// postFilterResult asks the plugins until one does not just say that it cannot help. If none can
// help, the last plugin that sets the nomination counts; after an error none does.
//
// Upstream: RunPostFilterPlugins, framework/runtime/framework.go, v1.36.3; schedulingCycle, schedule_one.go, v1.34.4 and
// v1.35.4.
func (c *Cycle) postFilterResult() (last PostFilterResult, message string) {
	last.Status.Code = Unschedulable
	var reasons []string
	for _, p := range c.profile.postFilter {
		r := p.plugin.PostFilter(c)
		switch r.Status.Code {
		case Unschedulable:
			if r.SetNomination {
				last = r
			}
			if r.Status.Message != "" {
				reasons = append(reasons, r.Status.Message)
			}
		case Success, UnschedulableAndUnresolvable:
			return r, r.Status.Message
		default:
			return PostFilterResult{Status: r.Status}, r.Status.Message
		}
	}
	if len(c.profile.postFilter) == 0 && c.s.rules.RejectionClearsNomination {
		last.SetNomination, last.Nominated = true, cluster.None
	}
	return last, strings.Join(reasons, ", ")
}

// reserveAndPermit assumes the pod on the node and runs Reserve and Permit.
func (c *Cycle) reserveAndPermit(node cluster.NodeID) *Attempt {
	a := &c.attempt
	a.Node, a.Feasible = node, len(c.feasible)
	c.s.queue.info(c.Pod).assumedNominated = a.nominatedBefore
	c.s.clearNomination(c.Pod)
	if c.profile.devices != nil && c.Class.Devices.Count > 0 {
		c.s.cluster.Devices.Choose(c.Pod, c.profile.devices.ChooseDevices(c, node))
	}
	c.s.cluster.Assume(c.Pod, node)
	if rejector, st := c.reserve(node); st.Code != Success {
		return c.rollBack(rejector, st)
	}
	for _, p := range c.profile.permit {
		st, timeout := p.plugin.Permit(c.Pod, node)
		switch st.Code {
		case Success:
		case Wait:
			a.Outcome = Waiting
			c.s.waiting.add(c.Pod, permitWait{p.plugin.Name(), timeout, c.s.now.Add(timeout)})
		default:
			c.s.waiting.remove(c.Pod)
			return c.rollBack(p.index, st.in("Permit", p.plugin))
		}
	}
	return a
}

func (c *Cycle) rollBack(plugin int, st Status) *Attempt {
	a := &c.attempt
	c.s.unreserve(c.Pod, a.Node)
	c.s.cluster.Forget(c.Pod)
	a.Node = cluster.None
	if !st.Rejects() {
		return c.fail(st.Message)
	}
	a.Outcome, c.permit, c.rejected = Rejected, st.Message, atPermit
	c.rejectors = 1 << plugin
	return a
}
