package main

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// streams are where a verb reads from and writes to.
type streams struct {
	out, err io.Writer
	width    int  // columns of out
	progress bool // err is a terminal
}

// defaultWidth is what tables are made for when the width is not known.
const defaultWidth = 100

func systemStreams() streams {
	s := streams{out: os.Stdout, err: os.Stderr, width: defaultWidth, progress: term.IsTerminal(int(os.Stderr.Fd()))}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		s.width = columns
	} else if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 {
		s.width = width
	}
	return s
}
