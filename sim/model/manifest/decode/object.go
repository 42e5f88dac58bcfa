package decode

import (
	"fmt"

	"github.com/berth-sim/berth/sim/files/document"
)

// Object is one Kubernetes object on its way from a document to the state of a cluster.
type Object struct {
	At              document.Value
	Kind            *Kind
	Version         string // of the object, without its group
	Namespace, Name string
	GenerateName    string // what its name is made from; empty: it has one
	Typed           any    // pointer to the decoded API type, or what a check made of it
	Faults          document.Errors
	UnknownFields   document.Errors // that cannot matter to scheduling
}

// Warnings collects warnings, one for each subject.
type Warnings struct {
	given map[string]bool
	to    *[]string
}

// NewWarnings returns warnings that are appended to a list.
func NewWarnings(to *[]string) *Warnings { return &Warnings{map[string]bool{}, to} }

// Once adds a warning unless there is one on that subject already.
func (w *Warnings) Once(subject string, at document.Value, format string, args ...any) {
	if w.given[subject] {
		return
	}
	w.given[subject] = true
	*w.to = append(*w.to, Position(at)+": "+fmt.Sprintf(format, args...))
}

// Position returns file:line:col of a value.
func Position(v document.Value) string { return fmt.Sprintf("%s:%d:%d", v.File(), v.Line(), v.Col()) }
