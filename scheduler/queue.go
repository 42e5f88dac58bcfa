package scheduler

import (
	"container/heap"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	// backoffWindow is the granularity of backoff: expiry times are truncated to it, and the pods of
	// one window leave the backoff queue in order of priority.
	backoffWindow = clock.Second
	// maxInUnschedulable is how long a pod stays among the unschedulable pods without an event,
	// checked every unschedulableFlushInterval.
	maxInUnschedulable         = 5 * clock.Minute
	unschedulableFlushInterval = 30 * clock.Second
)

// place is where a pod is.
//
//	                   ┌───────── gate ─────────┐
//	Add ──▶ active ──▶ in flight ──▶ (node)     ▼
//	          ▲            │ failed          unschedulable pods
//	          │            ├──────────────────▶ │  ▲
//	          │            │ failed, but an     │  │ gated
//	          │            ▼ event helps        │ event, or 5 minutes
//	          └──────── backoff ◀───────────────┘
type place uint8

const (
	nowhere place = iota
	inActive
	inBackoff
	inErrorBackoff
	inUnschedulable
	inFlight
)

// QueuedPod is a pod as the queue sees it.
type QueuedPod struct {
	Pod       cluster.PodID
	Priority  int32
	Timestamp clock.Time // when it was last added to the queue
	Attempts  int        // scheduling cycles begun

	seq                uint64 // breaks ties of Timestamp: order of being added
	place              place
	index              int // in its heap or in unschedulablePods
	unschedulableCount int // failed attempts
	consecutiveErrors  int
	expiry             clock.Time
	hasExpiry          bool
	flushed            clock.Time // when it was last flushed from the unschedulable pods
	rejectors          pluginSet
	gate               int // the plugin that gates the pod, or -1
	gateMessage        string
	nominated          cluster.NodeRef // the zero value: to no node
	assumedNominated   cluster.NodeRef // what it was nominated to when it was assumed
	profile            *profile
	group              *wakeGroup // while it is unschedulable
	inGroup            int        // where in group.pods
	changesSeen        uint64     // changes of the cluster before its last attempt
}

// queue holds the pending pods.
//
// Upstream: pkg/scheduler/backend/queue, v1.33.13 to v1.37.2, with the feature gate SchedulerQueueingHints on.
type queue struct {
	s                  *Scheduler
	sort               QueueSortPlugin
	infos              []QueuedPod // by pod
	active             podHeap
	backoff            podHeap
	errorBackoff       podHeap
	unschedulablePods  []cluster.PodID
	unschedulableSince clock.Time // not later than the earliest Timestamp of unschedulablePods
	seq                uint64
	initial, max       clock.Time

	held           cluster.PodID  // the pod that preempts just now
	inFlightPod    cluster.PodID  // the pod whose cycle is under way
	inFlightEvents []ClusterEvent // since it began, to be replayed to it
	changes        uint64         // of the cluster, so far
	groups         []*wakeGroup   // of the unschedulable pods; none is empty
	waking         []cluster.PodID
	gated          int
	onGate         func(pod cluster.PodID, why string)
}

func newQueue(s *Scheduler, sort QueueSortPlugin, initial, max clock.Time) *queue {
	q := &queue{s: s, sort: sort, initial: initial, max: max, unschedulableSince: clock.Forever, inFlightPod: cluster.NoPod, held: cluster.NoPod}
	q.active = podHeap{q: q, less: q.before}
	q.backoff = podHeap{q: q, less: q.backoffBefore}
	q.errorBackoff = podHeap{q: q, less: q.backoffBefore}
	return q
}

func (q *queue) info(pod cluster.PodID) *QueuedPod {
	for int(pod) >= len(q.infos) {
		q.infos = append(q.infos, QueuedPod{Pod: cluster.PodID(len(q.infos)), gate: -1})
	}
	return &q.infos[pod]
}

func (q *queue) before(a, b *QueuedPod) bool {
	switch {
	case q.sort.Less(a, b):
		return true
	case q.sort.Less(b, a):
		return false
	}
	return a.seq < b.seq
}

func (q *queue) backoffBefore(a, b *QueuedPod) bool {
	if a.expiry != b.expiry {
		return a.expiry < b.expiry
	}
	return q.before(a, b)
}

// add takes in a pod that has just arrived.
func (q *queue) add(pod cluster.PodID) {
	info := q.info(pod)
	*info = QueuedPod{
		Pod: pod, Priority: q.s.cluster.Pod(pod).Class.Priority, Timestamp: q.s.now,
		seq: q.nextSeq(), gate: -1, profile: q.s.profileOf(pod),
	}
	q.toActive(info, true)
}

func (q *queue) nextSeq() uint64 { q.seq++; return q.seq }

// hasNext reports whether next would return a pod.
func (q *queue) hasNext() bool {
	return q.active.Len() > 0 || q.s.rules.PopFromBackoff && q.backoff.Len() > 0
}

// next takes the pod to schedule now: the first of the active queue, or, when it is
// empty and the rules allow it, the first in backoff.
func (q *queue) next() (cluster.PodID, bool) {
	if !q.hasNext() {
		return cluster.NoPod, false
	}
	from := &q.active
	if from.Len() == 0 {
		from = &q.backoff
	}
	pod := heap.Pop(from).(cluster.PodID)
	q.beginAttempt(q.info(pod))
	return pod, true
}

// take is next for one pod.
func (q *queue) take(pod cluster.PodID) bool {
	info := q.info(pod)
	if info.place == nowhere || info.place == inFlight || info.gate >= 0 {
		return false
	}
	q.removeFromPlace(info)
	q.beginAttempt(info)
	return true
}

// beginAttempt marks a pod as in flight. The pod must not be in any part of the queue.
func (q *queue) beginAttempt(info *QueuedPod) {
	info.place, info.hasExpiry = inFlight, false
	info.Attempts++
	info.changesSeen = q.changes
	q.inFlightPod, q.inFlightEvents = info.Pod, q.inFlightEvents[:0]
}

// endAttempt ends the cycle of a pod that waits in Permit: it stays in flight, but the log of
// events is not kept for it.
func (q *queue) endAttempt(pod cluster.PodID) {
	if q.inFlightPod == pod {
		q.inFlightPod, q.inFlightEvents = cluster.NoPod, q.inFlightEvents[:0]
	}
}

// done removes a pod from the in-flight pods.
func (q *queue) done(pod cluster.PodID) {
	if info := q.info(pod); info.place == inFlight {
		info.place = nowhere
		q.endAttempt(pod)
	}
}

// requeueFailed queues an in-flight pod again that got no node. A pod without rejectors failed with
// an error and moves to backoff.
func (q *queue) requeueFailed(pod cluster.PodID, rejectors pluginSet) {
	info := q.info(pod)
	info.rejectors = rejectors
	if rejectors == 0 {
		info.consecutiveErrors++
	} else {
		info.unschedulableCount++
		info.consecutiveErrors = 0
	}
	info.Timestamp, info.seq, info.hasExpiry = q.s.now, q.nextSeq(), false
	worth := rejectors == 0 || q.eventMeanwhile(info)
	q.done(pod)
	if worth {
		q.requeue(info)
	} else {
		q.addUnschedulable(info)
	}
}

// eventMeanwhile reports whether something happened since the attempt began that may make the pod
// schedulable. For a pod that waited in Permit, it checks only the DependsOn of its rejectors, not
// their queueing hints.
func (q *queue) eventMeanwhile(info *QueuedPod) bool {
	if q.inFlightPod == info.Pod {
		return slices.ContainsFunc(q.inFlightEvents, func(e ClusterEvent) bool { return q.worthRetrying(info, &e) })
	}
	helped := false
	info.rejectors.each(func(i int) { helped = helped || info.profile.lastEvent[i] > info.changesSeen })
	return helped
}

// requeue moves a pod that is worth another attempt to backoff while it must wait,
// else to the active queue.
func (q *queue) requeue(info *QueuedPod) {
	if q.backingOff(info) {
		if !q.s.rules.PopFromBackoff {
			q.setGate(info, -1, "") // PreEnqueue runs when the backoff is over
		} else if q.gates(info) {
			q.addUnschedulable(info)
			return
		}
		q.removeFromPlace(info)
		if info.rejectors == 0 {
			info.place = inErrorBackoff
			heap.Push(&q.errorBackoff, info.Pod)
		} else {
			info.place = inBackoff
			heap.Push(&q.backoff, info.Pod)
		}
		return
	}
	q.toActive(info, true)
}

func (q *queue) toActive(info *QueuedPod, askGates bool) {
	if askGates && q.gates(info) {
		q.addUnschedulable(info)
		return
	}
	q.removeFromPlace(info)
	info.place = inActive
	heap.Push(&q.active, info.Pod)
}

func (q *queue) addUnschedulable(info *QueuedPod) {
	if info.place == inUnschedulable {
		q.joinGroup(info) // a gate may have changed
		q.unschedulableSince = min(q.unschedulableSince, q.flushesFrom(info))
		return
	}
	q.removeFromPlace(info)
	info.place, info.index = inUnschedulable, len(q.unschedulablePods)
	q.unschedulablePods = append(q.unschedulablePods, info.Pod)
	q.joinGroup(info)
	q.unschedulableSince = min(q.unschedulableSince, q.flushesFrom(info))
}

// removeFromPlace removes the pod from the part of the queue that it is in.
func (q *queue) removeFromPlace(info *QueuedPod) {
	switch info.place {
	case inActive:
		heap.Remove(&q.active, info.index)
	case inBackoff:
		heap.Remove(&q.backoff, info.index)
	case inErrorBackoff:
		heap.Remove(&q.errorBackoff, info.index)
	case inUnschedulable:
		last := q.unschedulablePods[len(q.unschedulablePods)-1]
		q.unschedulablePods[info.index] = last
		q.infos[last].index = info.index
		q.unschedulablePods = q.unschedulablePods[:len(q.unschedulablePods)-1]
		q.removeFromGroup(info)
	}
	info.place = nowhere
}

// gates runs PreEnqueue and notes who gates the pod now.
func (q *queue) gates(info *QueuedPod) bool {
	gate, message := q.findGate(info)
	q.setGate(info, gate, message)
	if gate >= 0 {
		info.rejectors.add(gate)
	}
	return gate >= 0
}

// setGate notes the plugin that gates a pod, or -1.
func (q *queue) setGate(info *QueuedPod, gate int, message string) {
	was, is, before := info.gate >= 0, gate >= 0, info.gateMessage
	info.gate, info.gateMessage = gate, message
	if is && !was {
		q.gated++
	} else if was && !is {
		q.gated--
	}
	if info.gateMessage != before && q.onGate != nil {
		q.onGate(info.Pod, info.gateMessage)
	}
}

func (q *queue) findGate(info *QueuedPod) (int, string) {
	if info.profile == nil {
		return -1, ""
	}
	for _, pe := range info.profile.preEnqueue {
		if message := pe.plugin.PreEnqueue(info.Pod); message != "" {
			return pe.index, message
		}
	}
	return -1, ""
}

func (q *queue) anyBehindActive() bool {
	return len(q.unschedulablePods)+q.backoff.Len()+q.errorBackoff.Len() > 0
}

// activate moves a pod that waits for an event or for its backoff to the active queue.
//
// Upstream: activate and moveToActiveQ, backend/queue/scheduling_queue.go, v1.34.4 and v1.35.4.
func (q *queue) activate(pod cluster.PodID) {
	info := q.info(pod)
	switch info.place {
	case inUnschedulable:
		q.toActive(info, true)
	case inBackoff, inErrorBackoff:
		q.toActive(info, q.s.rules.ActivationAsksGates || !q.s.rules.PopFromBackoff)
	}
}

// remove forgets a pod that is gone.
func (q *queue) remove(pod cluster.PodID) {
	info := q.info(pod)
	if info.gate >= 0 {
		q.gated--
	}
	q.done(pod)
	q.removeFromPlace(info)
	*info = QueuedPod{Pod: pod, gate: -1}
}

// podHeap is a heap of pods for container/heap.
type podHeap struct {
	q    *queue
	ids  []cluster.PodID
	less func(a, b *QueuedPod) bool
}

// Len implements heap.Interface.
func (h *podHeap) Len() int { return len(h.ids) }

// Less implements heap.Interface.
func (h *podHeap) Less(i, j int) bool {
	return h.less(&h.q.infos[h.ids[i]], &h.q.infos[h.ids[j]])
}

// Swap implements heap.Interface.
func (h *podHeap) Swap(i, j int) {
	h.ids[i], h.ids[j] = h.ids[j], h.ids[i]
	h.q.infos[h.ids[i]].index, h.q.infos[h.ids[j]].index = i, j
}

// Push implements heap.Interface.
func (h *podHeap) Push(x any) {
	pod := x.(cluster.PodID)
	h.q.infos[pod].index = len(h.ids)
	h.ids = append(h.ids, pod)
}

// Pop implements heap.Interface.
func (h *podHeap) Pop() any {
	last := h.ids[len(h.ids)-1]
	h.ids = h.ids[:len(h.ids)-1]
	return last
}
