package document

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// The tags of nodes, as the YAML parser resolves them.
const (
	tagNull   = "!!null"
	tagBool   = "!!bool"
	tagString = "!!str"
	tagInt    = "!!int"
	tagFloat  = "!!float"
	tagTime   = "!!timestamp" // a string as far as JSON goes
	tagMap    = "!!map"
	tagList   = "!!seq"
	tagMerge  = "!!merge"
)

func decodeString(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		return
	}
	if text, ok := d.text(n); ok {
		v.SetString(text)
	}
}

// text returns the text of a string, "" for null as encoding/json does, and refuses all else.
func (d *decoder) text(n *yaml.Node) (string, bool) {
	switch kind := kindOf(n); kind {
	case String:
		if _, bare := oldBool(n); bare && len(n.Value) > 1 { // y and n are good names
			d.fault(n, shown(n), "must be a string, got a boolean to Kubernetes' tools; put it in quotes")
			return "", false
		}
		return n.Value, true
	case Null:
		return "", true
	case Bool, Number:
		d.fault(n, shown(n), fmt.Sprintf("must be a string, got %v; put it in quotes", kind))
	default:
		d.want(n, String)
	}
	return "", false
}

func decodeBool(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		return
	}
	value, bare := oldBool(n)
	switch {
	case kindOf(n) == Bool:
		v.SetBool(strings.EqualFold(n.Value, "true"))
	case bare:
		v.SetBool(value)
	default:
		d.notA(n, "true or false")
	}
}

// oldBool reports whether a bare word is a boolean to YAML 1.1, and so to Kubernetes' tools, where
// YAML 1.2 has strings, and which.
func oldBool(n *yaml.Node) (value, is bool) {
	if n.Kind != yaml.ScalarNode || n.Style != 0 || len(n.Value) > len("off") {
		return false, false
	}
	value, is = oldBools[n.Value]
	return value, is
}

var oldBools = map[string]bool{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"n": false, "N": false, "no": false, "No": false, "NO": false, "off": false, "Off": false, "OFF": false,
}

func decodeInt(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		return
	}
	if !isInteger(n) {
		d.notA(n, "an integer")
		return
	}
	i, err := strconv.ParseInt(bare(n.Value), 0, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && v.OverflowInt(i):
		low := int64(-1) << (v.Type().Bits() - 1)
		d.fault(n, shown(n), fmt.Sprintf("is out of range: %d to %d", low, -(low+1)))
	case err != nil:
		d.notA(n, "an integer")
	default:
		v.SetInt(i)
	}
}

func decodeUint(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		return
	}
	if !isInteger(n) {
		d.notA(n, "an integer")
		return
	}
	text, negative := strings.CutPrefix(bare(n.Value), "-")
	u, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 0, 64)
	switch {
	case err == nil && negative && u != 0 || errors.Is(err, strconv.ErrRange) || err == nil && v.OverflowUint(u):
		d.fault(n, shown(n), fmt.Sprintf("is out of range: 0 to %d", uint64(math.MaxUint64)>>(64-v.Type().Bits())))
	case err != nil:
		d.notA(n, "an integer")
	default:
		v.SetUint(u)
	}
}

func decodeFloat(d *decoder, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		return
	}
	f, ok := float(n)
	switch {
	case !ok:
		d.notA(n, "a number")
	case math.IsInf(f, 0) || math.IsNaN(f) || v.OverflowFloat(f):
		d.fault(n, shown(n), "is not a finite number of its type")
	default:
		v.SetFloat(f)
	}
}

// notA notes that n is not what is wanted, with a word on quotes if those are the reason.
func (d *decoder) notA(n *yaml.Node, wanted string) {
	if n.Kind != yaml.ScalarNode {
		d.fault(n, "", fmt.Sprintf("must be %s, got %v", wanted, kindOf(n)))
		return
	}
	what := "is not " + wanted
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		what = "must be " + wanted + ", got a string"
		if looksBare(n.Value) {
			what += "; take off the quotes"
		}
	}
	d.fault(n, shown(n), what)
}

// looksBare reports whether a quoted text would be a number or boolean without its quotes.
func looksBare(text string) bool {
	return isJSONNumber(text) || text == "true" || text == "false"
}

// isInteger reports whether a node is written as an integer. What is larger than any integer type is a
// float to the YAML parser.
func isInteger(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode {
		return false
	}
	if n.Tag == tagFloat {
		digits, rest := cutDigits(strings.TrimLeft(n.Value, "+-"))
		return digits != "" && rest == ""
	}
	return n.Tag == tagInt
}

// bare is the text of a number without the underscores that YAML allows in it.
func bare(text string) string {
	if strings.IndexByte(text, '_') < 0 {
		return text
	}
	return strings.ReplaceAll(text, "_", "")
}

// float returns the value of a number; it may be infinite or not a number.
func float(n *yaml.Node) (float64, bool) {
	switch text := bare(n.Value); {
	case n.Kind != yaml.ScalarNode:
	case n.Tag == tagFloat && strings.HasSuffix(strings.ToLower(text), ".nan"):
		return math.NaN(), true
	case n.Tag == tagFloat && strings.HasSuffix(strings.ToLower(text), ".inf"):
		return math.Inf(1), true
	case n.Tag == tagInt:
		if i, err := strconv.ParseInt(text, 0, 64); err == nil {
			return float64(i), true
		}
		fallthrough
	case n.Tag == tagFloat:
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil || errors.Is(err, strconv.ErrRange)
	}
	return 0, false
}

// scalar returns a scalar as nil, bool, string, int64 or, if that is too small, float64.
func (d *decoder) scalar(n *yaml.Node) any {
	switch kindOf(n) {
	case Null:
		return nil
	case Bool:
		return strings.EqualFold(n.Value, "true")
	case Number:
		if i, err := strconv.ParseInt(bare(n.Value), 0, 64); err == nil && n.Tag == tagInt {
			return i
		}
		f, ok := float(n)
		if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
			d.fault(n, shown(n), "is not a finite number")
		}
		return f
	case String:
		return n.Value
	default:
		text, _ := d.text(n)
		return text
	}
}
