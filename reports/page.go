package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Page is text for people: a title, a short answer, then chapters of sentences and tables.
type Page struct {
	Title    string
	Of       []string // what it is about, such as files: a line each, never broken
	Answer   []string // paragraphs
	Chapters []Chapter
}

// Chapter is a part of a page under one heading. One without sentences and rows is left out.
type Chapter struct {
	Title     string
	Sentences []string
	Tables    []PageTable
}

// PageTable is a table of a page.
type PageTable struct {
	Table
	Words []int // columns that hold words, besides the first
	// Fluent: the last column is text, to be broken into lines.
	Fluent bool
}

// Render writes the page as tables for a terminal or as Markdown; there is no other format.
func (p *Page) Render(w io.Writer, view View) error {
	var b bytes.Buffer
	switch view.Format {
	case FormatMarkdown:
		p.markdown(&b)
	case FormatTable:
		if err := p.text(&b, max(view.Width, minWidth)); err != nil {
			return err
		}
	default:
		return fmt.Errorf("there is no format %q for a page", view.Format)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// chapters are those that are not empty, with their tables that are not.
func (p *Page) chapters() []Chapter {
	var out []Chapter
	for _, c := range p.Chapters {
		var tables []PageTable
		for _, t := range c.Tables {
			if len(t.Rows) > 0 {
				tables = append(tables, t)
			}
		}
		if c.Tables = tables; len(c.Sentences)+len(tables) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func (p *Page) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "# %s\n", p.Title)
	for i, line := range p.Of {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "- %s\n", line)
	}
	for _, sentence := range p.Answer {
		fmt.Fprintf(b, "\n%s\n", sentence)
	}
	for _, c := range p.chapters() {
		fmt.Fprintf(b, "\n## %s\n", c.Title)
		for _, sentence := range c.Sentences {
			fmt.Fprintf(b, "\n%s\n", sentence)
		}
		for _, t := range c.Tables {
			b.WriteString("\n" + t.grid().markdown())
		}
	}
}

func (p *Page) text(b *bytes.Buffer, width int) error {
	say := func(sentence string) { b.WriteString(strings.Join(wrap(sentence, width), "\n") + "\n") }
	say(p.Title)
	for _, line := range p.Of {
		b.WriteString(line + "\n")
	}
	for _, sentence := range p.Answer {
		b.WriteString("\n")
		say(sentence)
	}
	for _, c := range p.chapters() {
		fmt.Fprintf(b, "\n%s\n\n", strings.ToUpper(c.Title))
		for _, sentence := range c.Sentences {
			say(sentence)
		}
		if len(c.Sentences) > 0 && len(c.Tables) > 0 {
			b.WriteString("\n")
		}
		blocks, err := c.blocks(width)
		if err != nil {
			return err
		}
		for _, line := range flow(blocks, width) {
			b.WriteString(line + "\n")
		}
	}
	return nil
}

// blocks draws the tables, those that are too wide in several parts.
func (c *Chapter) blocks(width int) ([]block, error) {
	var out []block
	for _, t := range c.Tables {
		if t.Fluent {
			drawn, err := t.grid().notes(width)
			if err != nil {
				return nil, err
			}
			out = append(out, drawn)
			continue
		}
		before := 0 // columns of the parts so far, but for that of the names
		for _, g := range t.grid().fit(width).split(width) {
			for _, column := range t.Words {
				if column -= before; column > 0 && column < len(g.head) {
					g.words = append(g.words, column)
				}
			}
			before += len(g.head) - 1
			drawn, err := g.block()
			if err != nil {
				return nil, err
			}
			out = append(out, drawn)
		}
	}
	return out, nil
}

func (t PageTable) grid() grid { return grid{head: t.Head, rows: t.Rows, words: t.Words} }

// Grouped writes a number with its thousands apart.
func Grouped(n int64) string { return grouped(float64(n), 0) }
