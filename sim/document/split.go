package document

import (
	"bytes"
	"unicode/utf8"
)

// part is a stretch of a YAML stream that can be parsed by itself.
type part struct {
	text   []byte
	before int // lines of the file before it
}

// decodeText checks the encoding and drops a byte order mark.
func decodeText(file string, data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, &Error{File: file, Line: 1, Col: 1, What: "is UTF-16 text; only UTF-8 is read"}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if utf8.Valid(data) {
		return data, nil
	}
	line, start, at := 1, 0, 0
	for {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			col := utf8.RuneCount(data[start:at]) + 1
			return nil, &Error{File: file, Line: line, Col: col, What: "is not UTF-8 text"}
		}
		at += size
		if r == '\n' {
			line, start = line+1, at
		}
	}
}

// splitStream cuts a YAML stream before every line that begins a document (---) and after every
// line that ends one (...). Such a line can stand neither in a block scalar (its text is indented)
// nor in a quoted one (YAML forbids it), so there is nothing else to look at. Directives stay
// with the document they precede.
func splitStream(text []byte) []part {
	var parts []part
	start, lines, startLines := 0, 0, 0
	content, directive := false, false // seen since start
	cut := func(at int) {
		if content {
			parts = append(parts, part{text: text[start:at], before: startLines})
		}
		start, startLines = at, lines
		content, directive = false, false
	}
	for at := 0; at < len(text); lines++ {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := text[at:end]
		switch {
		case isMarker(line, "---"):
			if content || !directive {
				cut(at)
			}
			content = true
		case isMarker(line, "..."):
			content = content || directive
			lines++
			cut(end)
			lines--
		case !content && line[0] == '%':
			directive = true
		case !content:
			trimmed := bytes.TrimLeft(line, " \t\r\n")
			content = len(trimmed) > 0 && trimmed[0] != '#'
		}
		at = end
	}
	content = content || directive
	cut(len(text))
	return parts
}

// isMarker tells whether a line is the marker, alone or followed by white space.
func isMarker(line []byte, marker string) bool {
	if len(line) < 3 || string(line[:3]) != marker {
		return false
	}
	return len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0
}
