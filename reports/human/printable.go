package human

import (
	"fmt"
	"unicode/utf8"
)

// Printable escapes what could control a terminal or disguise text: control characters except for newline and tab, and
// characters that change the direction of text. They become \u and four hexadecimal digits, which JSON reads as the
// same character. Bytes that are not UTF-8 become U+FFFD. It returns the text itself where there is nothing to escape.
func Printable(text []byte) []byte {
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
