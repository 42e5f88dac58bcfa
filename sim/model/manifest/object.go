package manifest

import (
	"fmt"

	"github.com/berth-sim/berth/sim/files/document"
)

// object is one Kubernetes object on its way from a document to the state of a cluster.
type object struct {
	at              document.Value
	kind            *kind
	namespace, name string
	typed           any // pointer to the decoded API type, or what a check made of it
	faults          document.Errors
}

// warnings collects warnings, one for each subject.
type warnings struct {
	given map[string]bool
	to    *[]string
}

// newWarnings returns warnings that are appended to a list.
func newWarnings(to *[]string) *warnings { return &warnings{map[string]bool{}, to} }

// once adds a warning unless there is one on that subject already.
func (w *warnings) once(subject string, at document.Value, format string, args ...any) {
	if w.given[subject] {
		return
	}
	w.given[subject] = true
	*w.to = append(*w.to, place(at)+": "+fmt.Sprintf(format, args...))
}

// place is file:line:col of a value.
func place(v document.Value) string { return fmt.Sprintf("%s:%d:%d", v.File(), v.Line(), v.Col()) }
