package manifest

import (
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
)

// The types that the templates of scenarios are decoded as, for those who describe them.
var (
	NodeForm        = reflect.TypeFor[v1.Node]()
	PodTemplateForm = reflect.TypeFor[v1.PodTemplateSpec]()
)

// KindsRead are the kinds of objects that matter to scheduling and are supported, sorted:
// group/kind, and the kind alone in the core group.
func KindsRead() []string {
	var out []string
	for _, k := range readKinds {
		out = append(out, strings.TrimPrefix(k.group+"/"+k.name, "/"))
	}
	slices.Sort(out)
	return out
}
