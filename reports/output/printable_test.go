package output

import (
	"bytes"
	"errors"
	"testing"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain – text\tand\nlines ✓ 日本", "plain – text\tand\nlines ✓ 日本"},
		{"\x1b[31mred\x1b[0m", `\u001b[31mred\u001b[0m`},
		{"a\x00b\rc\x7fd", `a\u0000b\u000dc\u007fd`},
		{"\u009b31m", `\u009b31m`},
		{"abc\u202edef\u2066\u200f", `abc\u202edef\u2066\u200f`},
		{"line\u2028line", `line\u2028line`},
		{"\xff\xfe", "\ufffd\ufffd"},
		{"end \xe2\x80", "end \ufffd\ufffd"},
		{"\ufffd", "\ufffd"},
		{"", ""},
	} {
		for size := 1; size <= len(c.text)+1; size++ { // characters may come in parts
			var out bytes.Buffer
			p := NewPrintable(&out)
			for rest := []byte(c.text); len(rest) > 0; {
				n := min(size, len(rest))
				if got, err := p.Write(rest[:n]); got != n || err != nil {
					t.Fatalf("%q: %d of %d bytes are written, %v", c.text, got, n, err)
				}
				rest = rest[n:]
			}
			if err := p.Flush(); err != nil {
				t.Fatal(err)
			}
			if out.String() != c.want {
				t.Errorf("%q in parts of %d is %q, want %q", c.text, size, out.String(), c.want)
			}
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestPrintableKeepsErrors(t *testing.T) {
	p := NewPrintable(fullDisk{})
	if n, err := p.Write([]byte("a\x1b")); n != 0 || err == nil {
		t.Errorf("%d bytes are written, %v", n, err)
	}
	p = NewPrintable(fullDisk{})
	if _, err := p.Write([]byte("\xe2")); err == nil { // nothing to write yet but an empty text
		if p.Flush() == nil {
			t.Error("what is left is written without an error")
		}
	}
}
