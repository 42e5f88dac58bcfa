package document

import (
	"fmt"
	"iter"

	"gopkg.in/yaml.v3"
)

// Kind is what a Value holds.
type Kind int

// The kinds of values. Missing is the kind of what Get or Find did not find.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	List
	Map
)

// String names the kind as error messages do.
func (k Kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "a list", "a mapping"}[k]
}

// Value is a place in a document: a node of its tree, with the path that leads there. A struct
// field of type Value captures its part of the document, to be decoded later into another type.
// The zero Value is Missing, and so is what was looked for in vain; a Missing value that came from a
// document still has the position of the place that lacks it.
type Value struct {
	doc     *Document
	node    *yaml.Node // aliases resolved; if missing, the deepest node that exists
	path    string
	missing bool
}

// Kind says what the value holds.
func (v Value) Kind() Kind {
	if !v.Exists() {
		return Missing
	}
	return kindOf(v.node)
}

// Exists reports whether the value was found. A null exists.
func (v Value) Exists() bool { return v.node != nil && !v.missing }

// File is the name of the file, as given to Parse.
func (v Value) File() string {
	if v.doc == nil {
		return ""
	}
	return v.doc.file
}

// Line is the 1-based line of the file, 0 for the zero Value.
func (v Value) Line() int {
	if v.node == nil {
		return 0
	}
	return v.doc.line(v.node)
}

// Col is the 1-based column in characters, 0 for the zero Value.
func (v Value) Col() int {
	if v.node == nil {
		return 0
	}
	_, col := v.doc.position(v.node)
	return col
}

// Path leads from the root of the document to the value, e.g. items[3].spec. The root has "".
func (v Value) Path() string { return v.path }

// Text is the text of a string, number or boolean; "" for all else.
func (v Value) Text() string {
	if v.Exists() && v.node.Kind == yaml.ScalarNode && !isNull(v.node) {
		return v.node.Value
	}
	return ""
}

// Len is the number of entries of a list or mapping (merged entries included), 0 for all else.
func (v Value) Len() int {
	switch v.Kind() {
	case List:
		return len(v.node.Content)
	case Map:
		return len(v.pairs()) / 2
	}
	return 0
}

// Get returns the entry of a mapping; Missing if v is not a mapping or has no such key.
func (v Value) Get(key string) Value { return v.follow(step{key: key, index: -1}) }

// Index returns the i-th entry of a list; Missing if v is not a list or is shorter.
func (v Value) Index(i int) Value { return v.follow(step{index: i}) }

// Find follows a path such as spec.containers[0].image; Missing if it leads nowhere.
func (v Value) Find(path string) Value {
	if path == "" {
		return v
	}
	found, ok := v.deepest(path)
	return Value{doc: v.doc, node: found.node, path: joinPath(v.path, path), missing: !ok}
}

// Entries yields the keys and values of a mapping in the order of the file, merged entries last.
// It yields nothing if v is not a mapping.
func (v Value) Entries() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Map {
			return
		}
		pairs := v.pairs()
		for i := 0; i+1 < len(pairs); i += 2 {
			key := resolve(pairs[i]).Value
			if !yield(key, v.child(pairs[i+1], step{key: key, index: -1})) {
				return
			}
		}
	}
}

// Items yields the entries of a list in order. It yields nothing if v is not a list.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != List {
			return
		}
		for i, item := range v.node.Content {
			if !yield(i, v.child(item, step{index: i})) {
				return
			}
		}
	}
}

// Errorf returns an *Error about what path leads to, seen from v; "" means v itself. Its position is
// that of the deepest node on the path that exists. If the path leads to a string, number or
// boolean, that text comes first in the message: Errorf("count", "must be positive") reads
// `count: "-1" must be positive`.
func (v Value) Errorf(path, format string, args ...any) error {
	return v.fault(path, fmt.Sprintf(format, args...))
}

func (v Value) fault(path, what string) *Error {
	at, found := v.deepest(path)
	fault := &Error{File: v.File(), Line: at.Line(), Col: at.Col(), Path: joinPath(v.path, path), What: what}
	if found && at.Exists() {
		fault.Value = shown(at.node)
	}
	return fault
}

// deepest follows path as far as it exists, and reports whether that is all of it.
func (v Value) deepest(path string) (Value, bool) {
	steps, ok := parsePath(path)
	for _, s := range steps {
		next := v.follow(s)
		if !next.Exists() {
			return v, false
		}
		v = next
	}
	return v, ok && v.Exists()
}

func (v Value) follow(s step) Value {
	switch v.Kind() {
	case Map:
		pairs := v.pairs()
		for i := 0; s.index < 0 && i+1 < len(pairs); i += 2 {
			if key := resolve(pairs[i]); key.Kind == yaml.ScalarNode && key.Value == s.key {
				return v.child(pairs[i+1], s)
			}
		}
	case List:
		if 0 <= s.index && s.index < len(v.node.Content) {
			return v.child(v.node.Content[s.index], s)
		}
	}
	return Value{doc: v.doc, node: v.node, path: string(appendStep([]byte(v.path), s)), missing: true}
}

func (v Value) child(n *yaml.Node, s step) Value {
	return Value{doc: v.doc, node: resolve(n), path: string(appendStep([]byte(v.path), s))}
}

// pairs returns keys and values in turn, with what is merged in. Faults of the merging are left to
// Decode to report.
func (v Value) pairs() []*yaml.Node {
	if !v.doc.merges {
		return v.node.Content
	}
	d := newDecoder(v)
	defer d.free()
	return d.pairs(v.node)
}

// kindOf is the kind of a resolved node.
func kindOf(n *yaml.Node) Kind {
	switch n.Kind {
	case yaml.MappingNode:
		return Map
	case yaml.SequenceNode:
		return List
	}
	switch n.Tag {
	case tagNull:
		return Null
	case tagBool:
		return Bool
	case tagInt, tagFloat:
		return Number
	}
	return String
}

// resolve returns what an alias stands for, and any other node itself.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == tagNull }

// shown is the text of a node for an error; "" where there is no text worth showing.
func shown(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || isNull(n) && n.Value == "" {
		return ""
	}
	return quoted(n.Value)
}
