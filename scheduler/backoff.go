package scheduler

import (
	"container/heap"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// backingOff reports whether a pod must still wait after its last failure, and fixes
// when the wait ends.
func (q *queue) backingOff(info *QueuedPod) bool {
	count := q.failures(info)
	if q.max == 0 || count == 0 {
		return false
	}
	if !info.hasExpiry {
		info.expiry = q.window(info.Timestamp.Add(q.backoffAfter(count)))
		info.hasExpiry = true
	}
	return info.expiry >= q.window(q.s.now)
}

// failures are those that count for the backoff of a pod.
//
// Upstream: getBackoffTime, backend/queue/backoff_queue.go, v1.33.13 and v1.34.4.
func (q *queue) failures(info *QueuedPod) int {
	switch {
	case q.s.rules.BackoffCounts == release.BackoffAttempts:
		return info.Attempts
	case info.consecutiveErrors > 0:
		return info.consecutiveErrors
	}
	return info.unschedulableCount
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

// window is the ordering window of the backoff queue that a time is in. Without pops from that queue there are none.
//
// Upstream: alignToWindow, backend/queue/backoff_queue.go, v1.33.13 to v1.37.2.
func (q *queue) window(t clock.Time) clock.Time {
	if !q.s.rules.PopFromBackoff {
		return t
	}
	return wholeWindow(t)
}

func wholeWindow(t clock.Time) clock.Time { return t - t%backoffWindow }

// flush moves the pods whose wait is over to the active queue, and those that have been
// unschedulable for more than maxInUnschedulable to backoff or active.
func (q *queue) flush() {
	for _, h := range []*podHeap{&q.backoff, &q.errorBackoff} {
		for h.Len() > 0 {
			info := q.info(h.ids[0])
			if info.expiry >= q.window(q.s.now) {
				break
			}
			heap.Pop(h)
			info.place = nowhere
			q.toActive(info, !q.s.rules.PopFromBackoff)
		}
	}
	if q.s.now%unschedulableFlushInterval == 0 {
		q.flushUnschedulable()
	}
}

func (q *queue) flushUnschedulable() {
	for _, pod := range slices.Clone(q.unschedulablePods) {
		info := q.info(pod)
		if since := q.flushesFrom(info); since != clock.Forever && q.s.now-since > maxInUnschedulable {
			info.flushed = q.s.now
			q.requeue(info)
		}
	}
	q.unschedulableSince = clock.Forever
	for _, pod := range q.unschedulablePods {
		q.unschedulableSince = min(q.unschedulableSince, q.flushesFrom(q.info(pod)))
	}
}

// flushesFrom is since when an unschedulable pod counts as unschedulable for the flush; Forever if the flush leaves it
// out.
//
// Upstream: flushUnschedulablePodsLeftover and movePodsToActiveOrBackoffQueue, backend/queue/scheduling_queue.go,
// v1.33.13 and v1.34.4; flushUnschedulableEntitiesLeftover of v1.37.2.
func (q *queue) flushesFrom(info *QueuedPod) clock.Time {
	switch {
	case info.gate < 0:
		return info.Timestamp
	case q.s.rules.GatedEvents == release.GatedOwnAndFlush:
		return max(info.Timestamp, info.flushed)
	case q.s.rules.GatedEvents == release.GatedAll && info.profile.depends[info.gate] != PodItself:
		return info.Timestamp
	}
	return clock.Forever
}

// nextFlush is when flush has something to do at the earliest; Forever when never.
func (q *queue) nextFlush() clock.Time {
	at := clock.Forever
	for _, h := range []*podHeap{&q.backoff, &q.errorBackoff} {
		if h.Len() > 0 {
			at = min(at, wholeWindow(q.info(h.ids[0]).expiry).Add(backoffWindow))
		}
	}
	if len(q.unschedulablePods) > 0 && q.unschedulableSince != clock.Forever {
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
	if p == nil || info.gate >= 0 && !q.ungates(p, info.gate, p.depends[info.gate].concerns(e)) {
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

// ungates reports whether a pod that a plugin gates is looked at after an event that does or does not concern this plugin.
// Before 1.34 every event was enough, except for the plugin that looks at nothing but the pod: SchedulingGates.
//
// Upstream: movePodsToActiveOrBackoffQueue, backend/queue/scheduling_queue.go, v1.33.13 and v1.34.4.
func (q *queue) ungates(p *profile, gate int, concerned bool) bool {
	return concerned || q.s.rules.GatedEvents == release.GatedAll && p.depends[gate] != PodItself
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
