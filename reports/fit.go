package reports

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	leastTitle     = 24 // characters that are left of the name of a row
	leastTitlePart = 5  // of what is before a comma there
	leastHead      = 10 // of the head of a column
)

// fit shortens the names of rows as far as need be for the table to be as wide as that, unless
// nothing of them would be left.
func (g grid) fit(width int) grid {
	room := max(leastTitle, width-g.used()+g.widths()[0])
	for i := range g.rows {
		g.rows[i][0] = shortenTitle(g.rows[i][0], room)
	}
	return g
}

// fitHeads shortens the heads of columns, which are names of policies, rather than what the
// rows say: the longest first. A column gets no narrower than its cells.
func (g grid) fitHeads(width int, columns ...int) grid {
	cells := grid{head: make([]string, len(g.head)), rows: g.rows}.widths()
	widths := g.widths()
	spare := func(i int) int { return widths[i] - max(leastHead, cells[i]) }
	for beyond := g.used() - width; beyond > 0; beyond-- {
		longest := slices.MaxFunc(columns, func(a, b int) int { return cmp.Compare(spare(a), spare(b)) })
		if spare(longest) <= 0 {
			break
		}
		widths[longest]--
	}
	g.head = slices.Clone(g.head)
	for _, i := range columns {
		g.head[i] = shortenPath(g.head[i], widths[i])
	}
	return g
}

// used is how wide the table is.
func (g grid) used() int {
	sum := 0
	for i, w := range g.widths() {
		if sum += w; i > 0 {
			sum += columnPadding
		}
	}
	return sum
}

// shortenPath leaves out the beginning, as names of files differ at their ends.
func shortenPath(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return "…" + string(runes[len(runes)-width+1:])
	}
	return text
}

// shortenTitle shortens what is before a comma rather than what follows it, which tells rows
// apart: before the first one that leaves something to read there.
func shortenTitle(text string, width int) string {
	beyond := utf8.RuneCountInString(text) - width
	for at := 0; beyond > 0 && at < len(text); at++ {
		if strings.HasPrefix(text[at:], ", ") {
			if left := utf8.RuneCountInString(text[:at]) - beyond; left >= leastTitlePart {
				return shorten(text[:at], left) + text[at:]
			}
		}
	}
	return shorten(text, width)
}
