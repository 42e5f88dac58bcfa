package validate

import (
	"reflect"
)

// countSources counts the volume sources that are set.
func countSources(of any) int {
	n := 0
	v := reflect.ValueOf(of)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			n++
		}
	}
	return n
}
