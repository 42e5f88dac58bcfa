package scheduler

import (
	"container/heap"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// backingOff reports whether a pod must still wait after its last failure, and fixes
// when the wait ends.
func (q *queue) backingOff(info *QueuedPod) bool {
	count := info.unschedulableCount
	if info.consecutiveErrors > 0 {
		count = info.consecutiveErrors
	}
	if q.max == 0 || count == 0 {
		return false
	}
	if !info.hasExpiry {
		info.expiry = window(info.Timestamp.Add(q.backoffAfter(count)))
		info.hasExpiry = true
	}
	return info.expiry >= window(q.s.now)
}

// backoffAfter is the wait after so many failures: doubling from the initial one,
// at most the maximum.
//
// Upstream: calculateBackoffDuration, backend/queue/backoff_queue.go, v1.36.3.
func (q *queue) backoffAfter(failures int) clock.Time {
	shift := failures - 1
	if shift > 62 || q.initial > q.max>>shift {
		return q.max
	}
	return q.initial << shift
}

func window(t clock.Time) clock.Time { return t - t%backoffWindow }

// flush moves the pods whose wait is over to the active queue, and those that have been
// unschedulable for more than maxInUnschedulable to backoff or active.
func (q *queue) flush() {
	for _, h := range []*podHeap{&q.backoff, &q.errorBackoff} {
		for h.Len() > 0 {
			info := q.info(h.ids[0])
			if info.expiry >= window(q.s.now) {
				break
			}
			heap.Pop(h)
			info.place = nowhere
			q.toActive(info, false)
		}
	}
	if q.s.now%unschedulableFlushInterval == 0 {
		q.flushUnschedulable()
	}
}

func (q *queue) flushUnschedulable() {
	for _, pod := range slices.Clone(q.unschedulablePods) {
		info := q.info(pod)
		if info.gate < 0 && q.s.now-info.Timestamp > maxInUnschedulable {
			q.requeue(info)
		}
	}
	q.unschedulableSince = clock.Forever
	for _, pod := range q.unschedulablePods {
		if info := q.info(pod); info.gate < 0 {
			q.unschedulableSince = min(q.unschedulableSince, info.Timestamp)
		}
	}
}

// nextFlush is when flush has something to do at the earliest; Forever when never.
func (q *queue) nextFlush() clock.Time {
	at := clock.Forever
	for _, h := range []*podHeap{&q.backoff, &q.errorBackoff} {
		if h.Len() > 0 {
			at = min(at, q.info(h.ids[0]).expiry.Add(backoffWindow))
		}
	}
	if len(q.unschedulablePods) > q.gated && q.unschedulableSince != clock.Forever {
		// The check is at whole multiples of unschedulableFlushInterval, and asks for more than maxInUnschedulable.
		// What is older than that now was looked at, or came back, after the last check.
		due := max(q.unschedulableSince+maxInUnschedulable, q.s.now) + 1
		at = min(at, (due+unschedulableFlushInterval-1)/unschedulableFlushInterval*unschedulableFlushInterval)
	}
	return at
}

// observe tells the queue of an event: unschedulable pods whose rejectors it concerns
// are queued again, the pod in flight will have it replayed.
func (q *queue) observe(e ClusterEvent, except cluster.PodID) {
	q.changes++
	for _, p := range q.s.profiles {
		p.note(&e, q.changes)
	}
	if q.inFlightPod != cluster.NoPod {
		q.inFlightEvents = append(q.inFlightEvents, e)
	}
	for _, pod := range q.wake(&e, except) {
		if info := q.info(pod); info.place == inUnschedulable {
			q.requeue(info)
		}
	}
}

// worthRetrying reports whether an event may make the pod schedulable, as far as the
// plugins that rejected it declare.
func (q *queue) worthRetrying(info *QueuedPod, e *ClusterEvent) bool {
	p := info.profile
	if p == nil || info.gate >= 0 && !p.depends[info.gate].concerns(e) {
		return false
	}
	worth := false
	info.rejectors.each(func(i int) {
		if !worth && p.depends[i].concerns(e) {
			worth = p.retry[i] == nil || p.retry[i].QueueingHint(info.Pod, *e)
		}
	})
	return worth
}

// stuck reports whether every pod that can still be tried was tried after the last
// change of the cluster: further attempts would end alike.
func (q *queue) stuck() bool {
	if q.active.Len() > 0 || q.backoff.Len() > 0 {
		return false
	}
	for _, pod := range q.errorBackoff.ids {
		if q.info(pod).changesSeen < q.changes {
			return false
		}
	}
	return true
}
