package table

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A table whose cells are wider than the page is drawn all the same.
func TestCellsWiderThanThePage(t *testing.T) {
	for _, width := range []int{1, 10, 40, 80} {
		table := Table{Head: []string{"metric", "value"}, Rows: [][]string{{"cost", strings.Repeat("9", 150)}, {strings.Repeat("n", 90), "1"}}}
		for _, part := range table.split(width) {
			if len(part.Rows) != 2 || utf8.RuneCountInString(part.Rows[0][1]) != 150 {
				t.Errorf("at width %d a number is lost: %q", width, part.Rows)
			}
		}
		table.ShortenLast(width)
	}
}
