// Package output holds the formats in which berth writes its answers, and the one way to write each of them.
package output

import (
	"encoding/csv"
	"fmt"
	"io"
)

// Format is a form in which an answer is written.
type Format string

// The formats.
const (
	Table    Format = "table" // for a terminal
	Markdown Format = "markdown"
	JSON     Format = "json"
	CSV      Format = "csv"
	JSONL    Format = "jsonl" // a JSON object on each line, for answers of many parts
)

// Formats are those that most answers have.
var Formats = []Format{Table, Markdown, JSON, CSV}

// View is how an answer is shown.
type View struct {
	Format Format
	Width  int  // of the terminal, in columns, for tables
	All    bool // details too; JSON and CSV always have them
}

// minWidth is the narrowest terminal that tables are made for.
const minWidth = 60

// Columns is the width that tables are made for: that of the terminal, but not less than a table needs.
func (v View) Columns() int { return max(v.Width, minWidth) }

// Forms are what an answer is in each format. A format whose function is nil is not supported by the answer.
type Forms struct {
	Table    func(width int) (string, error)
	Markdown func() string
	JSON     func() any // what JSON encodes
	CSV      func() [][]string
}

// Write writes the form of the answer that the view asks for.
func (v View) Write(w io.Writer, forms Forms) error {
	switch {
	case v.Format == Table && forms.Table != nil:
		text, err := forms.Table(v.Columns())
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, text)
		return err
	case v.Format == Markdown && forms.Markdown != nil:
		_, err := io.WriteString(w, forms.Markdown())
		return err
	case v.Format == JSON && forms.JSON != nil:
		return WriteJSON(w, forms.JSON())
	case v.Format == CSV && forms.CSV != nil:
		return csv.NewWriter(w).WriteAll(forms.CSV())
	}
	return v.Unsupported()
}

// Unsupported is the error of an answer that does not have the view's format.
func (v View) Unsupported() error { return fmt.Errorf("the format %q is not supported here", v.Format) }
