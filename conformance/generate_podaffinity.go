package conformance

// attract gives the pod affinity and anti-affinity to other pods.
func (g *generator) attract(spec object) {
	affinity, has := spec["affinity"].(object)
	if !has {
		affinity = object{}
	}
	for _, side := range []struct {
		name                string
		required, preferred float64
	}{{"podAffinity", 0.2, 0.35}, {"podAntiAffinity", 0.25, 0.35}} {
		a := object{}
		if g.chance(side.required) {
			set(a, "requiredDuringSchedulingIgnoredDuringExecution", g.podTerms())
		}
		if g.chance(side.preferred) {
			var terms []any
			for _, t := range g.podTerms() {
				terms = append(terms, object{"weight": pick(g, 1, 2, 10, 50, 99, 100), "podAffinityTerm": t})
			}
			a["preferredDuringSchedulingIgnoredDuringExecution"] = terms
		}
		if len(a) > 0 || g.chance(0.05) {
			affinity[side.name] = a
		}
	}
	if len(affinity) > 0 {
		spec["affinity"] = affinity
	}
}

// podTerms are one to three terms, often of one key.
func (g *generator) podTerms() []any {
	terms := []any{g.podTerm()}
	for g.chance(0.25) && len(terms) < 3 {
		next := g.podTerm()
		if g.chance(0.5) {
			next["topologyKey"] = terms[0].(object)["topologyKey"]
		}
		terms = append(terms, next)
	}
	return terms
}

func (g *generator) podTerm() object {
	t := object{"topologyKey": g.topologyKey()}
	selects := g.chance(0.95) // otherwise it selects no pod
	if selects {
		t["labelSelector"] = g.labelSelector()
	}
	if g.chance(0.2) {
		set(t, "namespaces", some(g, 0.4, "default", "other", "third", "nowhere"))
	}
	if g.chance(0.25) {
		t["namespaceSelector"] = g.namespaceSelector()
	}
	if selects && g.chance(0.15) {
		t["matchLabelKeys"] = []any{pick(g, "version", "absent-too")}
	}
	if selects && g.chance(0.1) {
		t["mismatchLabelKeys"] = []any{pick(g, "owner", "release")}
		if t["matchLabelKeys"] == nil {
			t["mismatchLabelKeys"] = []any{"version"}
		}
	}
	return t
}

// namespaceSelector may be empty, which selects all, or select the lack of a label.
func (g *generator) namespaceSelector() object {
	switch g.IntN(4) {
	case 0:
		return object{}
	case 1:
		return object{"matchLabels": object{"team": pick(g, teams...)}}
	case 2:
		return object{"matchLabels": object{"kubernetes.io/metadata.name": pick(g, namespaces...)}}
	}
	return object{"matchExpressions": []any{g.requirement("team", teams...)}}
}
