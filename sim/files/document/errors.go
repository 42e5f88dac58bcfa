package document

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Error is one fault of an input file: where it is and what is wrong there.
type Error struct {
	File  string // as given to Parse
	Line  int    // 1-based; 0 when the fault has no place in the text
	Col   int    // 1-based, in characters
	Path  string // e.g. pools[2].template.spec; empty for the document itself
	Value string // the offending text, quoted; empty when there is none to show
	What  string // what is wrong, reading on from the value
	Err   error  // the cause, if there is one
}

// Error says the fault on one line: file:line:col: path: "value" what is wrong.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", e.Line, e.Col)
		}
		b.WriteString(": ")
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	if e.Value != "" {
		b.WriteString(e.Value + " ")
	}
	b.WriteString(e.What)
	return b.String()
}

// Unwrap returns the cause, which is nil for most faults.
func (e *Error) Unwrap() error { return e.Err }

// ErrIncomplete is the cause of a fault behind which Decode left parts of the document unread.
var ErrIncomplete = errors.New("the document was not read to its end")

// UnknownField is the cause of a fault about a key of a mapping that no field has.
type UnknownField struct {
	Meant string // the field that may have been meant; empty if there is none
}

// Error says what kind of fault it is.
func (u *UnknownField) Error() string { return "unknown field" }

// Errors collects faults of one or more files. The zero value is ready to use.
type Errors []*Error

// Error lists the faults, one a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, fault := range e {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults, for errors.Is and errors.As.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, fault := range e {
		all[i] = fault
	}
	return all
}

// Add notes that what path leads to, seen from v, is wrong. See Value.Errorf.
func (e *Errors) Add(v Value, path, format string, args ...any) {
	*e = append(*e, v.fault(path, fmt.Sprintf(format, args...)))
}

// Append adds err: every fault of it if it is an Error or Errors, possibly wrapped, else err as a
// fault without a place. A nil err adds nothing.
func (e *Errors) Append(err error) {
	if err == nil {
		return
	}
	var many Errors
	var one *Error
	switch {
	case errors.As(err, &many):
		*e = append(*e, many...)
	case errors.As(err, &one):
		*e = append(*e, one)
	default:
		*e = append(*e, &Error{What: err.Error(), Err: err})
	}
}

// Err returns nil if there is no fault, else the faults sorted by position, files in the order in
// which they were first named.
func (e Errors) Err() error {
	if len(e) == 0 {
		return nil
	}
	rank := make(map[string]int)
	for _, fault := range e {
		if _, ok := rank[fault.File]; !ok {
			rank[fault.File] = len(rank)
		}
	}
	sorted := slices.Clone(e)
	slices.SortStableFunc(sorted, func(a, b *Error) int {
		return cmp.Or(
			cmp.Compare(rank[a.File], rank[b.File]),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col),
		)
	})
	return sorted
}

// shownRunes bounds how much of an offending text an error repeats.
const shownRunes = 60

// quoted is the text as errors show it: on one line and not too long.
func quoted(text string) string {
	if n := 0; len(text) > shownRunes {
		for i := range text {
			if n++; n > shownRunes {
				return strconv.Quote(text[:i] + "…")
			}
		}
	}
	return strconv.Quote(text)
}
