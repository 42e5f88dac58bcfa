package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/clock"
)

const (
	progressAfter = time.Second            // before, nothing is shown
	progressEvery = 200 * time.Millisecond // between two lines
)

// progress shows on a terminal how far a run is. It shows nothing for short runs.
type progress struct {
	out     io.Writer
	horizon clock.Time
	wall    func() time.Time
	began   time.Time
	shown   time.Time
	width   int // of the line that is shown
}

// newProgress returns a progress that writes to out, below what would escape the carriage returns.
func newProgress(out io.Writer, horizon clock.Time, wall func() time.Time) *progress {
	if p, ok := out.(*output.Printable); ok {
		out = p.Unwrap()
	}
	return &progress{out: out, horizon: horizon, wall: wall, began: wall()}
}

// due reports whether a line is due, and returns the time since the beginning.
func (p *progress) due() (elapsed time.Duration, due bool) {
	wall := p.wall()
	elapsed = wall.Sub(p.began)
	if elapsed < progressAfter || wall.Sub(p.shown) < progressEvery {
		return elapsed, false
	}
	p.shown = wall
	return elapsed, true
}

// update shows how far one run is.
func (p *progress) update(now clock.Time, arrived, completed int64) {
	elapsed, due := p.due()
	if !due {
		return
	}
	line := fmt.Sprintf("%s of virtual time, %d pods arrived, %d completed, %.0f pods/s",
		time.Duration(now).Round(time.Second), arrived, completed, float64(arrived)/elapsed.Seconds())
	if p.horizon != clock.Forever && now > 0 {
		left := time.Duration(float64(elapsed) * (float64(p.horizon)/float64(now) - 1))
		line += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	p.show(line)
}

// count shows how many of several things are done.
func (p *progress) count(what string, done, all int) {
	if elapsed, due := p.due(); due {
		left := time.Duration(float64(elapsed) * (float64(all)/float64(done) - 1))
		p.show(fmt.Sprintf("%d of %d %s done, %s left", done, all, what, left.Round(time.Second)))
	}
}

// tried shows how many things have been tried, where their final number is unknown. what is the singular of their name.
func (p *progress) tried(what string, done int) {
	if _, due := p.due(); due {
		p.show(human.Counted(done, what) + " tried")
	}
}

// placed shows how many replicas have been placed.
func (p *progress) placed(replicas int) {
	if replicas%256 != 0 { // reading the time would slow the placement down
		return
	}
	if _, due := p.due(); due {
		p.show(fmt.Sprintf("%d replicas placed", replicas))
	}
}

// read shows how many records have been read.
func (p *progress) read(records int64) {
	if _, due := p.due(); due {
		p.show(fmt.Sprintf("%d records read", records))
	}
}

// loading shows on a terminal that files are being read, and for how long. loaded must be called when they are read.
func (s streams) loading(quiet bool) (loaded func()) {
	if !s.progress || quiet {
		return func() {}
	}
	p := newProgress(s.err, 0, time.Now)
	ended := make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				p.clear()
				return
			case <-tick.C:
				if elapsed, due := p.due(); due {
					p.show(fmt.Sprintf("loading files, %s", elapsed.Round(time.Second)))
				}
			}
		}
	})
	return func() {
		close(ended)
		shown.Wait()
	}
}

func (p *progress) show(line string) {
	fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", max(p.width-len(line), 0)))
	p.width = len(line)
}

// clear removes the line.
func (p *progress) clear() {
	if p.width > 0 {
		p.show("")
		fmt.Fprint(p.out, "\r")
	}
}
