package initialize

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/sim/files/document"
)

// origin is where an object was found that is written from a line on.
type origin struct {
	line int
	from document.Error
}

// lineCounter counts the lines that are written.
type lineCounter struct {
	io.Writer
	ended int
}

// Write writes and counts.
func (c *lineCounter) Write(text []byte) (int, error) {
	c.ended += bytes.Count(text, []byte("\n"))
	return c.Writer.Write(text)
}

// traced says of the faults of drafts where in the dump their objects stand: the user does not have the drafts.
// Faults of the scenario itself are the others.
func traced(err error, files []file) (ofDump, others document.Errors) {
	var all document.Errors
	var one *document.Error
	switch {
	case errors.As(err, &all):
	case errors.As(err, &one):
		all = document.Errors{one}
	default:
		all = document.Errors{{What: err.Error(), Err: err}}
	}
	for _, fault := range all {
		from := originOf(fault, files)
		if from == nil {
			here := *fault
			here.File = filepath.Base(fault.File)
			others = append(others, &here)
			continue
		}
		there := *fault
		there.File, there.Line, there.Col = from.File, from.Line, from.Col
		if there.Path = from.Path; from.Path != "" && fault.Path != "" {
			there.Path += "."
		}
		there.Path += fault.Path
		ofDump = append(ofDump, &there)
	}
	return ofDump, others
}

// originOf is where the object stands that the fault of a draft is about; nil: nowhere.
func originOf(fault *document.Error, files []file) *document.Error {
	for _, f := range files {
		if f.origins == nil || filepath.Base(f.path) != filepath.Base(fault.File) {
			continue
		}
		i, exact := slices.BinarySearchFunc(*f.origins, fault.Line, func(o origin, line int) int { return cmp.Compare(o.line, line) })
		if !exact {
			i--
		}
		if i >= 0 {
			return &(*f.origins)[i].from
		}
	}
	return nil
}
