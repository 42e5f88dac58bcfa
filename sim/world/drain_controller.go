package world

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// drainController evicts the pods of drained nodes as kubectl drain does: daemons remain, and a
// pod that its budget protects is tried again every retryEvictions, as long as the node is
// cordoned. A pod that two budgets select is never tried again: the eviction API never allows it.
//
//	               the budget forbids            it allows, at a retry
//	on drained node ────────────────▶ blocked ───────────────────────▶ evicted
//	        │                            │ the node is uncordoned, or the pod has ended
//	        │ the budget allows          └─────────▶ forgotten
//	        └───────────▶ evicted
//
// Nothing happens at retries that cannot succeed: a timer is set when a budget allows evictions.
type drainController struct {
	*core
	pods        *podLifecycle
	disruptions *disruptionController
	blocked     [][]retryGroup // by budget
	uncordoned  []int32        // how often, by node
	retryAt     clock.Time     // of the timer that is set; in the past: none is
	checks      int64          // of blocked pods, so far
}

// retryGroup is the pods that drains try again at the same instants, in the order in which they
// were blocked. Those that no drain waits for any more are dropped when they come to the front.
type retryGroup struct {
	first clock.Time // of these instants, modulo retryEvictions
	pods  []blockedPod
}

// blockedPod is a pod that a drain waits for, since its budget does not allow its eviction.
type blockedPod struct {
	podRef
	since      clock.Time
	uncordoned int32 // how often its node had been
}

// retryEvictions is how long kubectl drain waits before it tries again.
//
// Upstream: k8s.io/kubectl/pkg/drain/drain.go, v0.36.3.
const retryEvictions = 5 * clock.Second

func (d *drainController) observe(n notice) {
	switch n.kind {
	case nodeDrained:
		d.drain(n.node)
	case nodeUncordoned:
		*at(&d.uncordoned, n.node)++
		d.pods.cancelEvictions(n.node, record.ByDrain)
	case budgetChanged:
		d.scheduleRetry(n.budget)
	}
}

// drain evicts the pods of a node.
func (d *drainController) drain(node cluster.NodeID) {
	d.pods.evictFrom(node, record.ByDrain, func(pod cluster.PodID) bool {
		if d.pods.states[pod].Daemon {
			return false
		}
		if d.disruptions.mayEvict(pod) {
			return true
		}
		budgets := d.cluster.Budgets.Of(d.cluster.Pod(pod).Class)
		if len(budgets) == 1 {
			d.block(pod, budgets[0])
		}
		d.emit(record.Record{Kind: record.PodEvictionBlocked, Pod: d.cluster.Pod(pod).Serial, Node: d.nodeSerial(node), Group: -1, Text: d.heldBy(budgets)})
		return false
	})
}

// heldBy names the budgets that protect a pod from being evicted.
func (d *drainController) heldBy(budgets []cluster.BudgetID) string {
	names := make([]string, len(budgets))
	for i, id := range budgets {
		b := d.cluster.Budgets.Budget(id)
		names[i] = d.cluster.Text(b.Namespace) + "/" + b.Name
	}
	if len(names) == 1 {
		return "budget " + names[0]
	}
	return "permanently: budgets " + strings.Join(names, ", ")
}

// block notes that a drain waits for a pod on account of a budget.
func (d *drainController) block(pod cluster.PodID, id cluster.BudgetID) {
	b := blockedPod{d.pods.ref(pod), d.now, *at(&d.uncordoned, d.cluster.Pod(pod).Node)}
	groups, first := at(&d.blocked, id), d.now%retryEvictions
	i := slices.IndexFunc(*groups, func(g retryGroup) bool { return g.first == first })
	if i < 0 {
		i = len(*groups)
		*groups = append(*groups, retryGroup{first: first})
	}
	(*groups)[i].pods = append((*groups)[i].pods, b)
}

// scheduleRetry sets the timer for the first retry of a pod that the budget protected, if the
// budget allows an eviction by now.
func (d *drainController) scheduleRetry(id cluster.BudgetID) {
	if int(id) >= len(d.blocked) || len(d.blocked[id]) == 0 || d.cluster.Budgets.Budget(id).DisruptionsAllowed == 0 {
		return
	}
	awaited := d.blocked[id][:0]
	for _, g := range d.blocked[id] {
		if !d.hasBlocked(&g) {
			continue
		}
		awaited = append(awaited, g)
		since := g.pods[0].since
		tries := (d.now - since + retryEvictions - 1) / retryEvictions
		if at := since.Add(max(tries, 1) * retryEvictions); d.retryAt <= d.now || at < d.retryAt {
			d.retryAt = at
			d.setTimer(drainRank, at, 0)
		}
	}
	d.blocked[id] = awaited
}

// hasBlocked reports whether a drain waits for a pod of the group, which is its first one then.
func (d *drainController) hasBlocked(g *retryGroup) bool {
	for len(g.pods) > 0 && !d.isBlocked(&g.pods[0]) {
		g.pods = g.pods[1:]
	}
	return len(g.pods) > 0
}

// isBlocked reports whether the drain still waits for the pod.
func (d *drainController) isBlocked(b *blockedPod) bool {
	d.checks++
	if !d.pods.isCurrent(b.podRef) || d.cluster.Pod(b.pod).Phase != cluster.Bound {
		return false
	}
	node := d.cluster.Pod(b.pod).Node
	return d.cluster.Node(node).Exists && *at(&d.uncordoned, node) == b.uncordoned
}

// fire evicts the blocked pods whose retry is due and whose budget allows it. All groups share
// the timer, so its id says nothing.
func (d *drainController) fire(int64) {
	for i := range d.blocked {
		id := cluster.BudgetID(i)
		groups := d.blocked[id]
		d.blocked[id] = nil // evictions must not set timers for the groups that are gone through
		for k := range groups {
			if g := &groups[k]; g.first == d.now%retryEvictions {
				for d.hasBlocked(g) && d.disruptions.mayEvict(g.pods[0].pod) {
					d.pods.evict(g.pods[0].pod, record.ByDrain, -1)
				}
			}
		}
		d.blocked[id] = groups
		d.scheduleRetry(id)
	}
}
