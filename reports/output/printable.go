package output

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// Printable is a writer to a terminal or a log. It escapes what could control a terminal or disguise text: control
// characters but for newline and tab, and characters that change the direction of text. They are written as \u and four
// hexadecimal digits, which JSON reads as the same character. Bytes that are not UTF-8 become U+FFFD.
//
// The bytes of a character may come in several writes. Flush writes what is left of one that never ended.
type Printable struct {
	to   io.Writer
	left []byte // the beginning of a character
}

// NewPrintable returns a writer that writes to another one.
func NewPrintable(to io.Writer) *Printable { return &Printable{to: to} }

// Unwrap returns the writer below, for what is meant to control a terminal.
func (p *Printable) Unwrap() io.Writer { return p.to }

// Write writes text. The number of bytes that it returns is that of the text, or 0 if there is an error.
func (p *Printable) Write(text []byte) (int, error) {
	all := text
	if len(p.left) > 0 {
		all = append(p.left, text...)
		p.left = nil
	}
	if end := len(all) - incomplete(all); end < len(all) {
		p.left = bytes.Clone(all[end:])
		all = all[:end]
	}
	if _, err := p.to.Write(escaped(all)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Flush writes the rest of a character that has not been written to its end.
func (p *Printable) Flush() error {
	if len(p.left) == 0 {
		return nil
	}
	_, err := p.to.Write(escaped(p.left))
	p.left = nil
	return err
}

// incomplete returns how many bytes at the end of a text begin a character that is longer.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if start := text[len(text)-n:]; utf8.RuneStart(start[0]) {
			if utf8.FullRune(start) {
				return 0
			}
			return n
		}
	}
	return 0
}

// escaped returns the text itself where nothing of it must be escaped.
func escaped(text []byte) []byte {
	clean := 0 // bytes before the first character to escape
	for clean < len(text) {
		r, size := utf8.DecodeRune(text[clean:])
		if isUnsafe(r) || r == utf8.RuneError && size == 1 {
			break
		}
		clean += size
	}
	if clean == len(text) {
		return text
	}
	out := append(make([]byte, 0, len(text)+16), text[:clean]...)
	for rest := text[clean:]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if isUnsafe(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
		rest = rest[size:]
	}
	return out
}

// isUnsafe reports whether a character could control a terminal, or show text in another order than it is written.
func isUnsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ', r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}
