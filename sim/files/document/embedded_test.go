package document

import (
	"strings"
	"testing"
)

// Positions in a text that is part of a file are those of the file.
func TestParseText(t *testing.T) {
	const outer = "# a comment\nkind: ConfigMap\ndata:\n  block: |\n\n    a: 1\n    b:\n      c: x\n    ---\n    d: [\n  ok: |-2\n      e: 1\n      f: y\n" +
		"  folded: >\n    g: 1\n  quoted: \"h: 1\\ni: [\"\n  json: '{\"j\": 1}'\n  plain: 3\n"
	docs, err := Parse("outer.yaml", []byte(outer))
	if err != nil {
		t.Fatal(err)
	}
	data := docs[0].Root().Get("data")
	for _, c := range []struct{ key, path, want string }{
		{"ok", "f", `outer.yaml:13:10: f: "y" here`},
		{"folded", "g", `outer.yaml:14:11: g: "1" here`},
		{"json", "j", `outer.yaml:17:9: j: "1" here`},
		{"block", "", "outer.yaml:11:"},
		{"quoted", "", "outer.yaml:16:11: is not well-formed YAML"},
		{"plain", "", "is a number, not a text"},
	} {
		inner, err := ParseText(data.Get(c.key), []byte(outer))
		if err == nil {
			err = inner[0].Root().Errorf(c.path, "here")
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.key, err, c.want)
		}
	}
}
