package document

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

var (
	valueType           = reflect.TypeFor[Value]()
	stringMapType       = reflect.TypeFor[map[string]string]()
	jsonUnmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

var decodersByType sync.Map // reflect.Type → decodeFunc

// decoderOf returns the function that fills values of type t.
func decoderOf(t reflect.Type) decodeFunc {
	if known, ok := decodersByType.Load(t); ok {
		return known.(decodeFunc)
	}
	// A type that contains itself finds this stand-in, which waits for the real function.
	var ready sync.WaitGroup
	var fn decodeFunc
	ready.Add(1)
	standIn := decodeFunc(func(d *decoder, n *yaml.Node, v reflect.Value) {
		ready.Wait()
		fn(d, n, v)
	})
	if known, ok := decodersByType.LoadOrStore(t, standIn); ok {
		return known.(decodeFunc)
	}
	fn = newDecodeFunc(t)
	ready.Done()
	decodersByType.Store(t, fn)
	return fn
}

func newDecodeFunc(t reflect.Type) decodeFunc {
	switch {
	case t == valueType:
		return decodeCapture
	case t == stringMapType:
		return decodeStringMap
	case t.Kind() == reflect.Pointer:
		return newPointerDecoder(t.Elem())
	case reflect.PointerTo(t).Implements(jsonUnmarshalerType):
		return decodeJSONUnmarshaler
	case reflect.PointerTo(t).Implements(textUnmarshalerType):
		return decodeTextUnmarshaler
	}
	switch t.Kind() {
	case reflect.Struct:
		return layoutOf(t).decodeStruct
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return decodeBytes
		}
		return newListDecoder(t.Elem())
	case reflect.Map:
		return newMapDecoder(t)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return decodeAny
		}
	case reflect.String:
		return decodeString
	case reflect.Bool:
		return decodeBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return decodeInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return decodeUint
	case reflect.Float32, reflect.Float64:
		return decodeFloat
	}
	return func(*decoder, *yaml.Node, reflect.Value) {
		panic(fmt.Sprintf("document: no document can fill a %v", t))
	}
}

// decodeCapture keeps the node, with the path that it has here.
func decodeCapture(d *decoder, n *yaml.Node, v reflect.Value) {
	*v.Addr().Interface().(*Value) = Value{
		doc: d.at.doc, node: n, path: renderPath(d.at.path, d.steps),
	}
}

func newPointerDecoder(elem reflect.Type) decodeFunc {
	fn := decoderOf(elem)
	return func(d *decoder, n *yaml.Node, v reflect.Value) {
		if isNull(n) {
			v.SetZero()
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(elem))
		}
		fn(d, n, v.Elem())
	}
}

// decodeJSONUnmarshaler feeds the value what stands there, as JSON.
func decodeJSONUnmarshaler(d *decoder, n *yaml.Node, v reflect.Value) {
	if d.vet != nil && n.Kind == yaml.ScalarNode {
		if wrong := d.vet(v.Type(), n.Value); wrong != "" {
			d.fault(n, shown(n), wrong)
			return
		}
	}
	before := len(d.faults)
	d.buf = d.appendJSON(d.buf[:0], n)
	if len(d.faults) > before || d.full() {
		return
	}
	if err := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(d.buf); err != nil {
		d.refused(n, err)
	}
}

// decodeTextUnmarshaler feeds the value the text of a string, number or boolean.
func decodeTextUnmarshaler(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.ScalarNode {
		d.want(n, String)
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(n.Value)); err != nil {
		d.refused(n, err)
	}
}

// refused notes what an unmarshaler had to say; it may go on from the value by itself.
func (d *decoder) refused(n *yaml.Node, err error) {
	value := shown(n)
	what := err.Error()
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		what = "must be " + dueTo(wrong.Type)
	}
	if !strings.HasPrefix(what, "is ") && !strings.HasPrefix(what, "must ") {
		what = "is not valid: " + what
	}
	d.fault(n, value, what).Err = err
}

// dueTo says what encoding/json wants for a type. In the API it comes here for strings that
// are read further, and for whole numbers that may also be strings.
func dueTo(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int32:
		return "a whole number of 32 bits or a string"
	}
	return "another kind of value"
}

// decodeBytes reads base64, as encoding/json does.
func decodeBytes(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		v.SetZero()
		return
	}
	if !d.want(n, String) {
		return
	}
	data, err := base64.StdEncoding.DecodeString(n.Value)
	if err != nil {
		d.fault(n, shown(n), "is not base64").Err = err
		return
	}
	v.SetBytes(data)
}
