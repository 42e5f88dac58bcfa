// Package place places the pods of one state of a cluster once, without a clock, and tells where
// each of them went. It is a world without latencies that is driven attempt by attempt.
package place

import (
	"context"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// Order is the order in which pods are tried.
type Order string

// The orders.
const (
	// DocumentOrder tries every pod once, in the order of the manifests; a pod that
	// preempted is tried again at once.
	DocumentOrder Order = "document"
	// QueueOrder lets the scheduling queue decide: by priority, and pods that failed
	// are tried again when a preemption may have helped them.
	QueueOrder Order = "queue"
)

// Placement places pods once. Its fields may be changed between Run and More.
type Placement struct {
	Cluster   *cluster.Cluster
	Scheduler *scheduler.Scheduler
	Order     Order
	// Attempted is called with every attempt, before its victims are evicted; nil: not at all.
	Attempted func(*scheduler.Attempt)
	// RolledBack is called with every pod that lost the node it held while it waited in
	// Permit or was being bound, except the victims of an attempt; nil: not at all.
	RolledBack func(scheduler.RolledBack)
	// Context ends Run before its next attempt, with its error; nil: nothing does.
	Context context.Context
	// DryRun: victims of preemption are found, but not evicted.
	DryRun bool

	steps   *world.Stepper
	pods    []cluster.PodID        // to be placed
	failed  map[cluster.PodID]bool // the last attempt ended in an error
	deleted map[cluster.PodID]bool // being deleted before they have a node: not to be placed
	evicted int                    // victims that had been bound
}

// Run places the pods; those that name a node are put there first. The serial of a pod is its
// index. Run must be called once.
func (p *Placement) Run(pods []workloads.Arrival) (Result, error) {
	r := Result{Nodes: p.Cluster.NumNodes()}
	p.failed, p.deleted = map[cluster.PodID]bool{}, map[cluster.PodID]bool{}
	p.steps = world.NewStepper(world.Config{
		Cluster: p.Cluster, Scheduler: p.Scheduler, Attempted: p.attempted, RolledBack: p.rolledBack,
	})
	for i := range pods {
		if pods[i].Node != "" {
			if _, err := p.steps.Add(int64(i), pods[i]); err != nil {
				return r, err
			}
			r.OnNodes++
		}
	}
	for i := range pods {
		if pods[i].Node == "" {
			if _, err := p.add(int64(i), pods[i]); err != nil {
				return r, err
			}
		}
	}
	p.steps.Begin()
	if err := p.tryAll(); err != nil {
		return r, err
	}
	p.pods = slices.DeleteFunc(p.pods, func(pod cluster.PodID) bool { return p.deleted[pod] }) // they are gone
	clear(p.deleted)
	p.count(&r)
	return r, nil
}

// More places one pod after Run, and reports whether it has a node then. Pods that Run left
// without a node are not tried again. The serial must not be that of another pod; the pod
// must be in no group.
func (p *Placement) More(serial int64, a workloads.Arrival) (bool, error) {
	pod, err := p.add(serial, a)
	if err != nil {
		return false, err
	}
	p.try(pod)
	return p.Cluster.Pod(pod).Phase == cluster.Bound, nil
}

// EachUnbound calls f with every pod that is to be placed and is not bound, after Run: it is pending, or waits in Permit.
func (p *Placement) EachUnbound(f func(cluster.PodID)) {
	for _, pod := range p.pods {
		if is := p.Cluster.Pod(pod); is.Class != nil && (is.Phase == cluster.Pending || is.Phase == cluster.Assumed) {
			f(pod)
		}
	}
}

// Evict ends a pod that has a node, after Run. It is gone when Evict returns.
func (p *Placement) Evict(pod cluster.PodID) { p.steps.Evict(pod) }

// Cordon makes a node unschedulable, after Run.
func (p *Placement) Cordon(node cluster.NodeID) { p.steps.Cordon(node) }

// RemoveNode removes a node with the pods that it still has, after Run.
func (p *Placement) RemoveNode(node cluster.NodeID) { p.steps.RemoveNode(node) }

// Gated calls f with every pod that was not tried, and why.
func (p *Placement) Gated(f func(pod cluster.PodID, why string)) {
	for _, pod := range p.pods {
		if p.Cluster.Pod(pod).Class == nil || p.Cluster.Pod(pod).Phase != cluster.Pending {
			continue
		}
		if why := p.Scheduler.Gate(pod); why != "" {
			f(pod, why)
		}
	}
}

func (p *Placement) add(serial int64, a workloads.Arrival) (cluster.PodID, error) {
	pod, err := p.steps.Add(serial, a)
	if a.Deleted() {
		p.deleted[pod] = true
	}
	p.pods = append(p.pods, pod)
	return pod, err
}

// tryAll tries the pods in the order that is asked for.
func (p *Placement) tryAll() error {
	if p.Order == DocumentOrder {
		for _, pod := range p.pods {
			if err := p.interrupted(); err != nil {
				return err
			}
			p.try(pod)
		}
		return nil
	}
	for pod, ok := p.next(); ok; pod, ok = p.next() {
		if err := p.interrupted(); err != nil {
			return err
		}
		p.steps.Attempt(pod, p.DryRun)
	}
	return nil
}

func (p *Placement) next() (cluster.PodID, bool) { return p.Scheduler.Pop(p.steps.Now()) }

// interrupted returns the error of the context.
func (p *Placement) interrupted() error {
	if p.Context == nil {
		return nil
	}
	return p.Context.Err()
}

// try attempts one pod, and again as long as each attempt makes room by preemption.
func (p *Placement) try(pod cluster.PodID) {
	for p.Scheduler.PopPod(pod, p.steps.Now()) {
		a := p.steps.Attempt(pod, p.DryRun)
		if a == nil || len(a.Victims) == 0 || p.DryRun {
			return
		}
	}
}

// attempted notes what an attempt decided, before it is carried out.
func (p *Placement) attempted(a *scheduler.Attempt, _ clock.Time) {
	p.failed[a.Pod] = a.Outcome == scheduler.Failed
	for _, victim := range a.Victims {
		if !p.DryRun && p.Cluster.Pod(victim).Phase != cluster.Assumed {
			p.evicted++
		}
	}
	if p.Attempted != nil {
		p.Attempted(a)
	}
}

func (p *Placement) rolledBack(r scheduler.RolledBack, cause record.Cause) {
	if cause == record.ByBindFailure {
		p.failed[r.Pod] = true
	}
	if p.RolledBack != nil {
		p.RolledBack(r)
	}
}
