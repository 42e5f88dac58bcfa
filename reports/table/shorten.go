package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	minTitle     = 24 // characters that are left of the name of a row
	minTitlePart = 5  // of what is before a comma there
	minHead      = 10 // of the head of a column
)

// shortenTitles shortens the names of rows as far as the width needs, unless nothing of them would be left.
func (t Table) shortenTitles(width int) Table {
	room := max(minTitle, width-t.width()+t.widths()[0])
	for i := range t.Rows {
		t.Rows[i][0] = shortenTitle(t.Rows[i][0], room)
	}
	return t
}

// ShortenHeads shortens the heads of columns, such as names of policies, as far as the width needs: the longest first.
// A column gets no narrower than its cells.
func (t Table) ShortenHeads(width int, columns ...int) Table {
	cells := Table{Head: make([]string, len(t.Head)), Rows: t.Rows}.widths()
	widths := t.widths()
	spare := func(i int) int { return widths[i] - max(minHead, cells[i]) }
	for beyond := t.width() - width; beyond > 0; beyond-- {
		longest := slices.MaxFunc(columns, func(a, b int) int { return cmp.Compare(spare(a), spare(b)) })
		if spare(longest) <= 0 {
			break
		}
		widths[longest]--
	}
	t.Head = slices.Clone(t.Head)
	for _, i := range columns {
		t.Head[i] = shortenPath(t.Head[i], widths[i])
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

// shortenPath cuts off the beginning, as names of files differ at their ends.
func shortenPath(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return "…" + string(runes[len(runes)-max(width-1, 0):])
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
