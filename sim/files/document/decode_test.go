package document

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestDecodeKeepsWhatIsNotMentioned(t *testing.T) {
	s := scenario{Seed: 3, Share: 0.5, Weights: map[string]int64{"a": 1}, Bounds: &bounds{Low: 1}}
	decodeInto(t, "seed: 4\nweights: {b: 2}\nbounds: {High: 2}\n", &s)
	if s.Seed != 4 || s.Share != 0.5 || len(s.Weights) != 2 || *s.Bounds != (bounds{1, 2}) || s.unwritten != "" {
		t.Errorf("got %+v", s)
	}
}

// TestCapture decodes a part that was captured, later and as another type, with its place kept.
func TestCapture(t *testing.T) {
	var s scenario
	decodeInto(t, "seed: 1\npools:\n- pool: p\n  template:\n    spec: {nodName: n, priority: 5}\n- {pool: q, template: null}\n- {pool: r}\n", &s)
	captured := s.Pools[0].Template
	if got := captured.Path(); got != "pools[0].template" {
		t.Errorf("path: got %s", got)
	}
	var p pod
	err := Decode(captured, &p)
	want := `in:5:12: pools[0].template.spec.nodName: unknown field; did you mean "nodeName"?`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	err = captured.Errorf("spec.priority", "is too high")
	if want := `in:5:34: pools[0].template.spec.priority: "5" is too high`; err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if k := s.Pools[1].Template.Kind(); k != Null {
		t.Errorf("null is captured as %v", k)
	}
	if k := s.Pools[2].Template.Kind(); k != Missing {
		t.Errorf("nothing is captured as %v", k)
	}
}

// TestFaultsAreCapped makes more faults than anybody reads, of the kinds that are dear to find.
func TestFaultsAreCapped(t *testing.T) {
	var text strings.Builder
	for range 2 {
		for i := range 100_000 {
			fmt.Fprintf(&text, "k%d: x\n", i)
		}
	}
	docs, err := Parse("in", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, into := range []any{new(scenario), new(map[string]int), new(any)} {
		err := Decode(docs[0].Root(), into)
		var faults Errors
		if !errors.As(err, &faults) || len(faults) != maxFaults+1 {
			t.Fatalf("%T: got %d faults", into, len(faults))
		}
		if last := faults[maxFaults]; !strings.HasPrefix(last.What, "too many faults") {
			t.Errorf("%T: the last fault is %v", into, last)
		}
	}
}

// TestDecodeConcurrently lets several goroutines meet a type for the first time; run with -race.
func TestDecodeConcurrently(t *testing.T) {
	type leaf struct{ A, B int }
	type tree struct {
		Leaf  leaf
		Trees []*tree
	}
	docs, err := Parse("in", []byte("Trees: [{Leaf: {A: 1}}, {Trees: [{Leaf: {B: 2}}]}]"))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			var got tree
			if err := Decode(docs[0].Root(), &got); err != nil || got.Trees[1].Trees[0].Leaf.B != 2 {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
	all.Wait()
}

func TestEmbedding(t *testing.T) {
	type Inner struct {
		Both, Hidden string
		Deep         int `json:"deep"`
	}
	type Other struct{ Both string }
	var got struct {
		*Inner
		Other
		Hidden int
	}
	decodeInto(t, "Hidden: 1\ndeep: 2\n", &got)
	if got.Hidden != 1 || got.Inner == nil || got.Deep != 2 {
		t.Errorf("got %+v", got)
	}
	docs, err := Parse("in", []byte("Both: x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Decode(docs[0].Root(), &got); err == nil || !strings.Contains(err.Error(), "unknown field") {
		t.Errorf("an ambiguous field was accepted: %v", err)
	}
}

func TestProgrammingFaultsPanic(t *testing.T) {
	docs, err := Parse("in", []byte("F: x"))
	if err != nil {
		t.Fatal(err)
	}
	for name, into := range map[string]any{
		"no pointer": scenario{},
		"nil":        (*scenario)(nil),
		"function":   &struct{ F func() }{},
		"unknown rule": &struct {
			F string `doc:"requird"`
		}{},
		"oneof of a number": &struct {
			F int `doc:"oneof=1|2"`
		}{},
		"option string": &struct {
			F int `json:",string"`
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_ = Decode(docs[0].Root(), into)
		})
	}
}

func decodeInto(t *testing.T, text string, into any) {
	t.Helper()
	docs, err := Parse("in", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := Decode(docs[0].Root(), into); err != nil {
		t.Fatal(err)
	}
}

// What is suggested for an unknown name is near to it in the part that differs.
func TestMeant(t *testing.T) {
	known := []string{"placement.found", "placement.pending", "queue.waits"}
	for name, want := range map[string]string{
		"placement.pendign": `; did you mean "placement.pending"?`,
		"placemnt.pending":  `; did you mean "placement.pending"?`,
		"queue.wait":        `; did you mean "queue.waits"?`,
		"placement.nope":    "",
		"nothing":           "",
	} {
		if got := Meant(name, known); got != want {
			t.Errorf("%s%s, want %q", name, got, want)
		}
	}
}
