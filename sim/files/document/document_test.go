package document

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseEncodings(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"CRLF", "a: 1\r\n---\r\nb:\r\n  c: x\r\n---\r\n", "1:1 3:1"},
		{"bare CR", "a: 1\r---\rb: 2\r", "1:1 3:1"},
		{"byte order mark", "\ufeffa: 1\n---\nb: 2", "1:1 3:1"},
		{"byte order mark before JSON", "\ufeff {\"a\": 1}", "1:2"},
		{"nothing", "", ""},
		{"blank", " \n\n", ""},
		{"columns are characters", "{ä: 1, b: &x 2}", "1:1"},
		{"UTF-16", "\xff\xfea\x00", "in:1:1: is UTF-16 text; only UTF-8 is read"},
		{"Latin-1", "a: 1\nbä: caf\xe9\n", "in:2:8: is not UTF-8 text"},
		{"gzip", "\x1f\x8b\x08\x00", "in:1:1: is compressed with gzip: decompress it first"},
		{"zip", "PK\x03\x04\xff", "in:1:1: is compressed with zip: decompress it first"},
		{"begins like bzip2", "BZh: 1\n", "1:1"},
		{"control character", "a: 1\nb: \x01\n", "in:2:1: is not well-formed YAML: control characters are not allowed"},
		{"deep flow", strings.Repeat("[", 600) + strings.Repeat("]", 600), "in:1:502: is not well-formed JSON: nested more than 500 levels deep"},
		{"comment first", "{\n  // why\n  \"a\": 1}", "in:2:3: is not well-formed JSON: comments are not part of JSON"},
		{"comment", "{\"a\": 1, // why\n \"b\": 2}", "in:1:10: is not well-formed JSON: comments are not part of JSON"},
		{"path", "{/a: 1}", "1:1"},
		{"deep block", strings.Repeat("- ", 600) + "x", "in:1:1003: is nested more than 500 levels deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			docs, err := Parse("in", []byte(test.text))
			var got []string
			for _, doc := range docs {
				got = append(got, fmt.Sprintf("%d:%d", doc.Root().Line(), doc.Root().Col()))
			}
			if err != nil {
				got = append(got, err.Error())
			}
			if g := strings.Join(got, " "); g != test.want {
				t.Errorf("got %s, want %s", g, test.want)
			}
		})
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f.yaml")
	if err := os.WriteFile(file, []byte("a: [1, x]"), 0o600); err != nil {
		t.Fatal(err)
	}
	docs, err := ReadFile(file)
	if err != nil || docs[0].Root().Find("a[1]").Text() != "x" {
		t.Errorf("got %v, %v", docs, err)
	}

	missing := filepath.Join(dir, "missing.yaml")
	_, err = ReadFile(missing)
	if want := missing + ": no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("missing file: got %v, want %s", err, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not wrap fs.ErrNotExist", err)
	}
	_, err = ReadFile(dir)
	if want := dir + ": is a directory, not a file"; err == nil || err.Error() != want {
		t.Errorf("directory: got %v, want %s", err, want)
	}
}

// Of a device or a pipe, which may have no end, only so much is read as shows that it is too large.
func TestReadAtMost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(path, []byte("0123456789"), 0o644); err != nil {
		t.Fatal(err)
	}
	if data, err := readAtMost(path, 5); err != nil || string(data) != "01234" {
		t.Errorf("got %q, %v", data, err)
	}
}

// TestParseInOrder has enough documents for several workers, with broken ones among them.
func TestParseInOrder(t *testing.T) {
	var text bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&text, "---\ni: %d\n\n", i)
	}
	docs, err := Parse("in", text.Bytes())
	if err != nil || len(docs) != 1000 {
		t.Fatalf("got %d documents, %v", len(docs), err)
	}
	for i, doc := range docs {
		got := doc.Root().Get("i")
		if got.Text() != fmt.Sprint(i) || got.Line() != 3*i+2 || got.Col() != 4 {
			t.Fatalf("document %d holds %s at %d:%d", i, got.Text(), got.Line(), got.Col())
		}
	}
	text.WriteString("--- ]\n---\na: '\n")
	_, err = Parse("in", text.Bytes())
	var faults Errors
	if !errors.As(err, &faults) || len(faults) != 2 || faults[0].Line != 3001 || faults[1].Line < 3003 {
		t.Errorf("got %v", err)
	}
}

func TestValue(t *testing.T) {
	docs, err := Parse("in", []byte("l: &l [1, true, null, x, {k: v}]\nm: {a: *l, <<: {b: 2, a: 3}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	root := docs[0].Root()
	var kinds []string
	for i, item := range root.Get("l").Items() {
		kinds = append(kinds, fmt.Sprint(i, " ", item.Kind()))
	}
	if got, want := strings.Join(kinds, ", "), "0 a number, 1 a boolean, 2 null, 3 a string, 4 a mapping"; got != want {
		t.Errorf("items: got %s, want %s", got, want)
	}
	var keys []string
	for key, value := range root.Get("m").Entries() {
		keys = append(keys, key+" "+value.Path())
	}
	if got, want := strings.Join(keys, ", "), "a m.a, b m.b"; got != want {
		t.Errorf("entries: got %s, want %s", got, want)
	}
	if got := root.Get("m").Len() + root.Get("l").Len(); got != 7 {
		t.Errorf("lengths: got %d", got)
	}
	if v := root.Find("m.a[4].k"); v.Text() != "v" || v.Line() != 1 || v.File() != "in" {
		t.Errorf("m.a[4].k: got %q on line %d", v.Text(), v.Line())
	}
	if v := root.Get("l").Index(3); v.Text() != "x" || v.Col() != 23 {
		t.Errorf("l[3]: got %q at column %d", v.Text(), v.Col())
	}
	for _, path := range []string{"l[5]", "l[-1]", "l.x", "m[0]", "m.c.d", "l[", `m["a]`, `m["a"`, "l[x]"} {
		v := root.Find(path)
		if v.Exists() || v.Kind() != Missing || v.Text() != "" || v.Line() == 0 || v.Path() != path {
			t.Errorf("%s: found %v at %q, line %d", path, v.Kind(), v.Path(), v.Line())
		}
	}
	if v := (Value{}); v.Exists() || v.Line() != 0 || v.File() != "" || v.Get("a").Exists() {
		t.Error("the zero value exists")
	}
	want := "in:2:1: m.c: is missing"
	if err := Decode(root.Get("m").Get("c"), new(int)); err == nil || !strings.HasSuffix(err.Error(), "m.c: is missing") {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestPathRoundTrip(t *testing.T) {
	for _, steps := range [][]any{
		{"a"}, {"a", 0, "b-c", 12}, {0, 1}, {"a", "b/c", `d"]`, "", "e.f"}, {"ünï", "x"},
	} {
		path := Path(steps...)
		parsed, ok := parsePath(path)
		if !ok || len(parsed) != len(steps) {
			t.Errorf("%v: %s is read as %v", steps, path, parsed)
			continue
		}
		for i, s := range parsed {
			if s.index >= 0 && steps[i] != s.index || s.index < 0 && steps[i] != s.key {
				t.Errorf("%v: step %d of %s is read as %v", steps, i, path, s)
			}
		}
	}
	if got, want := Path("labels", "a/b", 0), `labels["a/b"][0]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestErrors(t *testing.T) {
	parse := func(file, text string) Value {
		docs, err := Parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return docs[0].Root()
	}
	b, a := parse("b", "x: 1\ny: 2\n"), parse("a", "x: {z: 3}")
	var faults Errors
	if faults.Err() != nil {
		t.Error("no faults are an error")
	}
	cause := errors.New("disk on fire")
	faults.Add(b, "y", "is more than %d", 1)
	faults.Append(fmt.Errorf("wrapped: %w", a.Errorf("x", "is odd")))
	faults.Append(nil)
	faults.Append(Errors{b.fault("x", "is odd")})
	faults.Append(cause)
	err := faults.Err()
	want := "b:1:4: x: \"1\" is odd\nb:2:4: y: \"2\" is more than 1\na:1:4: x: is odd\ndisk on fire"
	if err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"count", "template", "pricePerHour", "zones"}
	for name, want := range map[string]string{
		"cuont": "count", "Template": "template", "priceperhour": "pricePerHour", "zone": "zones", "jitter": "", "": "",
	} {
		if got, _ := nearest(name, known); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
