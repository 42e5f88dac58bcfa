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
//	berth            runs the command line in the input: exit code, output, errors (after !);
//	                 width= is that of the terminal, lines= how much of the output to show
//	decisions        the same for a placement as JSON lines, written for people; scores shows the scores too
//	show NAME        the text of a file
//	list NAME        the files below a directory
//	directory NAME   makes a directory
//	link NAME TO     makes a symbolic link
func TestScripts(t *testing.T) {
	scripts, err := filepath.Abs("testdata/scripts")
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, scripts, func(t *testing.T, path string) {
		t.Chdir(t.TempDir())
		datadriven.RunTest(t, path, runScript)
	})
}

func runScript(t *testing.T, d *datadriven.TestData) string {
	name := ""
	if len(d.CmdArgs) > 0 {
		name = d.CmdArgs[0].Key
	}
	switch d.Cmd {
	case "file":
		writeFile(t, name, d)
		return ""
	case "directory":
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Fatal(err)
		}
		return ""
	case "link":
		if err := os.Symlink(d.CmdArgs[1].Key, name); err != nil {
			t.Fatal(err)
		}
		return ""
	case "show":
		text, err := os.ReadFile(name)
		if err != nil {
			return err.Error() + "\n"
		}
		return string(text)
	case "list":
		return list(name)
	case "berth":
		return runBerth(t, d)
	case "decisions":
		return decisions(t, d)
	}
	t.Fatalf("no such command: %s", d.Cmd)
	return ""
}

func writeFile(t *testing.T, name string, d *datadriven.TestData) {
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

func list(dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			b.WriteString(path + "\n")
		}
		return err
	})
	if err != nil {
		return err.Error() + "\n"
	}
	return b.String()
}

// words splits a command line at spaces, not within single quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
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

func runBerth(t *testing.T, d *datadriven.TestData) string {
	width := defaultWidth
	d.MaybeScanArgs(t, "width", &width)
	r := berth(t.Context(), width, words(d.Input)...)
	var b strings.Builder
	if r.code != exitDone {
		fmt.Fprintf(&b, "exit %d\n", r.code)
	}
	shown := 1000
	d.MaybeScanArgs(t, "lines", &shown)
	for line := range strings.Lines(r.out) {
		if shown--; shown < 0 {
			b.WriteString("…\n")
			break
		}
		b.WriteString(line)
	}
	for line := range strings.Lines(r.err) {
		b.WriteString("! " + line)
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}
