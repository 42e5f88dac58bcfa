package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/workloads"
)

// podLifecycle takes pods from their creation to their removal. What lies between the queue and a
// node is the part of scheduling.
//
//	create     scheduling       start             complete
//	──────▶ queued ─────▶ bound ─────▶ running ──────────────▶ removed
//	           ▲            │             │                       ▲
//	           │            └────evict────┤                       │
//	      (re-created)                    ▼    finishTermination  │
//	           └ ─ ─ ─ ─ ─ ─ ─ ─ ─ terminating ───────────────────┘
type podLifecycle struct {
	*core
	scheduling *scheduling
	states     []podState // by pod
	groups     map[*workloads.Group]*podGroup
	groupCount int64 // groups so far
	serial     int64 // of the next pod
	declared   int   // classes so far
	completed  int64
}

// podState is what the world knows of a pod beside the cluster.
type podState struct {
	workloads.Arrival
	assignment int32 // goes up whenever the pod gets or loses a node
	// pendingEviction is why the pod is evicted once it is bound, and evictor the serial of the
	// pod that it makes room for; empty: it is not.
	pendingEviction record.Cause
	evictor         int64
	stage           record.Stage // while it has a node and is not bound
	since           clock.Time   // when that stage began
}

func (p *podLifecycle) ref(pod cluster.PodID) podRef {
	return podRef{pod: pod, assignment: p.states[pod].assignment, serial: p.cluster.Pod(pod).Serial}
}

// isCurrent reports whether a reference still means the pod and the node that it was made for.
func (p *podLifecycle) isCurrent(r podRef) bool {
	return p.cluster.Alive(r.pod, r.serial) && p.states[r.pod].assignment == r.assignment
}

// create adds a pod to the cluster: to the queue, or to its node when it runs already.
func (p *podLifecycle) create(a workloads.Arrival) cluster.PodID {
	p.declareClass(a.Class)
	group, groupSerial := p.joinGroup(&a)
	id := p.cluster.AddPod(cluster.Pod{Serial: p.serial, Name: a.Name, UID: a.UID, Class: a.Class, Group: group})
	p.serial++
	for int(id) >= len(p.states) {
		p.states = append(p.states, podState{})
	}
	p.states[id] = podState{Arrival: a}
	p.notify(notice{kind: podAdded, pod: id})
	runsOn := cluster.None
	if node, exists := p.cluster.NodeByName(a.Node); exists {
		runsOn = node
	}
	p.emitArrival(id, runsOn, groupSerial)
	if a.Node != "" {
		p.placeRunning(id, runsOn)
		return id
	}
	if !p.scheduler.Responsible(a.Class) {
		p.fault("pod %s/%s asks for the scheduler %q, and no profile has that name", p.cluster.Text(a.Class.Namespace), a.Name, a.Class.SchedulerName)
		return id
	}
	p.scheduler.Add(id, p.now)
	if node, exists := p.cluster.NodeByName(a.Nominated); exists {
		p.scheduler.Nominate(id, node)
	}
	return id
}

func (p *podLifecycle) emitArrival(id cluster.PodID, runsOn cluster.NodeID, groupSerial int64) {
	if !p.recording() {
		return
	}
	a := &p.states[id].Arrival
	p.emit(record.Record{
		Kind: record.PodArrived, Pod: p.cluster.Pod(id).Serial, Node: p.nodeSerial(runsOn), Group: groupSerial, Class: a.Class.Serial,
		Workload: int32(a.Workload), Daemon: a.Daemon, Text: p.cluster.Text(a.Class.Namespace) + "/" + a.Name,
	})
}

// placeRunning puts a pod on the node that it ran on before it was added.
func (p *podLifecycle) placeRunning(pod cluster.PodID, node cluster.NodeID) {
	a := &p.states[pod].Arrival
	if node == cluster.None {
		p.fault("pod %s/%s runs on node %q, which does not exist", p.cluster.Text(a.Class.Namespace), a.Name, a.Node)
		return
	}
	p.cluster.Devices.Choose(pod, a.Devices)
	p.cluster.Assume(pod, node)
	p.cluster.Bind(pod, a.Started)
	if a.Class.NodeName != "" && p.scheduler.Rules().TopologyLabelsOnBind { // it is created with its node
		p.cluster.CopyTopologyLabels(pod)
		p.noteLabels(pod, a.Class)
	}
	p.emit(record.Record{Kind: record.PodBound, Pod: p.cluster.Pod(pod).Serial, Node: p.nodeSerial(node), Group: -1, Held: p.cluster.Devices.Of(pod)})
	p.scheduler.Observe(p.podEvent(scheduler.PodPlaced, pod), p.now)
	p.start(p.ref(pod))
	if a.Terminating {
		p.notify(notice{kind: podStopped, pod: pod})
		p.cluster.Terminate(pod, a.Preempted)
	}
	p.notify(notice{kind: podFound, pod: pod})
}

// noteLabels tells the controllers that a pod that was of a class has got labels from its node, if it has.
func (p *podLifecycle) noteLabels(pod cluster.PodID, before *cluster.Class) {
	if p.cluster.Pod(pod).Class != before {
		p.notify(notice{kind: podRelabeled, pod: pod, class: before})
	}
}

// gateChanged records that a pod is kept from the queue, or no longer is.
func (p *podLifecycle) gateChanged(pod cluster.PodID, why string) {
	kind := record.PodGated
	if why == "" {
		kind = record.PodUngated
	}
	p.emit(record.Record{Kind: kind, Pod: p.cluster.Pod(pod).Serial, Node: -1, Group: -1, Text: why})
}

// start begins the work of a bound pod.
func (p *podLifecycle) start(r podRef) {
	if !p.isCurrent(r) || p.cluster.Pod(r.pod).Phase != cluster.Bound {
		return
	}
	p.emitPod(record.PodStarted, r.pod)
	p.notify(notice{kind: podRunning, pod: r.pod})
	p.push(p.now.Add(p.states[r.pod].Lifetime), completion, task{podRef: r})
}

// complete ends a pod that has done its work.
func (p *podLifecycle) complete(r podRef) {
	if !p.isCurrent(r) || p.cluster.Pod(r.pod).Phase != cluster.Bound && !p.states[r.pod].Terminating {
		return
	}
	p.completed++
	p.progress = p.now
	p.emitPod(record.PodCompleted, r.pod)
	successor := p.states[r.pod].Successor
	p.notify(notice{kind: podEnding, pod: r.pod})
	p.remove(r.pod, true)
	if successor != nil {
		p.notify(notice{kind: podSucceeded, successor: successor})
	}
}

// finishTermination removes a pod that has terminated.
func (p *podLifecycle) finishTermination(r podRef, nodeRemoved bool) {
	if !p.isCurrent(r) {
		return
	}
	p.emitPod(record.PodGone, r.pod)
	p.notify(notice{kind: podEnding, pod: r.pod, evicted: true, nodeRemoved: nodeRemoved})
	p.remove(r.pod, false)
}

// drop ends a pod without a node: one that was being deleted when it was added, when the scheduler has
// popped it and does not schedule it; or a victim of preemption that was not bound. Its nomination ends with it.
//
// Upstream: skipPodSchedule of pkg/scheduler/schedule_one.go, v1.36.3.
// Differs: there the pod remains until its finalizers are removed; here it is gone at once.
func (p *podLifecycle) drop(pod cluster.PodID, evicted bool) {
	p.emitPod(record.PodGone, pod)
	p.notify(notice{kind: podEnding, pod: pod, evicted: evicted})
	group := p.states[pod].Group
	p.notify(notice{kind: podRemoved, pod: pod})
	p.scheduler.Remove(pod)
	p.cluster.RemovePod(pod)
	p.states[pod] = podState{}
	p.removeEmptyGroup(group)
}

// remove takes a pod that had a node out of the cluster, and tells the scheduler.
func (p *podLifecycle) remove(pod cluster.PodID, completed bool) {
	freed := p.podEvent(scheduler.PodFreed, pod)
	group := p.states[pod].Group
	p.notify(notice{kind: podRemoved, pod: pod})
	p.scheduler.Remove(pod)
	if completed {
		p.cluster.CompletePod(pod)
	} else {
		p.cluster.RemovePod(pod)
	}
	p.states[pod] = podState{}
	p.removeEmptyGroup(group)
	p.scheduler.Observe(freed, p.now)
}
