package table

import (
	"strings"
	"unicode/utf8"
)

const (
	minTitle     = 24 // characters that are left of the name of a row
	minTitlePart = 5  // of what is before a comma there
)

// shortenTitles shortens the names of rows as far as the width needs, unless nothing of them would be left.
func (t Table) shortenTitles(width int) Table {
	room := max(minTitle, width-t.width()+t.widths()[0])
	for i := range t.Rows {
		t.Rows[i][0] = shortenTitle(t.Rows[i][0], room)
	}
	return t
}

// ShortenLast shortens the cells of the last column as far as the width needs.
func (t Table) ShortenLast(width int) Table {
	widths := t.widths()
	last := len(widths) - 1
	used := 0
	for _, w := range widths[:last] {
		used += w + columnPadding
	}
	for i := range t.Rows {
		t.Rows[i][last] = shorten(t.Rows[i][last], max(width-used, len(t.Head[last])))
	}
	return t
}

// shorten cuts off the end of text that is longer than the width.
func shorten(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:max(width-1, 0)]) + "…"
	}
	return text
}

// shortenTitle shortens what is before a comma rather than what follows it, which distinguishes rows: before the first
// comma that leaves something to read there.
func shortenTitle(text string, width int) string {
	beyond := utf8.RuneCountInString(text) - width
	for at := 0; beyond > 0 && at < len(text); at++ {
		if strings.HasPrefix(text[at:], ", ") {
			if left := utf8.RuneCountInString(text[:at]) - beyond; left >= minTitlePart {
				return shorten(text[:at], left) + text[at:]
			}
		}
	}
	return shorten(text, width)
}
