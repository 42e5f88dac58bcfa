package document

import (
	"bytes"
	"errors"
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
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "a: 2\nb: 1\n---\n- x\n---\nnull\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	full := errors.New("disk full")
	w = NewWriter(failingWriter{full})
	if err := errors.Join(w.Write(strings.Repeat("x", 1<<20)), w.Close()); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }
