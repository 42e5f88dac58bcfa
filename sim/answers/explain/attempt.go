package explain

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// Options say what to explain beside what is always explained.
type Options struct {
	Top   int    // how many of the best nodes to list
	Nodes bool   // list every node that was rejected
	Node  string // a node to explain in full; empty: none
	// Daemons makes the pods that a new node brings with it; nil: none.
	Daemons func(cluster.NodeID) []workloads.Arrival
	// ExcludedPods are pods that take no part, for the error about one of them.
	ExcludedPods []ExcludedPod
	// IsDaemon reports whether a pod is one of a DaemonSet, which is not removed to make
	// room; nil: no pod is.
	IsDaemon func(cluster.PodID) bool
}

// ExcludedPod is a pod that takes no part.
type ExcludedPod struct {
	Pod string // namespace/name
	Why string // behind the name: "is finished"
}

// Attempt explains an attempt. It must be called right after the attempt, before anything else
// happens in the cluster, which it leaves as it was. It fails if Options.Node does not exist.
func Attempt(s *scheduler.Scheduler, c *cluster.Cluster, a *scheduler.Attempt, o Options) (*Explanation, error) {
	x := &analysis{scheduler: s, cluster: c, attempt: a, options: o, class: c.Pod(a.Pod).Class, out: empty()}
	x.wanted = append(slices.Clone(x.class.Requests), cluster.Quantity{Resource: cluster.Pods, Amount: 1})
	e := x.out
	e.Pod, e.State, e.Attempt, e.Message = podName(c, a.Pod), a.Outcome.String(), a.Number, a.Message()
	e.Search = Search{Nodes: c.NumNodes(), Evaluated: a.Evaluated, Feasible: a.Feasible, StartIndex: a.StartIndex}
	if a.Node != cluster.None {
		e.Node = c.Node(a.Node).Name
	}
	e.Devices = devicesOf(c, a.Pod)
	e.Preemption = preemption(c, a) // before anything else is asked of the filters
	if e.Preemption != nil {
		e.Preemption.rank(c, a)
	}
	mark := c.Mark()
	defer c.Rollback(mark)
	if c.Pod(a.Pod).Phase != cluster.Pending {
		c.TryRemove(a.Pod) // it was not there when it was looked at
	}
	x.inspection = s.Inspect(a.Pod, x.class)
	x.rejectedNodes()
	x.devices()
	x.domains()
	if e.State == Unschedulable {
		x.lacks()
		x.changes()
	} else if e.State != Failed {
		e.Choice = x.choice()
	}
	if o.Node == "" {
		return e, nil
	}
	var err error
	e.NodeDetail, err = x.oneNode(o.Node)
	return e, err
}

// analysis is an explanation in the making.
type analysis struct {
	scheduler *scheduler.Scheduler
	cluster   *cluster.Cluster
	attempt   *scheduler.Attempt
	options   Options
	class     *cluster.Class // of the pod
	// wanted is what the pod takes of a node: its requests, and the room for one pod.
	wanted []cluster.Quantity
	out    *Explanation

	// inspection is for who is nominated where, which the filters have no part in.
	inspection scheduler.Inspection

	nodes []judged // that were rejected, in the order in which they were looked at
	rules []rule   // about topology domains
}

// judged is a node with all the reasons to reject it.
type judged struct {
	id      cluster.NodeID
	first   string   // plugin that rejected it
	reasons []string // of that plugin
	all     []rejection
}

// rejection is what one filter has against a node.
type rejection struct {
	plugin  string
	checks  scheduler.Checks // of the plugin
	code    scheduler.Code
	reasons []string
}

// resolvable reports whether the node may do once pods have left it.
func (j *judged) resolvable() bool {
	return !slices.ContainsFunc(j.all, func(r rejection) bool { return r.code != scheduler.Unschedulable })
}

// by reports whether a filter that checks one of these has something against the node.
func (j *judged) by(checks scheduler.Checks) bool {
	return slices.ContainsFunc(j.all, func(r rejection) bool { return r.checks&checks != 0 })
}

// onlyBy reports whether no other filter has.
func (j *judged) onlyBy(checks scheduler.Checks) bool {
	return !slices.ContainsFunc(j.all, func(r rejection) bool { return r.checks&checks == 0 })
}
