package output

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/berth-sim/berth/reports/human"
)

// Printable is a writer to a terminal or a log that makes text printable, as human.Printable does.
//
// The bytes of a character may come in several writes. Flush writes what is left of one that never ended.
type Printable struct {
	// Colored: tables have colors.
	Colored bool
	to      io.Writer
	left    []byte // the beginning of a character
}

// NewPrintable returns a writer that writes to another one.
func NewPrintable(to io.Writer) *Printable { return &Printable{to: to} }

// Unwrap returns the writer below, for what is meant to control a terminal.
func (p *Printable) Unwrap() io.Writer { return p.to }

// Write writes text. The number of bytes that it returns is that of the text, or 0 if there is an error.
func (p *Printable) Write(text []byte) (int, error) {
	all := text
	if len(p.left) > 0 {
		all = append(p.left, text...)
		p.left = nil
	}
	if end := len(all) - incomplete(all); end < len(all) {
		p.left = bytes.Clone(all[end:])
		all = all[:end]
	}
	if _, err := p.to.Write(human.Printable(all)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// writeTable writes a table or a page for people, in colors if they are wanted.
func (p *Printable) writeTable(text string) error {
	if !p.Colored {
		return writeText(p, text)
	}
	if err := p.Flush(); err != nil {
		return err
	}
	return writeText(p.to, paint(string(human.Printable([]byte(text)))))
}

// Flush writes the rest of a character that has not been written to its end.
func (p *Printable) Flush() error {
	if len(p.left) == 0 {
		return nil
	}
	_, err := p.to.Write(human.Printable(p.left))
	p.left = nil
	return err
}

// incomplete returns how many bytes at the end of a text begin a character that is longer.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if start := text[len(text)-n:]; utf8.RuneStart(start[0]) {
			if utf8.FullRune(start) {
				return 0
			}
			return n
		}
	}
	return 0
}
