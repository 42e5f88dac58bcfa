package scenarios

import (
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// addBudgets adds the PodDisruptionBudgets of manifests to a cluster, with their status.
func addBudgets(c *cluster.Cluster, loader *manifest.Loader) {
	for i := range loader.Budgets {
		c.Budgets.Add(loader.Budgets[i].Budget)
	}
}

// idleBudgets returns warnings about PodDisruptionBudgets that select no pod of the run.
func (r *Run) idleBudgets() []string {
	c := r.Config.Cluster
	selects := make([]bool, len(r.budgets))
	for class := range cluster.ClassID(c.NumClasses()) {
		for _, id := range c.Budgets.Of(c.Class(class)) {
			selects[id] = true
		}
	}
	var out []string
	for id, at := range r.budgets {
		if !selects[id] {
			out = append(out, at.Errorf("spec.selector", "selects no pod of the run: the PodDisruptionBudget has no effect").Error())
		}
	}
	return out
}
