package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp: every verb has a help with an example of itself that fits a terminal, and
// no arguments at all are a question for help.
func TestHelp(t *testing.T) {
	var verbs []string
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		verbs = append(verbs, c.CommandPath())
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	root := newRoot(streams{out: &bytes.Buffer{}, err: &bytes.Buffer{}})
	walk(root)
	for _, verb := range []string{"berth run", "berth plan", "berth diff", "berth place", "berth capacity", "berth explain", "berth validate", "berth import openb", "berth schema", "berth init", "berth metrics", "berth version", "berth completion bash"} {
		if !slices.Contains(verbs, verb) {
			t.Fatalf("there is no %s", verb)
		}
	}
	for _, verb := range verbs {
		r := berth(t.Context(), 80, append(strings.Fields(verb)[1:], "--help")...)
		_, examples, _ := strings.Cut(r.out, "Examples:\n")
		example, _, _ := strings.Cut(examples, "\n\n")
		if r.code != exitDone || !strings.Contains(example, verb) {
			t.Errorf("%s --help ends with %d and has no example of it:\n%s", verb, r.code, r.out)
		}
		if viaHelp := berth(t.Context(), 80, append([]string{"help"}, strings.Fields(verb)[1:]...)...); viaHelp.out != r.out {
			t.Errorf("berth help says something else of %s", verb)
		}
	}
	if nothing, asked := berth(t.Context(), 80), berth(t.Context(), 80, "--help"); nothing != asked || nothing.code != exitDone {
		t.Errorf("no arguments end with %d, and do not show the help", nothing.code)
	}
}

// TestWidth: COLUMNS says how wide tables are, if it makes sense.
func TestWidth(t *testing.T) {
	for columns, want := range map[string]int{"132": 132, "80": 80, "-1": defaultWidth, "wide": defaultWidth} {
		t.Setenv("COLUMNS", columns)
		if got := systemStreams().width; got != want && want != defaultWidth {
			t.Errorf("COLUMNS=%s: %d columns, want %d", columns, got, want)
		}
	}
	wide := berth(t.Context(), 160, "metrics")
	narrow := berth(t.Context(), 80, "metrics")
	if wide.out == narrow.out {
		t.Error("the width changes nothing")
	}
	for _, verb := range []string{"run", "plan", "diff", "place", "capacity", "explain", "validate", "import", "schema", "init", "metrics", "version", "help"} {
		for line := range strings.Lines(berth(t.Context(), 80, verb, "--help").out) {
			if len(line) > 81 && !strings.HasPrefix(line, "  berth") && !strings.HasPrefix(line, "  kubectl") {
				t.Errorf("a line of the help of %s is too long for 80 columns: %s", verb, line)
			}
		}
	}
}

func TestMetrics(t *testing.T) {
	for format, want := range map[string]string{"table": "placement.arrived", "markdown": "| ", "json": `"formula"`, "csv": "placement.arrived,"} {
		r := berth(t.Context(), 80, "metrics", "--format", format)
		if r.code != exitDone || !strings.Contains(r.out, want) {
			t.Errorf("%s: exit %d, no %q", format, r.code, want)
		}
	}
}

// TestCompletion: verbs are completed, and flags that take one of a few words.
func TestCompletion(t *testing.T) {
	for question, want := range map[string]string{
		"r":                   "run\t",
		"import ":             "openb\t",
		"run --tie ":          "upstream",
		"place --order ":      "document",
		"run --format ":       "markdown",
		"import openb --gpu ": "share",
	} {
		r := berth(t.Context(), 80, append([]string{"__complete"}, strings.Split(question, " ")...)...)
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not completed by %q:\n%s", question, want, r.out)
		}
	}
}
