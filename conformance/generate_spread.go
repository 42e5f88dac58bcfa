package conformance

import "fmt"

// spreadOut gives the pod topology spread constraints.
func (g *generator) spreadOut(spec object) {
	var constraints []any
	seen := map[string]bool{}
	for range g.between(1, 3) {
		c := g.constraint()
		key := fmt.Sprint(c["topologyKey"], c["whenUnsatisfiable"])
		if !seen[key] {
			seen[key] = true
			constraints = append(constraints, c)
		}
	}
	spec["topologySpreadConstraints"] = constraints
}

func (g *generator) constraint() object {
	c := object{
		"topologyKey": g.topologyKey(), "maxSkew": pick(g, 1, 1, 2, 3, 5),
		"whenUnsatisfiable": pick(g, "DoNotSchedule", "ScheduleAnyway"),
	}
	if c["whenUnsatisfiable"] == "DoNotSchedule" && g.chance(0.3) {
		c["minDomains"] = pick(g, 1, 2, 3, 4, 10)
	}
	if g.chance(0.4) {
		c["nodeAffinityPolicy"] = pick(g, "Honor", "Ignore", "Ignore")
	}
	if g.chance(0.4) {
		c["nodeTaintsPolicy"] = pick(g, "Honor", "Honor", "Ignore")
	}
	if g.chance(0.95) {
		c["labelSelector"] = g.labelSelector()
		if g.chance(0.2) {
			c["matchLabelKeys"] = []any{pick(g, "version", "absent-too")}
		}
	}
	return c
}

// spreadArgs are defaults for pods that have no constraints of their own.
func (g *generator) spreadArgs() object {
	if g.chance(0.3) {
		return object{"defaultingType": pick(g, "System", "List")}
	}
	var constraints []any
	for _, key := range []string{"topology.kubernetes.io/zone", "kubernetes.io/hostname", "rack"} {
		if g.chance(0.5) {
			constraints = append(constraints, object{
				"topologyKey": key, "maxSkew": g.between(1, 5), "whenUnsatisfiable": pick(g, "DoNotSchedule", "ScheduleAnyway"),
			})
		}
	}
	args := object{"defaultingType": "List"}
	set(args, "defaultConstraints", constraints)
	return args
}

// ownerObjects are the controllers and Services whose selectors the default constraints use.
func (g *generator) ownerObjects() []object {
	var out []object
	for i := range g.between(0, 4) {
		spec := object{"ports": []any{object{"port": 80}}}
		if g.chance(0.9) {
			selector := object{"app": pick(g, appLabels...)}
			if g.chance(0.3) {
				selector["tier"] = pick(g, tiers...)
			}
			spec["selector"] = selector
		}
		out = append(out, object{
			"apiVersion": "v1", "kind": "Service", "spec": spec,
			"metadata": object{"name": fmt.Sprintf("s%d", i), "namespace": pick(g, namespaces...)},
		})
	}
	for i := range controllers {
		out = append(out, g.controller(i))
	}
	return out
}

var controllers = []struct{ apiVersion, kind string }{
	{"v1", "ReplicationController"}, {"apps/v1", "ReplicaSet"}, {"apps/v1", "ReplicaSet"}, {"apps/v1", "StatefulSet"},
}

func controllerName(i int) string { return fmt.Sprintf("owner%d", i) }

// controller wants no pods: those that it owns are in the case.
func (g *generator) controller(i int) object {
	labels := object{"app": pick(g, appLabels...)}
	c := controllers[i]
	spec := object{
		"replicas": 0, "selector": object{"matchLabels": labels},
		"template": object{
			"metadata": object{"labels": labels},
			"spec":     object{"containers": []any{object{"name": "c0", "image": "pause:3"}}},
		},
	}
	switch {
	case c.kind == "ReplicationController":
		spec["selector"] = labels
	case c.kind == "StatefulSet":
		spec["serviceName"] = "none"
	case g.chance(0.5):
		spec["selector"] = object{"matchLabels": labels, "matchExpressions": []any{object{"key": "app", "operator": "Exists"}}}
	}
	return object{"apiVersion": c.apiVersion, "kind": c.kind, "metadata": object{"name": controllerName(i)}, "spec": spec}
}

// own says which controller made the pod; some name one that is gone.
func (g *generator) own(meta object) {
	i := g.IntN(len(controllers))
	c, name := controllers[i], controllerName(i)
	if g.chance(0.1) {
		name = "gone"
	}
	meta["ownerReferences"] = []any{object{
		"apiVersion": c.apiVersion, "kind": c.kind, "name": name, "uid": "uid-of-" + name, "controller": true,
	}}
}
