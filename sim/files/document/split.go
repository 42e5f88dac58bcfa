package document

import (
	"bytes"
	"unicode/utf8"
)

// part is a stretch of a YAML stream that can be parsed by itself.
type part struct {
	text      []byte
	before    int  // lines of the file before it
	directive bool // whether it begins with directives
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
	if format := compression(data); format != "" {
		return nil, &Error{File: file, Line: 1, Col: 1, What: "is compressed with " + format + ": decompress it first"}
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

// compression names the format of compressed data; empty: it is not known to be compressed.
func compression(data []byte) string {
	for _, format := range []struct{ name, magic string }{
		{"gzip", "\x1f\x8b"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"bzip2", "BZh"}, {"xz", "\xfd7zXZ"}, {"zip", "PK\x03\x04"},
	} {
		if bytes.HasPrefix(data, []byte(format.magic)) {
			return format.name
		}
	}
	return ""
}

// splitStream cuts a YAML stream before every line that begins a document (---) and after every
// line that ends one (...). Such a line can stand neither in a block scalar (its text is indented)
// nor in a quoted one (YAML forbids it), so there is nothing else to look at. Directives stay
// with the document they precede. Documents without content are left out.
func splitStream(text []byte) []part {
	s := splitter{text: text}
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		s.line(at, end)
		at = end
	}
	s.cut(len(text), s.lines)
	return s.parts
}

// splitter is the state of splitStream: what was seen of the part being read.
type splitter struct {
	text      []byte
	parts     []part
	lines     int // read so far
	start     int // where the part begins in text
	before    int // lines before it
	directive bool
	begun     bool // by a line of ---
	content   bool // that is more than markers and comments
}

// line takes the line text[at:end].
func (s *splitter) line(at, end int) {
	line := s.text[at:end]
	switch {
	case isMarker(line, "---"):
		if s.content || s.begun || !s.directive {
			s.cut(at, s.lines)
		}
		s.begun = true
		s.content = hasContent(line[3:])
	case isMarker(line, "..."):
		s.content = s.content || s.directive || hasContent(line[3:])
		s.cut(end, s.lines+1)
	case !s.content && !s.begun && line[0] == '%':
		s.directive = true
	case !s.content:
		s.content = hasContent(line)
	}
	s.lines++
}

// cut ends the part just before an offset; lines is how many lines precede it.
func (s *splitter) cut(at, lines int) {
	if s.content || s.directive {
		s.parts = append(s.parts, part{text: s.text[s.start:at], before: s.before, directive: s.directive})
	}
	s.start, s.before = at, lines
	s.directive, s.begun, s.content = false, false, false
}

// hasContent reports whether a line holds anything but a comment.
func hasContent(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] != '#'
}

// isMarker reports whether a line is the marker, alone or followed by white space.
func isMarker(line []byte, marker string) bool {
	if len(line) < 3 || string(line[:3]) != marker {
		return false
	}
	return len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0
}
