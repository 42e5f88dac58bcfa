package document

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"
)

// Decode fills what into points to from v, going by json tags as encoding/json does (json.Unmarshaler
// and encoding.TextUnmarshaler included; null leaves a value as it is and makes a pointer, list or
// map nil) but strictly: field names match exactly; unknown and repeated keys, values of
// another kind and numbers that do not fit are faults. Anchors, aliases and merge keys work as in YAML.
// A Value as destination captures its part undecoded. Numbers become int64 or float64 in an any.
//
// Fields of own structs may be tagged doc:"required" and, if strings, doc:"oneof=a|b".
//
// All faults, up to a thousand, are returned at once as Errors, in the order of the file; into is
// then partly filled. Decode panics if into is not a pointer, has doc tags that do not exist or is of a
// type that no document can fill.
func Decode(v Value, into any) error { return DecodeVetted(v, into, nil) }

// Vet says what is wrong with the text of a scalar that values of type t are about to read by an
// UnmarshalJSON of their own; "" if nothing is.
type Vet func(t reflect.Type, text string) (wrong string)

// DecodeVetted is Decode where such texts must first pass vet, unless that is nil.
func DecodeVetted(v Value, into any, vet Vet) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		panic(fmt.Sprintf("document: Decode into %T, which is not a pointer to a value", into))
	}
	if !v.Exists() {
		return Errors{v.fault("", "is missing")}
	}
	d := newDecoder(v)
	defer d.free()
	d.vet = vet
	d.decode(v.node, target.Elem(), decoderOf(target.Type().Elem()))
	return d.faults.Err()
}

// decoder is the state of one Decode.
type decoder struct {
	at     Value
	vet    Vet    // may be nil
	steps  []step // from at to the place being decoded
	faults Errors

	open     []*yaml.Node // the nodes from at to the place being decoded, if there are aliases
	budget   int          // how many more nodes may be visited, if there are aliases
	bankrupt bool         // the budget is spent and that was reported
	buf      []byte       // for feeding json.Unmarshalers
}

// decodeFunc fills v from the node n, which is not an alias.
type decodeFunc func(d *decoder, n *yaml.Node, v reflect.Value)

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// newDecoder returns a decoder for the part of a document at v. Aliases may expand that part to
// ten times its size and some more: enough for all honest use, and the work stays bounded.
func newDecoder(v Value) *decoder {
	const factor, allowance = 10, 10_000
	d := decoders.Get().(*decoder)
	*d = decoder{at: v, steps: d.steps[:0], open: d.open[:0], buf: d.buf[:0]}
	if v.doc.aliases {
		d.budget = factor*countNodes(v.node) + allowance
	}
	return d
}

func (d *decoder) free() {
	d.at, d.vet, d.faults = Value{}, nil, nil
	clear(d.open[:cap(d.open)])
	decoders.Put(d)
}

func countNodes(n *yaml.Node) int {
	count := 1
	for _, child := range n.Content {
		count += countNodes(child)
	}
	return count
}

// decode fills v from n, following aliases within their budget.
func (d *decoder) decode(n *yaml.Node, v reflect.Value, fn decodeFunc) {
	if n, ok := d.enter(n); ok {
		fn(d, n, v)
		d.exit()
	}
}

// enter steps into a node and returns it or what it is an alias of. It reports false, with the fault
// noted, if there is no going on; otherwise exit must follow. Without aliases, no node is visited
// twice and the survey of the document has said all.
func (d *decoder) enter(n *yaml.Node) (*yaml.Node, bool) {
	if !d.at.doc.aliases {
		return n, true
	}
	target := resolve(n)
	if slices.Contains(d.open, target) {
		d.fault(n, "", "contains itself by its aliases or merge keys")
		return nil, false
	}
	if !d.spend(n) {
		return nil, false
	}
	d.open = append(d.open, target)
	return target, true
}

// exit ends the node that was entered last.
func (d *decoder) exit() {
	if len(d.open) > 0 {
		d.open = d.open[:len(d.open)-1]
	}
}

// spend accounts for a node that is visited, in a document with aliases.
func (d *decoder) spend(n *yaml.Node) bool {
	d.budget--
	what := ""
	switch {
	case d.bankrupt:
		return false
	case len(d.open) > MaxDepth:
		what = fmt.Sprintf("is nested more than %d levels deep by its aliases", MaxDepth)
	case d.budget < 0:
		what = "expands to far too much by its aliases"
	default:
		return true
	}
	d.bankrupt = true
	d.fault(n, "", what).Err = ErrIncomplete
	return false
}

// maxFaults is how many faults of one Decode are listed.
const maxFaults = 1000

// full reports whether no more faults will be listed.
func (d *decoder) full() bool { return len(d.faults) > maxFaults }

// fault notes that the node n, at the present path, is wrong.
func (d *decoder) fault(n *yaml.Node, value, what string) *Error {
	line, col := d.at.doc.position(n)
	fault := &Error{File: d.at.File(), Line: line, Col: col}
	switch len(d.faults) {
	case maxFaults:
		fault.What, fault.Err = "too many faults; those from here on are not listed", ErrIncomplete
	case maxFaults + 1:
		return fault
	default:
		fault.Path, fault.Value, fault.What = renderPath(d.at.path, d.steps), value, what
	}
	d.faults = append(d.faults, fault)
	return fault
}

func (d *decoder) pushKey(key string) { d.steps = append(d.steps, step{key: key, index: -1}) }
func (d *decoder) pushIndex(i int)    { d.steps = append(d.steps, step{index: i}) }
func (d *decoder) pop()               { d.steps = d.steps[:len(d.steps)-1] }

// want reports whether n is of the kind; if not, it notes the fault.
func (d *decoder) want(n *yaml.Node, kind Kind) bool {
	got := kindOf(n)
	if got == kind {
		return true
	}
	if isTemplate(n) {
		d.fault(n, "", fmt.Sprintf("must be %v, got a template: {{ … }} must be filled in first", kind))
		return false
	}
	d.fault(n, shown(n), fmt.Sprintf("must be %v, got %v", kind, got))
	return false
}

// isTemplate reports whether a node is {{ … }} in the text: to YAML, a mapping whose key is a mapping.
func isTemplate(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 && len(n.Content) == 2 && n.Content[0].Kind == yaml.MappingNode
}
