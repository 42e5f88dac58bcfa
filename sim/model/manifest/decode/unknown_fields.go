package decode

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// withoutEffect matches the paths of fields of containers and pods below which nothing matters to scheduling.
var withoutEffect = regexp.MustCompile(
	`\.(securityContext|livenessProbe|readinessProbe|startupProbe|lifecycle|env\[\d+\]|envFrom\[\d+\]|volumeMounts\[\d+\]|dnsConfig)[.\[]`)

// Decode fills what into points to from the object, as Strict does, and notes the errors. Unknown fields that cannot matter
// to scheduling are noted apart.
func (o *Object) Decode(into any) {
	var faults document.Errors
	faults.Append(Strict(o.At, into))
	faults = slices.DeleteFunc(faults, func(fault *document.Error) bool {
		var unknown *document.UnknownField
		isPatch := strings.HasSuffix(fault.Path, `["$patch"]`) // a part of an object, which only kustomize makes whole
		if !errors.As(fault, &unknown) || isPatch || !withoutEffect.MatchString(fault.Path) {
			return false
		}
		o.UnknownFields = append(o.UnknownFields, fault)
		return true
	})
	o.Faults = append(o.Faults, faults...)
}
