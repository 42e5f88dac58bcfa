package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
)

// tree is the list of all objects of testdata/followon/objects.yaml, to be changed at places.
type tree struct{ root any }

func newTree(t testing.TB) *tree {
	t.Helper()
	docs, err := document.ReadFile("testdata/followon/objects.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var items []any
	for _, doc := range docs {
		text, err := doc.Root().MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var item any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&item); err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return &tree{map[string]any{"apiVersion": "v1", "kind": "List", "items": items}}
}

var elsewhere = regexp.MustCompile(`, at objects.json.*`)

// faults are what the Loader finds wrong with the objects, each without its line and column.
func (x *tree) faults(t testing.TB) []string {
	t.Helper()
	text, err := json.Marshal(x.root)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := document.Parse("objects.json", text)
	if err != nil {
		t.Fatal(err)
	}
	l := New(cluster.NewVocabulary())
	if _, err := l.EnableAdmission(admit.AdmissionNames()[:len(admit.Admissions())]); err != nil {
		t.Fatal(err)
	}
	err = l.Load(docs...)
	var all document.Errors
	all.Append(err)
	var out []string
	for _, fault := range all {
		out = append(out, elsewhere.ReplaceAllString(fmt.Sprintf("%s: %s %s", fault.Path, fault.Value, fault.What), ""))
	}
	slices.Sort(out)
	return out
}

// planted is a change of a tree: at places, given by their steps, other values stand; nil takes one away.
type planted struct {
	at     [][]any
	values []any
	reads  []string // the paths of what its faults depend on
}

func (p *planted) with(value any, steps ...any) *planted {
	p.at, p.values = append(p.at, steps), append(p.values, value)
	p.reads = append(p.reads, document.Path(steps...))
	return p
}

// apply makes the change, and returns what takes it back.
func (p *planted) apply(x *tree) (undo func()) {
	var undos []func()
	for i := range p.at {
		undos = append(undos, x.set(p.at[i], p.values[i]))
	}
	return func() {
		for _, undo := range slices.Backward(undos) {
			undo()
		}
	}
}

func (x *tree) set(steps []any, value any) (undo func()) {
	at := x.root
	for _, step := range steps[:len(steps)-1] {
		at = child(at, step)
	}
	last := steps[len(steps)-1]
	switch at := at.(type) {
	case []any:
		was := at[last.(int)]
		at[last.(int)] = value
		return func() { at[last.(int)] = was }
	case map[string]any:
		was, had := at[last.(string)]
		undo = func() { at[last.(string)] = was }
		if !had {
			undo = func() { delete(at, last.(string)) }
		}
		if at[last.(string)] = value; value == nil {
			delete(at, last.(string))
		}
		return undo
	}
	panic(fmt.Sprintf("nothing can be set at %v", steps))
}

func child(at, step any) any {
	switch at := at.(type) {
	case []any:
		return at[step.(int)]
	case map[string]any:
		return at[step.(string)]
	}
	panic(fmt.Sprintf("nothing stands at %v", step))
}

// places are all below the objects, except for what says of which kind they are.
func (x *tree) places() []*planted {
	var all []*planted
	var visit func(at any, steps []any)
	visit = func(at any, steps []any) {
		if len(steps) > 2 {
			all = append(all, new(planted).with(undecodable(at), slices.Clone(steps)...))
		}
		switch at := at.(type) {
		case []any:
			for i := range at {
				visit(at[i], append(steps, i))
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(at)) {
				if len(steps) != 2 || key != "apiVersion" && key != "kind" {
					visit(at[key], append(steps, key))
				}
			}
		}
	}
	for i, item := range x.root.(map[string]any)["items"].([]any) {
		visit(item, []any{"items", i})
	}
	return all
}

// undecodable is what cannot be decoded in the place of a value.
func undecodable(value any) any {
	if _, is := value.(bool); is {
		return []any{[]any{1}}
	}
	return true
}

// TestNothingIsSaidOfWhatWasNotRead: what comes behind too many faults, or aliases that expand to too much, is not missing.
func TestNothingIsSaidOfWhatWasNotRead(t *testing.T) {
	bomb := "x: &a0 [{name: c}]\n"
	for i := range 30 {
		bomb += fmt.Sprintf("y%d: &a%d [*a%d, *a%d]\n", i, i+1, i, i)
	}
	for name, text := range map[string]string{
		"many":    "metadata: {labels: {" + strings.Repeat("a: 1, ", 1100) + "}}\nspec: {replicas: -1}",
		"aliases": "metadata: {managedFields: [{fieldsV1: *a30}]}\nspec: {replicas: -1}",
	} {
		docs, err := document.Parse("in.yaml", []byte(bomb+"apiVersion: apps/v1\nkind: ReplicaSet\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		err = New(cluster.NewVocabulary()).Load(docs...)
		if err == nil || strings.Contains(err.Error(), "is required") || strings.Contains(err.Error(), "negative") {
			t.Errorf("%s: the faults are\n%v", name, err)
		}
	}
}

// TestNothingFollowsFromUndecodable: wherever in any object a value of the wrong kind stands, that is the only fault.
func TestNothingFollowsFromUndecodable(t *testing.T) {
	x := newTree(t)
	if faults := x.faults(t); len(faults) > 0 {
		t.Fatalf("the objects are at fault as they are:\n%s", strings.Join(faults, "\n"))
	}
	places := x.places()
	for _, p := range places {
		undo := p.apply(x)
		faults := x.faults(t)
		if len(faults) != 1 || !strings.HasPrefix(faults[0], p.reads[0]+": ") {
			t.Errorf("%s cannot be decoded; the faults are:\n  %s", p.reads[0], strings.Join(faults, "\n  "))
		}
		undo()
	}
	if len(places) < 700 {
		t.Errorf("only %d places were tried", len(places))
	}
	if faults := x.faults(t); len(faults) > 0 {
		t.Fatalf("the objects are not what they were:\n%s", strings.Join(faults, "\n"))
	}
}
