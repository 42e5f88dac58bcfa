package scenarios

import (
	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/cluster/manifest"
)

// addBudgets adds the PodDisruptionBudgets of manifests to a cluster, as their status has
// them.
func addBudgets(c *cluster.Cluster, loader *manifest.Loader) {
	for i := range loader.Budgets {
		c.AddBudget(loader.Budgets[i].Budget)
	}
}

// addLiveBudgets adds them for a run, which works out by itself, from its beginning on,
// what they allow.
func addLiveBudgets(c *cluster.Cluster, loader *manifest.Loader) {
	for i := range loader.Budgets {
		b := loader.Budgets[i].Budget
		b.Allowed, b.Given, b.Disrupted = 0, false, nil
		c.AddBudget(b)
	}
}
