package document

import (
	"reflect"
	"slices"
)

// Field is a field of a struct as Decode fills it.
type Field struct {
	Name     string       // the key in a document
	Type     reflect.Type // what it is filled as
	OneOf    []string     // of a string: the words that it takes; nil: any
	Required bool         // it may be neither missing nor null
}

// Fields are those that Decode knows of a struct type, in the order of the Go source; those
// of embedded structs stand in the place of their struct. It panics on other types.
func Fields(t reflect.Type) []Field {
	var out []Field
	for _, f := range layoutOf(t).fields {
		out = append(out, Field{Name: f.name, Type: f.typ, OneOf: slices.Clone(f.oneof), Required: f.required})
	}
	return out
}
