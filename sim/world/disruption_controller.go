package world

import "github.com/berth-sim/berth/sim/model/cluster"

// disruptionController keeps what PodDisruptionBudgets allow. It has no delay: it updates status at
// the instant when a pod is added, runs, begins to terminate, or is removed.
//
//	podAdded               podRunning                podStopped
//	────────▶ expected ─────────────▶ expected, healthy ─────▶ expected
//	             └───────────────── podRemoved ─────────────▶ not counted
//
// Upstream: pkg/controller/disruption/disruption.go, v1.36.3.
// Differs: the pods that a budget expects are those that exist; upstream asks the
// controllers of the pods for their scale, and expects none where a pod has no controller
// with a scale. A pod is healthy while it runs.
type disruptionController struct {
	*core
	keepStatus bool       // budgets that came with a status keep it
	counts     []podCount // by budget
	healthy    []bool     // by pod
}

type podCount struct{ expected, healthy int64 }

func (d *disruptionController) observe(n notice) {
	switch n.kind {
	case podAdded:
		*at(&d.healthy, n.pod) = false
		d.count(d.cluster.Pod(n.pod).Class, 1, 0)
	case podRelabeled:
		d.count(n.class, -1, 0)
		d.count(d.cluster.Pod(n.pod).Class, 1, 0)
	case podRunning:
		d.setHealthy(n.pod, true)
	case podStopped:
		d.setHealthy(n.pod, false)
	case podRemoved:
		d.setHealthy(n.pod, false)
		d.count(d.cluster.Pod(n.pod).Class, -1, 0)
	}
}

func (d *disruptionController) fire(int64) {} // it sets no timers

func (d *disruptionController) setHealthy(pod cluster.PodID, is bool) {
	if d.healthy[pod] == is {
		return
	}
	d.healthy[pod] = is
	n := int64(1)
	if !is {
		n = -1
	}
	d.count(d.cluster.Pod(pod).Class, 0, n)
}

// count counts pods of a class that exist and that are healthy, and syncs their budgets.
func (d *disruptionController) count(class *cluster.Class, expected, healthy int64) {
	for _, id := range d.cluster.Budgets.Of(class) {
		c := at(&d.counts, id)
		c.expected += expected
		c.healthy += healthy
		budget := d.cluster.Budgets.Budget(id)
		if d.keepStatus && budget.HasStatus {
			continue
		}
		d.cluster.Budgets.SetAllowed(id, budget.DisruptionsAllowedFor(c.expected, c.healthy))
		d.notify(notice{kind: budgetChanged, budget: id})
	}
}

// mayEvict reports whether the eviction API would evict a pod now: budgets protect the pods that
// run, and it refuses to evict a pod that two budgets select.
//
// Upstream: EvictionREST.Create, pkg/registry/core/pod/storage/eviction.go, v1.36.3.
func (d *disruptionController) mayEvict(pod cluster.PodID) bool {
	if !d.healthy[pod] {
		return true
	}
	budgets := d.cluster.Budgets.Of(d.cluster.Pod(pod).Class)
	return len(budgets) == 0 || len(budgets) == 1 && d.cluster.Budgets.Budget(budgets[0]).DisruptionsAllowed > 0
}

// at returns the entry of an id in a column, which it makes longer if it has none.
func at[T any, ID ~int32](column *[]T, id ID) *T {
	for len(*column) <= int(id) {
		*column = append(*column, *new(T))
	}
	return &(*column)[id]
}
