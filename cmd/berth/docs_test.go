package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // registers -rewrite
	"github.com/spf13/cobra"
)

func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// atRoot makes the root of the repository the working directory, where the commands of the
// documentation are meant to be typed.
func atRoot(t *testing.T) {
	t.Helper()
	t.Chdir("../..")
}

// documents are the pages whose commands are run, from the root of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"README.md", "CONTRIBUTING.md"}, pages...)
}

// fence is a fenced block of a page.
type fence struct {
	lang   string
	notRun string // why its commands are not run: the comment "<!-- not run: why -->" above it
	line   int    // of its first line in the page, from 0
	lines  []string
}

var notRunMark = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

// fences are the fenced blocks of a page.
func fences(page string) []fence {
	var all []fence
	open := false
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		lang, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && !open:
			f := fence{lang: lang, line: i + 1}
			if i > 0 {
				if m := notRunMark.FindStringSubmatch(lines[i-1]); m != nil {
					f.notRun = m[1]
				}
			}
			all, open = append(all, f), true
		case isFence:
			open = false
		case open:
			f := &all[len(all)-1]
			f.lines = append(f.lines, line)
		}
	}
	return all
}

// step is a command of a page and, in a console block, the output shown below it.
type step struct {
	command string
	line    int // in the page, from 0
	shows   bool
	from    int // the line of the page at which the output shown begins
	shown   []string
}

// steps are the commands of a block: each line of sh, each line of console after "$ ".
// A backslash at the end of a command joins the next line.
func (f *fence) steps() []step {
	var all []step
	joined := false
	for i, line := range f.lines {
		command, typed := line, f.lang == "sh" && !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != ""
		if f.lang == "console" && !joined {
			command, typed = strings.CutPrefix(line, "$ ")
		}
		command, more := strings.CutSuffix(command, `\`)
		at := f.line + i
		switch last := len(all) - 1; {
		case joined:
			all[last].command += command
			all[last].from = at + 1
		case typed:
			all = append(all, step{command: command, line: at, shows: f.lang == "console", from: at + 1})
		case f.lang == "console" && last >= 0:
			all[last].shown = append(all[last].shown, line)
		}
		joined = more && (joined || typed)
	}
	return all
}

func TestCommandsOfTheDocumentation(t *testing.T) {
	atRoot(t)
	notRun := 0
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := newSession(t)
		page := strings.Split(string(text), "\n")
		byHand, _, _ := strings.Cut(string(text), made) // TestExamplesOfEveryVerb runs the rest
		moved := 0                                      // lines by which a rewrite has moved the rest of the page
		for _, f := range fences(byHand) {
			switch {
			case f.lang != "sh" && f.lang != "console":
				continue
			case f.notRun != "":
				notRun++
				continue
			}
			for _, step := range f.steps() {
				t.Run(fmt.Sprintf("%s:%d", path, step.line+1), func(t *testing.T) {
					if shown := s.check(t, step); rewriting() {
						from := step.from + moved
						page = slices.Concat(page[:from], shown, page[from+len(step.shown):])
						moved += len(shown) - len(step.shown)
					}
				})
			}
		}
		rewrite(t, path, string(text), strings.Join(page, "\n"))
	}
	const few = 6
	if notRun > few {
		t.Errorf("%d blocks are marked as not run, at most %d may be", notRun, few)
	}
}

// rewrite writes a page that has changed.
func rewrite(t *testing.T, path, was, is string) {
	t.Helper()
	if is == was {
		return
	}
	if err := os.WriteFile(path, []byte(is), 0o644); err != nil {
		t.Fatal(err)
	}
}

// check runs a step and compares what it shows. It returns what it should show.
func (s *session) check(t *testing.T, step step) []string {
	t.Helper()
	output, err := s.run(t, step.command)
	shown := step.shown
	if err == nil && step.shows && rewriting() {
		shown, err = renew(shown, output)
	}
	if err == nil && step.shows {
		err = compareOutput(shown, output)
	}
	if err != nil {
		t.Errorf("%s\n%v", step.command, err)
		return step.shown
	}
	return shown
}

// examples are the commands of the Example of a verb. Three spaces begin a remark.
func examples(c *cobra.Command) []string {
	var all []string
	for line := range strings.Lines(c.Example) {
		command, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
		if command != "" {
			all = append(all, command)
		}
	}
	return all
}

// verbs are all commands with their subcommands.
func verbs(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, verbs(sub)...)
	}
	return all
}

func TestExamplesOfEveryVerb(t *testing.T) {
	atRoot(t)
	for _, c := range verbs(newRoot(streams{})) {
		if len(examples(c)) == 0 {
			t.Errorf("%s: has no example", c.CommandPath())
		}
		s := newSession(t)
		for _, line := range examples(c) {
			t.Run(line, func(t *testing.T) {
				ran := false
				for part := range strings.SplitSeq(line, " && ") {
					if strings.HasPrefix(part, "kubectl ") {
						continue // its output has a stand-in
					}
					ran = true
					if _, err := s.run(t, part); err != nil {
						t.Error(err)
					}
				}
				if !ran {
					t.Error("nothing of it is a command of berth")
				}
			})
		}
	}
}

// session runs the commands of one page, or of one verb: what one writes another may read.
type session struct {
	dir     string            // for all output
	written map[string]string // --out as it was typed → where it is instead
}

func newSession(t *testing.T) *session {
	return &session{dir: t.TempDir(), written: map[string]string{}}
}

var (
	prefixes   = []string{"berth ", "go run ./cmd/berth "}
	wantedCode = regexp.MustCompile(`(?:^| )# exit code (\d+)`)
	remark     = regexp.MustCompile(`(^|\s+)#( .*)?$`)
	word       = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	quoted     = regexp.MustCompile(`'[^']*'`)
	traceFile  = regexp.MustCompile(`^[^/]+\.(csv|swf)(\.gz)?$`)
)

// manifests stand in for those of a reader's own cluster.
var manifests = map[string]string{
	"cluster.yaml": "scenarios/manifests/cluster.yaml",
	"dump.yaml":    "scenarios/manifests/cluster.yaml",
	"manifests/":   "scenarios/manifests",
}

// outputs are the flags that name what is written.
var outputs = []string{"--out", "--png", "--svg", "--baseline", "--names"}

const (
	shellSyntax = "|<>;&$`*(){}'\"\\"
	traces      = "../shared/data"          // one directory for each recorded trace
	standIns    = "cmd/berth/testdata/docs" // for files that only a reader has
)

// run runs a command line in-process and returns what it writes. It is an error when it
// is not a command of berth, or ends with another code than 0 or the one that a remark says.
// The test is skipped where the command needs a recorded trace that is not there.
func (s *session) run(t *testing.T, line string) (string, error) {
	t.Helper()
	want := exitDone
	if m := wantedCode.FindStringSubmatch(line); m != nil {
		fmt.Sscan(m[1], &want)
	}
	typed := remark.ReplaceAllString(line, "")
	if target, made := strings.CutPrefix(typed, "make fgd"); made {
		return s.make(t, "fgd"+target)
	}
	at := slices.IndexFunc(prefixes, func(p string) bool { return strings.HasPrefix(typed, p) })
	if at < 0 || strings.ContainsAny(quoted.ReplaceAllString(typed, ""), shellSyntax) {
		return "", fmt.Errorf("%q is not a command of berth alone: mark its block with <!-- not run: why -->", line)
	}
	args := word.FindAllString(strings.TrimPrefix(typed, prefixes[at]), -1)
	var absent []string
	for i, arg := range args {
		arg = strings.ReplaceAll(arg, "'", "")
		mapped, missing := s.place(arg, i > 0 && slices.Contains(outputs, args[i-1]))
		if missing {
			absent = append(absent, arg)
		}
		args[i] = mapped
	}
	if len(absent) > 0 {
		t.Skipf("there is no %s to take %v from", traces, absent)
	}
	var output bytes.Buffer
	code := execute(context.Background(), args, streams{out: &output, err: &output, width: defaultWidth})
	text := output.String()
	for typed, actual := range s.written {
		text = strings.ReplaceAll(text, actual, strings.TrimSuffix(typed, "/"))
	}
	if code != want {
		return text, fmt.Errorf("%s\nends with code %d, not %d:\n%s", line, code, want, text)
	}
	return text, nil
}

// make runs a target that replays recorded traces, with its output in the directory of the
// session. It is skipped where the traces are not there.
func (s *session) make(t *testing.T, target string) (string, error) {
	t.Helper()
	if !exists(traces) {
		t.Skipf("there is no %s", traces)
	}
	args := word.FindAllString(target, -1)
	for i, arg := range args {
		if out, is := strings.CutPrefix(arg, "OUT="); is {
			arg = "OUT=" + filepath.Join(s.dir, out)
		}
		args[i] = strings.NewReplacer("'", "", `"`, "").Replace(arg)
	}
	output, err := exec.CommandContext(t.Context(), "make", args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w:\n%s", err, output)
	}
	return string(output), err
}

// place is what a word of a command line means here: output goes to the directory of the
// session, a file that only the reader has is replaced by a stand-in.
func (s *session) place(arg string, out bool) (mapped string, missing bool) {
	if out {
		s.written[arg] = filepath.Join(s.dir, filepath.Clean("/"+arg))
		_ = os.MkdirAll(filepath.Dir(s.written[arg]), 0o755) // the command says what is wrong if it is not there
		if dir := filepath.Dir(arg); filepath.Ext(arg) == ".yaml" && dir != "." {
			s.written[dir] = filepath.Dir(s.written[arg]) // a scenario has other files beside it
		}
		return s.written[arg], false
	}
	for typed, actual := range s.written {
		if arg == typed {
			return actual, !exists(actual) && !exists(traces)
		}
		if rest, under := strings.CutPrefix(arg, strings.TrimSuffix(typed, "/")+"/"); under {
			return filepath.Join(actual, rest), !exists(actual) && !exists(traces) // what writes it was skipped
		}
	}
	if strings.HasPrefix(arg, "-") || exists(arg) {
		return arg, false
	}
	if manifest, known := manifests[arg]; known {
		return manifest, false
	}
	if exists(filepath.Join(standIns, arg)) {
		return filepath.Join(standIns, arg), false
	}
	if traceFile.MatchString(arg) {
		found, _ := filepath.Glob(filepath.Join(traces, "*", arg))
		if len(found) == 1 {
			return found[0], false
		}
		return arg, !exists(traces)
	}
	return arg, false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
