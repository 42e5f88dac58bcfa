package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// version12 matches the directive that names version 1.2 of YAML.
var version12 = regexp.MustCompile(`(?m)^%YAML[ \t]+1\.2`)

// parsePart parses one part of a YAML stream. It yields no document for one that is empty, and
// several only where lines end in a bare carriage return.
func parsePart(file string, p part) ([]*Document, *Error) {
	if p.directive {
		// The parser refuses the number of the version that it implements for the most part.
		p.text = version12.ReplaceAll(p.text, []byte("%YAML 1.1"))
	}
	roots, err := parseText(bytes.NewReader(p.text))
	if err != nil {
		return nil, p.syntaxFault(file, err.Error())
	}
	var docs []*Document
	for _, root := range roots {
		if isNull(root) && root.Value == "" {
			continue
		}
		doc, fault := newDocument(file, root, p.before)
		if fault != nil {
			return nil, fault
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// parseText returns the roots of all documents of r. A panic of the parser, which some malformed
// texts cause, is an error like any other.
func parseText(r io.Reader) (roots []*yaml.Node, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("yaml: %v", fault)
		}
	}()
	parser := yaml.NewDecoder(r)
	for {
		var doc yaml.Node
		if err := parser.Decode(&doc); errors.Is(err, io.EOF) {
			return roots, nil
		} else if err != nil {
			return nil, err
		}
		if len(doc.Content) > 0 {
			roots = append(roots, doc.Content[0])
		}
	}
}

// syntaxFault turns an error of the parser, which is vague about its place, into one that names the
// line: the last that the parser had to read in order to fail in this way.
func (p part) syntaxFault(file, message string) *Error {
	what, named := splitMessage(message)
	lines := bytes.SplitAfter(p.text, []byte("\n"))
	line := min(p.failingLine(lines, message, named), len(lines))
	indent := len(lines[line-1]) - len(bytes.TrimLeft(lines[line-1], " \t"))
	return &Error{File: file, Line: p.before + line, Col: indent + 1, What: "is not well-formed YAML: " + what}
}

// splitMessage takes the line (within the part) out of a message such as "yaml: line 3: did not
// find expected key". The line is the one where the broken construct begins.
func splitMessage(message string) (what string, line int) {
	what = strings.TrimPrefix(message, "yaml: ")
	rest, ok := strings.CutPrefix(what, "line ")
	if !ok {
		return what, 1
	}
	number, rest, _ := strings.Cut(rest, ": ")
	line, err := strconv.Atoi(number)
	if err != nil {
		return what, 1
	}
	if isGrammarFault(rest) {
		line++
	}
	return rest, line
}

// isGrammarFault tells the messages of the parser's grammar (yaml.v3 parserc.go), which count lines
// from 0, from those of its scanner.
func isGrammarFault(message string) bool {
	rest, ok := strings.CutPrefix(message, "did not find expected ")
	if !ok {
		return false
	}
	for _, start := range []string{"<", "node content", "'-'", "key", "','"} {
		if strings.HasPrefix(rest, start) {
			return true
		}
	}
	return false
}

// failingLine finds the line, counted from 1, that makes the parser fail with the message. The
// parser reads a little ahead, so the lines read last are dropped while the failure stays the same;
// if it stays for long, something was left open, and the line named by the parser is the best.
func (p part) failingLine(lines [][]byte, message string, named int) int {
	const readAhead = 8
	feed := &lineReader{text: p.text}
	if _, err := parseText(feed); err == nil || err.Error() != message {
		return named
	}
	for line := feed.lines; line > named; line-- {
		if feed.lines-line > readAhead {
			return named
		}
		_, err := parseText(bytes.NewReader(bytes.Join(lines[:line-1], nil)))
		if err == nil || err.Error() != message {
			return line
		}
	}
	return named
}

// lineReader hands out a text line by line and counts the lines that were asked for.
type lineReader struct {
	text  []byte
	lines int
	open  bool // in the midst of a line
}

// Read fills buf with no more than the rest of a line.
func (r *lineReader) Read(buf []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	if !r.open {
		r.lines++
	}
	n := min(len(buf), len(r.text))
	if i := bytes.IndexByte(r.text[:n], '\n'); i >= 0 {
		n = i + 1
	}
	r.open = r.text[n-1] != '\n'
	copy(buf, r.text[:n])
	r.text = r.text[n:]
	return n, nil
}
