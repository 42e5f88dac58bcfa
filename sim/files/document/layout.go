package document

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// layout is what reflection tells about a struct type, worked out once per type.
type layout struct {
	fields   []field // in the order of the Go source, embedded ones in the place of their struct
	byName   map[string]int
	required []int // indices of the fields tagged doc:"required"
}

// field is one field of a layout.
type field struct {
	name      string
	path      []int // for reflect, through embedded structs
	decode    decodeFunc
	typ       reflect.Type
	oneof     []string // from doc:"oneof=a|b"; nil admits all
	required  bool
	omitEmpty bool
	omitZero  bool
	tagged    bool
}

// maxFields is how many fields a struct may have: the size of the set in decodeStruct.
const maxFields = 256

var layouts sync.Map // reflect.Type → *layout

// layoutOf returns the layout of a struct type. It panics on tags that it does not know: they are
// faults of the program.
func layoutOf(t reflect.Type) *layout {
	if known, ok := layouts.Load(t); ok {
		return known.(*layout)
	}
	l := &layout{byName: make(map[string]int)}
	l.fields = dominant(collectFields(t, nil, nil))
	if len(l.fields) > maxFields {
		panic(fmt.Sprintf("document: %v has more than %d fields", t, maxFields))
	}
	for i := range l.fields {
		f := &l.fields[i]
		f.decode = decoderOf(f.typ)
		l.byName[f.name] = i
		if f.required {
			l.required = append(l.required, i)
		}
	}
	known, _ := layouts.LoadOrStore(t, l)
	return known.(*layout)
}

// collectFields lists the fields of t and of what it embeds. outer is the chain of the structs being
// listed, so that a type which embeds itself comes to an end.
func collectFields(t reflect.Type, path []int, outer []reflect.Type) []field {
	if slices.Contains(outer, t) {
		return nil
	}
	outer = append(slices.Clip(outer), t)
	var fields []field
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("json")
		if tag == "-" {
			continue
		}
		at := append(slices.Clip(path), i)
		name, options, _ := strings.Cut(tag, ",")
		if sf.Anonymous && name == "" {
			embedded := sf.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			if embedded.Kind() == reflect.Struct {
				fields = append(fields, collectFields(embedded, at, outer)...)
				continue
			}
		}
		if sf.IsExported() {
			fields = append(fields, newField(sf, name, options, at))
		}
	}
	return fields
}

func newField(sf reflect.StructField, name, options string, path []int) field {
	f := field{name: name, path: path, typ: sf.Type, tagged: name != ""}
	if name == "" {
		f.name = sf.Name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "string":
			panic("document: the json option string is not supported: field " + sf.Name)
		}
	}
	for rule := range strings.SplitSeq(sf.Tag.Get("doc"), ",") {
		values, isOneof := strings.CutPrefix(rule, "oneof=")
		switch {
		case rule == "":
		case rule == "required":
			f.required = true
		case isOneof && sf.Type.Kind() == reflect.String:
			f.oneof = strings.Split(values, "|")
		default:
			panic(fmt.Sprintf("document: field %s: no rule doc:%q for type %v", sf.Name, rule, sf.Type))
		}
	}
	return f
}

// dominant keeps of the fields with one name the one that Go and encoding/json would choose: the
// least embedded, then the tagged one; where that leaves several, none.
func dominant(fields []field) []field {
	better := func(a, b field) bool {
		if len(a.path) != len(b.path) {
			return len(a.path) < len(b.path)
		}
		return a.tagged && !b.tagged
	}
	return slices.DeleteFunc(slices.Clone(fields), func(f field) bool {
		return slices.ContainsFunc(fields, func(other field) bool {
			same := other.name == f.name && !slices.Equal(other.path, f.path)
			return same && !better(f, other)
		})
	})
}

// in returns the field of the struct v, making the embedded structs on the way to it.
func (f *field) in(v reflect.Value) reflect.Value {
	if len(f.path) == 1 {
		return v.Field(f.path[0])
	}
	for i, index := range f.path {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(index)
	}
	return v
}

// nearest returns the known name that name was most likely meant to be, if any.
func nearest(name string, known []string) (string, bool) {
	const tooLong = 64 // to be a slip of the pen
	if len(name) > tooLong {
		return "", false
	}
	best, bestDistance := "", 1+max(1, len(name)/3)
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return k, true
		}
		if d := editDistance(name, k); d < bestDistance && d <= slips(name, k) {
			best, bestDistance = k, d
		}
	}
	return best, best != ""
}

// slips is how many letters may be wrong in a name that stands for a known one: a third of them,
// without those before the last dot that both have.
func slips(name, known string) int {
	if dot := strings.LastIndexByte(name, '.'); strings.HasPrefix(known, name[:dot+1]) {
		name = name[dot+1:]
	}
	return max(1, len(name)/3)
}

// editDistance counts the insertions, deletions, replacements and swaps of neighbors that make a
// into b (optimal string alignment), by bytes.
func editDistance(a, b string) int {
	var older []int
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, prev = prev, row
	}
	return prev[len(b)]
}
