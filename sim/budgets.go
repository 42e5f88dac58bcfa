package sim

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/clock"
	"github.com/berth-sim/berth/sim/cluster"
)

// disruptions plays the disruption controller, which is never late here: what budgets
// allow is known anew at the instant at which a pod comes, runs, begins to end, or goes.
//
// Upstream: pkg/controller/disruption/disruption.go, v1.36.3.
// Differs: the pods that a budget expects are those that exist; upstream asks the
// controllers of the pods for their scale, and expects none where a pod has no controller
// with a scale. A pod is healthy while it runs.
type disruptions struct {
	counts  []podCount  // by budget
	blocked [][]blocked // by budget, in the order in which their drains began
	retryAt clock.Time  // of the timer that is set; in the past: none is
}

type podCount struct{ expected, healthy int64 }

// blocked is a pod that a drain waits for, since budgets do not allow its eviction.
type blocked struct {
	task
	since clock.Time
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
	for _, id := range w.cluster.BudgetsOf(class) {
		c := at(&d.counts, id)
		c.expected += expected
		c.healthy += healthy
		w.cluster.SetAllowed(id, w.cluster.Budget(id).AllowedOf(c.expected, c.healthy))
		w.retryDrains(id)
	}
}

// at is what a column by budget says of one, which it has room for afterwards.
func at[T any](column *[]T, id cluster.BudgetID) *T {
	for len(*column) <= int(id) {
		*column = append(*column, *new(T))
	}
	return &(*column)[id]
}

// drain evicts the pods of a node as kubectl drain does: daemons stay, and a pod that its
// budget does not let go is tried again every 5 s, as long as the node is cordoned. The
// eviction API refuses for good to evict a pod that two budgets select.
func (w *World) drain(id cluster.NodeID) {
	w.evictAll(id, ByDrain, func(pod cluster.PodID) bool {
		if w.lives[pod].Daemon {
			return false
		}
		if w.mayEvict(pod) {
			return true
		}
		budgets := w.cluster.BudgetsOf(w.cluster.Pod(pod).Class)
		if len(budgets) == 1 {
			list := at(&w.disruptions.blocked, budgets[0])
			*list = append(*list, blocked{w.taskOf(pod), w.now})
		}
		w.emit(Record{Kind: PodHeld, Pod: w.cluster.Pod(pod).Serial, Node: int32(id), Group: -1, Text: w.whyHeld(budgets)})
		return false
	})
}

// whyHeld names the budgets that keep a pod from being evicted.
func (w *World) whyHeld(budgets []cluster.BudgetID) string {
	names := make([]string, len(budgets))
	for i, id := range budgets {
		b := w.cluster.Budget(id)
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
	budgets := w.cluster.BudgetsOf(w.cluster.Pod(pod).Class)
	return len(budgets) == 0 || len(budgets) == 1 && w.cluster.Budget(budgets[0]).Allowed > 0
}

// retryDrains sets the timer for the first of the pods that drains wait for, if their
// budget allows an eviction by now. Nobody asks in vain meanwhile.
func (w *World) retryDrains(id cluster.BudgetID) {
	d := &w.disruptions
	if int(id) >= len(d.blocked) || len(d.blocked[id]) == 0 || w.cluster.Budget(id).Allowed == 0 {
		return
	}
	w.forgetUnblocked(id)
	for i := range d.blocked[id] {
		b := &d.blocked[id][i]
		tries := (w.now - b.since + retryEvictions - 1) / retryEvictions
		if at := b.since.Add(max(tries, 1) * retryEvictions); d.retryAt <= w.now || at < d.retryAt {
			d.retryAt = at
			w.push(at, drainTimer, task{})
		}
	}
}

// forgetUnblocked forgets the pods of a budget that no drain waits for any more.
func (w *World) forgetUnblocked(id cluster.BudgetID) {
	list := &w.disruptions.blocked[id]
	*list = slices.DeleteFunc(*list, func(b blocked) bool { return !w.isBlocked(&b) })
}

// giveUpDrains forgets the pods of a node that is not cordoned any more.
func (w *World) giveUpDrains() {
	for id := range w.disruptions.blocked {
		w.forgetUnblocked(cluster.BudgetID(id))
	}
}

// isBlocked says whether the drain still waits for the pod.
func (w *World) isBlocked(b *blocked) bool {
	if !w.same(b.task) || w.cluster.Pod(b.pod).Phase != cluster.Bound {
		return false
	}
	node := w.cluster.Node(w.cluster.Pod(b.pod).Node)
	return node.Alive && node.Unschedulable
}

// drainOn evicts the blocked pods whose turn it is and whose budget allows it.
func (w *World) drainOn() {
	for i := range w.disruptions.blocked {
		id := cluster.BudgetID(i)
		waiting := w.disruptions.blocked[id]
		w.disruptions.blocked[id] = nil // evictions must not set timers for those that are gone through
		waiting = slices.DeleteFunc(waiting, func(b blocked) bool {
			if !w.isBlocked(&b) {
				return true
			}
			if (w.now-b.since)%retryEvictions != 0 || !w.mayEvict(b.pod) {
				return false
			}
			w.evict(b.pod, ByDrain, -1)
			return true
		})
		w.disruptions.blocked[id] = waiting
		w.retryDrains(id)
	}
}

// allow works out what the budgets allow that came without a status, from the pods that
// exist before the first of them is placed.
func (p *Placement) allow() {
	counts := make([]podCount, p.Cluster.NumBudgets())
	if len(counts) == 0 {
		return
	}
	count := func(pod cluster.PodID) {
		for _, id := range p.Cluster.BudgetsOf(p.Cluster.Pod(pod).Class) {
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
		if b := p.Cluster.Budget(cluster.BudgetID(id)); !b.Given {
			p.Cluster.SetAllowed(cluster.BudgetID(id), b.AllowedOf(counts[id].expected, counts[id].healthy))
		}
	}
}
