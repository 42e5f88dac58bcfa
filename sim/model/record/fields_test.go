package record

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the tables of docs/output.md")

const output = "../../../docs/output.md"

// A part of docs/output.md that is made of the table of fields lies between two comments.
const (
	begin = "<!-- %s: made of sim/model/record/fields.go by go test ./sim/model/record -args -rewrite -->\n"
	end   = "<!-- end -->\n"
)

func TestOutputPageShowsTheTableOfFields(t *testing.T) {
	page, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for name, table := range map[string]string{"records": recordTable(), "objects": objectTable()} {
		head, tail, found := strings.Cut(want, fmt.Sprintf(begin, name))
		_, tail, ended := strings.Cut(tail, end)
		if !found || !ended {
			t.Fatalf("%s has no part %q", output, name)
		}
		want = head + fmt.Sprintf(begin, name) + "\n" + table + "\n" + end + tail
	}
	switch {
	case want == string(page):
	case *rewrite:
		if err := os.WriteFile(output, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not show the table of fields; run go test ./sim/model/record -args -rewrite", output)
	}
}

func recordTable() string {
	var b strings.Builder
	b.WriteString("| kind | what happened | keys |\n|---|---|---|\n")
	for k := Kind(1); k < numKinds; k++ {
		fmt.Fprintf(&b, "| `%v` | %s | %s |\n", k, kinds[k].what, keysOf(&layouts[k].object))
	}
	return b.String()
}

func objectTable() string {
	var b strings.Builder
	b.WriteString("| object | keys |\n|---|---|\n")
	for _, row := range []struct{ name, keys string }{
		{"`info`", keysOf(nodeInfoObject)},
		{"`devices` of a class", keysOf(deviceRequestObject)},
		{"a class of `target`", keysOf(targetClassObject)},
		{"`attempt`", keysOf(attemptObject)},
		{"`sample`", keysOf(sampleObject)},
		{"`queue`", keysOf(queueObject)},
		{"`fragmentation`", keysOf(fragmentationObject)},
		{"`mix`, for each class", keysOf(mixShareObject)},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", row.name, row.keys)
	}
	return b.String()
}

func keysOf[T any](o *object[T]) string {
	var keys []string
	for _, m := range o.members {
		keys = append(keys, "`"+m.key+"`"+m.note)
	}
	return strings.Join(keys, "; ")
}

// TestEveryFieldIsInTheTable fails for a field of Record, or of what it holds, that is not written or not read.
func TestEveryFieldIsInTheTable(t *testing.T) {
	missing := map[string]bool{}
	addFields(missing, reflect.TypeFor[Record]())
	for k := Kind(1); k < numKinds; k++ {
		var full, back Record
		fill(reflect.ValueOf(&full).Elem())
		full.Kind, full.Cause = k, ByPreemption
		var line strings.Builder
		if err := NewWriter(&line).Write(&full); err != nil {
			t.Fatal(err)
		}
		for r, err := range Read("log", strings.NewReader(line.String())) {
			if err != nil {
				t.Fatalf("%v in %s", err, line.String())
			}
			back = *r
		}
		removeEqual(missing, reflect.ValueOf(full), reflect.ValueOf(back))
	}
	for name := range missing {
		t.Errorf("%s is not in the table of fields", name)
	}
}

func TestFieldThatIsNotReadIsFound(t *testing.T) {
	var full, back AttemptInfo
	fill(reflect.ValueOf(&full).Elem())
	back = full
	back.Busy = 0
	missing := map[string]bool{}
	addFields(missing, reflect.TypeFor[AttemptInfo]())
	removeEqual(missing, reflect.ValueOf(full), reflect.ValueOf(back))
	if !reflect.DeepEqual(missing, map[string]bool{"AttemptInfo.Busy": true}) {
		t.Errorf("missing are %v, want Busy alone", missing)
	}
}

// TestOptionalFieldsCanBeEmpty finds a field that may be left out without a rule when.
func TestOptionalFieldsCanBeEmpty(t *testing.T) {
	for k := Kind(1); k < numKinds; k++ {
		for _, m := range layouts[k].members {
			if m.optional && m.empty == nil {
				t.Errorf("%v: %s is optional, but never empty", k, m.key)
			}
		}
	}
}

// structIn returns the struct that values of the type are or hold, if any.
func structIn(t reflect.Type) (reflect.Type, bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t, t.Kind() == reflect.Struct
}

func addFields(names map[string]bool, t reflect.Type) {
	for f := range t.Fields() {
		names[t.Name()+"."+f.Name] = true
		if inner, ok := structIn(f.Type); ok {
			addFields(names, inner)
		}
	}
}

// fill sets every value to one that is not empty.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Uint8:
		v.SetUint(1)
	default:
		v.SetInt(7)
	}
}

// removeEqual removes the fields in which two values are equal and not empty.
func removeEqual(names map[string]bool, a, b reflect.Value) {
	for a.Kind() == reflect.Pointer || a.Kind() == reflect.Slice {
		if b.IsZero() {
			return
		}
		if a.Kind() == reflect.Slice {
			a, b = a.Index(0), b.Index(0)
		} else {
			a, b = a.Elem(), b.Elem()
		}
	}
	if a.Kind() != reflect.Struct {
		return
	}
	for i, field := range slices.Collect(a.Type().Fields()) {
		if !b.Field(i).IsZero() && reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			delete(names, a.Type().Name()+"."+field.Name)
		}
		removeEqual(names, a.Field(i), b.Field(i))
	}
}
