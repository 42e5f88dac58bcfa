package table

import (
	"slices"
	"unicode/utf8"
)

// split cuts a table that is too wide into several with the same rows, and shortens the names of rows that leave no room
// for numbers, unless these have been wrapped.
func (t Table) split(width int) []Table {
	widths := t.widths()
	if !t.WrapTitles {
		widths[0] = min(widths[0], max(1, width-2*columnPadding-max(widest(widths[1:]), width/4)))
		for i := range t.Rows {
			t.Rows[i][0] = shorten(t.Rows[i][0], widths[0])
		}
	}
	var out []Table
	for first := 1; first < len(t.Head); {
		end, used := first, widths[0]
		for end < len(t.Head) && (end == first || used+columnPadding+widths[end] <= width) {
			used += columnPadding + widths[end]
			end++
		}
		out = append(out, t.columns(first, end))
		first = end
	}
	return out
}

// columns is the table of the names of rows and of some of its columns.
func (t Table) columns(first, end int) Table {
	part := Table{Head: append([]string{t.Head[0]}, t.Head[first:end]...)}
	for _, row := range t.Rows {
		part.Rows = append(part.Rows, append([]string{row[0]}, row[min(first, len(row)):min(end, len(row))]...))
	}
	for _, column := range t.Words {
		if first <= column && column < end {
			part.Words = append(part.Words, column-first+1)
		}
	}
	return part
}

func widest(widths []int) int {
	if len(widths) == 0 {
		return 0
	}
	return slices.Max(widths)
}

// widths are those of the columns, without the space between them.
func (t Table) widths() []int {
	widths := make([]int, len(t.Head))
	for i, cell := range t.Head {
		widths[i] = utf8.RuneCountInString(cell)
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// width is how wide the table is as a whole.
func (t Table) width() int {
	sum := 0
	for i, w := range t.widths() {
		if sum += w; i > 0 {
			sum += columnPadding
		}
	}
	return sum
}
