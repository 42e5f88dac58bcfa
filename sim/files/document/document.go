// Package document reads YAML and JSON files strictly into typed Go values and says of every fault
// where it is: file, line, column and path.
//
// Parse splits a file into documents; Decode fills a Go value from one of them, or from any part of
// one, going by the value's json tags as encoding/json does, but refusing what that lets pass:
// unknown and repeated fields, names in the wrong case, numbers that do not fit. Faults that only
// the caller can see are reported with Value.Errorf at the same precision. Marshal and Writer write
// Go values as YAML.
package document

import (
	"fmt"
	"io"
	"os"

	"gopkg.in/yaml.v3"

	"github.com/berth-sim/berth/sim/files/parallel"
)

const (
	// MaxSize is the largest file that is read, in bytes.
	MaxSize = 512 << 20
	// MaxDepth is how deeply lists and mappings may be nested, aliases followed.
	MaxDepth = 500
)

// Document is one document of a file.
type Document struct {
	file    string
	root    *yaml.Node
	before  int  // lines of the file before the text that root was parsed from
	aliases bool // whether there is any alias in it
	merges  bool // whether there is any merge key in it

	in *place // of the text that it was parsed from; nil: that is the file itself
}

// Root is the whole of the document.
func (d *Document) Root() Value { return Value{doc: d, node: d.root} }

// position returns the line and the column of a node in the file.
func (d *Document) position(n *yaml.Node) (line, col int) { return d.in.of(d.before+n.Line, n.Column) }

// line is the line of a node in the file.
func (d *Document) line(n *yaml.Node) int {
	line, _ := d.position(n)
	return line
}

// ReadFile reads the file at path and parses it as Parse does. That the file is missing, unreadable
// or a directory is an *Error which wraps the cause.
func ReadFile(path string) ([]*Document, error) {
	info, err := os.Stat(path)
	var data []byte
	switch {
	case err != nil:
	case info.IsDir():
		return nil, &Error{File: path, What: "is a directory, not a file"}
	case info.Size() > MaxSize:
		return nil, tooLarge(path)
	case info.Mode().IsRegular():
		data, err = os.ReadFile(path)
	default:
		data, err = readAtMost(path, MaxSize+1)
	}
	if err != nil {
		return nil, ReadError(path, err)
	}
	return Parse(path, data)
}

// readAtMost reads the first bytes of a file whose size is not known beforehand, such as a pipe.
func readAtMost(path string, bytes int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(file, bytes))
}

// Parse splits data into its documents: YAML separated by lines of ---, or JSON values one after
// another. Empty documents are left out. The name of the file is used in errors alone. If data is
// not well-formed, the error is of type Errors and names all broken documents.
func Parse(file string, data []byte) ([]*Document, error) {
	if len(data) > MaxSize {
		return nil, tooLarge(file)
	}
	text, err := decodeText(file, data)
	if err != nil {
		return nil, err
	}
	if looksLikeJSON(text) {
		docs, fault := parseJSON(file, text)
		if fault == nil {
			return docs, nil
		}
		// Flow style YAML can begin like JSON: trailing commas, comments, bare words.
		if docs, err := parseYAML(file, text); err == nil {
			return docs, nil
		}
		return nil, Errors{fault}
	}
	return parseYAML(file, text)
}

func tooLarge(file string) error {
	return &Error{File: file, What: fmt.Sprintf("is larger than %d MiB", MaxSize>>20)}
}

// parseYAML parses the parts of the text side by side and puts the outcomes together in order.
func parseYAML(file string, text []byte) ([]*Document, error) {
	parts := splitStream(text)
	type outcome struct {
		docs  []*Document
		fault *Error
	}
	outcomes := make([]outcome, len(parts))
	parallel.Each(len(parts), func(i int) { outcomes[i].docs, outcomes[i].fault = parsePart(file, parts[i]) })

	docs := make([]*Document, 0, len(parts))
	var faults Errors
	for _, o := range outcomes {
		docs = append(docs, o.docs...)
		if o.fault != nil {
			faults = append(faults, o.fault)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return docs, nil
}

// newDocument wraps a parsed tree after a look at what every later step relies on.
func newDocument(file string, root *yaml.Node, before int) (*Document, *Error) {
	doc := &Document{file: file, root: root, before: before}
	if bad, what := doc.survey(root, 0); bad != nil {
		return nil, &Error{File: file, Line: doc.line(bad), Col: bad.Column, Value: shown(bad), What: what}
	}
	return doc, nil
}

// survey notes whether there are aliases and merge keys, and returns the first node that is nested too deeply or
// does not mean what JSON could say, with what is wrong.
func (d *Document) survey(n *yaml.Node, depth int) (bad *yaml.Node, what string) {
	if depth > MaxDepth {
		return n, fmt.Sprintf("is nested more than %d levels deep", MaxDepth)
	}
	switch {
	case n.Kind == yaml.AliasNode:
		d.aliases = true
	case !isKnownTag(n):
		return n, fmt.Sprintf("has the tag %s, which is not supported", n.Tag)
	case n.Kind == yaml.ScalarNode && n.Style&yaml.TaggedStyle != 0 && n.Tag != tagString:
		var ignored any
		if n.Decode(&ignored) != nil {
			return n, "is not what its tag " + n.Tag + " says"
		}
	}
	d.merges = d.merges || n.Tag == tagMerge
	for _, child := range n.Content {
		if bad, what := d.survey(child, depth+1); bad != nil {
			return bad, what
		}
	}
	return nil, ""
}

func isKnownTag(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.MappingNode:
		return n.Tag == tagMap
	case yaml.SequenceNode:
		return n.Tag == tagList
	}
	switch n.Tag {
	case tagString, tagInt, tagFloat, tagBool, tagNull, tagTime, tagMerge:
		return true
	}
	return false
}
