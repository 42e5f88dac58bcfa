package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/term"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
)

// streams are the outputs of a verb.
type streams struct {
	out, err   io.Writer
	width      int              // columns of out
	isTerminal bool             // err is a terminal
	isColored  bool             // out has colors unless --color says otherwise
	wall       func() time.Time // for progress; nil: none is shown
	quiet      bool             // no progress and no warnings
}

// errorKeeper is a writer that keeps its first error.
type errorKeeper struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (s *errorKeeper) Write(text []byte) (int, error) {
	n, err := s.Writer.Write(text)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// warn writes warnings, one a line, unless quiet.
func (s streams) warn(list []string) {
	if s.quiet {
		return
	}
	for _, w := range list {
		fmt.Fprintln(s.err, "warning:", w)
	}
}

// note writes lines that say what was done with the input, unless quiet.
func (s streams) note(lines []string) {
	if s.quiet {
		return
	}
	for _, line := range lines {
		fmt.Fprintln(s.err, line)
	}
}

// warnSlow warns that berth waits for an extender.
func (s streams) warnSlow(x scheduler.ExtenderInfo, call string) {
	s.warn([]string{scenarios.SlowExtender(x, call)})
}

// defaultWidth is the width of tables if that of the terminal is unknown.
const defaultWidth = 100

func systemStreams() streams {
	s := streams{out: os.Stdout, err: os.Stderr, width: defaultWidth, isTerminal: term.IsTerminal(int(os.Stderr.Fd())), wall: time.Now}
	s.isColored = term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		s.width = columns
	} else if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 {
		s.width = width
	}
	return s
}
