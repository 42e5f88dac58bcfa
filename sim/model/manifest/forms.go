package manifest

import (
	"reflect"

	v1 "k8s.io/api/core/v1"
)

// The types that the templates of scenarios are decoded as, for those who describe them.
var (
	NodeForm        = reflect.TypeFor[v1.Node]()
	PodTemplateForm = reflect.TypeFor[v1.PodTemplateSpec]()
)
