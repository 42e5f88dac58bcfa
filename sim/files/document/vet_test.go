package document

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The causes of faults tell what a reader who goes on in spite of them must know.
func TestCausesOfFaults(t *testing.T) {
	cause := func(text string) error {
		docs, err := Parse("in", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return Decode(docs[0].Root(), &struct{ Name, Kind string }{})
	}
	for text, want := range map[string]string{"Nmae: a": "Name", "Other: a": ""} {
		var unknown *UnknownField
		if err := cause(text); !errors.As(err, &unknown) || unknown.Meant != want || errors.Is(err, ErrIncomplete) {
			t.Errorf("%s: %v is not about an unknown field that means %q", text, err, want)
		}
	}
	if err := cause(strings.Repeat("Name: a\n", maxFaults+2)); !errors.Is(err, ErrIncomplete) {
		t.Errorf("too many faults: %v does not say that the rest was not read", err)
	}
}

// A vet sees the texts that types read themselves, and no others.
func TestDecodeVetted(t *testing.T) {
	var seen []string
	vet := func(typ reflect.Type, text string) string {
		seen = append(seen, typ.String()+" "+text)
		if text == "1e9" {
			return "is too dear"
		}
		return ""
	}
	docs, err := Parse("in", []byte("{A: 1e9, B: 7, C: 1e9, D: [1e9]}"))
	if err != nil {
		t.Fatal(err)
	}
	var into struct {
		A, B json.RawMessage
		C    float64
		D    json.RawMessage
	}
	err = DecodeVetted(docs[0].Root(), &into, vet)
	if err == nil || err.Error() != `in:1:5: A: "1e9" is too dear` {
		t.Errorf("error %v", err)
	}
	if want := []string{"json.RawMessage 1e9", "json.RawMessage 7"}; !slices.Equal(seen, want) || into.C != 1e9 || len(into.A) > 0 {
		t.Errorf("vetted %q, want %q; read %v", seen, want, into)
	}
}
