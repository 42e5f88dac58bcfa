// Package trace reads recorded workloads into plain rows, one line at a time:
// the node and pod lists of openb, logs in the Standard Workload Format and the
// Philly job list. Files may be gzipped; that is seen from their content. Rows
// are checked, so that their numbers can be turned into nanoseconds and bytes
// without overflow.
package trace

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
)

// Limits of what a line and its values may be.
const (
	// MaxLineBytes is the longest line that is read.
	MaxLineBytes = 64 << 10
	// MaxSeconds is the largest time or span, 73 years: the sum of any four
	// still fits into 64 bits as nanoseconds.
	MaxSeconds = math.MaxInt64 / 1_000_000_000 / 4
	// MaxAmount is the largest amount of memory (MiB) or CPU (milli-CPU): what
	// still fits into 64 bits as bytes.
	MaxAmount = math.MaxInt64 >> 20
	// MaxCount is the largest number of GPUs, processors or jobs.
	MaxCount = math.MaxInt32
)

// keptErrors is how many errors of skipped lines a reader keeps.
const keptErrors = 10

// Options say how to read a trace.
type Options struct {
	// SkipBad skips lines that cannot be used, and counts them. Faults of
	// the file itself (its header, a cut gzip stream) remain errors.
	SkipBad bool
}

// LineError is one fault of one line.
type LineError struct {
	File    string
	Line    int
	Col     int    // 1-based, in bytes; where the field begins, 1 for the line as a whole
	Column  string // empty when the fault is the line's as a whole
	Value   string // empty if the error is not about one value
	Problem string
}

// Error returns "file:line:col: column: "value" problem" without what is empty.
func (e *LineError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Col)
	if e.Column != "" {
		b.WriteString(e.Column + ": ")
	}
	if e.Value != "" {
		const most = 60
		if len(e.Value) > most {
			fmt.Fprintf(&b, "%q... ", e.Value[:most])
		} else {
			fmt.Fprintf(&b, "%q ", e.Value)
		}
	}
	return b.String() + e.Problem
}

// faults collects what is wrong with one line.
type faults struct {
	file string
	line int
	text string // of the line, for columns of fields that blanks separate
	list []error
}

// add adds a fault of the line as a whole.
func (f *faults) add(column, value, format string, args ...any) {
	f.addField(field{1, column, value}, format, args...)
}

// field is a field of a line.
type field struct {
	col           int // where it begins, 1-based
	column, value string
}

func (f *faults) addField(of field, format string, args ...any) {
	f.list = append(f.list, &LineError{f.file, f.line, of.col, of.column, of.value, fmt.Sprintf(format, args...)})
}

// Reader is the stream of rows of one trace.
type Reader[Row any] struct {
	lines *lines
	skip  bool
	// parse turns a line into a row, or adds faults; false means that the line
	// is not a row and no fault either.
	parse   func(line string, f *faults) (Row, bool)
	end     error // what every further call of Next returns; io.EOF at the end
	skipped int
	kept    []error
}

// Next returns the next row, or false when there are no more. An error that holds a *LineError is
// about one line only (all of its faults, one a line): calling again goes on with the line after
// it. After any other error the reader is at its end and returns that error forever.
func (r *Reader[Row]) Next() (Row, bool, error) {
	var none Row
	for r.end == nil {
		text, err := r.lines.next()
		f := faults{file: r.lines.file, line: r.lines.number}
		switch {
		case errors.Is(err, errTooLong):
			f.add("", text, "is longer than %d bytes", MaxLineBytes)
		case err != nil:
			r.end = err
			continue
		default:
			row, ok := r.parse(text, &f)
			if ok && len(f.list) == 0 {
				return row, true, nil
			}
		}
		if len(f.list) == 0 {
			continue
		}
		bad := errors.Join(f.list...)
		if !r.skip {
			return none, false, bad
		}
		r.skipped++
		if len(r.kept) < keptErrors {
			r.kept = append(r.kept, bad)
		}
	}
	if r.end == io.EOF {
		return none, false, nil
	}
	return none, false, r.end
}

// Rows ranges over Next. It goes on after the error of a line as long as the
// loop does, and stops after any other error.
func (r *Reader[Row]) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			row, ok, err := r.Next()
			if !ok && err == nil || !yield(row, err) || r.end != nil {
				return
			}
		}
	}
}

// Skipped returns how many lines have been skipped so far.
func (r *Reader[Row]) Skipped() int { return r.skipped }

// SkippedErrors returns what was wrong with the first ten of them.
func (r *Reader[Row]) SkippedErrors() []error { return r.kept }
