package conformance

var (
	appLabels  = []string{"a", "b", "c"}
	tiers      = []string{"1", "2"}
	namespaces = []string{"default", "default", "default", "other", "third"}
	teams      = []string{"red", "blue"}
)

// labeled reports whether pods have labels for others to select them by.
func (g *generator) labeled() bool {
	return g.podAffinity > 0 || g.spread > 0 || g.owners > 0 || g.budgets > 0
}

// podLabels may be none at all.
func (g *generator) podLabels() object {
	labels := object{}
	if g.chance(0.9) {
		labels["app"] = pick(g, appLabels...)
	}
	if g.chance(0.6) {
		labels["tier"] = pick(g, tiers...)
	}
	if g.chance(0.4) {
		labels["version"] = pick(g, "v1", "v2", "")
	}
	return labels
}

// namespaceObjects have labels that a namespaceSelector finds. Those that are not made
// exist too, with nothing but their name.
func (g *generator) namespaceObjects() []object {
	var out []object
	for _, name := range []string{"default", "other", "third"} {
		if !g.chance(0.7) {
			continue
		}
		meta := object{"name": name}
		labels := object{}
		if g.chance(0.7) {
			labels["team"] = pick(g, teams...)
		}
		set(meta, "labels", labels)
		out = append(out, object{"apiVersion": "v1", "kind": "Namespace", "metadata": meta})
	}
	return out
}

// labelSelector is over the keys app and tier, and may be empty or contradict itself.
func (g *generator) labelSelector() object {
	if app := g.self["app"]; app != nil && g.chance(0.35) {
		return object{"matchLabels": object{"app": app}}
	}
	s := object{}
	if g.chance(0.5) {
		s["matchLabels"] = object{"app": pick(g, appLabels...)}
	}
	var expressions []any
	for g.chance(0.45) {
		expressions = append(expressions, g.requirement(pick(g, "app", "tier", "absent"), "a", "b", "1", "2"))
	}
	set(s, "matchExpressions", expressions)
	return s
}

// requirement is one of a label selector.
func (g *generator) requirement(key string, values ...string) object {
	r := object{"key": key, "operator": pick(g, "In", "In", "NotIn", "Exists", "DoesNotExist")}
	if r["operator"] == "In" || r["operator"] == "NotIn" {
		chosen := some(g, 0.5, values...)
		if len(chosen) == 0 {
			chosen = []any{values[0]}
		}
		r["values"] = chosen
	}
	return r
}

// topologyKey may be one that some nodes lack, or all.
func (g *generator) topologyKey() string {
	return pick(g, "kubernetes.io/hostname", "kubernetes.io/hostname", "topology.kubernetes.io/zone",
		"topology.kubernetes.io/zone", "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "rack", "rack", "absent")
}
