package reports

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Format is a form in which numbers are shown.
type Format string

// The formats.
const (
	FormatTable    Format = "table" // for a terminal
	FormatMarkdown Format = "markdown"
	FormatJSON     Format = "json"
	FormatCSV      Format = "csv"
)

// Formats are all formats.
var Formats = []Format{FormatTable, FormatMarkdown, FormatJSON, FormatCSV}

// View is how a summary is shown.
type View struct {
	Format Format
	Width  int  // of the terminal, in columns, for tables
	All    bool // every metric, not only the headlines; JSON and CSV always have all
}

// minWidth is the narrowest terminal that tables are made for.
const minWidth = 60

// Render writes the summary in the view's format.
func (s *Summary) Render(w io.Writer, view View) error {
	switch view.Format {
	case FormatJSON:
		return s.WriteJSON(w)
	case FormatCSV:
		return s.WriteCSV(w)
	case FormatMarkdown:
		return s.renderMarkdown(w, view.All)
	case FormatTable:
		return s.renderTables(w, max(view.Width, minWidth), view.All)
	}
	return fmt.Errorf("there is no format %q", view.Format)
}

func (s *Summary) renderMarkdown(w io.Writer, all bool) error {
	var b bytes.Buffer
	for i, line := range s.answer(1 << 20) {
		line = EscapeMarkdown(line)
		if i == 0 {
			line = "# " + line + "\n"
		}
		b.WriteString(line + "\n")
	}
	for _, section := range s.sections(all) {
		b.WriteString("\n## " + section.title + "\n")
		for _, g := range section.grids {
			b.WriteString("\n" + g.markdown())
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// renderTables shows the short answer, then the tables, side by side where there is
// room.
func (s *Summary) renderTables(w io.Writer, width int, all bool) error {
	var b bytes.Buffer
	b.WriteString(strings.Join(s.answer(width), "\n") + "\n")
	for _, section := range s.sections(all) {
		b.WriteString("\n" + strings.ToUpper(section.title) + "\n\n")
		var blocks []block
		for _, g := range section.grids {
			for _, part := range g.split(width) {
				drawn, err := part.block()
				if err != nil {
					return err
				}
				blocks = append(blocks, drawn)
			}
		}
		b.WriteString(strings.Join(flow(blocks, width), "\n") + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// answer is what ran and how it went, in a few lines.
func (s *Summary) answer(width int) []string {
	n := func(metric string) float64 { v, _ := s.Value(metric, ""); return v }
	title := s.Run.Scenario
	if title == "" {
		title = "run"
	}
	if s.Run.Partial {
		title += " (partial)"
	}
	ran := fmt.Sprintf("%s on %s, %s of virtual time", counted(n("placement.arrived"), "pod"),
		counted(n("utilisation.nodes"), "node"), humanSeconds(s.Run.VirtualSeconds))
	if s.Run.Policy != "" {
		ran += ", policy " + s.Run.Policy
	}
	ran += fmt.Sprintf(", seed %d", s.Run.Seed)
	tried := n("placement.arrived") - n("placement.found")
	went := fmt.Sprintf("%s of %s scheduled", grouped(n("placement.scheduled"), 0), counted(tried, "pod"))
	if tried > 0 {
		went += fmt.Sprintf(" (%s)", human(UnitShare, "", n("placement.scheduled")/tried))
	}
	if waits := n("placement.waiting"); waits > 0 {
		went += fmt.Sprintf(", %s waiting in Permit", grouped(waits, 0))
	}
	went += fmt.Sprintf(", %s pending%s", grouped(n("placement.pending"), 0), map[string]string{
		"horizon": " at the horizon", "done": " at the end", "interrupted": " when it was interrupted",
	}[s.Run.Ended])
	for _, v := range s.Scopes[0].Values {
		if v.Metric.Name == "placement.pendingReason" {
			went += fmt.Sprintf("; most for %q (%s)", v.Label, grouped(v.Value, 0))
			break
		}
	}
	return append([]string{title}, append(wrap(ran, width), wrap(went, width)...)...)
}

func counted(n float64, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(n, 0) + " " + what
}

// wrap breaks text at spaces into lines of at most width characters.
func wrap(text string, width int) []string {
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

// printable spells control characters out, spaces apart: what extenders say, and what names
// hold, must not steer the terminal.
func printable(text string) string {
	steers := func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
	if !strings.ContainsFunc(text, steers) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if steers(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// block is a drawn table.
type block struct {
	lines []string
	width int
}

// gap is the space between two tables that stand side by side.
const gap = 4

// flow puts blocks side by side as long as the width allows, and an empty line between
// those above each other.
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

// split cuts a table that is too wide into several with the same rows, and shortens
// the names of rows that leave no room for numbers.
func (g grid) split(width int) []grid {
	widths := g.widths()
	widths[0] = min(widths[0], width-2*columnPadding-max(widest(widths[1:]), width/4))
	for i := range g.rows {
		g.rows[i][0] = shorten(g.rows[i][0], widths[0])
	}
	var out []grid
	for first := 1; first < len(g.head); {
		end, used := first, widths[0]
		for end < len(g.head) && (end == first || used+columnPadding+widths[end] <= width) {
			used += columnPadding + widths[end]
			end++
		}
		part := grid{head: append([]string{g.head[0]}, g.head[first:end]...)}
		for _, row := range g.rows {
			part.rows = append(part.rows, append([]string{row[0]}, row[min(first, len(row)):min(end, len(row))]...))
		}
		out = append(out, part)
		first = end
	}
	return out
}

func widest(widths []int) int {
	most := 0
	for _, w := range widths {
		most = max(most, w)
	}
	return most
}

// columnPadding is the space between two columns.
const columnPadding = 2

func (g grid) widths() []int {
	widths := make([]int, len(g.head))
	for i, cell := range g.head {
		widths[i] = utf8.RuneCountInString(cell)
	}
	for _, row := range g.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

func shorten(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return text
}

// markdown is the table in GitHub's dialect.
func (g grid) markdown() string {
	var b strings.Builder
	row := func(cells []string) {
		for i := range g.head {
			text := ""
			if i < len(cells) {
				text = EscapeMarkdown(cells[i])
			}
			b.WriteString("| " + text + " ")
		}
		b.WriteString("|\n")
	}
	row(g.head)
	b.WriteString("| --- " + strings.Repeat("| ---: ", len(g.head)-1) + "|\n")
	for _, cells := range g.rows {
		row(cells)
	}
	return b.String()
}

func (g grid) block() (block, error) {
	var b bytes.Buffer
	err := g.draw(&b, renderer.NewBlueprint(tw.Rendition{
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

// draw writes the table, words on the left, numbers on the right.
func (g grid) draw(w io.Writer, r tw.Renderer) error {
	align := make(tw.Alignment, len(g.head))
	for i := range align {
		align[i] = tw.AlignRight
	}
	for _, i := range append([]int{0}, g.words...) {
		if i < len(align) {
			align[i] = tw.AlignLeft
		}
	}
	padding := tw.CellPadding{PerColumn: make([]tw.Padding, len(g.head))}
	for i := range padding.PerColumn {
		padding.PerColumn[i] = tw.Padding{Right: strings.Repeat(" ", columnPadding), Overwrite: true}
	}
	padding.PerColumn[len(g.head)-1] = tw.PaddingNone
	cell := tw.CellConfig{
		Alignment:  tw.CellAlignment{PerColumn: align},
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Padding:    padding,
	}
	table := tablewriter.NewTable(w, tablewriter.WithRenderer(r),
		tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}))
	table.Header(g.head)
	for _, row := range g.rows {
		for len(row) < len(g.head) {
			row = append(row, "")
		}
		for i := range row {
			row[i] = printable(row[i])
		}
		if err := table.Append(row); err != nil {
			return err
		}
	}
	return table.Render()
}
