package document

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// decodeStruct fills a struct from a mapping.
func (l *layout) decodeStruct(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) || !d.want(n, Map) {
		return
	}
	var seen [maxFields / 64]uint64
	pairs := d.pairs(n)
	for i := 0; i+1 < len(pairs) && !d.full(); i += 2 {
		key, ok := d.key(pairs[i])
		if !ok {
			continue
		}
		index, known := l.byName[key]
		d.pushKey(key)
		switch {
		case !known:
			l.unknown(d, pairs[i], key)
		case seen[index/64]&(1<<(index%64)) != 0:
			d.repeated(pairs, i)
		default:
			seen[index/64] |= 1 << (index % 64)
			l.fields[index].fill(d, pairs[i+1], v)
		}
		d.pop()
	}
	for _, index := range l.required {
		if seen[index/64]&(1<<(index%64)) == 0 {
			d.pushKey(l.fields[index].name)
			d.fault(n, "", "is required")
			d.pop()
		}
	}
}

// fill decodes the value of a field and checks the rules of its doc tag.
func (f *field) fill(d *decoder, n *yaml.Node, v reflect.Value) {
	if f.required && isNull(resolve(n)) {
		d.fault(n, "", "is required")
		return
	}
	into, kind := f.in(v), kindOf(resolve(n))
	if f.oneof == nil || kind != Bool && kind != Number {
		d.decode(n, into, f.decode)
	}
	switch {
	case f.oneof == nil:
	case kind == Bool, kind == Number:
		d.fault(n, shown(n), f.admits())
	case kind == String && !slices.Contains(f.oneof, into.String()):
		d.fault(n, quoted(into.String()), f.admits()+Meant(into.String(), f.oneof))
	}
}

// admits says which words the field takes.
func (f *field) admits() string {
	if len(f.oneof) == 1 {
		return "must be " + f.oneof[0]
	}
	return "is not one of " + strings.Join(f.oneof, ", ")
}

// unknown notes that there is no field for a key, with the one that may have been meant.
func (l *layout) unknown(d *decoder, n *yaml.Node, key string) {
	known := make([]string, len(l.fields))
	for i, f := range l.fields {
		known[i] = f.name
	}
	best, _ := nearest(key, known)
	d.fault(n, "", "unknown field"+Meant(key, known)).Err = &UnknownField{best}
}

// Meant returns a suggestion to put behind an error about an unknown name: `; did you mean "x"?` if the name is similar to a
// known one, else nothing.
func Meant(name string, known []string) string {
	if best, ok := nearest(name, known); ok {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// repeated notes that the key of the i-th pair stood there before.
func (d *decoder) repeated(pairs []*yaml.Node, i int) {
	for j := 0; j < i && !d.full(); j += 2 {
		if first := resolve(pairs[j]); first.Value == resolve(pairs[i]).Value {
			d.fault(pairs[i], "", fmt.Sprintf("is set twice, first on line %d", d.at.doc.line(pairs[j])))
			return
		}
	}
}

// key returns the text of a key, which must be a scalar: a number or boolean counts as its text,
// as Kubernetes' tools read it.
func (d *decoder) key(n *yaml.Node) (string, bool) {
	target := resolve(n)
	if kind := kindOf(target); kind == Map {
		d.fault(n, "", "has a mapping as a key; a key must be a string, and {{ … }} of a template must be filled in first")
		return "", false
	} else if kind == Null || kind == Map || kind == List {
		d.fault(n, "", fmt.Sprintf("has %v as a key; a key must be a string", kind))
		return "", false
	}
	return target.Value, true
}

// pairs returns the keys and values of a mapping in turn. What merge keys bring in comes last and
// without what the mapping itself has; of several merged mappings the first one wins.
func (d *decoder) pairs(n *yaml.Node) []*yaml.Node {
	if !d.at.doc.merges || !hasMerge(n) {
		return n.Content
	}
	m := merger{decoder: d, has: make(map[string]bool)}
	m.own(n)
	m.merged(n)
	return m.pairs
}

func hasMerge(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			return true
		}
	}
	return false
}

func isMerge(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.Tag == tagMerge }

// merger gathers the pairs of a mapping and of all that is merged into it.
type merger struct {
	*decoder
	pairs []*yaml.Node
	has   map[string]bool
}

// own takes the pairs of the mapping itself, repeated ones too: they are for others to refuse.
func (m *merger) own(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !isMerge(key) {
			m.pairs = append(m.pairs, key, n.Content[i+1])
			m.has[resolve(key).Value] = true
		}
	}
}

// merged takes what the merge keys of the mapping bring in.
func (m *merger) merged(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			m.source(n.Content[i+1], true)
		}
	}
}

// source takes what is still missing from the value of a merge key: a mapping or a list of them.
func (m *merger) source(n *yaml.Node, listAllowed bool) {
	target, ok := m.enter(n)
	if !ok {
		return
	}
	defer m.exit()
	switch {
	case target.Kind == yaml.MappingNode:
		m.inherit(target)
	case target.Kind == yaml.SequenceNode && listAllowed:
		for _, item := range target.Content {
			m.source(item, false)
		}
	default:
		m.fault(n, shown(target), "cannot be merged: only mappings and lists of mappings can")
	}
}

// inherit takes those pairs of a merged mapping whose keys are not set yet.
func (m *merger) inherit(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if m.at.doc.aliases && !m.spend(key) {
			return
		}
		if text := resolve(key).Value; !isMerge(key) && !m.has[text] {
			m.has[text] = true
			m.pairs = append(m.pairs, key, n.Content[i+1])
		}
	}
	m.merged(n)
}
