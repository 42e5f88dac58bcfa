package table

import (
	"strings"
	"unicode/utf8"
)

// Group is labels with text beside them, under a heading. Neither is ever cut.
type Group struct {
	Title string
	Rows  [][2]string // label, text
}

// minLabel is the narrowest column of labels. Where there is less room, the text stands below its label.
const minLabel = 16

// DrawGroups is the groups for a terminal of that width, an empty line before each. Their texts are aligned with each
// other.
func DrawGroups(groups []Group, width int) string {
	room, below := labelColumn(groups, width)
	var b strings.Builder
	for _, g := range groups {
		if len(g.Rows) == 0 {
			continue
		}
		b.WriteString("\n" + Paragraph(strings.ToUpper(g.Title), width) + "\n")
		for _, row := range g.Rows {
			drawLabeled(&b, row, room, below)
		}
	}
	return b.String()
}

// drawLabeled writes a label and its text: beside the first line of the label, or below it.
func drawLabeled(b *strings.Builder, row [2]string, room int, below bool) {
	for i, line := range Wrap(row[0], room) {
		if i == 0 && !below {
			line += strings.Repeat(" ", room-utf8.RuneCountInString(line)+columnPadding) + printable(row[1])
		}
		b.WriteString(line + "\n")
	}
	if below {
		b.WriteString(strings.Repeat(" ", columnPadding) + printable(row[1]) + "\n")
	}
}

// labelColumn returns the width of the labels, and whether the texts stand below them.
func labelColumn(groups []Group, width int) (room int, below bool) {
	longest, word, text := 0, 0, 0
	for _, g := range groups {
		for _, row := range g.Rows {
			longest, text = max(longest, utf8.RuneCountInString(row[0])), max(text, utf8.RuneCountInString(row[1]))
			for _, w := range strings.Fields(row[0]) {
				word = max(word, utf8.RuneCountInString(w))
			}
		}
	}
	room = min(longest, width-columnPadding-text)
	if room < longest && room < max(word, minLabel) {
		return width, true
	}
	return room, false
}
