package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A field is one key of an object of the log: where its value is kept and how it is written and read.
type field[T any] struct {
	key    string
	prefix string // `,"key":`, as it is written
	append func(b []byte, t *T) []byte
	scan   func(s *scanner, t *T)
	decode func(raw []byte, t *T) error
	empty  func(t *T) bool // reports whether the value can be left out where the field is optional
	uses   []use
}

// use is what a field means in the objects that have it.
type use struct {
	kind     Kind // of records; 0: in every object
	optional bool // left out where it is empty
	note     string
}

// in says that records of the kinds always have the field.
func (f field[T]) in(kinds ...Kind) field[T] {
	for _, k := range kinds {
		f = f.as(k, "")
	}
	return f
}

// as says that records of the kind always have the field. The note follows its key in docs/output.md.
func (f field[T]) as(kind Kind, note string) field[T] {
	f.uses = append(slices.Clip(f.uses), use{kind: kind, note: note})
	return f
}

// optionalAs says that records of the kind have the field unless it is empty.
func (f field[T]) optionalAs(kind Kind, note string) field[T] {
	f.uses = append(slices.Clip(f.uses), use{kind: kind, optional: true, note: note})
	return f
}

// note says what the field of an object means; its text follows the key in docs/output.md.
func (f field[T]) note(text string) field[T] { return f.as(0, text) }

// optional says that an object has the field unless it is empty.
func (f field[T]) optional(note string) field[T] { return f.optionalAs(0, note) }

// emptyIf replaces what reports whether the value can be left out.
func (f field[T]) emptyIf(empty func(*T) bool) field[T] {
	f.empty = empty
	return f
}

// object is an object of the log: its fields in the order in which they are written.
type object[T any] struct{ members []member[T] }

// member is a field as one object has it.
type member[T any] struct {
	*field[T]
	optional bool
	note     string
}

// newObject returns the object that has the fields of that kind.
func newObject[T any](kind Kind, fields []field[T]) object[T] {
	var o object[T]
	for i := range fields {
		f := &fields[i]
		f.prefix = `,"` + f.key + `":`
		for _, u := range f.uses {
			if u.kind == kind {
				o.members = append(o.members, member[T]{f, u.optional, u.note})
			}
		}
	}
	return o
}

// objectOf returns the object that has all the fields.
func objectOf[T any](fields ...field[T]) *object[T] {
	for i := range fields {
		if len(fields[i].uses) == 0 {
			fields[i] = fields[i].note("")
		}
	}
	o := newObject(0, fields)
	return &o
}

// has reports whether objects of this form have the key.
func (o *object[T]) has(key string) bool {
	return slices.ContainsFunc(o.members, func(m member[T]) bool { return m.key == key })
}

// appendMembers appends the members, each after a comma.
func (o *object[T]) appendMembers(b []byte, t *T) []byte {
	for i := range o.members {
		m := &o.members[i]
		if m.optional && m.empty(t) {
			continue
		}
		b = append(b, m.prefix...)
		b = m.append(b, t)
	}
	return b
}

// append appends the object. Its first member must not be optional.
func (o *object[T]) append(b []byte, t *T) []byte {
	start := len(b)
	b = o.appendMembers(b, t)
	b[start] = '{' // in place of the first comma
	return append(b, '}')
}

// scanMembers scans the members in the order in which they are written, each after a comma.
func (o *object[T]) scanMembers(s *scanner, t *T) {
	for i := range o.members {
		m := &o.members[i]
		switch {
		case s.skip(m.prefix):
			m.scan(s, t)
		case !m.optional:
			s.bad = true
			return
		}
	}
}

// scan scans the object as append writes it.
func (o *object[T]) scan(s *scanner, t *T) {
	first := &o.members[0]
	s.literal("{")
	s.literal(first.prefix[1:])
	first.scan(s, t)
	rest := object[T]{o.members[1:]}
	rest.scanMembers(s, t)
	s.literal("}")
}

// decode reads the object in any form that JSON allows. It is what scan is compared with.
func (o *object[T]) decode(raw []byte, t *T) error {
	members, err := decodeMembers(raw)
	if err != nil {
		return err
	}
	if err := o.checkKeys(members); err != nil {
		return err
	}
	return o.decodeMembers(members, t)
}

// decodeMembers reads an object whose members are still to be read. What is null is left out.
func decodeMembers(raw []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, fmt.Errorf("%.40s is not an object", raw)
	}
	maps.DeleteFunc(members, func(_ string, value json.RawMessage) bool { return bytes.Equal(value, []byte("null")) })
	return members, nil
}

// keyError says that an object has a key too many, or one too few.
type keyError struct {
	key     string
	missing bool
}

func (e *keyError) Error() string {
	if e.missing {
		return e.key + " is missing"
	}
	return "unknown key " + e.key
}

// checkKeys returns an error unless the members are those that the object has.
func (o *object[T]) checkKeys(members map[string]json.RawMessage) error {
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if !o.has(key) {
			return &keyError{key: key}
		}
	}
	for _, m := range o.members {
		if _, there := members[m.key]; !there && !m.optional {
			return &keyError{key: m.key, missing: true}
		}
	}
	return nil
}

func (o *object[T]) decodeMembers(members map[string]json.RawMessage, t *T) error {
	for _, m := range o.members {
		if raw, there := members[m.key]; there {
			if err := m.decode(raw, t); err != nil {
				return fmt.Errorf("%s: %w", m.key, err)
			}
		}
	}
	return nil
}
