package scheduler

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// waitingPods are the pods that wait in Permit.
type waitingPods struct {
	pods     map[cluster.PodID]*waitingPod
	allowed  []cluster.PodID
	rejected []rejection
}

type waitingPod struct{ waits []permitWait }

// permitWait is one plugin that makes a pod wait.
type permitWait struct {
	plugin string
	span   clock.Time // how long at most
	until  clock.Time
}

// ends is the wait that is over first.
func (p *waitingPod) ends() permitWait {
	return slices.MinFunc(p.waits, func(a, b permitWait) int { return cmp.Compare(a.until, b.until) })
}

type rejection struct {
	pod     cluster.PodID
	plugin  string
	message string
	expired bool
}

func (w *waitingPods) add(pod cluster.PodID, wait permitWait) {
	p := w.pods[pod]
	if p == nil {
		p = &waitingPod{}
		w.pods[pod] = p
	}
	p.waits = append(p.waits, wait)
}

// remove forgets that the pod waits, or that it was allowed and not yet taken.
func (w *waitingPods) remove(pod cluster.PodID) {
	delete(w.pods, pod)
	if i := slices.Index(w.allowed, pod); i >= 0 {
		w.allowed = slices.Delete(w.allowed, i, i+1)
	}
}

func (w *waitingPods) allow(pod cluster.PodID, plugin string) {
	p := w.pods[pod]
	if p == nil {
		return
	}
	p.waits = slices.DeleteFunc(p.waits, func(w permitWait) bool { return w.plugin == plugin })
	if len(p.waits) == 0 {
		delete(w.pods, pod)
		w.allowed = append(w.allowed, pod)
	}
}

func (w *waitingPods) reject(r rejection) {
	if w.pods[r.pod] != nil {
		delete(w.pods, r.pod)
		w.rejected = append(w.rejected, r)
	}
}

// WaitDeadline returns the time at which a pod in Permit is rejected unless it is allowed before;
// false if it does not wait. It moves back when the plugin whose wait ends first allows the pod.
func (s *Scheduler) WaitDeadline(pod cluster.PodID) (clock.Time, bool) {
	if p := s.waiting.pods[pod]; p != nil {
		return p.ends().until, true
	}
	return 0, false
}

// Expire rejects a pod whose wait in Permit has lasted too long.
func (s *Scheduler) Expire(pod cluster.PodID, now clock.Time) {
	s.now = now
	p := s.waiting.pods[pod]
	if p == nil {
		return
	}
	if w := p.ends(); w.until <= now {
		message := fmt.Sprintf("rejected due to timeout after waiting %v at plugin %s", w.span, w.plugin)
		s.waiting.reject(rejection{pod, w.plugin, message, true})
	}
}

// TakeAllowed returns the pods that need not wait in Permit any more: the caller
// binds them.
func (s *Scheduler) TakeAllowed() []cluster.PodID {
	out := slices.Clone(s.waiting.allowed)
	s.waiting.allowed = s.waiting.allowed[:0]
	for _, pod := range out {
		s.queue.done(pod)
	}
	return out
}

// RolledBack is a pod that lost the node it was assumed on.
type RolledBack struct {
	Pod     cluster.PodID
	Node    cluster.NodeID
	Plugin  string // who rejected it
	Message string
	Expired bool // its own wait had lasted too long
}

// TakeRejected rolls back every waiting pod that was rejected, including those that a rollback
// causes to be rejected, and queues them again.
func (s *Scheduler) TakeRejected() []RolledBack {
	var out []RolledBack
	for len(s.waiting.rejected) > 0 {
		r := s.waiting.rejected[0]
		s.waiting.rejected = s.waiting.rejected[1:]
		node := s.cluster.Pod(r.pod).Node
		s.rollBackAndRequeue(r.pod, r.plugin)
		out = append(out, RolledBack{r.pod, node, r.plugin, r.message, r.expired})
	}
	s.waiting.rejected = s.waiting.rejected[:0:0]
	return out
}

// RollBack takes an assumed pod off its node before it is bound, because the node is
// gone or the room is needed for a pod of higher priority. The pod is queued again.
func (s *Scheduler) RollBack(pod cluster.PodID, now clock.Time) {
	s.now = now
	s.waiting.remove(pod)
	s.rollBackAndRequeue(pod, "")
}

// rollBackAndRequeue unreserves an assumed pod, tells the others, and queues the pod again on
// account of the plugin that rejected it, or of an error where there is none.
func (s *Scheduler) rollBackAndRequeue(pod cluster.PodID, plugin string) {
	p := s.cluster.Pod(pod)
	freed := ClusterEvent{Kind: PodFreed, Node: p.Node, Pod: pod, Class: p.Class, Group: p.Group}
	s.unreserve(pod, p.Node)
	s.cluster.Forget(pod)
	rejectors := pluginSet(0)
	for i, pl := range s.profileOf(pod).plugins {
		if pl.Name() == plugin {
			rejectors.add(i)
		}
	}
	s.queue.requeueFailed(pod, rejectors)
	s.queue.observe(freed, pod)
}
