package schema

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"

	"github.com/berth-sim/berth/sim/model/manifest"
)

// maker makes the schema of one kind of file.
type maker struct {
	paths       map[string]place
	known       map[reflect.Type]string // names of definitions
	definitions properties
}

// place is what is known of a field beyond its type, by its path in the reference:
// fleet[].template.
type place struct {
	meaning string
	shape   func(*maker) *node // in place of what the type says; nil: the type
	refine  func(*node)        // nil: nothing
}

// object describes a struct. Where it stands tells what its fields mean; of the types of
// Kubernetes, they say so themselves.
func (m *maker) object(path string, t reflect.Type, description string) *node {
	out := &node{Type: nullable("object"), Description: description, Others: false}
	meanings := swagger(t)
	for _, f := range document.Fields(t) {
		at := m.lookup(path, f.Name)
		field := m.field(at, f)
		if about := firstSentence(meanings[f.Name]); field.Description == "" && about != "" {
			field.Description = about
		}
		if rule := kubernetes[definitionName(t)+"."+f.Name]; rule != nil {
			rule(field)
		}
		out.Properties = append(out.Properties, property{f.Name, field})
		if f.Required {
			out.Required = append(out.Required, f.Name)
		}
	}
	out.Required = append(out.Required, needed[definitionName(t)]...)
	return out
}

// lookup is the path of a field in the reference, which has those that all traces share once.
func (m *maker) lookup(path, name string) string {
	own := strings.TrimPrefix(path+"."+name, ".")
	if _, has := m.paths[own]; !has && strings.HasPrefix(own, "workloads[].trace.") {
		return "workloads[].trace.*." + name
	}
	return own
}

// field describes what may stand under a key.
func (m *maker) field(path string, f document.Field) *node {
	at := m.paths[path]
	var out *node
	switch {
	case at.shape != nil:
		out = at.shape(m)
	case f.OneOf != nil:
		out = words(f.OneOf)
		if !f.Required {
			out.Enum = append(out.Enum, nil)
		}
	default:
		out = m.value(path, f.Type)
	}
	if f.Required {
		out.notNull()
	}
	if at.refine != nil {
		at.refine(out)
	}
	out.Description = at.meaning
	return out
}

// value describes what a type is filled from. Null leaves a value as it is.
func (m *maker) value(path string, t reflect.Type) *node {
	if make, is := scalars[t]; is {
		return make()
	}
	if t == reflect.TypeFor[document.Value]() {
		return &node{}
	}
	if t.Kind() == reflect.Pointer {
		return m.value(path, t.Elem())
	}
	if out := foreign(t); out != nil {
		return out
	}
	switch t.Kind() {
	case reflect.Struct:
		return m.reference(path, t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &node{Type: nullable("string")}
		}
		return &node{Type: nullable("array"), Items: m.value(path+"[]", t.Elem())}
	case reflect.Map:
		return &node{Type: nullable("object"), Others: m.value(path+"{}", t.Elem())}
	case reflect.String:
		return &node{Type: nullable("string")}
	case reflect.Bool:
		return &node{Type: nullable("boolean")}
	case reflect.Float32, reflect.Float64:
		return &node{Type: nullable("number")}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &node{Type: nullable("integer"), Minimum: new(0.0)}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &node{Type: nullable("integer")}
	}
	return &node{} // anything
}

// reference points to the definition of a struct, which it makes at first sight.
func (m *maker) reference(path string, t reflect.Type) *node {
	name, known := m.known[t]
	if !known {
		name = definitionName(t)
		m.known[t] = name
		at := len(m.definitions)
		m.definitions = append(m.definitions, property{name, nil})
		if family, shared := families[t]; shared {
			path = family
		}
		m.definitions[at].node = m.object(path, t, "")
		if rule, has := together[t]; has {
			rule(m.definitions[at].node)
		}
	}
	return &node{Ref: "#/$defs/" + name}
}

// definitionName is that of the type, for the API of Kubernetes behind its group.
func definitionName(t reflect.Type) string {
	if isOwn(t) {
		return t.Name()
	}
	parts := strings.Split(t.PkgPath(), "/")
	return strings.Join(append(parts[max(0, len(parts)-2):], t.Name()), ".")
}

func isOwn(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "github.com/berth-sim/") }

// foreign describes a type of Kubernetes that reads its JSON itself; nil: it does not.
func foreign(t reflect.Type) *node {
	switch v := reflect.New(t).Interface().(type) {
	case interface{ OpenAPIV3OneOfTypes() []string }:
		return &node{Type: nullable(v.OpenAPIV3OneOfTypes()...)}
	case interface{ OpenAPISchemaType() []string }:
		return &node{Type: nullable(v.OpenAPISchemaType()...)}
	case json.Unmarshaler:
		return &node{}
	case encoding.TextUnmarshaler:
		return &node{Type: nullable("string")}
	}
	return nil
}

// swagger is what a type of Kubernetes says of its fields.
func swagger(t reflect.Type) map[string]string {
	if v, says := reflect.New(t).Interface().(interface{ SwaggerDoc() map[string]string }); says {
		return v.SwaggerDoc()
	}
	return nil
}

// firstSentence is enough for a tooltip.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if first, _, more := strings.Cut(text, ". "); more {
		return first + "."
	}
	return text
}

// nullable is the types and null.
func nullable(types ...string) []string { return append(slices.Clone(types), "null") }

// notNull takes null away, where a value must stand.
func (n *node) notNull() {
	if types, several := n.Type.([]string); several && types[len(types)-1] == "null" {
		n.Type = types[:len(types)-1]
		if len(types) == 2 {
			n.Type = types[0]
		}
	}
	if n.Ref != "" {
		n.Type = "object"
	}
	n.AnyOf = slices.DeleteFunc(n.AnyOf, func(one *node) bool { return one.Type == "null" })
}

func words(list []string) *node {
	out := &node{}
	for _, w := range list {
		out.Enum = append(out.Enum, w)
	}
	return out
}

// podTemplate and nodeTemplate are the objects of Kubernetes in a scenario.
func podTemplate(m *maker) *node  { return m.value("", manifest.PodTemplateType) }
func nodeTemplate(m *maker) *node { return m.value("", manifest.NodeType) }
