package conformance

// placeBy gives the pod a node selector, node affinity, or both.
func (g *generator) placeBy(spec object) {
	if g.chance(0.25) {
		spec["nodeSelector"] = object{"disk": pick(g, disks...)}
	}
	affinity := object{}
	if g.chance(0.5) {
		var terms []any
		for range g.between(1, 3) {
			terms = append(terms, g.term(true))
		}
		affinity["requiredDuringSchedulingIgnoredDuringExecution"] = object{"nodeSelectorTerms": terms}
	}
	if g.chance(0.6) {
		var terms []any
		for range g.between(1, 3) {
			terms = append(terms, object{"weight": pick(g, 1, 2, 50, 99, 100), "preference": g.term(false)})
		}
		affinity["preferredDuringSchedulingIgnoredDuringExecution"] = terms
	}
	if len(affinity) > 0 {
		spec["affinity"] = object{"nodeAffinity": affinity}
	}
}

// term may be empty, which matches no node, or contradict itself.
func (g *generator) term(required bool) object {
	t := object{}
	var expressions, fields []any
	for range g.between(0, 2) {
		expressions = append(expressions, g.expression(required))
	}
	for g.chance(0.25) {
		fields = append(fields, object{
			"key": "metadata.name", "operator": pick(g, "In", "In", "NotIn"), "values": []any{g.someNode()},
		})
	}
	set(t, "matchExpressions", expressions)
	set(t, "matchFields", fields)
	return t
}

func (g *generator) someNode() string {
	if g.chance(0.1) {
		return "ghost"
	}
	return nodeName(g.IntN(g.nodes))
}

func (g *generator) expression(required bool) object {
	e := object{"key": pick(g, "disk", "size", "topology.kubernetes.io/zone", "absent")}
	switch op := pick(g, "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"); op {
	case "Exists", "DoesNotExist":
		e["operator"] = op
	case "Gt", "Lt":
		e["key"], e["operator"], e["values"] = "size", op, []any{pick(g, "0", "2", "3", "5")}
		if !required && g.chance(0.05) {
			e["values"] = []any{"-3"} // no label value: the API server lets it through
		}
	default:
		all := []any{}
		switch e["key"] {
		case "disk":
			all = some(g, 0.5, disks...)
		case "size":
			all = some(g, 0.5, sizes...)
		case "topology.kubernetes.io/zone":
			all = some(g, 0.5, zoneNames...)
		}
		if len(all) == 0 {
			all = []any{"a"}
		}
		e["operator"], e["values"] = op, all
	}
	return e
}
