package world

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// disruptions plays the disruption controller, which is never late here: what budgets
// allow is known anew at the instant at which a pod comes, runs, begins to end, or goes.
//
// Upstream: pkg/controller/disruption/disruption.go, v1.36.3.
// Differs: the pods that a budget expects are those that exist; upstream asks the
// controllers of the pods for their scale, and expects none where a pod has no controller
// with a scale. A pod is healthy while it runs.
type disruptions struct {
	counts     []podCount // by budget
	blocked    [][]round  // by budget
	uncordoned []int32    // how often, by node
	retryAt    clock.Time // of the timer that is set; in the past: none is
	looks      int64      // at blocked pods, so far
}

type podCount struct{ expected, healthy int64 }

// round is the pods that drains try again at the same instants, in the order in which they
// were held. Those that nobody waits for any more leave it when they come to the front.
type round struct {
	first clock.Time // of these instants, modulo retryEvictions
	pods  []blocked
}

// blocked is a pod that a drain waits for, since its budget does not allow its eviction.
type blocked struct {
	task
	since      clock.Time
	uncordoned int32 // how often its node had been
}

// retryEvictions is how long kubectl drain waits before it asks again.
//
// Upstream: k8s.io/kubectl/pkg/drain/drain.go, v0.36.3.
const retryEvictions = 5 * clock.Second

// expect counts pods of a class that exist.
func (w *World) expect(class *cluster.Class, n int64) { w.recount(class, n, 0) }

// setHealthy notes whether a pod runs.
func (w *World) setHealthy(pod cluster.PodID, is bool) {
	l := &w.lives[pod]
	if l.healthy == is {
		return
	}
	l.healthy = is
	n := int64(1)
	if !is {
		n = -1
	}
	w.recount(w.cluster.Pod(pod).Class, 0, n)
}

func (w *World) recount(class *cluster.Class, expected, healthy int64) {
	d := &w.disruptions
	for _, id := range w.cluster.Budgets.Of(class) {
		c := at(&d.counts, id)
		c.expected += expected
		c.healthy += healthy
		w.cluster.Budgets.SetAllowed(id, w.cluster.Budgets.Budget(id).AllowedOf(c.expected, c.healthy))
		w.retryDrains(id)
	}
}

// at is what a column by id says of one, which it has room for afterwards.
func at[T any, ID ~int32](column *[]T, id ID) *T {
	for len(*column) <= int(id) {
		*column = append(*column, *new(T))
	}
	return &(*column)[id]
}

// drain evicts the pods of a node as kubectl drain does: daemons stay, and a pod that its
// budget does not let go is tried again every 5 s, as long as the node is cordoned. The
// eviction API refuses for good to evict a pod that two budgets select.
func (w *World) drain(id cluster.NodeID) {
	w.evictAll(id, record.ByDrain, func(pod cluster.PodID) bool {
		if w.lives[pod].Daemon {
			return false
		}
		if w.mayEvict(pod) {
			return true
		}
		budgets := w.cluster.Budgets.Of(w.cluster.Pod(pod).Class)
		if len(budgets) == 1 {
			w.block(pod, budgets[0])
		}
		w.emit(record.Record{Kind: record.PodHeld, Pod: w.cluster.Pod(pod).Serial, Node: int32(id), Group: -1, Text: w.whyHeld(budgets)})
		return false
	})
}

// whyHeld names the budgets that keep a pod from being evicted.
func (w *World) whyHeld(budgets []cluster.BudgetID) string {
	names := make([]string, len(budgets))
	for i, id := range budgets {
		b := w.cluster.Budgets.Budget(id)
		names[i] = w.cluster.Text(b.Namespace) + "/" + b.Name
	}
	if len(names) == 1 {
		return "budget " + names[0]
	}
	return "for good: budgets " + strings.Join(names, ", ")
}

// mayEvict says what the eviction API would: budgets protect the pods that run.
//
// Upstream: EvictionREST.Create, pkg/registry/core/pod/storage/eviction.go, v1.36.3.
func (w *World) mayEvict(pod cluster.PodID) bool {
	if !w.lives[pod].healthy {
		return true
	}
	budgets := w.cluster.Budgets.Of(w.cluster.Pod(pod).Class)
	return len(budgets) == 0 || len(budgets) == 1 && w.cluster.Budgets.Budget(budgets[0]).Allowed > 0
}

// block notes that a drain waits for a pod on account of a budget.
func (w *World) block(pod cluster.PodID, id cluster.BudgetID) {
	d := &w.disruptions
	b := blocked{w.taskOf(pod), w.now, *at(&d.uncordoned, w.cluster.Pod(pod).Node)}
	rounds, first := at(&d.blocked, id), w.now%retryEvictions
	i := slices.IndexFunc(*rounds, func(r round) bool { return r.first == first })
	if i < 0 {
		i = len(*rounds)
		*rounds = append(*rounds, round{first: first})
	}
	(*rounds)[i].pods = append((*rounds)[i].pods, b)
}

// retryDrains sets the timer for the first round in which a drain waits for a pod, if the
// budget allows an eviction by now. Nobody asks in vain meanwhile.
func (w *World) retryDrains(id cluster.BudgetID) {
	d := &w.disruptions
	if int(id) >= len(d.blocked) || len(d.blocked[id]) == 0 || w.cluster.Budgets.Budget(id).Allowed == 0 {
		return
	}
	awaited := d.blocked[id][:0]
	for _, r := range d.blocked[id] {
		if !w.isAwaited(&r) {
			continue
		}
		awaited = append(awaited, r)
		since := r.pods[0].since
		tries := (w.now - since + retryEvictions - 1) / retryEvictions
		if at := since.Add(max(tries, 1) * retryEvictions); d.retryAt <= w.now || at < d.retryAt {
			d.retryAt = at
			w.push(at, drainTimer, task{})
		}
	}
	d.blocked[id] = awaited
}

// isAwaited reports whether a drain waits for a pod of the round, which is its first one then.
func (w *World) isAwaited(r *round) bool {
	for len(r.pods) > 0 && !w.isBlocked(&r.pods[0]) {
		r.pods = r.pods[1:]
	}
	return len(r.pods) > 0
}

// giveUpDrains forgets the pods of a node that drains wait for: it is not cordoned any more.
func (w *World) giveUpDrains(id cluster.NodeID) {
	*at(&w.disruptions.uncordoned, id)++
	for _, pod := range w.cluster.PodsOn(id) {
		if l := &w.lives[pod]; l.doom == record.ByDrain {
			l.doom = ""
		}
	}
}

// isBlocked reports whether the drain still waits for the pod.
func (w *World) isBlocked(b *blocked) bool {
	w.disruptions.looks++
	if !w.same(b.task) || w.cluster.Pod(b.pod).Phase != cluster.Bound {
		return false
	}
	node := w.cluster.Pod(b.pod).Node
	return w.cluster.Node(node).Alive && *at(&w.disruptions.uncordoned, node) == b.uncordoned
}

// drainOn evicts the blocked pods whose turn it is and whose budget allows it.
func (w *World) drainOn() {
	for i := range w.disruptions.blocked {
		id := cluster.BudgetID(i)
		rounds := w.disruptions.blocked[id]
		w.disruptions.blocked[id] = nil // evictions must not set timers for those that are gone through
		for k := range rounds {
			if r := &rounds[k]; r.first == w.now%retryEvictions {
				for w.isAwaited(r) && w.mayEvict(r.pods[0].pod) {
					w.evict(r.pods[0].pod, record.ByDrain, -1)
				}
			}
		}
		w.disruptions.blocked[id] = rounds
		w.retryDrains(id)
	}
}

// allow works out what the budgets allow that came without a status, from the pods that
// exist before the first of them is placed.
func (p *Placement) allow() {
	counts := make([]podCount, p.Cluster.Budgets.Len())
	if len(counts) == 0 {
		return
	}
	count := func(pod cluster.PodID) {
		for _, id := range p.Cluster.Budgets.Of(p.Cluster.Pod(pod).Class) {
			counts[id].expected++
			if p.Cluster.Pod(pod).Phase == cluster.Bound {
				counts[id].healthy++
			}
		}
	}
	for node := range cluster.NodeID(p.Cluster.NodeIDs()) {
		for _, pod := range p.Cluster.PodsOn(node) {
			count(pod)
		}
	}
	for _, pod := range p.pods {
		count(pod)
	}
	for id := range counts {
		if b := p.Cluster.Budgets.Budget(cluster.BudgetID(id)); !b.HasStatus {
			p.Cluster.Budgets.SetAllowed(cluster.BudgetID(id), b.AllowedOf(counts[id].expected, counts[id].healthy))
		}
	}
}
