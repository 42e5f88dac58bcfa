package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs the scripts below testdata/scripts, each in a directory of its own. Commands:
//
//	file NAME        writes the input to a file
//	file NAME n=N    writes it N times as YAML documents, {n} standing for 001, 002, …
//	berth            runs the command line in the input: exit code, output, errors; width= is that of the terminal
//	decisions        the same for a placement as JSON lines, worded for people; scores shows the scores too
//	show NAME        the text of a file
//	list NAME        the files below a directory
//	directory NAME   makes a directory
func TestScripts(t *testing.T) {
	scripts, err := filepath.Abs("testdata/scripts")
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, scripts, func(t *testing.T, path string) {
		s := script{dir: t.TempDir()}
		datadriven.RunTest(t, path, s.run)
	})
}

type script struct{ dir string }

func (s *script) run(t *testing.T, d *datadriven.TestData) string {
	name := ""
	if len(d.CmdArgs) > 0 {
		name = filepath.Join(s.dir, d.CmdArgs[0].Key)
	}
	switch d.Cmd {
	case "file":
		s.write(t, name, d)
		return ""
	case "directory":
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
		return ""
	case "show":
		text, err := os.ReadFile(name)
		if err != nil {
			return s.plain(err.Error()) + "\n"
		}
		return s.plain(string(text))
	case "list":
		return s.list(t, name)
	case "berth":
		return s.berth(t, d)
	case "decisions":
		return s.decisions(t, d)
	}
	t.Fatalf("no such command: %s", d.Cmd)
	return ""
}

func (s *script) write(t *testing.T, name string, d *datadriven.TestData) {
	text := d.Input + "\n"
	if d.HasArg("n") {
		var copies int
		d.ScanArgs(t, "n", &copies)
		var b strings.Builder
		for n := range copies {
			b.WriteString("---\n" + strings.ReplaceAll(text, "{n}", fmt.Sprintf("%03d", n+1)))
		}
		text = b.String()
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *script) list(t *testing.T, dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			b.WriteString(s.plain(path) + "\n")
		}
		return err
	})
	if err != nil {
		return s.plain(err.Error()) + "\n"
	}
	return b.String()
}

// plain takes the script's directory out of a text.
func (s *script) plain(text string) string { return strings.ReplaceAll(text, s.dir+"/", "") }

// arguments splits a command line at spaces, not within single quotes. Words that name a file
// or a directory of the script, or one to be made there with a leading @, get its path.
func (s *script) arguments(t *testing.T, line string) []string {
	var args []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
			continue
		}
		for _, word := range strings.Fields(part) {
			flag, value, joined := strings.Cut(word, "=")
			if !joined {
				flag, value = "", word
			} else {
				flag += "="
			}
			if after, path := strings.CutPrefix(value, "@"); path {
				value = filepath.Join(s.dir, after)
			}
			args = append(args, flag+value)
		}
	}
	if len(args) > 0 && args[0] == "berth" {
		t.Fatalf("%s: leave out the name of the program", line)
	}
	return args
}

// result is how a command ended.
type result struct {
	code     int
	out, err string
}

// berth runs a command line without a terminal.
func berth(ctx context.Context, width int, args ...string) result {
	var out, err bytes.Buffer
	code := execute(ctx, args, streams{out: &out, err: &err, width: width})
	return result{code, out.String(), err.String()}
}

func (s *script) berth(t *testing.T, d *datadriven.TestData) string {
	width := defaultWidth
	d.MaybeScanArgs(t, "width", &width)
	r := berth(t.Context(), width, s.arguments(t, d.Input)...)
	var b strings.Builder
	if r.code != exitDone {
		fmt.Fprintf(&b, "exit %d\n", r.code)
	}
	b.WriteString(r.out)
	for line := range strings.Lines(r.err) {
		b.WriteString("! " + line)
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return s.plain(b.String())
}
