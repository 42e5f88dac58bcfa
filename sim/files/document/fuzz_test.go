package document

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// FuzzParseDecode checks that no text makes a panic, that every fault has a place, and that what was
// read is the same after it has been written and read again.
func FuzzParseDecode(f *testing.F) {
	scripts, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(scripts) == 0 {
		f.Fatal("no scripts: ", err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range bytes.Split(text, []byte("\n\n")) {
			f.Add(block)
			_, body, _ := bytes.Cut(block, []byte("\n"))
			body, _, _ = bytes.Cut(body, []byte("----\n"))
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		docs, err := Parse("in", text)
		checkPlaces(t, err)
		for _, doc := range docs {
			for _, into := range []any{new(pod), new(scenario)} {
				checkPlaces(t, Decode(doc.Root(), into))
			}
			var first, second any
			if Decode(doc.Root(), &first) != nil {
				continue
			}
			written, err := Marshal(first)
			if err != nil {
				t.Fatalf("%v is not written: %v", first, err)
			}
			again, err := Parse("out", written)
			if err != nil || len(again) != 1 {
				t.Fatalf("%v: %d documents in %q", err, len(again), written)
			}
			if err := Decode(again[0].Root(), &second); err != nil || !reflect.DeepEqual(asJSON(t, first), asJSON(t, second)) {
				t.Fatalf("%v: %#v became %#v by way of %q", err, first, second, written)
			}
		}
	})
}

// FuzzJSON checks the JSON parser against encoding/json.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,-0.5e+3,"\u00e9\\"],"b":{}}`, `[]`, `01`, `"\ud800"`, "{\"a\":\t1}", `1.`, `[1,]`, `{"a"}`, `nul`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text, err := decodeText("in", text)
		if err != nil {
			return
		}
		docs, fault := parseJSON("in", text)
		valid := json.Valid(text)
		if valid && fault != nil && !bytes.Contains(text, []byte("[[[")) && !bytes.Contains(text, []byte("{{")) && len(text) < MaxDepth {
			t.Fatalf("%q is valid, but %v", text, fault)
		}
		if !valid && fault == nil && len(docs) == 1 {
			t.Fatalf("%q is not valid, but accepted", text)
		}
	})
}

func checkPlaces(t *testing.T, err error) {
	if err == nil {
		return
	}
	faults, ok := err.(Errors)
	if !ok {
		fault, ok := err.(*Error)
		if !ok {
			t.Fatalf("%T: %v", err, err)
		}
		faults = Errors{fault}
	}
	for _, fault := range faults {
		if fault.Line < 1 || fault.Col < 1 || fault.What == "" {
			t.Fatalf("no place: %v", fault)
		}
	}
}

// asJSON makes all numbers float64: 3.0 is written as 3, which is read as an int64.
func asJSON(t *testing.T, v any) (plain any) {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	return plain
}
