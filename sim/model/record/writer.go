package record

import (
	"fmt"
	"io"
	"strconv"
)

// A Writer writes records as JSON, one a line: the time "t" in nanoseconds, the kind, and the fields of that kind.
type Writer struct {
	w    io.Writer
	line []byte
}

// NewWriter returns a writer of records to w, which should be buffered.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes one record. Its errors are those of the writer below, and that the kind is unknown.
func (w *Writer) Write(r *Record) error {
	if !r.Kind.known() {
		return fmt.Errorf("unknown kind of record %v", r.Kind)
	}
	l := &layouts[r.Kind]
	b := append(w.line[:0], `{"t":`...)
	b = strconv.AppendInt(b, int64(r.Time), 10)
	b = append(b, l.begin...)
	b = l.appendMembers(b, r)
	w.line = append(b, '}', '\n')
	_, err := w.w.Write(w.line)
	return err
}
