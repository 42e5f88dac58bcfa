package world

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// evict makes a pod leave its node: one that is bound terminates.
func (p *podLifecycle) evict(pod cluster.PodID, cause record.Cause, by int64) {
	switch p.cluster.Pod(pod).Phase {
	case cluster.Assumed:
		p.evictAssumed(pod, cause, by)
	case cluster.Bound:
		p.notify(notice{kind: podStopped, pod: pod})
		p.cluster.Terminate(pod, cause == record.ByPreemption)
		p.emitEviction(pod, cause, by)
		grace := p.cluster.Pod(pod).Class.TerminationGrace
		p.push(p.now.Add(min(draw(p.cfg.Latency.Terminate), grace)), termination, task{podRef: p.ref(pod)})
	case cluster.Terminating:
		switch {
		case p.oneShot: // nothing else ends it
			p.push(p.now, termination, task{podRef: p.ref(pod)})
		case cause == record.ByPreemption:
			p.cluster.MarkPreempted(pod)
		case p.states[pod].Terminating && cause == record.ByNodeRemoval: // it would have completed
			p.emitEviction(pod, cause, by)
		}
	}
}

func (p *podLifecycle) emitEviction(pod cluster.PodID, cause record.Cause, by int64) {
	is := p.cluster.Pod(pod)
	p.emit(record.Record{Kind: record.PodEvicted, Pod: is.Serial, Node: p.nodeSerial(is.Node), Group: -1, Cause: cause, By: by})
}

// evictAssumed is evict for a pod that is not bound yet: it loses its node and is queued
// again, or is evicted as soon as it is bound.
//
//	cause         its stage          result
//	node removal  any                loses its node
//	preemption    Permit             loses its node
//	              PreBind            loses its node, or is deleted: a rule of the release
//	              Bind               is evicted once it is bound
//	drain         any                is evicted once it is bound, if the node is not uncordoned by then
//
// Upstream: PreemptPod of framework/preemption/preemption.go, v1.35.4, and executor.go, v1.36.3;
// kubectl drain does not see such pods. Legacy: a victim that waits for its volumes is evicted once it is bound.
func (p *podLifecycle) evictAssumed(pod cluster.PodID, cause record.Cause, by int64) {
	st := &p.states[pod]
	inPreBind := cause == record.ByPreemption && st.stage == record.InPreBind && p.scheduler.FamilyOf(pod) == scheduler.Modern
	inPermit := cause == record.ByPreemption && st.stage == record.InPermit
	if cause != record.ByNodeRemoval && !inPermit && !inPreBind {
		st.pendingEviction, st.evictor = cause, by
		return
	}
	p.takeOffNode(pod, cause)
	if inPreBind && !p.scheduler.Rules().PreBindVictimCanceled {
		p.drop(pod, true)
	}
}

// takeOffNode has a pod that is not bound yet lose its node.
func (p *podLifecycle) takeOffNode(pod cluster.PodID, cause record.Cause) {
	node := p.cluster.Pod(pod).Node
	p.scheduler.RollBack(pod, p.now)
	p.lostNode(pod, node, cause, "")
	p.scheduling.takeRejected()
}

// lostNode notes that a pod has lost its node before it was bound.
func (p *podLifecycle) lostNode(pod cluster.PodID, node cluster.NodeID, cause record.Cause, why string) {
	p.states[pod].assignment++
	p.emit(record.Record{Kind: record.PodRolledBack, Pod: p.cluster.Pod(pod).Serial, Node: p.nodeSerial(node), Group: -1, Cause: cause, Text: why})
}

// evictFrom evicts the pods of a node that are chosen, in order of arrival.
func (p *podLifecycle) evictFrom(node cluster.NodeID, cause record.Cause, chosen func(cluster.PodID) bool) {
	pods := slices.Clone(p.cluster.PodsOn(node))
	slices.SortFunc(pods, func(a, b cluster.PodID) int {
		return cmp.Compare(p.cluster.Pod(a).Serial, p.cluster.Pod(b).Serial)
	})
	for _, pod := range pods {
		// An eviction can take others of a pod group along.
		if p.cluster.Pod(pod).Node == node && chosen(pod) {
			p.evict(pod, cause, -1)
		}
	}
}

// cancelEvictions keeps the pods of a node that are not bound yet from being evicted once they are.
func (p *podLifecycle) cancelEvictions(node cluster.NodeID, cause record.Cause) {
	for _, pod := range p.cluster.PodsOn(node) {
		if st := &p.states[pod]; st.pendingEviction == cause {
			st.pendingEviction = ""
		}
	}
}
