package scheduler

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// wakeKey is what decides which events can make an unschedulable pod schedulable.
type wakeKey struct {
	profile   *profile
	rejectors pluginSet
	gate      int
}

// wakeGroup are the unschedulable pods of one key, in any order.
type wakeGroup struct {
	wakeKey
	pods []cluster.PodID
}

// joinGroup puts an unschedulable pod into its group. There are few groups, and an event that no group depends on
// visits no pod.
func (q *queue) joinGroup(info *QueuedPod) {
	key := wakeKey{info.profile, info.rejectors, info.gate}
	if info.group != nil {
		if info.group.wakeKey == key {
			return
		}
		q.removeFromGroup(info)
	}
	i := slices.IndexFunc(q.groups, func(g *wakeGroup) bool { return g.wakeKey == key })
	if i < 0 {
		i = len(q.groups)
		q.groups = append(q.groups, &wakeGroup{wakeKey: key})
	}
	g := q.groups[i]
	info.group, info.inGroup = g, len(g.pods)
	g.pods = append(g.pods, info.Pod)
}

// removeFromGroup removes a pod from its group when it is not unschedulable any more.
func (q *queue) removeFromGroup(info *QueuedPod) {
	g := info.group
	last := g.pods[len(g.pods)-1]
	g.pods[info.inGroup] = last
	q.infos[last].inGroup = info.inGroup
	g.pods = g.pods[:len(g.pods)-1]
	if info.group = nil; len(g.pods) == 0 {
		q.groups = slices.DeleteFunc(q.groups, func(other *wakeGroup) bool { return other == g })
	}
}

// helps reports whether the event at hand concerns a plugin that rejected the pods of the group, and ungates them.
func (q *queue) helps(g *wakeGroup) bool {
	p := g.profile
	return p != nil && g.rejectors&p.concerned != 0 && (g.gate < 0 || q.ungates(p, g.gate, p.concerned.has(g.gate)))
}

// wake lists the unschedulable pods that an event may help, in the order in which they lie among the unschedulable
// pods. The event must have been noted by all profiles.
func (q *queue) wake(e *ClusterEvent, except cluster.PodID) []cluster.PodID {
	q.waking = q.waking[:0]
	for _, g := range q.groups {
		if !q.helps(g) {
			continue
		}
		for _, pod := range g.pods {
			info := q.info(pod)
			if pod == except || e.Kind == NominationLost && info.Priority > e.Class.Priority {
				continue
			}
			if q.worthRetrying(info, e) {
				q.waking = append(q.waking, pod)
			}
		}
	}
	slices.SortFunc(q.waking, func(a, b cluster.PodID) int { return cmp.Compare(q.infos[a].index, q.infos[b].index) })
	return q.waking
}
