package document

import (
	"bytes"
	"errors"

	"gopkg.in/yaml.v3"
)

// place is where the text of a string stands in a file.
type place struct {
	line, col int  // of the string
	inner     bool // positions inside the text are known: it is a literal block, indented by indent
	indent    int
}

// of returns the position in the file of a position in the text, of which the lines before it are counted already.
func (p *place) of(line, col int) (int, int) {
	switch {
	case p == nil:
		return line, col
	case p.inner:
		return p.line + line, p.indent + col
	}
	return p.line, p.col
}

// ParseText parses the text of a string, such as a file in a ConfigMap, as Parse does. Positions are those of the file
// around it, whose text is source: exact in a literal block (|), and the position of the string in any other style.
func ParseText(v Value, source []byte) ([]*Document, error) {
	if v.Kind() != String {
		return nil, v.Errorf("", "is %s, not a text", v.Kind())
	}
	at := &place{line: v.Line(), col: v.Col()}
	if v.node.Style&yaml.LiteralStyle != 0 && v.doc.in == nil {
		at.inner, at.indent = true, indentation(v, source)
	}
	docs, err := Parse(v.File(), []byte(v.Text()))
	for _, doc := range docs {
		doc.in = at
	}
	var faults Errors
	var fault *Error
	switch {
	case errors.As(err, &faults):
		for _, f := range faults {
			f.Line, f.Col = at.of(f.Line, f.Col)
		}
	case errors.As(err, &fault):
		fault.Line, fault.Col = at.of(fault.Line, fault.Col)
	}
	return docs, err
}

// indentation is how far a literal block is indented in its file.
func indentation(v Value, source []byte) int {
	lines := bytes.Split(source, []byte("\n"))
	for i, line := range bytes.Split([]byte(v.Text()), []byte("\n")) {
		at := v.Line() + i
		if len(bytes.TrimSpace(line)) == 0 || at >= len(lines) {
			continue
		}
		if before, found := bytes.CutSuffix(bytes.TrimSuffix(lines[at], []byte("\r")), line); found {
			return len(before)
		}
	}
	return 0
}
