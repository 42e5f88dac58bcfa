package table

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// columnPadding is the space between two columns.
const columnPadding = 2

// block is a drawn table.
type block struct {
	lines []string
	width int
}

// block draws the table as wide as it is.
func (t Table) block() (block, error) {
	var b bytes.Buffer
	err := t.write(&b, renderer.NewBlueprint(tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.Separators{ShowHeader: tw.On, ShowFooter: tw.Off, BetweenRows: tw.Off, BetweenColumns: tw.Off},
			Lines:      tw.Lines{ShowTop: tw.Off, ShowBottom: tw.Off, ShowHeaderLine: tw.On, ShowFooterLine: tw.Off},
		},
	}))
	var out block
	for line := range strings.Lines(b.String()) {
		line = strings.TrimRight(line, " \n")
		out.lines = append(out.lines, line)
		out.width = max(out.width, utf8.RuneCountInString(line))
	}
	return out, err
}

// write puts words on the left and numbers on the right of their columns.
func (t Table) write(w io.Writer, r tw.Renderer) error {
	align := make(tw.Alignment, len(t.Head))
	for i := range align {
		align[i] = tw.AlignRight
	}
	for _, i := range append([]int{0}, t.Words...) {
		if i < len(align) {
			align[i] = tw.AlignLeft
		}
	}
	padding := tw.CellPadding{PerColumn: make([]tw.Padding, len(t.Head))}
	for i := range padding.PerColumn {
		padding.PerColumn[i] = tw.Padding{Right: strings.Repeat(" ", columnPadding), Overwrite: true}
	}
	padding.PerColumn[len(t.Head)-1] = tw.PaddingNone
	cell := tw.CellConfig{
		Alignment:  tw.CellAlignment{PerColumn: align},
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Padding:    padding,
	}
	out := tablewriter.NewTable(w, tablewriter.WithRenderer(r), tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}))
	out.Header(t.Head)
	for _, row := range t.Rows {
		for len(row) < len(t.Head) {
			row = append(row, "")
		}
		for i := range row {
			row[i] = printable(row[i])
		}
		if err := out.Append(row); err != nil {
			return err
		}
	}
	return out.Render()
}

// minNoteWidth is the narrowest column that notes are broken into.
const minNoteWidth = 40

// breakNotes breaks the last column into lines that fit the width. Without any text in it the column is left out.
func (t Table) breakNotes(width int) Table {
	widths, last := t.widths(), len(t.Head)-1
	room := width
	for _, w := range widths[:last] {
		room -= w + columnPadding
	}
	var rows [][]string
	for _, row := range t.Rows {
		for i, line := range Wrap(row[last], max(room, minNoteWidth)) {
			cells := make([]string, len(row))
			if i == 0 {
				copy(cells, row)
			}
			cells[last] = line
			rows = append(rows, cells)
		}
	}
	t.Rows = rows
	if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[last] != "" }) {
		t.Head = t.Head[:last]
		for i, row := range t.Rows {
			t.Rows[i] = row[:last]
		}
	}
	return t
}
