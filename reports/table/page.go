package table

import (
	"fmt"
	"strings"
)

// Page is text for people: a title, a short answer, then section of sentences and tables.
type Page struct {
	Title    string
	Of       []string // what it is about, such as files: a line each, never broken
	Answer   []string // paragraphs
	Sections []Section
}

// Section is a part of a page under one heading. One without sentences and rows is left out.
type Section struct {
	Title     string
	Sentences []string
	Tables    []Table
}

// Markdown is the page in GitHub's dialect.
func (p *Page) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", p.Title)
	for i, line := range p.Of {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s\n", line)
	}
	for _, sentence := range p.Answer {
		fmt.Fprintf(&b, "\n%s\n", sentence)
	}
	for i := range p.Sections {
		b.WriteString(p.Sections[i].Markdown())
	}
	return b.String()
}

// Text is the page for a terminal of that width.
func (p *Page) Text(width int) (string, error) {
	var b strings.Builder
	b.WriteString(Paragraph(p.Title, width))
	for _, line := range p.Of {
		b.WriteString(line + "\n")
	}
	for _, sentence := range p.Answer {
		b.WriteString("\n" + Paragraph(sentence, width))
	}
	for i := range p.Sections {
		text, err := p.Sections[i].Text(width)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// tables are those with rows.
func (c *Section) tables() []Table {
	var out []Table
	for _, t := range c.Tables {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// Markdown is the section in GitHub's dialect after an empty line; nothing if it is empty.
func (c *Section) Markdown() string {
	tables := c.tables()
	if len(c.Sentences)+len(tables) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n", c.Title)
	for _, sentence := range c.Sentences {
		fmt.Fprintf(&b, "\n%s\n", sentence)
	}
	for _, t := range tables {
		b.WriteString("\n" + t.Markdown())
	}
	return b.String()
}

// Text is the section for a terminal of that width after an empty line; nothing if it is empty. Its tables stand side by
// side where there is room.
func (c *Section) Text(width int) (string, error) {
	tables := c.tables()
	if len(c.Sentences)+len(tables) == 0 {
		return "", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n", strings.ToUpper(c.Title))
	for _, sentence := range c.Sentences {
		b.WriteString(Paragraph(sentence, width))
	}
	if len(c.Sentences) > 0 && len(tables) > 0 {
		b.WriteString("\n")
	}
	var blocks []block
	for _, t := range tables {
		drawn, err := t.blocks(width)
		if err != nil {
			return "", err
		}
		blocks = append(blocks, drawn...)
	}
	for _, line := range flow(blocks, width) {
		b.WriteString(line + "\n")
	}
	return b.String(), nil
}
