package compile

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// TestEveryFieldOfAClassIsInItsKey changes the fields of a class ordered ready.
func TestEveryFieldOfAClassIsInItsKey(t *testing.T) {
	key := func(c *cluster.Class) string {
		var k keyWriter
		k.class(c)
		return string(k)
	}
	for _, field := range fieldsOutOfKey(key) {
		t.Errorf("cluster.Class%s is not in the key", field)
	}
}

// TestFieldsOutOfKeyAreFound plants a key that has forgotten the gates.
func TestFieldsOutOfKeyAreFound(t *testing.T) {
	key := func(c *cluster.Class) string {
		var k keyWriter
		without := *c
		without.Gates = nil
		k.class(&without)
		return string(k)
	}
	if got, want := fieldsOutOfKey(key), []string{".Gates[]"}; !slices.Equal(got, want) {
		t.Errorf("fields that are not in the key: %q, want %q", got, want)
	}
}

// fieldsOutOfKey are the paths of the fields of cluster.Class which can change without the key.
func fieldsOutOfKey(key func(*cluster.Class) string) []string {
	var out []string
	filled := func() *cluster.Class {
		c := &cluster.Class{}
		fill(reflect.ValueOf(c).Elem())
		return c
	}
	eachLeaf(reflect.ValueOf(filled()).Elem(), "", func(path string, index []func(reflect.Value) reflect.Value) {
		c := filled()
		v := reflect.ValueOf(c).Elem()
		for _, step := range index {
			v = step(v)
		}
		before := key(c)
		bump(v)
		if key(c) == before && !givenElsewhere(path) {
			out = append(out, path)
		}
	})
	return out
}

// givenElsewhere reports whether a field of cluster.Class is known from elsewhere: the numbers of the class
// and the parts of a term from the key, and what a claim has that no template of one has.
func givenElsewhere(path string) bool {
	if path == ".ID" || path == ".Serial" || podTermParts.MatchString(path) {
		return true
	}
	of, isTemplate := strings.CutPrefix(path, ".Volumes[].Template.")
	return isTemplate && slices.Contains([]string{
		"Namespace", "Name", "UID", "BindCompleted", "Lost", "Deleting", "New", "Selected", "SelectedNode", "Owner",
	}, of)
}

// podTermParts are the parts of a term about other pods. The key has its number: the vocabulary knows each
// term once.
var podTermParts = regexp.MustCompile(`Affinity\[\](\.Term)?\.(TopologyKey|Selector|Namespaces\[\]|NamespaceSelector)`)

// fill puts something into every field: one element into each list, a value behind each pointer.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	default:
		bump(v)
	}
}

// bump changes a leaf.
func bump(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	default:
		panic(fmt.Sprintf("a field of the type %s", v.Type()))
	}
}

// eachLeaf calls visit with the path of every leaf below v, and how to get there.
func eachLeaf(v reflect.Value, path string, visit func(string, []func(reflect.Value) reflect.Value)) {
	var walk func(v reflect.Value, path string, index []func(reflect.Value) reflect.Value)
	walk = func(v reflect.Value, path string, index []func(reflect.Value) reflect.Value) {
		below := func(path string, step func(reflect.Value) reflect.Value) {
			walk(step(v), path, append(slices.Clip(index), step))
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Field(i).CanSet() {
					below(path+"."+v.Type().Field(i).Name, func(v reflect.Value) reflect.Value { return v.Field(i) })
				}
			}
		case reflect.Array:
			for i := range v.Len() {
				below(path+"[]", func(v reflect.Value) reflect.Value { return v.Index(i) })
			}
		case reflect.Slice:
			below(path+"[]", func(v reflect.Value) reflect.Value { return v.Index(0) })
		case reflect.Pointer:
			below(path, func(v reflect.Value) reflect.Value { return v.Elem() })
		default:
			visit(path, index)
		}
	}
	walk(v, path, nil)
}
