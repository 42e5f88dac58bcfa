package document

import (
	"encoding"
	"reflect"

	"gopkg.in/yaml.v3"
)

func newListDecoder(elem reflect.Type) decodeFunc {
	fn := decoderOf(elem)
	sliceType := reflect.SliceOf(elem)
	return func(d *decoder, n *yaml.Node, v reflect.Value) {
		if isNull(n) {
			v.SetZero()
			return
		}
		if !d.want(n, List) {
			return
		}
		list := reflect.MakeSlice(sliceType, len(n.Content), len(n.Content))
		for i, item := range n.Content {
			d.pushIndex(i)
			d.decode(item, list.Index(i), fn)
			d.pop()
		}
		v.Set(list)
	}
}

func newMapDecoder(t reflect.Type) decodeFunc {
	fn := decoderOf(t.Elem())
	keyFn := newKeyDecoder(t.Key())
	return func(d *decoder, n *yaml.Node, v reflect.Value) {
		if isNull(n) {
			v.SetZero()
			return
		}
		if !d.want(n, Map) {
			return
		}
		pairs := d.pairs(n)
		if v.IsNil() {
			v.Set(reflect.MakeMapWithSize(t, len(pairs)/2))
		}
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		d.eachPair(pairs, func(text string, keyNode, valueNode *yaml.Node) {
			key.SetZero()
			elem.SetZero()
			before := len(d.faults)
			if keyFn(d, keyNode, text, key); len(d.faults) > before {
				return
			}
			d.decode(valueNode, elem, fn)
			v.SetMapIndex(key, elem)
		})
	}
}

// newKeyDecoder returns the function that makes the text of a key into a key of type t.
func newKeyDecoder(t reflect.Type) func(d *decoder, n *yaml.Node, text string, v reflect.Value) {
	switch {
	case t.Kind() == reflect.String:
		return func(_ *decoder, _ *yaml.Node, text string, v reflect.Value) { v.SetString(text) }
	case reflect.PointerTo(t).Implements(textUnmarshalerType):
		return func(d *decoder, n *yaml.Node, text string, v reflect.Value) {
			if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
				d.refused(resolve(n), err)
			}
		}
	}
	fn := decoderOf(t)
	return func(d *decoder, n *yaml.Node, text string, v reflect.Value) {
		// JSON can only write numbers as keys in quotes.
		fn(d, &yaml.Node{Kind: yaml.ScalarNode, Tag: tagInt, Value: text, Line: n.Line, Column: n.Column}, v)
	}
}

// decodeStringMap is the map decoder for labels and their like, free of reflection.
func decodeStringMap(d *decoder, n *yaml.Node, v reflect.Value) {
	into := v.Addr().Interface().(*map[string]string)
	if isNull(n) {
		*into = nil
		return
	}
	if !d.want(n, Map) {
		return
	}
	pairs := d.pairs(n)
	if *into == nil {
		*into = make(map[string]string, len(pairs)/2)
	}
	d.eachPair(pairs, func(text string, _, valueNode *yaml.Node) {
		if valueNode, ok := d.enter(valueNode); ok {
			(*into)[text], _ = d.text(valueNode)
			d.exit()
		}
	})
}

// smallMap is up to how many keys comparing each with each is cheaper than hashing.
const smallMap = 16

// eachPair calls fn for the pairs of a map, having refused bad and repeated keys, with the key on
// the path.
func (d *decoder) eachPair(pairs []*yaml.Node, fn func(text string, key, value *yaml.Node)) {
	var has map[string]bool
	if len(pairs)/2 > smallMap {
		has = make(map[string]bool, len(pairs)/2)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		text, ok := d.key(pairs[i])
		if !ok {
			continue
		}
		d.pushKey(text)
		if has == nil && hasKey(pairs[:i], text) || has[text] {
			d.repeated(pairs, i)
		} else {
			fn(text, pairs[i], pairs[i+1])
		}
		if has != nil {
			has[text] = true
		}
		d.pop()
	}
}

func hasKey(pairs []*yaml.Node, text string) bool {
	for i := 0; i < len(pairs); i += 2 {
		if resolve(pairs[i]).Value == text {
			return true
		}
	}
	return false
}

// decodeAny reads a value as the Go type that is most like it.
func decodeAny(d *decoder, n *yaml.Node, v reflect.Value) {
	var got any
	switch kindOf(n) {
	case Map:
		entries := make(map[string]any, len(n.Content)/2)
		d.eachPair(d.pairs(n), func(text string, _, value *yaml.Node) {
			var entry any
			d.decode(value, reflect.ValueOf(&entry).Elem(), decodeAny)
			entries[text] = entry
		})
		got = entries
	case List:
		items := make([]any, len(n.Content))
		for i, item := range n.Content {
			d.pushIndex(i)
			d.decode(item, reflect.ValueOf(&items[i]).Elem(), decodeAny)
			d.pop()
		}
		got = items
	default:
		got = d.scalar(n)
	}
	if got == nil {
		v.SetZero()
		return
	}
	v.Set(reflect.ValueOf(got))
}
