package main

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var (
	attacks    = flag.Int("attacks", 400, "how many broken files TestBadInput gives to berth")
	attackFrom = flag.Int("attack", 0, "the number of the first of them")
)

// The bounds of a command on a broken file of some 100 kB at most. A simulation may be as long as its file asks for, and is
// interrupted after attackInterrupt.
const (
	attackInterrupt = 3 * time.Second
	attackTime      = 20 * time.Second
	attackMemory    = 2 << 30 // bytes allocated, freed ones included
)

// TestBadInput breaks every kind of file that berth reads, in every way that mutations has, and gives it to the commands that
// read it. A number says all about an input: go test ./cmd/berth -run TestBadInput -args -attacks=5000 -attack=0.
func TestBadInput(t *testing.T) {
	good := t.TempDir()
	all := writeGood(t, good)
	t.Chdir(t.TempDir())
	if err := os.Symlink(good, "good"); err != nil {
		t.Fatal(err)
	}
	for i := *attackFrom; i < *attackFrom+*attacks; i++ {
		a := newAttack(i, all)
		if err := a.write(); err != nil {
			t.Fatal(err)
		}
		for _, fault := range a.faults(t.Context()) {
			t.Errorf("-attack=%d -attacks=1: berth %s, %s with %s: %s", i, strings.Join(a.args(), " "), a.name, a.how, fault)
		}
		if err := os.RemoveAll("bad"); err != nil {
			t.Fatal(err)
		}
	}
}

// attack is a broken file and a command that reads it.
type attack struct {
	victim
	how     string
	text    []byte
	command string
}

func newAttack(number int, all []victim) attack {
	h := fnv.New64a()
	fmt.Fprint(h, number)
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(number)))
	v := all[number%len(all)]
	m := mutations[r.IntN(len(mutations))]
	return attack{victim: v, how: m.name, text: m.of(r, []byte(v.text)), command: pick(r, v.commands)}
}

func (a attack) path() string { return filepath.Join("bad", filepath.FromSlash(a.name)) }

// write writes the broken file, and the other files of its run directory unbroken.
func (a attack) write() error {
	if err := os.MkdirAll("bad", 0o755); err != nil {
		return err
	}
	if dir := filepath.Dir(a.name); dir != "." {
		if err := os.CopyFS(filepath.Join("bad", dir), os.DirFS(filepath.Join("good", dir))); err != nil {
			return err
		}
	}
	return os.WriteFile(a.path(), a.text, 0o644)
}

func (a attack) args() []string {
	return words(strings.NewReplacer("BADDIR", filepath.Dir(a.path()), "BAD", a.path(), "GOOD", "good", "OUT", "out").Replace(a.command))
}

// faults runs the command and returns what is wrong with its outcome.
func (a attack) faults(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, attackInterrupt)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	r := berth(ctx, defaultWidth, a.args()...)
	took := time.Since(start)
	runtime.ReadMemStats(&after)

	var out []string
	if took > attackTime {
		out = append(out, fmt.Sprintf("took %v", took))
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > attackMemory && r.code != exitInterrupted {
		out = append(out, fmt.Sprintf("allocated %d MiB", n>>20))
	}
	return append(out, r.faults()...)
}

// faults returns what no outcome of a broken file may have.
func (r result) faults() []string {
	var out []string
	if !slices.Contains([]int{exitDone, exitGate, exitInput, exitInterrupted}, r.code) {
		out = append(out, fmt.Sprintf("exit code %d: %s", r.code, firstLines(r.err, 12)))
	}
	for stream, text := range map[string]string{"standard output": r.out, "standard error": r.err} {
		if at := strings.IndexFunc(text, disturbsTerminal); at >= 0 || !utf8.ValidString(text) {
			out = append(out, fmt.Sprintf("%s has control characters: %q", stream, text[max(0, at-40):min(len(text), max(0, at)+40)]))
		}
	}
	if r.code == exitInput {
		for line := range strings.Lines(r.err) {
			if !sayable.MatchString(line) {
				out = append(out, fmt.Sprintf("the error does not begin with a file: %q", line))
			}
		}
		if r.err == "" {
			out = append(out, "no error is written")
		}
	}
	return out
}

// sayable are the lines on standard error of a command that has refused a file: errors, and what was said of other files before.
var sayable = regexp.MustCompile(`^((bad|good|out)[^\s:]*(:\d+:\d+)?: .|warning: (bad|good)|skipped \d|there is no pod |berth [a-z]+: |see: berth [a-z]+ --help|and [\d,]+ more errors?\b|to continue without the files that have errors: --exclude |[\d,]+ of [\d,]+ files have errors: --exclude )`)

// disturbsTerminal reports whether a character may not reach a terminal: control characters, and those that turn text around.
func disturbsTerminal(c rune) bool {
	switch {
	case c == '\n' || c == '\t':
		return false
	case c < ' ' || 0x7f <= c && c < 0xa0:
		return true
	}
	return 0x202a <= c && c <= 0x202e || 0x2066 <= c && c <= 0x2069 || c == 0x200e || c == 0x200f
}

func firstLines(text string, n int) string {
	lines := strings.SplitN(text, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
