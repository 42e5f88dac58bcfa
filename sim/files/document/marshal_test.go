package document

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestMarshalRoundTrip writes values and decodes what was written.
func TestMarshalRoundTrip(t *testing.T) {
	yes, five := true, int32(5)
	values := []any{
		&pod{
			typeMeta:   typeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: ObjectMeta{Name: "p", Labels: map[string]string{"a/b": "y", "e": ""}, Owners: []owner{{Kind: "Job", Name: "1e3", Controller: &yes}}},
			Spec:       podSpec{Priority: &five, Containers: []container{{Name: "c", Command: []string{"", " x", "~", "0x10", "1:30", "\t", "é\u2028", "a\n b\n", "\n a", " a\nb", "# c", "<<"}}}},
			Status:     status{Allocatable: map[resourceName]quantity{"cpu": {"4"}, "x/y": {"1Gi"}}},
		},
		&scenario{Seed: math.MaxUint64, Horizon: span(90 * time.Second), Share: 1e-9, Ports: map[int32]string{-1: "x"}, Secret: []byte{0, 255}},
	}
	for _, want := range values {
		text, err := Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		docs, err := Parse("out", text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		got := reflect.New(reflect.TypeOf(want).Elem()).Interface()
		if err := Decode(docs[0].Root(), got); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v, by way of\n%s", got, want, text)
		}
	}
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, v := range []any{map[string]int{"b": 1, "a": 2}, []string{"x"}, nil} {
		if err := w.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(map[string]any{"f": []any{func() {}}}); err == nil || !strings.HasPrefix(err.Error(), "f: [0]: ") {
		t.Errorf("a function was written: %v", err)
	}
	if got, want := out.String(), "a: 2\nb: 1\n---\n- x\n---\nnull\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	full := errors.New("disk full")
	w = NewWriter(failingWriter{full})
	if err := w.Write("x"); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

// A stream is written as it comes: what was written before a document does not wait for it.
func TestWriterKeepsNothing(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	for i := range 3 {
		before := out.Len()
		if err := w.Write(map[string]int{"i": i}); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("i: %d\n", i); !strings.HasSuffix(out.String()[before:], want) {
			t.Errorf("document %d: %q was written, which does not end with %q", i, out.String()[before:], want)
		}
	}
}

// The look ahead of the expressions skips no text that they match.
func TestMayNeedQuotes(t *testing.T) {
	for _, text := range []string{"", "y", "Off", "yes", " x", "\tx", "a\rb", "a\u0085b", "a\u2028b", "\ufeffx", "1:30", "-1:30:59.5", "190:20:30"} {
		if (ambiguous.MatchString(text) || fragile.MatchString(text)) && !mayNeedQuotes(text) {
			t.Errorf("%q is skipped", text)
		}
	}
	for _, text := range []string{"web-1", "registry.example.com/web:1", "topology.kubernetes.io/zone"} {
		if mayNeedQuotes(text) {
			t.Errorf("%q is looked at", text)
		}
	}
}
