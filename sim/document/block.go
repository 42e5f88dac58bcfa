package document

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// blockParser parses documents that are written as kubectl and most people write YAML: mappings
// and lists one entry a line, scalars that end on their line, literal blocks, and flow style
// within a line. It is there because it takes a fifth of the time of the YAML parser and half of
// its room. It reads a text line by line. Of a line such as "- name: x" the part behind the dash
// is taken for a line of its own that is indented by as much.
type blockParser struct {
	text    string
	at      int    // where the next line begins
	line    int    // the present line, counted from 1
	indent  int    // of the present line; -1 at the end
	body    string // of the present line, without its indentation
	ended   bool
	unknown bool // something was met that is for the YAML parser

	slab  []yaml.Node  // for nodes, of one document after the other
	links []*yaml.Node // for their children
	stack []*yaml.Node // children of the collections that are being read
}

// parse returns the root of a document. Whatever it does not know for certain it leaves to the
// YAML parser, faults above all: then it returns nil. A fuzz test holds its trees against those
// of that parser.
func (p *blockParser) parse(text []byte) *yaml.Node {
	*p = blockParser{text: string(text), slab: p.slab, links: p.links, stack: p.stack[:0]}
	if !isPlainText(p.text) {
		return nil
	}
	p.next()
	if p.indent == 0 && p.body == "---" {
		p.next()
	}
	if p.ended || p.unknown {
		return nil
	}
	root := p.block(0)
	if !p.ended || p.unknown {
		return nil
	}
	return root
}

// isPlainText tells whether a text has none of the characters that YAML treats in a way of its own
// or forbids, and ends with a line break.
func isPlainText(text string) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < 0xa0 || r == '\u2028' || r == '\u2029' || r >= 0xd800 && r < 0x10000 {
			return false
		}
		i += size
	}
	return strings.HasSuffix(text, "\n")
}

// next goes to the next line that is neither blank nor a comment.
func (p *blockParser) next() {
	for p.at < len(p.text) {
		line := p.rawLine()
		body := strings.TrimLeft(line, " ")
		if body == "" || body[0] == '#' {
			continue
		}
		p.indent, p.body = len(line)-len(body), body
		marker := p.indent == 0 && (strings.HasPrefix(body, "---") && (p.line > 1 || body != "---") || strings.HasPrefix(body, "...") || body[0] == '%')
		if marker || body[len(body)-1] == ' ' || strings.IndexByte(body, '\t') >= 0 {
			p.giveUp()
		}
		return
	}
	p.indent, p.body, p.ended = -1, "", true
}

// rawLine reads a line as it is.
func (p *blockParser) rawLine() string {
	end := p.at + strings.IndexByte(p.text[p.at:], '\n')
	line := p.text[p.at:end]
	p.at = end + 1
	p.line++
	return line
}

// giveUp leaves the document to the YAML parser.
func (p *blockParser) giveUp() {
	p.unknown = true
	p.indent, p.body, p.at = -1, "", len(p.text)
}

// block parses the list or mapping whose first line is the present one.
func (p *blockParser) block(depth int) *yaml.Node {
	isList := isEntry(p.body)
	n := p.node(yaml.MappingNode, tagMap, p.indent+1)
	if isList {
		n.Kind, n.Tag = yaml.SequenceNode, tagList
	}
	if depth > MaxDepth {
		p.giveUp()
		return n
	}
	indent, begin := p.indent, len(p.stack)
	for p.indent == indent && isEntry(p.body) == isList && !p.unknown {
		if isList {
			p.stack = append(p.stack, p.entry(depth))
		} else {
			key, rest, column := p.key()
			p.stack = append(p.stack, key, p.value(column, rest, depth))
		}
		if p.indent > indent {
			p.giveUp()
		}
	}
	n.Content = p.keep(p.stack[begin:])
	p.stack = p.stack[:begin]
	return n
}

// isEntry tells whether a line is an entry of a list.
func isEntry(body string) bool { return body == "-" || strings.HasPrefix(body, "- ") }

// entry parses an entry of a list.
func (p *blockParser) entry(depth int) *yaml.Node {
	rest := strings.TrimLeft(p.body[1:], " ")
	column := p.indent + 1 + len(p.body) - len(rest)
	if rest != "" && (isEntry(rest) || keyLength(rest) > 0) {
		p.indent, p.body = column-1, rest
		return p.block(depth + 1)
	}
	return p.value(column, rest, depth)
}

// key takes the key off the present line, and says at which column what is behind it begins.
func (p *blockParser) key() (key *yaml.Node, rest string, column int) {
	body, indent := p.body, p.indent
	length := keyLength(body)
	if length == 0 {
		p.giveUp()
		return p.node(yaml.ScalarNode, tagString, 1), "", 1
	}
	rest = strings.TrimLeft(body[length+1:], " ")
	return p.scalar(body[:length], indent+1), rest, indent + 1 + len(body) - len(rest)
}

// keyLength is how long the key is that a line begins with, 0 if it does with none.
func keyLength(body string) int {
	const longest = 1000 // the YAML parser takes a few more
	end := 0
	if c := body[0]; c == '"' || c == '\'' {
		if end = quotedLength(body); end == 0 || !isColon(body[end:]) {
			return 0
		}
	} else {
		for !isColon(body[end:]) {
			i := strings.IndexByte(body[end+1:], ':')
			if i < 0 {
				return 0
			}
			end += 1 + i
		}
	}
	for i := range min(end, longest) {
		if body[i] >= utf8.RuneSelf {
			return 0 // columns count characters
		}
	}
	if end >= longest {
		return 0
	}
	return end
}

// isColon tells whether a text begins with a colon that ends a key.
func isColon(text string) bool {
	return text != "" && text[0] == ':' && (len(text) == 1 || text[1] == ' ')
}

// value parses what stands behind a key or dash of the present line at the column, and goes on to
// the line after it.
func (p *blockParser) value(column int, rest string, depth int) *yaml.Node {
	indent, line, inList := p.indent, p.line, isEntry(p.body)
	switch {
	case rest == "":
		n := p.node(yaml.ScalarNode, tagNull, column)
		p.next()
		if p.indent > indent || p.indent == indent && !inList && isEntry(p.body) {
			return p.block(depth + 1)
		}
		n.Line = line
		return n
	case rest[0] == '|':
		return p.literal(column, rest, indent)
	case rest[0] == '[' || rest[0] == '{':
		n, length := p.flow(rest, column, depth+1)
		if length != len(rest) {
			p.giveUp()
			return n
		}
		p.next()
		return n
	}
	n := p.scalar(rest, column)
	p.next()
	return n
}

// literal parses a literal block that belongs to a line with the indent.
func (p *blockParser) literal(column int, header string, indent int) *yaml.Node {
	n := p.node(yaml.ScalarNode, tagString, column)
	n.Style = yaml.LiteralStyle
	if header != "|" && header != "|-" {
		p.giveUp()
		return n
	}
	var b strings.Builder
	own, blank := 0, 0 // the indent of the block, and lines that may be its last ones
	for p.at < len(p.text) {
		at, before := p.at, p.line
		line := p.rawLine()
		body := strings.TrimLeft(line, " ")
		deep := len(line) - len(body)
		switch {
		case own == 0 && (body == "" && line != "" || body != "" && deep <= indent):
			p.giveUp()
			return n
		case own == 0 && body != "":
			own = deep
		}
		if body == "" && deep <= own {
			blank++
			continue
		}
		if deep < own {
			p.at, p.line = at, before
			break
		}
		if b.Len() > 0 {
			blank++ // the end of the line before
		}
		b.WriteString(strings.Repeat("\n", blank))
		b.WriteString(line[own:])
		blank = 0
	}
	if own == 0 {
		p.giveUp()
		return n
	}
	if header == "|" {
		b.WriteByte('\n')
	}
	n.Value = b.String()
	p.next()
	return n
}

// node returns a new node at a column of the present line.
func (p *blockParser) node(kind yaml.Kind, tag string, column int) *yaml.Node {
	if len(p.slab) == 0 {
		p.slab = make([]yaml.Node, 64)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.Kind, n.Tag, n.Line, n.Column = kind, tag, p.line, column
	return n
}

// keep copies the children of a collection to where they stay.
func (p *blockParser) keep(children []*yaml.Node) []*yaml.Node {
	if len(children) == 0 {
		return nil
	}
	if len(p.links) < len(children) {
		p.links = make([]*yaml.Node, max(256, len(children)))
	}
	kept := p.links[:len(children):len(children)]
	p.links = p.links[len(children):]
	copy(kept, children)
	return kept
}
