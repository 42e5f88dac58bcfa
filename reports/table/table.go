// Package table makes text of tables: for a terminal of some width, and for Markdown. A Page is the text around them.
// It is the one door to tablewriter.
package table

import "strings"

// MaxRows is how many rows a table has of things of which there can be very many, unless all are asked for.
const MaxRows = 8

// Table is a table for people: the first column names the rows, the others hold numbers.
type Table struct {
	Head  []string
	Rows  [][]string // a row may be shorter than Head
	Words []int      // columns that hold words and not numbers, besides the first
	// Notes: the last column is text, which is broken into lines.
	Notes bool
	// KeepTitles: where the table is too wide, columns move into another table below it before names of rows are shortened.
	KeepTitles bool
	// WrapTitles: names of rows are broken into lines where the table is too wide, and never shortened.
	WrapTitles bool
}

// Markdown is the table in GitHub's dialect.
func (t Table) Markdown() string {
	var b strings.Builder
	row := func(cells []string) {
		for i := range t.Head {
			text := ""
			if i < len(cells) {
				text = EscapeMarkdown(cells[i])
			}
			b.WriteString("| " + text + " ")
		}
		b.WriteString("|\n")
	}
	row(t.Head)
	b.WriteString("| --- " + strings.Repeat("| ---: ", len(t.Head)-1) + "|\n")
	for _, cells := range t.Rows {
		row(cells)
	}
	return b.String()
}

// Draw is the table for a terminal of that width. Parts of one that is too wide stand below each other.
func (t Table) Draw(width int) (string, error) {
	blocks, err := t.blocks(width)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, drawn := range blocks {
		b.WriteString(strings.Join(drawn.lines, "\n") + "\n")
	}
	return b.String(), nil
}

// blocks draws the table, in several parts where it is too wide.
func (t Table) blocks(width int) ([]block, error) {
	if t.Notes {
		drawn, err := t.breakNotes(width).block()
		return []block{drawn}, err
	}
	switch {
	case t.WrapTitles:
		t = t.wrapTitles(width)
	case !t.KeepTitles:
		t = t.shortenTitles(width)
	}
	var out []block
	for _, part := range t.split(width) {
		drawn, err := part.block()
		if err != nil {
			return nil, err
		}
		out = append(out, drawn)
	}
	return out, nil
}
