package diff

import (
	"reflect"
	"testing"

	"github.com/berth-sim/berth/sim/model/record"
)

// TestEqualLooksAtEveryField: records that differ in one field, whichever it is, are not equal.
func TestEqualLooksAtEveryField(t *testing.T) {
	fields := func(typ reflect.Type, differ func(change func(*record.Record), name string)) {
		for i := range typ.NumField() {
			differ(func(r *record.Record) {
				v := reflect.ValueOf(r).Elem()
				if typ == reflect.TypeFor[record.AttemptInfo]() {
					r.Attempt = &record.AttemptInfo{}
					v = reflect.ValueOf(r.Attempt).Elem()
				}
				set(v.Field(i))
			}, typ.Name()+"."+typ.Field(i).Name)
		}
	}
	check := func(base record.Record) func(func(*record.Record), string) {
		return func(change func(*record.Record), name string) {
			changed := base
			change(&changed)
			if equal(&base, &changed) || equal(&changed, &base) {
				t.Errorf("records that differ in %s are equal", name)
			}
		}
	}
	fields(reflect.TypeFor[record.Record](), check(record.Record{}))
	fields(reflect.TypeFor[record.AttemptInfo](), check(record.Record{Attempt: &record.AttemptInfo{}}))
	one, other := record.Record{Attempt: &record.AttemptInfo{}}, record.Record{Attempt: &record.AttemptInfo{}}
	if !equal(&one, &other) {
		t.Error("equal records differ")
	}
}

// set gives a field a value that is not its zero.
func set(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.Set(reflect.ValueOf(1).Convert(v.Type()))
	}
}
