package document

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"
)

// plainTwin is the tree of the YAML parser, nil if that has a fault or not one document.
func plainTwin(text []byte) *yaml.Node {
	roots, err := parseText(bytes.NewReader(text))
	if err != nil || len(roots) != 1 {
		return nil
	}
	return roots[0]
}

// unlike is the first difference between two trees, as far as anything looks at them.
func unlike(got, want *yaml.Node) string {
	if want == nil {
		return "the YAML parser has no such tree"
	}
	say := func(n *yaml.Node) string {
		return fmt.Sprintf("%d:%d kind %d style %d %s %q &%s with %d", n.Line, n.Column, n.Kind, n.Style, n.Tag, n.Value, n.Anchor, len(n.Content))
	}
	if g, w := say(got), say(want); g != w {
		return fmt.Sprintf("got  %s\nwant %s", g, w)
	}
	for i := range got.Content {
		if what := unlike(got.Content[i], want.Content[i]); what != "" {
			return what
		}
	}
	return ""
}

// blockTexts are documents, and whether the fast parser knows them.
var blockTexts = []struct {
	text  string
	known bool
}{
	{"a: 1\n", true},
	{"---\na: 1\nb:\n- x\n- y: 2\n  z:\n  - - 1\n    - 2\nc:\n  d: {}\n", true},
	{"a:\nb: ~\nc:\n  - \n  -\n", false}, // a space at the end of a line
	{"a:\nb: ~\nc:\n  -\n  - e\nd:\n", true},
	{"a: 'it''s'\n\"b\\n\": \"x \\\"y\\\"\\t\"\n'c d': e f\n", true},
	{"a: \"\\u0041\"\n", false},
	{"a: |\n  x\n\n    y\n  z\n\n\nb: |-\n  # text\nc: 1\n", true},
	{"a: |\n\n  x\n", true},
	{"a:\n- |\n  x\n- |-\n    y\n\n", true},
	{"a: |\n  x\n y\n", false},
	{"a: |+\n  x\n\n", false},
	{"a: >\n  x\n", false},
	{"# head\n\na: 1\n  # in between\nb: 2\n", true},
	{"a: 1 # tail\n", false},
	{"a: x\n  y\n", false},
	{"a: \"x\n  y\"\n", false},
	{"a: [1, \"b c\", {d: e/f, g: []}]\nh: {i: 'j', k: -1}\n", true},
	{"a: [1, 2,]\n", false},
	{"a: {b}\n", false},
	{"a: [b\n  ]\n", false},
	{"a: {\"é\": 1}\n", false},
	{"a: é\nb: {c: d}\n", true},
	{"é: 1\n", false},
	{"f:metadata:\n  f:labels:\n    .: {}\n    k:{\"type\":\"Ready\"}:\n      x: y\n", true},
	{"a: --listen\nb: :8080\nc: 2026-01-01T00:00:00Z\nd: 1e3\ne: 0x1f\nf: .5\ng: yes\nh: 1_000\n", true},
	{"<<: {a: b}\n", false},
	{"a: *b\n", false},
	{"a: &b c\n", false},
	{"a: !!str c\n", false},
	{"a: b: c\n", false},
	{"a:\n    b: 1\n  c: 2\n", false},
	{"a: - b\n", false},
	{"? a\n", false},
	{"a\n", false},
	{"- a\n- b:\n    c\n", false},
	{"a: 1\n---\nb: 2\n", false},
	{"a: 1\n...\n", false},
	{"--- a: 1\n", false},
	{"a: 1", false},
	{"a:\tb\n", false},
	{"a: @b\n", false},
	{"a: =\n", true},
	{"apiVersion: v1\nitems:\n- kind: Pod\n  spec:\n    containers:\n    - args:\n      - -c\n      name: x\nkind: List\n", true},
}

// The fast parser knows what it should, and has the tree of the YAML parser of all that it knows.
func TestParseBlock(t *testing.T) {
	for _, tt := range blockTexts {
		got := new(blockParser).parse([]byte(tt.text))
		if (got != nil) != tt.known {
			t.Errorf("%q is known: %t", tt.text, got != nil)
		}
		if got != nil {
			if what := unlike(got, plainTwin([]byte(tt.text))); what != "" {
				t.Errorf("%q\n%s", tt.text, what)
			}
		}
	}
}

// Manifests as they are written are known, and the same to both parsers.
func TestParseBlockOfManifests(t *testing.T) {
	files, err := filepath.Glob("../../cmd/berth/testdata/conformance/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no manifests: ", err)
	}
	var fast blockParser
	known, all := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range splitStream(text) {
			all++
			if got := fast.parse(part.text); got != nil {
				known++
				if what := unlike(got, plainTwin(part.text)); what != "" {
					t.Fatalf("%s:%d\n%s", file, part.before+1, what)
				}
			}
		}
	}
	if known*100 < all*95 {
		t.Errorf("of %d documents only %d are known", all, known)
	}
}

// FuzzParseBlock checks that the fast parser never has another tree than the YAML parser.
func FuzzParseBlock(f *testing.F) {
	for _, tt := range blockTexts {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text, err := decodeText("in", text)
		if err != nil {
			return
		}
		var fast blockParser
		for _, part := range splitStream(text) {
			if got := fast.parse(part.text); got != nil {
				if what := unlike(got, plainTwin(part.text)); what != "" {
					t.Fatalf("%q\n%s", part.text, what)
				}
			}
		}
	})
}
