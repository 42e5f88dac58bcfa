// Package output has the formats in which berth writes its answers, and writes them.
package output

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
)

// Format is a form in which an answer is written.
type Format string

// The formats.
const (
	Table    Format = "table" // for a terminal
	Wide     Format = "wide"  // a table with more columns
	Name     Format = "name"  // KIND/NAMESPACE/NAME on each line, for scripts
	Markdown Format = "markdown"
	JSON     Format = "json"
	HTML     Format = "html" // a page for a browser
	CSV      Format = "csv"
	JSONL    Format = "jsonl"  // a JSON object on each line, for answers of many parts
	JUnit    Format = "junit"  // XML that CI systems read as the outcome of tests
	SARIF    Format = "sarif"  // Static Analysis Results Interchange Format 2.1.0 (OASIS)
	GitHub   Format = "github" // workflow commands, which GitHub shows as annotations
)

// Formats are the formats that most answers support.
var Formats = []Format{Table, Markdown, JSON, CSV}

// View says how an answer is shown.
type View struct {
	Format Format
	Width  int  // of the terminal, in columns, for tables
	All    bool // with details; JSON and CSV always have them
}

// minWidth is the smallest width of tables, in columns.
const minWidth = 60

// Columns returns the width of tables: that of the terminal, but at least minWidth.
func (v View) Columns() int { return max(v.Width, minWidth) }

// Forms has the content of an answer in each format. The answer does not support a format whose function is nil.
type Forms struct {
	Table    func(width int) (string, error)
	Wide     func(width int) (string, error)
	Name     func() string
	Markdown func() string
	JSON     func() any // the value to encode
	CSV      func() [][]string
	JUnit    func() any // the value to encode as XML
	SARIF    func() any // the value to encode as JSON
	GitHub   func() string
}

// Write writes the answer in the format of the view.
func (v View) Write(w io.Writer, forms Forms) error {
	drawn := map[Format]func(width int) (string, error){Table: forms.Table, Wide: forms.Wide}[v.Format]
	switch {
	case drawn != nil:
		text, err := drawn(v.Columns())
		if err != nil {
			return err
		}
		if p, ok := w.(*Printable); ok {
			return p.writeTable(text)
		}
		return writeText(w, text)
	case v.Format == Name && forms.Name != nil:
		return writeText(w, forms.Name())
	case v.Format == Markdown && forms.Markdown != nil:
		return writeText(w, forms.Markdown())
	case v.Format == JSON && forms.JSON != nil:
		return WriteJSON(w, forms.JSON())
	case v.Format == CSV && forms.CSV != nil:
		return csv.NewWriter(w).WriteAll(forms.CSV())
	case v.Format == JUnit && forms.JUnit != nil:
		return writeXML(w, forms.JUnit())
	case v.Format == SARIF && forms.SARIF != nil:
		return WriteJSON(w, forms.SARIF())
	case v.Format == GitHub && forms.GitHub != nil:
		return writeText(w, forms.GitHub())
	}
	return v.Unsupported()
}

// Unsupported returns the error of an answer that does not support the format of the view.
func (v View) Unsupported() error { return fmt.Errorf("the format %q is not supported here", v.Format) }

func writeText(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}

// writeXML writes a value as an indented XML document.
func writeXML(w io.Writer, v any) error {
	text, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeText(w, xml.Header+string(text)+"\n")
}
