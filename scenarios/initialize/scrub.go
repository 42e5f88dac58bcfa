package initialize

import (
	"slices"
	"strings"
)

// tree is a part of an object as JSON has it: a map, list, text, number, boolean or nil.
type tree = any

// scrubber writes objects without what names people, products and places, and without what
// does not matter to scheduling. It keeps the fields of a list and drops all others.
type scrubber struct {
	*names
	rules map[string]rule
	kind  string   // of the object
	stack []string // the fields that lead to where it is
	left  map[string]int
}

// assignNames gives each name of the objects its neutral one. What it returns are annotations that
// are dropped though admission or a legacy policy could read them, and how many.
func (s *scrubber) assignNames(objects []object) (left map[string]int, err error) {
	collect := func(o object, tree map[string]any) { s.object(o.kind, tree) }
	for _, look := range []func(object, map[string]any){s.note, collect} {
		for _, o := range objects {
			tree, err := o.tree()
			if err != nil {
				return nil, err
			}
			look(o, tree)
		}
	}
	s.assign()
	left, s.left = s.left, map[string]int{}
	return left, nil
}

// object is what is kept of an object.
func (s *scrubber) object(kind string, tree map[string]any) map[string]any {
	s.kind, s.stack = kind, s.stack[:0]
	return s.fields(tree)
}

// fields keeps those fields of a mapping that there is a rule for.
func (s *scrubber) fields(m map[string]any) map[string]any {
	out := map[string]any{}
	for field, value := range m {
		if value == nil {
			continue
		}
		if r := s.rule(field); r != nil {
			s.stack = append(s.stack, field)
			if got := r(s, m, value); got != nil {
				out[field] = got
			}
			s.stack = s.stack[:len(s.stack)-1]
		}
	}
	return out
}

// rule is the rule for a field where the scrubber is: that for the field of its parent goes
// before that for the field anywhere.
func (s *scrubber) rule(field string) rule {
	if r, has := s.rules[s.above(0)+"."+field]; has {
		return r
	}
	return s.rules[field]
}

// above is the field so many steps above, "" beyond the object.
func (s *scrubber) above(steps int) string {
	if i := len(s.stack) - 1 - steps; i >= 0 {
		return s.stack[i]
	}
	return ""
}

// rule says what becomes of the value of a field, given the mapping that it stands in. Nil:
// it is dropped.
type rule func(s *scrubber, in map[string]any, v tree) tree

// keep leaves the value as it is.
func keep(_ *scrubber, _ map[string]any, v tree) tree { return v }

// walk goes on with the fields below.
func walk(s *scrubber, _ map[string]any, v tree) tree {
	switch v := v.(type) {
	case map[string]any:
		if out := s.fields(v); len(out) > 0 || len(v) == 0 {
			return out
		}
		return nil // nothing of it matters
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			if m, is := item.(map[string]any); is {
				out[i] = s.fields(m)
			}
		}
		return out
	}
	return nil
}

// texts applies f to a text or to those of a list.
func texts(v tree, f func(string) string) tree {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = texts(item, f)
		}
		return out
	}
	return v
}

// named gives names of the sort.
func named(sort string) rule {
	return func(s *scrubber, _ map[string]any, v tree) tree {
		return texts(v, func(name string) string { return s.of(sort, name) })
	}
}

// bare leaves of a value only that it is there.
func bare(*scrubber, map[string]any, tree) tree { return map[string]any{} }

// constant puts a text in the place of a value.
func constant(text string) rule { return func(*scrubber, map[string]any, tree) tree { return text } }

// labels gives keys and values.
func labels(s *scrubber, _ map[string]any, v tree) tree {
	m, is := v.(map[string]any)
	if !is {
		return v
	}
	out := map[string]any{}
	for key, value := range m {
		out[s.of("key", key)] = texts(value, func(text string) string { return s.value(key, text) })
	}
	return out
}

// selector is a mapping of labels, or a selector of two lists.
func selector(s *scrubber, in map[string]any, v tree) tree {
	if s.kind == "Service" || s.kind == "ReplicationController" {
		return labels(s, in, v)
	}
	return walk(s, in, v)
}

// valuesOf are the values of the key beside them.
func valuesOf(s *scrubber, in map[string]any, v tree) tree {
	key, _ := in["key"].(string)
	if s.above(1) == "matchFields" {
		return texts(v, func(name string) string { return s.of("node", name) })
	}
	return texts(v, func(text string) string { return s.value(key, text) })
}

// keyOf is the key of a label, or the name of a field.
func keyOf(s *scrubber, in map[string]any, v tree) tree {
	if s.above(1) == "matchFields" {
		return v
	}
	return named("key")(s, in, v)
}

// amounts are quantities by resource, or one.
func amounts(s *scrubber, _ map[string]any, v tree) tree {
	m, is := v.(map[string]any)
	if !is {
		return v
	}
	out := map[string]any{}
	for resource, amount := range m {
		out[s.of("resource", resource)] = amount
	}
	return out
}

// images gives neutral images.
func images(s *scrubber, _ map[string]any, v tree) tree { return texts(v, s.image) }

func disks(s *scrubber, _ map[string]any, v tree) tree { return texts(v, s.disk) }

// podKeys are pods that something is noted of.
func podKeys(s *scrubber, _ map[string]any, v tree) tree {
	m, is := v.(map[string]any)
	if !is {
		return v
	}
	out := map[string]any{}
	for pod, value := range m {
		out[s.of("app", pod)] = value
	}
	return out
}

// ownName is the name in metadata: of the object, or of the template of a claim.
func ownName(s *scrubber, _ map[string]any, v tree) tree {
	name, _ := v.(string)
	switch {
	case len(s.stack) == 2 && s.kind == "PersistentVolumeClaim":
		return s.claim(name)
	case len(s.stack) == 2:
		return s.of(sortOf(s.kind), name)
	case s.above(2) == "volumeClaimTemplates":
		return s.of("volume", name)
	}
	return nil
}

// sortOf is the sort of the names of a kind.
func sortOf(kind string) string {
	switch kind {
	case "Pod", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Job", "CronJob":
		return "app"
	case "CSINode":
		return "node"
	case "CSIDriver":
		return "driver"
	}
	if sort := strings.ToLower(kind); forms[sort] != "" {
		return sort
	}
	return "object"
}

// owners keeps what the owners of an object are called; those of kinds that are not of
// Kubernetes are not told apart by their kinds.
func owners(s *scrubber, _ map[string]any, v tree) tree {
	list, _ := v.([]any)
	var out []any
	for _, item := range list {
		ref, _ := item.(map[string]any)
		kind, _ := ref["kind"].(string)
		name, _ := ref["name"].(string)
		uid, _ := ref["uid"].(string)
		version, _ := ref["apiVersion"].(string)
		neutral := map[string]any{"apiVersion": version, "kind": kind, "name": s.of(sortOf(kind), name), "uid": s.of("uid", uid)}
		if group, _, grouped := strings.Cut(version, "/"); sortOf(kind) == "object" || grouped && strings.Contains(group, ".") {
			neutral["apiVersion"], neutral["kind"], neutral["name"] = "example.com/v1", "Owner", s.of("owner", kind+"/"+name)
		}
		if controller, has := ref["controller"]; has {
			neutral["controller"] = controller
		}
		out = append(out, neutral)
	}
	return out
}

// conditionTypes are the conditions of nodes and pods that scheduling reads.
var conditionTypes = []any{
	"Ready", "NetworkUnavailable", "MemoryPressure", "DiskPressure", "PIDPressure", "PodScheduled", "DisruptionTarget", "PodResizePending",
}

// conditions keeps those that scheduling reads.
func conditions(s *scrubber, in map[string]any, v tree) tree {
	all, _ := v.([]any)
	return walk(s, in, slices.DeleteFunc(slices.Clone(all), func(c any) bool { return !slices.Contains(conditionTypes, field(c, "type")) }))
}

// reason is kept where it is one that scheduling reads.
func reason(_ *scrubber, _ map[string]any, v tree) tree {
	if v == "PreemptionByScheduler" || v == "Infeasible" {
		return v
	}
	return nil
}

// cutLast cuts a text at its last dash.
func cutLast(text string) (before, after string, found bool) {
	i := strings.LastIndexByte(text, '-')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// field is what stands at a path; nil: nothing.
func field(v tree, path ...string) tree {
	for _, step := range path {
		m, is := v.(map[string]any)
		if !is {
			return nil
		}
		v = m[step]
	}
	return v
}

// list is the list at a path.
func list(v tree, path ...string) []any {
	l, _ := field(v, path...).([]any)
	return slices.Clip(l)
}
