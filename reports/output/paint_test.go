package output

import (
	"regexp"
	"strings"
	"testing"
)

// TestPaint: headings and verdicts have colors; a name in capitals within a text has none.
func TestPaint(t *testing.T) {
	for text, want := range map[string]string{
		"title\n\nBETTER\n\nrow\n":             "title\n\n\x1b[1m\x1b[32mBETTER\x1b[0m\n\nrow\n",
		"title\n\nPACKED: WORSE\n\nrow\n":      "title\n\n\x1b[1m\x1b[31mPACKED: WORSE\x1b[0m\n\nrow\n",
		"title\n\nPLACEMENT\n\nrow\n":          "title\n\n\x1b[1mPLACEMENT\x1b[0m\n\nrow\n",
		"title\nWORSE\nrow\n":                  "title\nWORSE\nrow\n",
		"q, default: 12 checks passed, with\n": "q, default: \x1b[1m\x1b[32m12 checks passed\x1b[0m, with\n",
		"q: 1 of 12 checks failed, with\n":     "q: \x1b[1m\x1b[31m1 of 12 checks failed\x1b[0m, with\n",
		"q: no failure in 12 checks, 2\n":      "q: \x1b[1m\x1b[33mno failure in 12 checks\x1b[0m, 2\n",
		"title\n12 checks passed\n\n–––\n\n":   "title\n12 checks passed\n\n–––\n\n",
		"a/big: unschedulable, in attempt 1\n": "a/big: \x1b[1m\x1b[31munschedulable\x1b[0m, in attempt 1\n",
		"a/error: scheduled on n, at 3s\n":     "a/error: \x1b[1m\x1b[32mscheduled\x1b[0m on n, at 3s\n",
		"a/b: gated: it is kept\n":             "a/b: \x1b[1m\x1b[33mgated\x1b[0m: it is kept\n",
		"3 of 5 pods scheduled, in 9 attempts; 1 unschedulable; 1 gated\n": "3 of 5 pods scheduled, in 9 attempts; " +
			"\x1b[1m\x1b[31m1 unschedulable\x1b[0m; 1 gated\n",
		"4 of 5 pods scheduled, in 4 attempts; 1 gated\n": "4 of 5 pods scheduled, in 4 attempts; 1 gated\n",
		"1,005 of 1,005 pods scheduled, in 3 attempts\n":  "\x1b[1m\x1b[32m1,005 of 1,005 pods scheduled\x1b[0m, in 3 attempts\n",
		"0 of 0 pods scheduled, in 0 attempts\n":          "0 of 0 pods scheduled, in 0 attempts\n",
	} {
		if got := paint(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

var ownColors = regexp.MustCompile("\x1b\\[[0-9]+m")

// TestOnlyOwnColors: escapes of the input stay escaped, with and without colors, and nothing but tables has colors.
func TestOnlyOwnColors(t *testing.T) {
	const hostile = "1 check passed for \x1b[31mred\x1b[0m\n\nBE\x1b[2JTTER\n\nBETTER\n\n\x1b]0;title\a\n"
	forms := Forms{
		Table:    func(int) (string, error) { return hostile, nil },
		Markdown: func() string { return hostile },
		CSV:      func() [][]string { return [][]string{{hostile}} },
		JSON:     func() any { return hostile },
	}
	written := func(format Format, colored bool) string {
		var b strings.Builder
		p := NewPrintable(&b)
		p.Colored = colored
		if err := (View{Format: format}).Write(p, forms); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	colored := written(Table, true)
	if !strings.Contains(colored, bold+green+"BETTER"+plain) || !strings.Contains(colored, `\u001b[31mred\u001b[0m`) {
		t.Errorf("colored: %q", colored)
	}
	if rest := ownColors.ReplaceAllString(colored, ""); rest != written(Table, false) || strings.Contains(rest, "\x1b") {
		t.Errorf("without its colors it is %q, want %q", rest, written(Table, false))
	}
	for _, format := range []Format{Markdown, CSV, JSON} {
		if got := written(format, true); strings.Contains(got, "\x1b") || got != written(format, false) {
			t.Errorf("%s has colors: %q", format, got)
		}
	}
}
