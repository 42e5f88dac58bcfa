package document

import (
	"encoding/json"
	"strconv"

	"gopkg.in/yaml.v3"
)

// MarshalJSON returns the value as JSON, with aliases and merge keys expanded and keys in the order of
// the file; a missing value is null. What JSON cannot hold and repeated keys are faults, returned as
// Errors.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.Exists() {
		return []byte("null"), nil
	}
	d := newDecoder(v)
	defer d.free()
	data := d.appendChildJSON(nil, v.node)
	return data, d.faults.Err()
}

// appendJSON writes a node that was entered as JSON.
func (d *decoder) appendJSON(b []byte, n *yaml.Node) []byte {
	switch kindOf(n) {
	case Map:
		b = append(b, '{')
		start := len(b)
		d.eachPair(d.pairs(n), func(text string, _, value *yaml.Node) {
			if len(b) > start {
				b = append(b, ',')
			}
			b = append(appendJSONString(b, text), ':')
			b = d.appendChildJSON(b, value)
		})
		return append(b, '}')
	case List:
		b = append(b, '[')
		for i, item := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			d.pushIndex(i)
			b = d.appendChildJSON(b, item)
			d.pop()
		}
		return append(b, ']')
	case Number:
		if isJSONNumber(n.Value) {
			return append(b, n.Value...)
		}
	}
	return d.appendScalarJSON(b, n)
}

func (d *decoder) appendChildJSON(b []byte, n *yaml.Node) []byte {
	if n, ok := d.enter(n); ok {
		b = d.appendJSON(b, n)
		d.exit()
	}
	return b
}

func (d *decoder) appendScalarJSON(b []byte, n *yaml.Node) []byte {
	switch got := d.scalar(n).(type) {
	case string:
		return appendJSONString(b, got)
	case bool:
		return strconv.AppendBool(b, got)
	case int64:
		return strconv.AppendInt(b, got, 10)
	case float64:
		return strconv.AppendFloat(b, got, 'g', -1, 64)
	default:
		return append(b, "null"...)
	}
}

func appendJSONString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, err := json.Marshal(text)
			if err != nil {
				panic(err) // no string fails
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}
