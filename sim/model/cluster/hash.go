package cluster

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"reflect"
)

// Hash is equal before and after a trial that was rolled back: it is over all of the state, field
// by field, so that a field that is added is part of it. It is for tests: its running time is
// proportional to the size of the cluster.
//
// Left out are the fields whose tag says why they cannot reach a result:
//
//	interned  words that are known, and what is numbered by them
//	kept      cached values; Verify checks that they follow from the rest
//	stamp     version numbers that only invalidate cached values
//	part      other parts of the same cluster, hashed there
//
// A slice is hashed without the zero values at its end: columns grow with the words that are
// known. One with the tag "unordered" is hashed as a multiset.
func (c *Cluster) Hash() uint64 {
	return hashOf(reflect.ValueOf(c).Elem(), false)
}

func hashOf(v reflect.Value, unordered bool) uint64 {
	h := fnv.New64a()
	writeHash(h, v, unordered)
	return h.Sum64()
}

func writeHash(h hash.Hash64, v reflect.Value, unordered bool) {
	switch v.Kind() {
	case reflect.Bool:
		writeNumber(h, uint64(indicator(v.Bool())))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		writeNumber(h, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		writeNumber(h, v.Uint())
	case reflect.Float32, reflect.Float64:
		writeNumber(h, math.Float64bits(v.Float()))
	case reflect.String:
		writeNumber(h, uint64(v.Len()))
		_, _ = h.Write([]byte(v.String())) // never fails
	case reflect.Slice, reflect.Array:
		writeList(h, v, unordered)
	case reflect.Map:
		var sum uint64
		for it := v.MapRange(); it.Next(); {
			sum += hashOf(it.Key(), false) ^ 3*hashOf(it.Value(), false)
		}
		writeNumber(h, uint64(v.Len()))
		writeNumber(h, sum)
	case reflect.Struct:
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag.Get("hash"); tag == "" || tag == "unordered" {
				writeHash(h, v.Field(i), tag == "unordered")
			}
		}
	case reflect.Pointer:
		writePointer(h, v)
	default:
		panic(fmt.Sprintf("cluster: a field of type %s has no hash", v.Type()))
	}
}

func writeNumber(h hash.Hash64, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	_, _ = h.Write(b[:]) // never fails
}

// writeList writes the elements except for zero values at the end. Of a list of lists that is
// unordered the inner ones are.
func writeList(h hash.Hash64, v reflect.Value, unordered bool) {
	n := v.Len()
	for n > 0 && allZero(v.Index(n-1)) {
		n--
	}
	writeNumber(h, uint64(n))
	inner := v.Type().Elem().Kind() == reflect.Slice
	var sum uint64
	for i := range n {
		if unordered && !inner {
			sum += hashOf(v.Index(i), false)
		} else {
			writeHash(h, v.Index(i), unordered)
		}
	}
	writeNumber(h, sum)
}

// allZero reports whether a value is zero, or a list of such values.
func allZero(v reflect.Value) bool {
	if v.Kind() != reflect.Slice {
		return v.IsZero()
	}
	for i := range v.Len() {
		if !allZero(v.Index(i)) {
			return false
		}
	}
	return true
}

// writePointer writes what a pointer leads to; classes and terms never change and have an id.
func writePointer(h hash.Hash64, v reflect.Value) {
	writeNumber(h, uint64(indicator(v.IsNil())))
	if v.IsNil() {
		return
	}
	switch v.Type() {
	case reflect.TypeFor[*Class](), reflect.TypeFor[*PodTerm]():
		writeHash(h, v.Elem().FieldByName("ID"), false)
	default:
		writeHash(h, v.Elem(), false)
	}
}
