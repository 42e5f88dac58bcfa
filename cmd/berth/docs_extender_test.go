package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

const exampleExtender = "docs/examples/extender"

// The example of an extender does what docs/policies.md says: it is built, run and asked.
func TestExampleExtender(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skipf("no Go to build the example with: %v", err)
	}
	script, err := filepath.Abs("testdata/example-extender.txt")
	if err != nil {
		t.Fatal(err)
	}
	atRoot(t)
	binary := filepath.Join(t.TempDir(), "extender")
	build := exec.Command(tool, "build", "-o", binary, ".")
	build.Dir = exampleExtender
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the example does not build: %v\n%s", err, out)
	}
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	text, err := os.ReadFile(exampleExtender + "/policy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), "http://127.0.0.1:8888", start(t, binary), 1))
	if err := os.WriteFile(policy, text, 0o600); err != nil {
		t.Fatal(err)
	}
	datadriven.RunTest(t, script, func(t *testing.T, d *datadriven.TestData) string {
		d.Input = strings.ReplaceAll(d.Input, "policy.yaml", policy)
		return strings.ReplaceAll(runScript(t, d), policy, "policy.yaml")
	})
}

// start runs an extender until the test ends, and returns where it listens.
func start(t *testing.T, binary string) string {
	t.Helper()
	run := exec.Command(binary, "-listen", "127.0.0.1:0")
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}
