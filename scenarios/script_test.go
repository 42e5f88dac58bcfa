package scenarios_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// defaults complete a scenario of which a test writes only what it is about. They come
// after what it writes, so that its lines keep their numbers.
var defaults = []struct{ key, text string }{
	{"apiVersion", "apiVersion: berth/v1alpha1\n"},
	{"kind", "kind: Scenario\n"},
	{"metadata", "metadata: {name: test}\n"},
	{"horizon", "horizon: 1h\n"},
	{"fleet", `fleet:
  - {pool: general, count: 2, template: {status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}}
`},
	{"workloads", `workloads:
  - name: web
    arrivals: {every: 10m}
    lifetime: 5m
    template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}
`},
}

// completed is a scenario with the defaults of all top-level fields that it lacks.
func completed(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	out := text
	for _, d := range defaults {
		if !regexp.MustCompile(`(?m)^` + d.key + `:`).MatchString(text) {
			out += d.text
		}
	}
	return out
}

// TestBadInput runs the scripts in testdata/bad, TestRuns those in testdata/runs.
// Commands:
//
//	file NAME       write a file that scenarios may refer to
//	directory NAME  make a directory
//	scenario        check the scenario, with defaults for what it does not say: its
//	                faults, or its warnings, or ok
//	text            check the input as it is
//	path NAME       check the file of that name
//	run             as scenario, and run it: how it ends, or its fault
//	story           as run, and tell what happens to each pod
func TestBadInput(t *testing.T) { runScripts(t, "testdata/bad") }

// TestRuns: see TestBadInput.
func TestRuns(t *testing.T) { runScripts(t, "testdata/runs") }

func runScripts(t *testing.T, dir string) {
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(t.TempDir())
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "file":
				write(t, d.CmdArgs[0].Key, d.Input+"\n")
				return ""
			case "directory":
				if err := os.MkdirAll(d.CmdArgs[0].Key, 0o755); err != nil {
					t.Fatal(err)
				}
				return ""
			case "path":
				return verdict(d.CmdArgs[0].Key)
			case "text":
				write(t, "in.yaml", d.Input+"\n")
				return verdict("in.yaml")
			case "scenario":
				write(t, "in.yaml", completed(d.Input))
				return verdict("in.yaml")
			case "run", "story":
				write(t, "in.yaml", completed(d.Input))
				return runVerdict(t, d)
			}
			t.Fatalf("no such command: %s", d.Cmd)
			return ""
		})
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// verdict is what validate would say of a file.
func verdict(path string) string {
	report, err := scenarios.Validate(path, recipe.Recipe{})
	if err != nil {
		return err.Error() + "\n"
	}
	var out strings.Builder
	for _, w := range report.Warnings {
		fmt.Fprintln(&out, "warning:", w)
	}
	out.WriteString("ok: " + report.What + "\n")
	return out.String()
}

func runVerdict(t *testing.T, d *datadriven.TestData) string {
	s, err := scenarios.Load("in.yaml")
	if err != nil {
		return err.Error() + "\n"
	}
	run, err := s.Build(scenarios.Options{Recipe: recipe.Recipe{SkipBadLines: d.HasArg("skip-bad-lines")}})
	if err != nil {
		return err.Error() + "\n"
	}
	defer run.Close()
	var out strings.Builder
	for _, w := range run.Warnings {
		fmt.Fprintln(&out, "warning:", w)
	}
	log := play(t, run)
	if d.Cmd == "story" {
		out.WriteString(log.story())
	}
	fmt.Fprintln(&out, log.outcome())
	for _, w := range run.FinalWarnings(log.end) {
		fmt.Fprintln(&out, "warning:", w)
	}
	if n, first := run.SkippedLines(); n > 0 {
		fmt.Fprintf(&out, "skipped %d lines, the first: %v\n", n, first[0])
	}
	return out.String()
}
