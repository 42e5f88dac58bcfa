package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// looksLikeJSON reports whether the text begins as a JSON list or mapping does.
func looksLikeJSON(text []byte) bool {
	var first byte
	for _, c := range text {
		switch {
		case isJSONSpace(c):
		case first == 0:
			if c != '{' && c != '[' {
				return false
			}
			first = c
		case c == '"':
			return true
		case first == '{':
			return c == '}' || c == '/'
		default:
			return c == '{' || c == '[' || c == ']'
		}
	}
	return false
}

// parseJSON parses JSON values that stand one after another into the trees that YAML would give.
// It is there because YAML is not a superset of JSON as it is used: the YAML parser wants keys of
// fewer than 1,024 characters, knows no surrogate pairs and takes ten times as long.
func parseJSON(file string, text []byte) ([]*Document, *Error) {
	p := &jsonParser{text: string(text), line: 1, col: 1}
	var docs []*Document
	for {
		p.skipSpace()
		if p.at == len(p.text) {
			return docs, nil
		}
		root := p.value(0)
		if p.fault != "" {
			if p.peek() == '/' {
				p.fault = "comments are not part of JSON"
			}
			line, col := p.position(p.at)
			return nil, &Error{File: file, Line: line, Col: col, What: "is not well-formed JSON: " + p.fault}
		}
		doc, fault := newDocument(file, root, 0)
		if fault != nil {
			return nil, fault
		}
		docs = append(docs, doc)
	}
}

type jsonParser struct {
	text  string
	at    int
	fault string // what is wrong at at; parsing stops there

	marked, line, col int // the place whose position was asked for last, and that position
	slab              []yaml.Node
}

// value parses the value that begins at at.
func (p *jsonParser) value(depth int) *yaml.Node {
	n := p.node()
	switch c := p.peek(); {
	case depth > MaxDepth:
		p.fault = fmt.Sprintf("nested more than %d levels deep", MaxDepth)
	case c == '{':
		n.Kind, n.Tag, n.Style = yaml.MappingNode, tagMap, yaml.FlowStyle
		p.collection(n, '}', depth)
	case c == '[':
		n.Kind, n.Tag, n.Style = yaml.SequenceNode, tagList, yaml.FlowStyle
		p.collection(n, ']', depth)
	case c == '"':
		p.quotedText(n)
	default:
		p.literal(n)
	}
	return n
}

// collection parses the entries of a list or mapping up to the closing bracket.
func (p *jsonParser) collection(n *yaml.Node, closing byte, depth int) {
	p.at++
	p.skipSpace()
	if p.peek() == closing {
		p.at++
		return
	}
	for p.fault == "" {
		p.skipSpace()
		if closing == '}' {
			n.Content = append(n.Content, p.key())
			if p.fault != "" {
				return
			}
		}
		n.Content = append(n.Content, p.value(depth+1))
		if p.fault != "" {
			return
		}
		p.skipSpace()
		switch p.peek() {
		case ',':
			p.at++
		case closing:
			p.at++
			return
		default:
			p.fault = fmt.Sprintf("expected a comma or %c", closing)
		}
	}
}

// key parses a key and the colon behind it.
func (p *jsonParser) key() *yaml.Node {
	n := p.node()
	if p.peek() != '"' {
		p.fault = "expected a key in double quotes"
		return n
	}
	p.quotedText(n)
	if p.fault != "" {
		return n
	}
	p.skipSpace()
	if p.peek() != ':' {
		p.fault = "expected a colon"
		return n
	}
	p.at++
	p.skipSpace()
	return n
}

// quotedText parses a string.
func (p *jsonParser) quotedText(n *yaml.Node) {
	n.Kind, n.Tag, n.Style = yaml.ScalarNode, tagString, yaml.DoubleQuotedStyle
	escaped := false
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			p.at, p.fault = i, "a control character in a string must be escaped"
			return
		case c == '"':
			n.Value = p.text[p.at+1 : i]
			if escaped && json.Unmarshal([]byte(p.text[p.at:i+1]), &n.Value) != nil {
				p.fault = "the string holds an unknown escape"
				return
			}
			p.at = i + 1
			return
		}
	}
	p.fault = "the string has no end"
}

// literal parses a number, true, false or null.
func (p *jsonParser) literal(n *yaml.Node) {
	end := p.at
	for end < len(p.text) && strings.IndexByte(" \t\r\n,:]}[{\"", p.text[end]) < 0 {
		end++
	}
	n.Kind, n.Value = yaml.ScalarNode, p.text[p.at:end]
	switch {
	case n.Value == "true" || n.Value == "false":
		n.Tag = tagBool
	case n.Value == "null":
		n.Tag = tagNull
	case !isJSONNumber(n.Value):
		p.fault = "expected a value"
		return
	case strings.ContainsAny(n.Value, ".eE"):
		n.Tag = tagFloat
	default:
		n.Tag = tagInt
	}
	p.at = end
}

// node returns a new node at the present position.
func (p *jsonParser) node() *yaml.Node {
	if len(p.slab) == 0 {
		p.slab = make([]yaml.Node, 64)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.Line, n.Column = p.position(p.at)
	return n
}

// position counts lines and columns on from the place it was last asked about.
func (p *jsonParser) position(at int) (line, col int) {
	between := p.text[p.marked:at]
	if i := strings.LastIndexByte(between, '\n'); i >= 0 {
		p.line += strings.Count(between, "\n")
		p.col = 1
		between = between[i+1:]
	}
	p.col += utf8.RuneCountInString(between)
	p.marked = at
	return p.line, p.col
}

// peek returns the byte at at, 0 at the end of the text.
func (p *jsonParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *jsonParser) skipSpace() {
	for p.at < len(p.text) && isJSONSpace(p.text[p.at]) {
		p.at++
	}
}

func isJSONSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// isJSONNumber reports whether text is a number as RFC 8259 has it.
func isJSONNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	whole, rest := cutDigits(text)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		var fraction string
		if fraction, rest = cutDigits(after); fraction == "" {
			return false
		}
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	exponent, rest := cutDigits(rest)
	return exponent != "" && rest == ""
}

// cutDigits splits text behind its leading digits.
func cutDigits(text string) (digits, rest string) {
	end := 0
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	return text[:end], text[end:]
}
