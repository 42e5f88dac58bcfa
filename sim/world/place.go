package world

import (
	"context"
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// PlaceOrder is the order in which one-shot placement tries pods.
type PlaceOrder string

// The orders.
const (
	// DocumentOrder tries every pod once, in the order of the manifests; a pod that
	// preempted is tried again at once.
	DocumentOrder PlaceOrder = "document"
	// QueueOrder lets the scheduling queue decide: by priority, and pods that failed
	// are tried again when a preemption may have helped them.
	QueueOrder PlaceOrder = "queue"
)

// Placement places pods once, without a clock.
type Placement struct {
	Cluster   *cluster.Cluster
	Scheduler *scheduler.Scheduler
	Order     PlaceOrder
	// Attempted is told of every attempt, before its victims are gone.
	Attempted func(*scheduler.Attempt)
	// RolledBack is told of every pod that lost the node it held while it waited in
	// Permit or was being bound, but for the victims of an attempt; nil: nobody is told.
	RolledBack func(scheduler.RolledBack)
	// Context ends Run before its next attempt, with its error; nil: nothing does.
	Context context.Context
	// Sparing: victims of preemption are found, but stay on their nodes.
	Sparing bool

	pods    []cluster.PodID
	failed  map[cluster.PodID]bool // the last attempt ended in an error
	deleted map[cluster.PodID]bool // being deleted before they have a node: not to be placed
	now     clock.Time
	removed int
}

// PlaceResult counts pods by where they ended.
type PlaceResult struct {
	Pods       int // to be placed
	Placed     int // have a node
	Waiting    int // have a node, but wait in Permit for the rest of their pod group
	Pending    int // have none
	Failed     int // have none, since their last attempt ended in an error
	Gated      int // were not tried
	Preempted  int // were taken off their node, and are gone
	Gone       int // of the pods to be placed: had a node, and were preempted
	Misplaced  int // of those that have a node: it lacks the devices that they ask for
	Nodes      int
	OnNodes    int // pods that ran from the start
	StartIndex int // where the next search would begin
}

// tick is how much virtual time passes between two pods or attempts: enough to tell
// them apart, not enough for a backoff to end.
const tick = clock.Microsecond

// Run places the pods; those that name a node are put there first.
func (p *Placement) Run(pods []workloads.Arrival) (PlaceResult, error) {
	r := PlaceResult{Nodes: p.Cluster.NumNodes()}
	p.failed, p.deleted = map[cluster.PodID]bool{}, map[cluster.PodID]bool{}
	groups := map[*workloads.Group]cluster.GroupID{}
	for i := range pods {
		if pods[i].Node != "" {
			if err := p.putOnNode(int64(i), &pods[i], groups); err != nil {
				return r, err
			}
			r.OnNodes++
		}
	}
	for i := range pods {
		if pods[i].Node == "" {
			if err := p.add(int64(i), &pods[i], groups); err != nil {
				return r, err
			}
		}
	}
	p.allow()
	if err := p.tryAll(); err != nil {
		return r, err
	}
	p.count(&r)
	return r, nil
}

// tryAll tries the pods in the order that is asked for.
func (p *Placement) tryAll() error {
	if p.Order == DocumentOrder {
		for _, pod := range p.pods {
			if err := p.ended(); err != nil {
				return err
			}
			p.try(pod)
		}
		return nil
	}
	for pod, ok := p.Scheduler.Next(p.now); ok; pod, ok = p.Scheduler.Next(p.now) {
		if err := p.ended(); err != nil {
			return err
		}
		p.attempt(pod)
	}
	return nil
}

// ended is the error of the context.
func (p *Placement) ended() error {
	if p.Context == nil {
		return nil
	}
	return p.Context.Err()
}

func (p *Placement) newPod(serial int64, a *workloads.Arrival, groups map[*workloads.Group]cluster.GroupID) cluster.PodID {
	group := cluster.NoGroup
	if g := a.Group; g != nil {
		if groups[g] == cluster.NoGroup {
			groups[g] = p.Cluster.Groups.Add(cluster.Group{Name: g.Name, Namespace: g.Namespace, MinMember: g.MinMember, ScheduleTimeout: g.ScheduleTimeout})
		}
		group = groups[g]
	}
	pod := p.Cluster.AddPod(cluster.Pod{Serial: serial, Name: a.Name, UID: a.UID, Class: a.Class, Group: group})
	if len(a.Class.Volumes) > 0 {
		for _, claim := range p.Cluster.Volumes.CreateClaims(pod) {
			p.Cluster.Volumes.SyncClaim(claim)
		}
	}
	return pod
}

func (p *Placement) putOnNode(serial int64, a *workloads.Arrival, groups map[*workloads.Group]cluster.GroupID) error {
	node, exists := p.Cluster.NodeByName(a.Node)
	if !exists {
		return fmt.Errorf("pod %s/%s runs on node %q, which does not exist", p.Cluster.Text(a.Class.Namespace), a.Name, a.Node)
	}
	pod := p.newPod(serial, a, groups)
	p.Cluster.Devices.Choose(pod, a.Devices)
	p.Cluster.Assume(pod, node)
	p.Cluster.Bind(pod, a.Started)
	if a.Ending {
		p.Cluster.Terminate(pod, a.Preempted)
	}
	return nil
}

func (p *Placement) add(serial int64, a *workloads.Arrival, groups map[*workloads.Group]cluster.GroupID) error {
	if !p.Scheduler.Responsible(a.Class) {
		return fmt.Errorf("pod %s/%s asks for the scheduler %q, and no profile has that name", p.Cluster.Text(a.Class.Namespace), a.Name, a.Class.SchedulerName)
	}
	pod := p.newPod(serial, a, groups)
	p.pods = append(p.pods, pod)
	if a.Deleted() {
		p.deleted[pod] = true
	}
	p.Scheduler.Add(pod, p.now)
	if node, exists := p.Cluster.NodeByName(a.Nominated); exists {
		p.Scheduler.Nominate(pod, node)
	}
	p.now += tick
	return nil
}

// try attempts one pod, and again as long as each attempt makes room by preemption.
func (p *Placement) try(pod cluster.PodID) {
	for p.Scheduler.Take(pod, p.now) {
		if !p.attempt(pod) {
			return
		}
	}
}

// attempt runs one cycle, and reports whether preemption made room for another.
func (p *Placement) attempt(pod cluster.PodID) bool {
	if p.deleted[pod] {
		p.Scheduler.Skip(pod)
		return false
	}
	a := p.Scheduler.Schedule(pod, p.now)
	p.failed[pod] = a.Outcome == scheduler.ErrorFound
	p.Attempted(a)
	p.now += tick
	p.Scheduler.EndAttempt(a, p.now)
	if a.Outcome == scheduler.Scheduled {
		p.bind(pod)
	}
	for _, allowed := range p.Scheduler.TakeAllowed() {
		p.bind(allowed)
	}
	p.rollBack()
	if p.Sparing {
		return false
	}
	for _, victim := range a.Victims {
		p.preempt(victim)
	}
	return len(a.Victims) > 0
}

func (p *Placement) bind(pod cluster.PodID) {
	node := p.Cluster.Pod(pod).Node
	if ok, why := p.Scheduler.BindAtOnce(pod, p.now); !ok {
		p.failed[pod] = true
		p.tell(scheduler.RolledBack{Pod: pod, Node: node, Message: why})
	}
}

func (p *Placement) rollBack() {
	for _, r := range p.Scheduler.TakeRejected() {
		p.tell(r)
	}
}

func (p *Placement) tell(r scheduler.RolledBack) {
	if p.RolledBack != nil {
		p.RolledBack(r)
	}
}

// preempt takes a victim off its node: one that waits in Permit is queued again, any
// other is gone.
func (p *Placement) preempt(victim cluster.PodID) {
	v := p.Cluster.Pod(victim)
	if v.Phase == cluster.Assumed {
		p.Scheduler.Revoke(victim, p.now)
		p.rollBack()
		return
	}
	freed := scheduler.Event{Kind: scheduler.PodFreed, Node: v.Node, Pod: victim, Class: v.Class, Group: v.Group}
	p.Scheduler.Remove(victim)
	p.Cluster.Volumes.DeleteOwnClaims(victim)
	p.Cluster.RemovePod(victim)
	p.removed++
	p.Scheduler.Observe(freed, p.now)
}

// Gated calls f with every pod that was not tried, and why.
func (p *Placement) Gated(f func(pod cluster.PodID, why string)) {
	for _, pod := range p.pods {
		if p.deleted[pod] || p.Cluster.Pod(pod).Class == nil || p.Cluster.Pod(pod).Phase != cluster.Pending {
			continue
		}
		if why := p.Scheduler.Gate(pod); why != "" {
			f(pod, why)
		}
	}
}

func (p *Placement) count(r *PlaceResult) {
	r.Pods, r.Preempted, r.StartIndex = len(p.pods), p.removed, p.Scheduler.StartIndex()
	for _, pod := range p.pods {
		if p.deleted[pod] {
			r.Pods--
			continue
		}
		if p.Cluster.Pod(pod).Class == nil {
			r.Gone++
			continue
		}
		if p.Cluster.Devices.Lacking(pod) {
			r.Misplaced++
		}
		switch {
		case p.Cluster.Pod(pod).Phase == cluster.Bound:
			r.Placed++
		case p.Cluster.Pod(pod).Phase == cluster.Assumed:
			r.Waiting++
		case p.Scheduler.Gate(pod) != "":
			r.Gated++
		case p.failed[pod]:
			r.Failed++
		default:
			r.Pending++
		}
	}
}
