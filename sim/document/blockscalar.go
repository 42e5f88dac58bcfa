package document

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// scalar makes a node of a plain or quoted text that takes the rest of its line, or is a key.
func (p *blockParser) scalar(text string, column int) *yaml.Node {
	n := p.node(yaml.ScalarNode, tagString, column)
	switch text[0] {
	case '"', '\'':
		value, known := unquote(text)
		if !known || quotedLength(text) != len(text) {
			p.giveUp()
		}
		n.Value, n.Style = value, yaml.DoubleQuotedStyle
		if text[0] == '\'' {
			n.Style = yaml.SingleQuotedStyle
		}
	default:
		if !isPlain(text) || text == "<<" {
			p.giveUp()
		}
		n.Value = text
		if strings.IndexByte("+-.0123456789yYnNtTfFoO~", text[0]) >= 0 {
			n.Tag = (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag()
		}
	}
	return n
}

// isPlain tells whether a text without quotes is a scalar for certain.
func isPlain(text string) bool {
	switch text[0] {
	case '-', '?', ':':
		if len(text) == 1 || text[1] == ' ' {
			return false
		}
	case ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return false
	}
	return text[len(text)-1] != ':' && text[len(text)-1] != ' ' && !strings.Contains(text, ": ") && !strings.Contains(text, " #")
}

// quotedLength is how long the quoted text is that text begins with, 0 if it has no end.
func quotedLength(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// unquote is what a quoted text says; not known: it has escapes that are for the YAML parser.
func unquote(text string) (value string, known bool) {
	length := quotedLength(text)
	if length == 0 {
		return "", false
	}
	inner := text[1 : length-1]
	if text[0] == '\'' {
		return strings.ReplaceAll(inner, "''", "'"), true
	}
	if strings.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			b.WriteByte(inner[i])
			continue
		}
		i++
		switch inner[i] {
		case '"', '\\':
			b.WriteByte(inner[i])
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			return "", false
		}
	}
	return b.String(), true
}

// flow parses the value in flow style that text begins with, and says how long it is; 0: that is
// for the YAML parser.
func (p *blockParser) flow(text string, column, depth int) (n *yaml.Node, length int) {
	n = p.node(yaml.ScalarNode, tagString, column)
	if text == "" || depth > MaxDepth {
		return n, 0
	}
	closing := byte(']')
	switch text[0] {
	case '[':
		n.Kind, n.Tag, n.Style = yaml.SequenceNode, tagList, yaml.FlowStyle
	case '{':
		n.Kind, n.Tag, n.Style = yaml.MappingNode, tagMap, yaml.FlowStyle
		closing = '}'
	default:
		if length = flowScalarLength(text); length > 0 {
			n = p.scalar(text[:length], column)
		}
		return n, length
	}
	if len(text) > 1 && text[1] == closing {
		return n, 2
	}
	begin, at := len(p.stack), 1
	for at > 0 {
		if closing == '}' {
			at = p.flowPart(text, at, column, depth)
			if at == 0 || !strings.HasPrefix(text[at:], ": ") {
				return n, 0
			}
			at += 2
		}
		at = p.flowPart(text, at, column, depth)
		switch {
		case at == 0 || at == len(text):
			return n, 0
		case text[at] == closing:
			n.Content = p.keep(p.stack[begin:])
			p.stack = p.stack[:begin]
			return n, at + 1
		case !strings.HasPrefix(text[at:], ", "):
			return n, 0
		}
		at += 2
	}
	return n, 0
}

// flowPart parses a key or value at an offset of a collection in flow style and returns where it
// ends; 0: that is for the YAML parser.
func (p *blockParser) flowPart(text string, at, column, depth int) int {
	part, length := p.flow(text[at:], column+at, depth+1)
	if length == 0 || p.unknown || part.Kind == yaml.ScalarNode && !isASCII(text[at:at+length]) {
		return 0
	}
	p.stack = append(p.stack, part)
	return at + length
}

// flowScalarLength is how long the scalar is that text begins with, as far as that is certain.
func flowScalarLength(text string) int {
	if text[0] == '"' || text[0] == '\'' {
		return quotedLength(text)
	}
	length := 0
	for length < len(text) && isFlowLetter(text[length]) {
		length++
	}
	if length == 0 || text[0] == '-' && length == 1 {
		return 0
	}
	return length
}

// isFlowLetter tells the letters of plain scalars in flow style that mean nothing else anywhere.
func isFlowLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '/' || c == '-' || c == '+'
}
