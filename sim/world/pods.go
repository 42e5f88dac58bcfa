package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/workloads"
)

// pull takes the next arrival off the stream and schedules it.
func (w *World) pull() {
	next, more, err := w.cfg.Arrivals.Next()
	if err != nil {
		w.fault("%w", err)
		return
	}
	if w.next, w.more = next, more; more {
		w.push(max(next.At, w.now), arrival, task{})
	}
}

// come is arrive for a pod that comes for the first time. Such pods are what the
// workload's mix consists of, but for daemons, which are made for one node each.
func (w *World) come(a workloads.Arrival) {
	w.declare(a.Class)
	if !a.Daemon && !a.Deleted() {
		w.byClass[a.Class.ID]++
		w.countForTarget(a.Class)
	}
	w.arrive(a)
}

// arrive brings a pod into the cluster: into the queue, or onto its node when it runs
// already.
func (w *World) arrive(a workloads.Arrival) {
	w.declare(a.Class)
	group, serial := w.join(&a)
	pod := w.cluster.AddPod(cluster.Pod{Serial: w.serial, Name: a.Name, UID: a.UID, Class: a.Class, Group: group})
	w.serial++
	for int(pod) >= len(w.lives) {
		w.lives = append(w.lives, life{})
	}
	w.lives[pod] = life{Arrival: a}
	if len(a.Class.Volumes) > 0 {
		w.makeClaims(pod)
	}
	w.expect(a.Class, 1)
	p := w.cluster.Pod(pod)
	runsOn := cluster.None
	if id, exists := w.cluster.NodeByName(a.Node); exists {
		runsOn = id
	}
	w.emit(record.Record{
		Kind: record.PodArrived, Pod: p.Serial, Node: int32(runsOn), Group: serial, Class: int32(a.Class.ID), Workload: int32(a.Workload),
		Daemon: a.Daemon, Text: w.cluster.Text(a.Class.Namespace) + "/" + a.Name,
	})
	if a.Node != "" {
		w.runAlready(pod, runsOn)
		return
	}
	if !w.scheduler.Responsible(a.Class) {
		w.fault("pod %s/%s asks for the scheduler %q, and no profile has that name", w.cluster.Text(a.Class.Namespace), a.Name, a.Class.SchedulerName)
		return
	}
	w.scheduler.Add(pod, w.now)
	if node, exists := w.cluster.NodeByName(a.Nominated); exists {
		w.scheduler.Nominate(pod, node)
	}
}

// drop ends a pod that was being deleted when it arrived, without a node: the scheduler has popped
// it and does not schedule it. Its nomination ends with it.
//
// Upstream: skipPodSchedule of pkg/scheduler/schedule_one.go, v1.36.3.
// Differs: there the pod stays until its finalizers are gone; here it is gone at once.
func (w *World) drop(pod cluster.PodID) {
	w.emitPod(record.PodGone, pod)
	w.dropClaims(pod)
	w.expect(w.cluster.Pod(pod).Class, -1)
	w.scheduler.Remove(pod)
	w.cluster.RemovePod(pod)
	w.lives[pod] = life{}
}

// gateChanged writes down that a pod is kept from the queue, or no longer is.
func (w *World) gateChanged(pod cluster.PodID, why string) {
	kind := record.PodGated
	if why == "" {
		kind = record.PodUngated
	}
	w.emit(record.Record{Kind: kind, Pod: w.cluster.Pod(pod).Serial, Node: -1, Group: -1, Text: why})
}

func (w *World) runAlready(pod cluster.PodID, node cluster.NodeID) {
	a := &w.lives[pod].Arrival
	if node == cluster.None {
		w.fault("pod %s/%s runs on node %q, which does not exist", w.cluster.Text(a.Class.Namespace), a.Name, a.Node)
		return
	}
	w.cluster.Devices.Choose(pod, a.Devices)
	w.cluster.Assume(pod, node)
	w.cluster.Bind(pod, a.Started)
	w.emit(record.Record{Kind: record.PodBound, Pod: w.cluster.Pod(pod).Serial, Node: int32(node), Group: -1, Held: w.cluster.Devices.Of(pod)})
	w.scheduler.Observe(w.event(scheduler.PodPlaced, pod), w.now)
	w.start(w.taskOf(pod))
	if a.Ending {
		w.setHealthy(pod, false)
		w.cluster.Terminate(pod, a.Preempted)
	}
	w.bear(pod)
}

// declare writes down a class before its first pod.
func (w *World) declare(class *cluster.Class) {
	for len(w.byClass) <= int(class.ID) {
		w.byClass = append(w.byClass, 0)
	}
	for ; w.declared <= int(class.ID); w.declared++ {
		c := w.cluster.Class(cluster.ClassID(w.declared))
		w.emit(record.Record{
			Kind: record.DeclareClass, Class: int32(c.ID), Priority: c.Priority,
			Text: w.cluster.Text(c.Namespace), Amounts: w.amounts(c.Requests),
			Devices: w.deviceRequest(&c.Devices),
		})
	}
}

func (w *World) amounts(list []cluster.Quantity) []record.Amount {
	out := make([]record.Amount, len(list))
	for i, q := range list {
		out[i] = record.Amount{Resource: w.cluster.ResourceName(q.Resource), Value: q.Amount}
	}
	return out
}

// join returns the group of an arriving pod, made on the first member.
func (w *World) join(a *workloads.Arrival) (cluster.GroupID, int64) {
	if a.Group == nil {
		return cluster.NoGroup, -1
	}
	g := w.groups[a.Group]
	if g == nil {
		g = &gang{serial: w.gangs, id: w.cluster.Groups.Add(cluster.Group{
			Serial: w.gangs, Name: a.Group.Name, Namespace: a.Group.Namespace,
			MinMember: a.Group.MinMember, ScheduleTimeout: a.Group.ScheduleTimeout,
		})}
		w.groups[a.Group] = g
		w.gangs++
		w.emit(record.Record{
			Kind: record.DeclareGroup, Group: g.serial, Pod: -1, Node: -1, Workload: int32(a.Workload), Count: a.Group.MinMember,
			Text: w.cluster.Text(a.Group.Namespace) + "/" + a.Group.Name,
		})
	}
	return g.id, g.serial
}

// start begins the work of a bound pod.
func (w *World) start(t task) {
	if !w.same(t) || w.cluster.Pod(t.pod).Phase != cluster.Bound {
		return
	}
	w.emitPod(record.PodStarted, t.pod)
	w.setHealthy(t.pod, true)
	w.push(w.now.Add(w.lives[t.pod].Lifetime), completion, t)
}

func (w *World) complete(t task) {
	if !w.same(t) || w.cluster.Pod(t.pod).Phase != cluster.Bound && !w.lives[t.pod].Ending {
		return
	}
	w.completed++
	w.progress = w.now
	w.emitPod(record.PodCompleted, t.pod)
	then := w.lives[t.pod].Then
	w.dropClaims(t.pod)
	w.remove(t.pod, true)
	if then != nil {
		if next, more := then(); more {
			next.At = w.now
			w.come(next)
		}
	}
}

// evict makes a pod leave its node: one that is bound terminates.
func (w *World) evict(pod cluster.PodID, cause record.Cause, by int64) {
	switch w.cluster.Pod(pod).Phase {
	case cluster.Assumed:
		w.evictAssumed(pod, cause, by)
	case cluster.Bound:
		w.setHealthy(pod, false)
		w.cluster.Terminate(pod, cause == record.ByPreemption)
		p := w.cluster.Pod(pod)
		w.emit(record.Record{Kind: record.PodEvicted, Pod: p.Serial, Node: int32(p.Node), Group: -1, Cause: cause, By: by})
		w.push(w.now.Add(min(draw(w.cfg.Latency.Terminate), p.Class.TerminationGrace)), termination, w.taskOf(pod))
	case cluster.Terminating:
		if w.lives[pod].Ending && cause == record.ByNodeRemoval { // it would have completed
			w.emit(record.Record{Kind: record.PodEvicted, Pod: w.cluster.Pod(pod).Serial, Node: int32(w.cluster.Pod(pod).Node), Group: -1, Cause: cause, By: by})
		}
	}
}

// evictAssumed is evict for a pod that is not bound yet: it loses its node and is queued
// again, or is evicted as soon as it is bound.
//
//	cause         its stage          what becomes of it
//	node removal  any                loses its node
//	preemption    Permit or PreBind  loses its node
//	              Bind               is evicted once it is bound
//	drain         any                is evicted once it is bound, if the node is not uncordoned by then
//
// Upstream: PreemptPod of framework/preemption/executor.go, v1.36.3; kubectl drain does not
// see such pods. Legacy: a victim that waits for its volumes is deleted.
func (w *World) evictAssumed(pod cluster.PodID, cause record.Cause, by int64) {
	l := &w.lives[pod]
	waits := l.stage == InPermit || l.stage == InPreBind && w.scheduler.GenerationOf(pod) == scheduler.Modern
	if cause != record.ByNodeRemoval && !(waits && cause == record.ByPreemption) {
		l.doom, l.doomBy = cause, by
		return
	}
	node := w.cluster.Pod(pod).Node
	l.turn++
	w.scheduler.Revoke(pod, w.now)
	w.emit(record.Record{Kind: record.PodRolledBack, Pod: w.cluster.Pod(pod).Serial, Node: int32(node), Group: -1, Cause: cause})
	w.takeRejected()
}

// leave ends a terminating pod; its controller re-creates it. A daemon of a node that
// goes too is not re-created.
func (w *World) leave(t task, nodeGoes bool) {
	if !w.same(t) {
		return
	}
	again := w.lives[t.pod].Arrival
	w.emitPod(record.PodGone, t.pod)
	w.dropClaims(t.pod)
	if again.Recreate && !(again.Daemon && nodeGoes) {
		again.Node, again.UID, again.Started, again.At = "", "", 0, w.now
		if again.Anew != nil {
			again.Class, again.Anew = again.Anew, nil
		}
		w.arrive(again)
	}
	w.remove(t.pod, false)
}

// remove takes a pod that had a node out of the cluster, and tells the scheduler.
func (w *World) remove(pod cluster.PodID, completed bool) {
	freed := w.event(scheduler.PodFreed, pod)
	group := w.lives[pod].Group
	w.setHealthy(pod, false)
	w.expect(w.cluster.Pod(pod).Class, -1)
	w.scheduler.Remove(pod)
	if completed {
		w.cluster.CompletePod(pod)
	} else {
		w.cluster.RemovePod(pod)
	}
	w.lives[pod] = life{}
	if group != nil {
		if g := w.groups[group]; len(w.cluster.Groups.Group(g.id).Members) == 0 && w.cluster.Groups.Group(g.id).Arrived >= group.Size {
			w.cluster.Groups.Remove(g.id)
			delete(w.groups, group)
		}
	}
	w.scheduler.Observe(freed, w.now)
}

func (w *World) event(kind scheduler.EventKind, pod cluster.PodID) scheduler.Event {
	p := w.cluster.Pod(pod)
	return scheduler.Event{Kind: kind, Node: p.Node, Pod: pod, Class: p.Class, Group: p.Group}
}

func (w *World) emitPod(kind record.Kind, pod cluster.PodID) {
	p := w.cluster.Pod(pod)
	w.emit(record.Record{Kind: kind, Pod: p.Serial, Node: int32(p.Node), Group: -1})
}

// expire ends the wait of a pod in Permit when it has lasted too long.
func (w *World) expire(t task) {
	if w.same(t) {
		w.scheduler.Expire(t.pod, w.now)
		w.takeRejected()
		if until, waits := w.scheduler.WaitDeadline(t.pod); waits && w.same(t) {
			w.push(until, permitTimer, t) // the plugin whose wait has ended had allowed the pod
		}
	}
}

// takeAllowed binds the pods that need not wait in Permit any more.
func (w *World) takeAllowed() {
	for _, pod := range w.scheduler.TakeAllowed() {
		w.emitPod(record.PodAllowed, pod)
		w.startBinding(pod)
	}
}

// takeRejected writes down the pods that were rejected in Permit.
func (w *World) takeRejected() {
	for _, r := range w.scheduler.TakeRejected() {
		w.lives[r.Pod].turn++
		cause := record.ByPermitReject
		if r.Expired {
			cause = record.ByPermitTimeout
		}
		w.emit(record.Record{Kind: record.PodRolledBack, Pod: w.cluster.Pod(r.Pod).Serial, Node: int32(r.Node), Group: -1, Cause: cause, Text: r.Message})
	}
}

// startBinding begins the binding cycle of a pod.
func (w *World) startBinding(pod cluster.PodID) {
	w.enter(pod, InPreBind)
	if bindings, _ := w.cluster.Volumes.Assumed(pod); len(bindings) > 0 {
		w.push(w.now.Add(w.bindVolumes(pod, bindings)), preBindDone, w.taskOf(pod))
		return
	}
	w.endPreBind(w.taskOf(pod))
}

// endPreBind goes on with a pod that has waited for its volumes: it is bound in due time
// if they are there, and loses its node if not.
func (w *World) endPreBind(t task) {
	if !w.same(t) {
		return // it lost its node meanwhile
	}
	node := w.cluster.Pod(t.pod).Node
	if ok, why := w.scheduler.PreBind(t.pod, w.now); !ok {
		w.bindingFailed(t, node, why)
		return
	}
	w.enter(t.pod, InBind)
	w.push(w.now.Add(draw(w.cfg.Latency.Bind)), bindingDone, t)
}

func (w *World) bind(t task) {
	if !w.same(t) {
		return // it lost its node meanwhile
	}
	node := w.cluster.Pod(t.pod).Node
	ok, why := w.scheduler.Bind(t.pod, w.now)
	if w.scheduler.Interrupted() {
		return // the run ends before this
	}
	if !ok {
		w.bindingFailed(t, node, why)
		return
	}
	w.emitPod(record.PodBound, t.pod)
	w.push(w.now.Add(draw(w.cfg.Latency.Start)), started, t)
	switch l := &w.lives[t.pod]; {
	case l.doom != "":
		w.evict(t.pod, l.doom, l.doomBy)
	case w.stay(t.pod) == 0: // the taint has come since the pod was assumed
		w.evict(t.pod, record.ByTaint, -1)
	default:
		w.bear(t.pod)
	}
}

// bindingFailed writes down that a pod has lost its node in its binding cycle.
func (w *World) bindingFailed(t task, node cluster.NodeID, why string) {
	w.lives[t.pod].turn++
	w.emit(record.Record{Kind: record.PodRolledBack, Pod: t.serial, Node: int32(node), Group: -1, Cause: record.ByBindFailure, Text: why})
	w.takeRejected()
}
