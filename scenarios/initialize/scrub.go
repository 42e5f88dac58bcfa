package initialize

import (
	"slices"
	"strings"
)

// tree is a part of an object as decoded JSON: a map, list, string, number, boolean or nil.
type tree = any

// scrubber replaces names that could identify people, products and places, and removes what does not matter to scheduling.
// It keeps only fields that have a rule.
type scrubber struct {
	*names
	rules map[string]rule
	kind  string   // of the object
	stack []string // the fields that lead to where it is
	left  map[string]int
}

// assignNames assigns a neutral name to each name in the objects. It returns how often annotations are dropped that
// admission or a legacy policy could read.
func (s *scrubber) assignNames(objects []object) (left map[string]int, err error) {
	collect := func(o object, tree map[string]any) { s.object(o.kind, tree) }
	for _, look := range []func(object, map[string]any){s.findDerived, collect} {
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

// object returns the scrubbed object.
func (s *scrubber) object(kind string, tree map[string]any) map[string]any {
	s.kind, s.stack = kind, s.stack[:0]
	return s.fields(tree)
}

// fields returns the fields of a mapping that have a rule, each with the value that its rule returns.
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

// rule returns the rule for a field at the current place. A rule for parent and field overrides one for the field alone.
func (s *scrubber) rule(field string) rule {
	if r, has := s.rules[s.above(0)+"."+field]; has {
		return r
	}
	return s.rules[field]
}

// above returns the name of the field so many levels up, or "" above the object.
func (s *scrubber) above(steps int) string {
	if i := len(s.stack) - 1 - steps; i >= 0 {
		return s.stack[i]
	}
	return ""
}

// rule returns the scrubbed value of a field of the mapping in, or nil to drop the field.
type rule func(s *scrubber, in map[string]any, v tree) tree

// keep returns the value unchanged.
func keep(_ *scrubber, _ map[string]any, v tree) tree { return v }

// walk applies the rules to the fields below.
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

// texts applies f to a string or to the strings of a list.
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

// named returns a rule for names of the sort.
func named(sort string) rule {
	return func(s *scrubber, _ map[string]any, v tree) tree {
		return texts(v, func(name string) string { return s.of(sort, name) })
	}
}

// bare replaces a value by an empty mapping.
func bare(*scrubber, map[string]any, tree) tree { return map[string]any{} }

// constant returns a rule that replaces a value by a text.
func constant(text string) rule { return func(*scrubber, map[string]any, tree) tree { return text } }

// labels replaces the keys and values of labels.
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

// valuesOf replaces the values of a requirement, by its key.
func valuesOf(s *scrubber, in map[string]any, v tree) tree {
	key, _ := in["key"].(string)
	if s.above(1) == "matchFields" {
		return texts(v, func(name string) string { return s.of("node", name) })
	}
	return texts(v, func(text string) string { return s.value(key, text) })
}

// keyOf replaces the key of a requirement, unless it is the name of a field.
func keyOf(s *scrubber, in map[string]any, v tree) tree {
	if s.above(1) == "matchFields" {
		return v
	}
	return named("key")(s, in, v)
}

// amounts replaces the resource names of quantities.
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

// images replaces names of images.
func images(s *scrubber, _ map[string]any, v tree) tree { return texts(v, s.image) }

func disks(s *scrubber, _ map[string]any, v tree) tree { return texts(v, s.disk) }

// podKeys replaces keys that are names of pods.
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

// ownName replaces the name in metadata of the object or of the template of a claim.
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

// sortOf returns the sort of the names of a kind.
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

// owners replaces the names of owners. Owners of custom kinds all get the same kind.
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

// conditions keeps the conditions that scheduling reads.
func conditions(s *scrubber, in map[string]any, v tree) tree {
	all, _ := v.([]any)
	return walk(s, in, slices.DeleteFunc(slices.Clone(all), func(c any) bool { return !slices.Contains(conditionTypes, field(c, "type")) }))
}

// reason keeps the reasons that scheduling reads.
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

// field returns the value at a path, or nil.
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

// list returns the list at a path.
func list(v tree, path ...string) []any {
	l, _ := field(v, path...).([]any)
	return slices.Clip(l)
}
