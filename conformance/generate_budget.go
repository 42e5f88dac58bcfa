package conformance

import "fmt"

// budgetObjects are PodDisruptionBudgets as their controller left them.
func (g *generator) budgetObjects(running []object) []object {
	var out []object
	for i := range g.between(1, 4) {
		spec := object{"maxUnavailable": 1}
		if g.chance(0.95) {
			spec["selector"] = g.labelSelector()
		}
		namespace := pick(g, namespaces...)
		status := object{
			"disruptionsAllowed": pick(g, 0, 0, 1, 1, 2, 5), "currentHealthy": 3, "desiredHealthy": 2, "expectedPods": 3,
		}
		disrupted := object{}
		for _, pod := range running {
			if g.chance(0.2) {
				disrupted[pod["metadata"].(object)["name"].(string)] = "2026-01-01T00:00:00Z"
			}
		}
		set(status, "disruptedPods", disrupted)
		out = append(out, object{
			"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "spec": spec, "status": status,
			"metadata": object{"name": fmt.Sprintf("budget%d", i), "namespace": namespace},
		})
	}
	return out
}

// terminate has a running pod leave: it was deleted, perhaps by preemption.
func (g *generator) terminate(pod object) {
	meta, status := pod["metadata"].(object), pod["status"].(object)
	meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = "2026-01-01T01:00:00Z", 30
	if g.chance(0.5) {
		status["conditions"] = []any{object{"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}}
	}
}
