package table

import (
	"strings"
	"unicode/utf8"
)

// wrapTitles breaks names of rows into lines as far as the width needs, each line a row of its own. Columns that still have no
// room move into another table below, so that no name is cut.
func (t Table) wrapTitles(width int) Table {
	if t.width() <= width {
		return t
	}
	widths, word := t.widths(), 0
	for _, row := range t.Rows {
		for _, w := range strings.Fields(row[0]) {
			word = max(word, utf8.RuneCountInString(w))
		}
	}
	room := max(minTitle, word, width-(t.width()-widths[0]))
	var rows [][]string
	for _, row := range t.Rows {
		for i, line := range Wrap(row[0], room) {
			cells := make([]string, len(row))
			if i == 0 {
				copy(cells, row)
			}
			cells[0] = line
			rows = append(rows, cells)
		}
	}
	t.Rows = rows
	return t
}
