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
	"github.com/berth-sim/berth/sim/model/record"
)

// pace says when progress is shown.
type pace struct {
	first, every  time.Duration // the first line, and those after it
	isOverwritten bool          // every line takes the place of the one before it
}

// The paces: a person watches a terminal, and a log must not be full of progress.
var (
	terminalPace = pace{first: time.Second, every: 200 * time.Millisecond, isOverwritten: true}
	logPace      = pace{first: 30 * time.Second, every: 30 * time.Second}
)

// progress shows on standard error how far a verb is. The verb says what to show when it knows more; a line is written when
// one is due. A nil progress shows nothing.
type progress struct {
	out          io.Writer
	wall         func() time.Time
	pace         pace
	began, shown time.Time
	stopped      chan struct{} // closed to stop the ticker
	ticker       sync.WaitGroup

	mu    sync.Mutex
	line  func(elapsed time.Duration) string // nil: there is nothing to say yet
	width int                                // of the line on the terminal
}

// newProgress returns a progress that writes to out, below what would escape the carriage returns. It writes when tick is
// called.
func newProgress(out io.Writer, pace pace, wall func() time.Time) *progress {
	if p, ok := out.(*output.Printable); ok {
		out = p.Unwrap()
	}
	return &progress{out: out, wall: wall, pace: pace, began: wall(), stopped: make(chan struct{})}
}

// showProgress begins to show progress, from now on until end is called. It returns nil where none is wanted.
func (s streams) showProgress() *progress {
	if s.quiet || s.wall == nil {
		return nil
	}
	pace := logPace
	if s.isTerminal {
		pace = terminalPace
	}
	p := newProgress(s.err, pace, s.wall)
	p.ticker.Go(func() {
		tick := time.NewTicker(terminalPace.every)
		defer tick.Stop()
		for {
			select {
			case <-p.stopped:
				return
			case <-tick.C:
				p.tick()
			}
		}
	})
	return p
}

// loadingFiles is what is being done before a verb knows more.
const loadingFiles = "loading files"

// loading shows that files are being read. loaded must be called when they are read.
func (s streams) loading() (loaded func()) {
	p := s.showProgress()
	p.say(loadingFiles)
	return p.end
}

// tick writes a line if one is due.
func (p *progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.wall()
	elapsed := now.Sub(p.began)
	if p.line == nil || elapsed < p.pace.first || now.Sub(p.shown) < p.pace.every {
		return
	}
	p.shown = now
	line := p.line(elapsed)
	if p.pace.isOverwritten {
		p.overwrite(line)
		return
	}
	fmt.Fprintf(p.out, "after %s: %s\n", elapsed.Round(time.Second), line)
}

// overwrite replaces the line on the terminal. The caller holds the lock.
func (p *progress) overwrite(line string) {
	fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", max(p.width-len(line), 0)))
	p.width = len(line)
}

// clear removes the line from the terminal. The caller holds the lock.
func (p *progress) clear() {
	if p.width > 0 {
		p.overwrite("")
		fmt.Fprint(p.out, "\r")
	}
}

// pause calls write, which writes to the terminal, with no line in its way.
func (p *progress) pause(write func()) {
	if p == nil {
		write()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	write()
}

// end ends the progress and removes its line. The verb must call it before it writes its answer; another call does nothing.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.line = nil
	select {
	case <-p.stopped:
	default:
		close(p.stopped)
	}
	p.clear()
	p.mu.Unlock()
	p.ticker.Wait()
}

// set says what to show from now on.
func (p *progress) set(line func(elapsed time.Duration) string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.line = line
	p.mu.Unlock()
}

// say shows what is being done, where the progress is not known.
func (p *progress) say(what string) {
	p.set(func(elapsed time.Duration) string {
		if p.pace.isOverwritten {
			return fmt.Sprintf("%s, %s", what, elapsed.Round(time.Second))
		}
		return what
	})
}

// ofRun returns a function that shows how far a run is.
func (p *progress) ofRun(horizon clock.Time) func(now clock.Time, arrived, completed int64) {
	return func(now clock.Time, arrived, completed int64) {
		p.set(func(elapsed time.Duration) string {
			line := fmt.Sprintf("%s of virtual time, %s arrived, %s completed, %s pods/s", time.Duration(now).Round(time.Second),
				human.Counted(arrived, "pod"), human.Whole(completed), human.Whole(int64(float64(arrived)/elapsed.Seconds())))
			if horizon != clock.Forever && now > 0 {
				line += ", " + left(elapsed, float64(now)/float64(horizon))
			}
			return line
		})
	}
}

// count shows how many of several things are done.
func (p *progress) count(what string, done, all int) {
	p.set(func(elapsed time.Duration) string {
		line := fmt.Sprintf("%s of %s %s done", human.Whole(done), human.Whole(all), what)
		if done > 0 {
			line += ", " + left(elapsed, float64(done)/float64(all))
		}
		return line
	})
}

// left estimates the time that is left when a share of the work is done.
func left(elapsed time.Duration, share float64) string {
	return fmt.Sprintf("%s left", time.Duration(float64(elapsed)*(1/share-1)).Round(time.Second))
}

// tried shows how many things have been tried, where their final number is unknown. what is the singular of their name.
func (p *progress) tried(what string, done int) {
	p.set(func(time.Duration) string { return human.Counted(done, what) + " tried" })
}

// placed shows how many replicas have been placed.
func (p *progress) placed(replicas int) {
	p.set(func(time.Duration) string { return human.Counted(replicas, "replica") + " placed" })
}

// reading returns an observer of records that passes them on, and shows from time to time how many there were.
func (p *progress) reading(observe func(*record.Record)) func(*record.Record) {
	const every = 10_000
	records := int64(0)
	return func(r *record.Record) {
		observe(r)
		if records++; records%every == 0 {
			p.read(records)
		}
	}
}

// read shows how many records have been read.
func (p *progress) read(records int64) {
	p.set(func(time.Duration) string { return human.Counted(records, "record") + " read" })
}
