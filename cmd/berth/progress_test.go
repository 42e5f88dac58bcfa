package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// handClock is a wall clock that tests move.
type handClock struct{ now time.Time }

func (c *handClock) read() time.Time { return c.now }

// after moves the clock and lets a progress write what is due.
func (c *handClock) after(d time.Duration, p *progress) {
	c.now = c.now.Add(d)
	p.tick()
}

// TestProgressOnTerminal: a line that is overwritten, and removed in the end; nothing for short runs.
func TestProgressOnTerminal(t *testing.T) {
	var out bytes.Buffer
	wall := &handClock{time.Unix(0, 0)}
	p := newProgress(&out, terminalPace, wall.read)
	update := p.ofRun(100 * clock.Second)
	update(clock.Second, 5, 1)
	wall.after(999*time.Millisecond, p)
	if out.Len() > 0 {
		t.Errorf("a run of less than a second shows %q", &out)
	}
	update(50*clock.Second, 1000, 10)
	wall.after(1001*time.Millisecond, p)
	first := "50s of virtual time, 1,000 pods arrived, 10 completed, 500 pods/s, 2s left"
	if out.String() != "\r"+first {
		t.Errorf("shows %q, want %q", &out, first)
	}
	update(60*clock.Second, 1000, 10)
	wall.after(100*time.Millisecond, p)
	if out.String() != "\r"+first {
		t.Errorf("shows a second line too early: %q", &out)
	}
	p.end()
	p.end()
	wall.after(time.Minute, p)
	if want := "\r" + first + "\r" + strings.Repeat(" ", len(first)) + "\r"; out.String() != want {
		t.Errorf("leaves %q on the terminal", &out)
	}
}

// TestProgressOfReading: every record is passed on, and from time to time their number is shown.
func TestProgressOfReading(t *testing.T) {
	var out bytes.Buffer
	wall := &handClock{time.Unix(0, 0)}
	p := newProgress(&out, logPace, wall.read)
	passed := 0
	observe := p.reading(func(*record.Record) { passed++ })
	for range 25_000 {
		observe(&record.Record{})
	}
	wall.after(31*time.Second, p)
	p.end()
	if got := out.String(); passed != 25_000 || got != "after 31s: 20,000 records read\n" {
		t.Errorf("%d records are passed on, and %q is shown", passed, got)
	}
	var none *progress // as with --quiet
	none.reading(func(*record.Record) { passed++ })(&record.Record{})
	if passed != 25_001 {
		t.Error("without progress no record is passed on")
	}
}

// TestProgressInLog: without a terminal there is one line every 30 seconds, whether or not there is news.
func TestProgressInLog(t *testing.T) {
	var out bytes.Buffer
	wall := &handClock{time.Unix(0, 0)}
	p := newProgress(&out, logPace, wall.read)
	wall.after(31*time.Second, p) // nothing is known yet
	p.count("runs", 0, 20)
	wall.after(29*time.Second, p)
	p.count("runs", 5, 20)
	for range 45 {
		wall.after(time.Second, p)
	}
	p.pause(func() { out.WriteString("warning: slow\n") })
	p.end()
	const want = "after 1m0s: 0 of 20 runs done\nafter 1m30s: 5 of 20 runs done, 4m30s left\nwarning: slow\n"
	if out.String() != want {
		t.Errorf("shows\n%swant\n%s", &out, want)
	}
}

// TestProgressLines: what each kind of work shows.
func TestProgressLines(t *testing.T) {
	for want, say := range map[string]func(*progress){
		"0 fleets tried":                     func(p *progress) { p.tried("fleet", 0) },
		"1 fleet tried":                      func(p *progress) { p.tried("fleet", 1) },
		"1,200 nodes tried":                  func(p *progress) { p.tried("node", 1200) },
		"20,000 records read":                func(p *progress) { p.read(20_000) },
		"1,000 replicas placed":              func(p *progress) { p.placed(1000) },
		"2,000 of 3,000 runs done, 15s left": func(p *progress) { p.count("runs", 2000, 3000) },
		"placing pods":                       func(p *progress) { p.say("placing pods") },
		"1h0m0s of virtual time, 60 pods arrived, 7 completed, 2 pods/s": func(p *progress) { p.ofRun(clock.Forever)(clock.Time(time.Hour), 60, 7) },
	} {
		var out bytes.Buffer
		wall := &handClock{time.Unix(0, 0)}
		p := newProgress(&out, logPace, wall.read)
		say(p)
		if wall.after(30*time.Second, p); out.String() != "after 30s: "+want+"\n" {
			t.Errorf("%q, want %q", &out, want)
		}
	}
}

// TestNoProgress: nothing is shown where no progress is wanted, and warnings are written all the same.
func TestNoProgress(t *testing.T) {
	var s streams
	if s.showProgress() != nil {
		t.Error("there is progress without a clock")
	}
	if s.wall, s.quiet = time.Now, true; s.showProgress() != nil {
		t.Error("there is progress with --quiet")
	}
	var p *progress
	warned := false
	p.ofRun(clock.Forever)(1, 1, 1)
	p.say("placing pods")
	p.pause(func() { warned = true })
	if p.end(); !warned {
		t.Error("the warning is lost")
	}
}

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

// Write implements io.Writer.
func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(text)
}

// leaping returns a wall clock on which every reading is a minute after the one before it.
func leaping() func() time.Time {
	var mu sync.Mutex
	now := time.Unix(0, 0)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Minute)
		return now
	}
}

// TestVerbsShowProgress: each verb that may take long says on the error stream how far it is, and on the output nothing of it.
// Every wait for a line ends when the line is there.
func TestVerbsShowProgress(t *testing.T) {
	dir := t.TempDir()
	scenario := filepath.Join(dir, "endless.yaml")
	if err := os.WriteFile(scenario, []byte(endless), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, verb := range map[string]string{
		"of virtual time":   "run " + scenario,
		"0 of 20 runs done": "compare " + scenario + " --policy default --policy ../../scenarios/policies/most-allocated.yaml",
		"0 of 10 runs done": "check " + scenario + " --update --baseline " + filepath.Join(dir, "baseline.json"),
		"0 fleets tried":    "plan " + scenario + " --goal placement.pending==0 --vary pool.n.count=1..9",
	} {
		t.Run(strings.Fields(verb)[0], func(t *testing.T) {
			t.Parallel()
			for _, quiet := range []bool{false, true} {
				ctx, end := context.WithCancel(t.Context())
				var out, err lockedBuffer
				seen := &endsAt{lockedBuffer: &err, line: line, end: end}
				args := strings.Fields(verb)
				if quiet {
					args = append(args, "--quiet")
					time.AfterFunc(5*terminalPace.every, end)
				}
				execute(ctx, args, streams{out: &out, err: seen, width: 80, wall: leaping()})
				if shown := strings.Contains(err.String(), ": "+line) || strings.Contains(err.String(), line+", "); shown == quiet {
					t.Errorf("quiet: %v; progress shown: %v:\n%s", quiet, shown, err.String())
				}
				if strings.Contains(out.String(), "after ") {
					t.Error("progress went to the output")
				}
				end()
			}
		})
	}
}

// endsAt is a buffer that calls a function when a line is written to it.
type endsAt struct {
	*lockedBuffer
	line string
	end  func()
}

// Write implements io.Writer.
func (e *endsAt) Write(text []byte) (int, error) {
	if strings.Contains(string(text), e.line) {
		e.end()
	}
	return e.lockedBuffer.Write(text)
}

// TestWarningDuringProgress: a warning does not run into the line on the terminal.
func TestWarningDuringProgress(t *testing.T) {
	var out bytes.Buffer
	wall := &handClock{time.Unix(0, 0)}
	p := newProgress(&out, terminalPace, wall.read)
	p.say("placing pods")
	wall.after(2*time.Second, p)
	streams{err: &out}.slowWarner(p)(scheduler.ExtenderInfo{}, "filter")
	if !strings.Contains(out.String(), " \rwarning: ") {
		t.Errorf("shows %q", &out)
	}
}
