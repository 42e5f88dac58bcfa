package document

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

var (
	jsonMarshalerType = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

// Marshal writes v as one YAML document, going by json tags and marshalers as encoding/json does:
// fields in the order of the struct, keys of maps sorted, omitempty and omitzero honored. It fails on
// what JSON cannot hold, such as a function or an infinite number.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	if err := NewWriter(&out).Write(v); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Writer writes a stream of YAML documents, separated by lines of ---, one at a time. It keeps
// nothing of what it has written.
type Writer struct {
	out   io.Writer
	begun bool
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{out: w} }

// Write adds a document, as Marshal writes it. It is encoded by an encoder of its own: one for a
// whole stream would keep all of it until the end.
func (w *Writer) Write(v any) error {
	n, err := toNode(reflect.ValueOf(v))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if w.begun {
		text.WriteString("---\n")
	}
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(n), enc.Close()); err != nil {
		return err
	}
	w.begun = true
	_, err = w.out.Write(text.Bytes())
	return err
}

// toNode makes the tree that stands for v.
func toNode(v reflect.Value) (*yaml.Node, error) {
	if !v.IsValid() || isNilable(v.Kind()) && v.IsNil() {
		return plain("null"), nil
	}
	if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
		switch p := reflect.PointerTo(v.Type()); {
		case p.Implements(jsonMarshalerType):
			return marshaled(v)
		case p.Implements(textMarshalerType):
			text, err := addressable(v).Interface().(encoding.TextMarshaler).MarshalText()
			return textNode(string(text)), err
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return toNode(v.Elem())
	case reflect.Struct:
		return structNode(v)
	case reflect.Map:
		return mapNode(v)
	case reflect.Slice, reflect.Array:
		return listNode(v)
	case reflect.String:
		return textNode(v.String()), nil
	case reflect.Bool:
		return plain(strconv.FormatBool(v.Bool())), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return plain(strconv.FormatInt(v.Int(), 10)), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return plain(strconv.FormatUint(v.Uint(), 10)), nil
	}
	// Floats are written as encoding/json does; for all else it has the error.
	return marshaled(v)
}

func isNilable(k reflect.Kind) bool {
	return k == reflect.Pointer || k == reflect.Interface || k == reflect.Map || k == reflect.Slice
}

// addressable returns a pointer to v, or to a copy of it.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

// marshaled makes a tree of what encoding/json writes.
func marshaled(v reflect.Value) (*yaml.Node, error) {
	data, err := json.Marshal(addressable(v).Interface())
	if err != nil {
		return nil, err
	}
	docs, fault := parseJSON("", data)
	if fault != nil {
		return nil, fault
	}
	return restyled(docs[0].root), nil
}

// restyled gives the tree of a JSON text the looks of YAML.
func restyled(n *yaml.Node) *yaml.Node {
	switch {
	case n.Kind != yaml.ScalarNode:
		n.Style = 0
		for i, child := range n.Content {
			n.Content[i] = restyled(child)
		}
		return n
	case n.Tag == tagString:
		return textNode(n.Value)
	}
	return plain(n.Value)
}

func structNode(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: tagMap}
	for _, f := range layoutOf(v.Type()).fields {
		value, err := v.FieldByIndexErr(f.path)
		if err != nil || f.omitEmpty && isEmpty(value) || f.omitZero && isZero(value) {
			continue // err: in an embedded struct that is nil
		}
		child, err := toNode(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		n.Content = append(n.Content, textNode(f.name), child)
	}
	return n, nil
}

// isEmpty is what omitempty leaves out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// isZero is what omitzero leaves out.
func isZero(v reflect.Value) bool {
	if isNilable(v.Kind()) && v.IsNil() {
		return true
	}
	p := v
	if v.Kind() != reflect.Pointer {
		p = addressable(v)
	}
	if z, ok := p.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

func mapNode(v reflect.Value) (*yaml.Node, error) {
	type entry struct {
		key   string
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for key, value := range v.Seq2() {
		text, err := keyText(key)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{text, value})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: tagMap}
	for _, e := range entries {
		child, err := toNode(e.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.key, err)
		}
		n.Content = append(n.Content, textNode(e.key), child)
	}
	return n, nil
}

func keyText(key reflect.Value) (string, error) {
	if key.Kind() == reflect.String {
		return key.String(), nil
	}
	n, err := toNode(key)
	if err != nil {
		return "", err
	}
	if n.Kind != yaml.ScalarNode {
		return "", fmt.Errorf("a %v cannot be a key", key.Type())
	}
	return n.Value, nil
}

func listNode(v reflect.Value) (*yaml.Node, error) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return textNode(base64.StdEncoding.EncodeToString(v.Bytes())), nil
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: tagList}
	for i := range v.Len() {
		child, err := toNode(v.Index(i))
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		n.Content = append(n.Content, child)
	}
	return n, nil
}

// plain is a node for null, a boolean or a number.
func plain(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

// ambiguous matches strings which the encoder would leave without quotes, but which YAML 1.1, and so
// kubectl, reads as a boolean or as a number of base 60.
var ambiguous = regexp.MustCompile(`^(?i:y|yes|n|no|on|off)$|^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9]*)?$`)

// fragile matches strings that do not survive the encoder's literal style: white space in front, and
// what some parsers take for a line break or a mark.
var fragile = regexp.MustCompile(`^\s|[\r\x{85}\x{2028}\x{2029}\x{feff}]`)

func textNode(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: tagString, Value: text}
	if mayNeedQuotes(text) && (ambiguous.MatchString(text) || fragile.MatchString(text)) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// mayNeedQuotes tells the few strings that are worth a look at with the expressions above: those of
// three letters at most, those with a colon behind a digit or sign, and what is not plain ASCII.
func mayNeedQuotes(text string) bool {
	if len(text) <= len("off") || strings.IndexByte("+-0123456789", text[0]) >= 0 && strings.IndexByte(text, ':') > 0 {
		return true
	}
	return text[0] <= ' ' || strings.IndexByte(text, '\r') >= 0 || !isASCII(text)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
