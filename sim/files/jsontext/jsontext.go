// Package jsontext appends JSON values to text without reflection.
package jsontext

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Append appends s as a JSON string, without the escapes that only HTML needs.
func Append(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return append(b, escaped(s)...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// Quote returns s as a JSON string, without the escapes that only HTML needs.
func Quote(s string) string { return string(Append(nil, s)) }

// AppendInts appends the numbers as a JSON list.
func AppendInts[N ~int | ~int32 | ~int64](b []byte, numbers []N) []byte {
	b = append(b, '[')
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, ']')
}

func escaped(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
