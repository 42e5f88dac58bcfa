package table

import (
	"strings"
	"unicode/utf8"

	"github.com/berth-sim/berth/reports/human"
)

// Wrap breaks text at spaces into lines of at most width characters.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(printable(text)) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// Paragraph is text broken into lines of at most width characters, each with a line end.
func Paragraph(text string, width int) string { return strings.Join(Wrap(text, width), "\n") + "\n" }

// printable is text that cannot control a terminal: what extenders answer, and what names hold.
func printable(text string) string { return string(human.Printable([]byte(text))) }

// gap is the space between two tables that stand side by side.
const gap = 4

// flow puts blocks side by side as long as the width allows, and an empty line between those above each other.
func flow(blocks []block, width int) []string {
	var lines []string
	for len(blocks) > 0 {
		n, used := 1, blocks[0].width
		for n < len(blocks) && used+gap+blocks[n].width <= width {
			used += gap + blocks[n].width
			n++
		}
		if lines != nil {
			lines = append(lines, "")
		}
		lines = append(lines, beside(blocks[:n])...)
		blocks = blocks[n:]
	}
	return lines
}

func beside(blocks []block) []string {
	height := 0
	for _, b := range blocks {
		height = max(height, len(b.lines))
	}
	lines := make([]string, height)
	for i := range lines {
		var line strings.Builder
		for _, b := range blocks {
			text := ""
			if i < len(b.lines) {
				text = b.lines[i]
			}
			line.WriteString(text + strings.Repeat(" ", b.width-utf8.RuneCountInString(text)+gap))
		}
		lines[i] = strings.TrimRight(line.String(), " ")
	}
	return lines
}
