package table

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain – text":        "plain – text",
		"two\nlines\tapart":   "two\nlines\tapart",
		"\x1b[31mred\x00\x7f": `\u001b[31mred\u0000\u007f`,
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
